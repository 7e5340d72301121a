"""Chains that can be worked out by hand, and one that is a job of equal segments."""

import numpy as np
import pytest

from sim.application import simulate_chain_makespans, simulate_makespans
from sim.samplers import Exponential, Recorded

CHAIN = {
    "works": [3.0, 2.0, 4.0],
    "checkpoint_after": [True, False, True],
    "checkpoint_costs": [0.5, 9.0, 1.0],
    "recovery_costs": [0.25, 9.0, 9.0],
    "input_recovery": 0.75,
    "downtime": 2.0,
}

# Uptimes, then the makespan.
PATHS = {
    "none": ([], 10.5),
    "in the first task": ([1.0], 1.0 + 2.0 + 0.75 + 10.5),
    "in the first checkpoint": ([3.25], 3.25 + 2.0 + 0.75 + 10.5),
    "in the second segment": ([8.0], 8.0 + 2.0 + 0.25 + 7.0),
    "in a recovery": ([8.0, 0.125], 8.0 + 2.0 + 0.125 + 2.0 + 0.25 + 7.0),
    "twice": ([1.0, 10.0], 1.0 + 2.0 + 10.0 + 2.0 + 0.25 + 7.0),
}


@pytest.mark.parametrize("name", PATHS)
def test_a_path_by_hand(name):
    gaps, makespan = PATHS[name]
    walls = simulate_chain_makespans(
        **CHAIN, uptime=Recorded([*gaps, 1e9], then="never"), replications=1, seed=0
    )
    assert walls.tolist() == [makespan]


def test_equal_tasks_take_as_long_as_a_job():
    uptime = Exponential(8.0)
    walls = simulate_chain_makespans(
        [2.0] * 5,
        checkpoint_after=[True] * 5,
        uptime=uptime,
        checkpoint_costs=0.25,
        recovery_costs=0.5,
        input_recovery=0.5,
        downtime=1.0,
        replications=20_000,
        seed=4,
    )
    job = simulate_makespans(
        10.0,
        interval=2.0,
        uptime=uptime,
        checkpoint_cost=0.25,
        recovery_cost=0.5,
        downtime=1.0,
        replications=20_000,
        seed=5,
    )
    error = np.sqrt((walls.var() + job.var()) / 20_000)
    assert abs(walls.mean() - job.mean()) < 4.5 * error  # false alarms: 7 in a million seeds


def test_bad_numbers_are_refused():
    for name, value in (("works", [1.0, -2.0, 3.0]), ("checkpoint_costs", -1.0)):
        with pytest.raises(ValueError, match=f"{name} must be finite and >= 0"):
            simulate_chain_makespans(
                **{**CHAIN, name: value}, uptime=Exponential(8.0), replications=1, seed=0
            )
