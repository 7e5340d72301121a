"""Paths worked out by hand: every row of the arrays plays the same draws."""

import numpy as np
import pytest

from sim.application import simulate_silent_makespans
from sim.application._plan import Plan
from sim.application.silent import job as silent_job
from tests.support.scripted import Scripted

JOB = {
    "interval": 2.0,
    "checkpoint_cost": 1.0,
    "verification_cost": 0.5,
    "recovery_cost": 0.25,
    "downtime": 3.0,
}


def play(*draws, work=4.0):
    plan = Plan(work, 2.0, 1.0, 0.25, final_checkpoint=True)
    errors = silent_job.Errors(1.0, 1.0, 0.5, 3.0)
    return silent_job.play(Scripted(*draws), 1, plan=plan, errors=errors)[0]


NEVER = np.inf
PATHS = {
    "nothing fails": ((NEVER, NEVER, NEVER), 7.0),
    "a silent error in the first segment is found by its verification": (
        (NEVER, 1.0, NEVER, NEVER),
        2.5 + 0.25 + 7.0,
    ),
    "one in the second segment costs the second only": (
        (NEVER, NEVER, 1.0, NEVER),
        7.0 + 2.5 + 0.25,
    ),
    "a failure while computing": ((1.0, NEVER, NEVER, NEVER), 1.0 + 3.0 + 0.25 + 7.0),
    "a failure in the checkpoint": ((3.0, NEVER, NEVER, NEVER, NEVER), 3.0 + 3.0 + 0.25 + 7.0),
    "a failure in the recovery from a silent error": (
        (2.6, 1.0, NEVER, NEVER, NEVER),
        2.6 + 3.0 + 0.25 + 7.0,
    ),
    "a failure after a silent error takes it away": (
        (2.25, 1.0, NEVER, NEVER, NEVER),
        2.25 + 3.0 + 0.25 + 7.0,
    ),
    "a failure in the recovery from a failure": (
        (1.0, 0.125, NEVER, NEVER, NEVER),
        1.0 + 3.0 + 0.125 + 3.0 + 0.25 + 7.0,
    ),
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_by_hand(path):
    draws, makespan = path
    assert play(*draws) == makespan


def test_a_last_segment_that_is_shorter():
    assert play(NEVER, NEVER, NEVER, work=3.0) == 6.0


def test_the_seed_alone_decides():
    job = {"work": 4.0, "mtbf": 5.0, "silent_mtbf": 4.0, **JOB}
    few = simulate_silent_makespans(**job, replications=10, seed=2)
    more = simulate_silent_makespans(**job, replications=9000, seed=2)
    np.testing.assert_array_equal(few, more[:10])
    assert few.tolist() != simulate_silent_makespans(**job, replications=10, seed=3).tolist()


def test_without_errors_every_makespan_is_the_same():
    assert set(simulate_silent_makespans(3.0, **JOB, replications=5, seed=1)) == {6.0}
