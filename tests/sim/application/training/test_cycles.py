"""Cycles of a training run that can be worked out by hand, and what all of them keep."""

import numpy as np
import pytest

from sim.application import simulate_training_cycles
from sim.samplers import Deterministic, Exponential

RUN = {
    "interval": 4.0,
    "checkpoint_cost": 1.0,
    "latency": 2.0,
    "restore": 3.0,
    "warm_up": 2.0,
    "detection": 0.5,
    "queue": 7.0,
    "rescheduling": 0.25,
}

# The uptime, then kept, saved, wasted, read back and warmed up.
CYCLES = {
    "while it reads back": (2.0, (0.0, 0.0, 0.0, 2.0, 0.0)),
    "while it warms up": (4.0, (0.0, 0.0, 0.0, 3.0, 1.0)),
    "before the first snapshot is durable": (11.9, (0.0, 0.0, 6.9, 3.0, 2.0)),
    "when the first snapshot is durable": (12.0, (4.0, 1.0, 2.0, 3.0, 2.0)),
    "before the second": (16.5, (4.0, 1.0, 6.5, 3.0, 2.0)),
    "after the third": (23.0, (12.0, 3.0, 3.0, 3.0, 2.0)),
}


@pytest.mark.parametrize("name", CYCLES)
def test_a_cycle_by_hand(name):
    uptime, parts = CYCLES[name]
    cycle = simulate_training_cycles(1, uptime=Deterministic(uptime), **RUN, seed=0)
    found = (
        cycle.kept,
        cycle.checkpoint_save,
        cycle.wasted_progress,
        cycle.checkpoint_restore,
        cycle.warm_up,
    )
    assert tuple(float(part[0]) for part in found) == pytest.approx(parts, abs=1e-12)
    assert cycle.detection + cycle.queue + cycle.rescheduling == 7.75


def test_every_moment_is_in_one_class():
    cycles = simulate_training_cycles(1000, uptime=Exponential(9.0), **RUN, seed=3)
    again = simulate_training_cycles(1000, uptime=Exponential(9.0), **RUN, seed=3)
    np.testing.assert_array_equal(cycles.total, again.total)
    assert cycles.total.mean() == pytest.approx(7.75 + 9.0, abs=5 * 9.0 / 1000**0.5)
    assert min(cycles.kept.min(), cycles.wasted_progress.min(), cycles.warm_up.min()) >= 0.0


def test_a_drain_longer_than_a_period_is_refused():
    with pytest.raises(ValueError, match="latency must be at most interval"):
        simulate_training_cycles(1, uptime=Exponential(9.0), **{**RUN, "latency": 5.1}, seed=3)
