"""Runs worked out by hand, with copies in memory."""

import numpy as np
import pytest

from sim.application import simulate_memory_runs
from sim.application.training import memory

RUN = {
    "interval": 4.0,
    "durable_every": 2,
    "mtbf": 1.0,
    "survived": 0.5,
    "memory_cost": 1.0,
    "checkpoint_cost": 2.0,
    "memory_restore": 0.5,
    "restore": 3.0,
    "warm_up": 0.25,
    "detection": 0.1,
    "queue": 0.2,
    "rescheduling": 0.3,
}


class Scripted:
    """A generator whose draws are listed."""

    def __init__(self, uptimes, shares):
        self._uptimes, self._shares = list(uptimes), list(shares)

    def standard_exponential(self):
        return self._uptimes.pop(0)

    def random(self):
        return self._shares.pop(0)


def play(uptimes, shares):
    return memory._Run(patterns=1, **RUN).play(Scripted(uptimes, shares))


def test_a_failure_that_leaves_the_copy_in_memory():
    spent = play((7.0, 99.0), (0.4,))  # two time units after the copy at 5
    assert spent["wasted_progress"] == 2.0
    assert (spent["memory_restore"], spent["checkpoint_restore"], spent["warm_up"]) == (
        0.5,
        0.0,
        0.25,
    )
    assert (spent["kept"], spent["memory_save"], spent["checkpoint_save"]) == (8.0, 1.0, 2.0)
    assert sum(spent.values()) == pytest.approx(11.0 + 2.0 + 0.6 + 0.75)


def test_a_failure_that_does_not_undoes_the_copy_as_well():
    spent = play((7.0, 99.0), (0.6,))
    assert spent["wasted_progress"] == 7.0
    assert (spent["memory_restore"], spent["checkpoint_restore"]) == (0.0, 3.0)


def test_a_failure_in_a_restore_begins_it_anew_whatever_it_leaves():
    spent = play((7.0, 2.0, 99.0), (0.6,))
    assert spent["checkpoint_restore"] == 5.0
    assert spent["detection"] == pytest.approx(0.2)


def test_a_failure_in_a_restore_from_memory_may_lose_it():
    spent = play((7.0, 0.25, 99.0), (0.4, 0.6))
    assert (spent["memory_restore"], spent["checkpoint_restore"]) == (0.25, 3.0)
    assert spent["wasted_progress"] == 7.0


def test_the_seed_alone_decides():
    few = simulate_memory_runs(**{**RUN, "mtbf": 20.0}, replications=5, seed=2)
    more = simulate_memory_runs(**{**RUN, "mtbf": 20.0}, replications=50, seed=2)
    np.testing.assert_array_equal(few.total, more.total[:5])
