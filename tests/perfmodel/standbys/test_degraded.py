import numpy as np
import pytest

from perfmodel import degraded_goodput, spares_goodput

JOB = {
    "block_mtbf": 100.0,
    "mttr": 12.0,
    "crews": 2,
    "standby_hazard": 0.3,
    "switch_time": 0.1,
    "recovery_cost": 0.2,
    "checkpoint_cost": 0.1,
    "interval": 1.5,
}


def test_a_point_computed_otherwise_to_fourteen_digits():
    # A Markov renewal process over segments, recoveries and both kinds of stops.
    found = degraded_goodput(8, 1, may_miss=2, resize_time=0.5, **JOB)
    assert found == pytest.approx(0.776629585533781, rel=1e-13)


@pytest.mark.parametrize("standbys", [0, 1, 7])
@pytest.mark.parametrize("hazard", [0.0, 1.0])
def test_a_job_that_may_miss_no_block_waits(standbys, hazard):
    job = {**JOB, "stopped_hazard": hazard}
    found = degraded_goodput(8, standbys, may_miss=0, resize_time=9.0, **job)
    assert found == pytest.approx(spares_goodput(8, standbys, **job), rel=1e-12)


HOURS = {"mttr": 24.0, "standby_hazard": 1.0, "resize_time": 0.25}
# Blocks, how many may be missing, the rest; goodput by standbys, that of waiting and of going on.
MACHINES = {
    "16,384 accelerators, blocks of 64": (
        {"blocks": 256, "may_miss": 13, "block_mtbf": 17000 / 8, **HOURS},
        {"checkpoint_cost": 1 / 60, "recovery_cost": 1 / 12, "switch_time": 1 / 12},
        {0: (0.238, 0.862), 4: (0.829, 0.903), 8: (0.917, 0.919)},
    ),
    "4,096 processors, blocks of 8": (
        {"blocks": 512, "may_miss": 26, "block_mtbf": 43800 / 8, **HOURS, "mttr": 48.0},
        {"checkpoint_cost": 1 / 12, "recovery_cost": 1 / 6, "switch_time": 1 / 12},
        {0: (0.158, 0.814), 4: (0.654, 0.833)},
    ),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_what_two_machines_gain_by_going_on(machine):
    job, costs, known = MACHINES[machine]
    waiting = {name: job[name] for name in ("blocks", "block_mtbf", "mttr", "standby_hazard")}
    for standbys, goodputs in known.items():
        waits = spares_goodput(standbys=standbys, **waiting, **costs)
        goes_on = degraded_goodput(standbys=standbys, **job, **costs)
        assert (round(float(waits), 3), round(float(goes_on), 3)) == goodputs


def test_without_repair_it_runs_out_of_blocks():
    assert degraded_goodput(8, 1, may_miss=2, **{**JOB, "mttr": np.inf}) == 0.0
    # Ever more blocks fail while it waits for the one crew.
    job = {**JOB, "mttr": 1e4, "crews": 1, "stopped_hazard": 1.0, "switch_time": 0.0}
    assert degraded_goodput(400, 1, may_miss=2, **job) < 1e-300


def test_with_free_and_quick_resizes_a_missing_block_costs_its_share():
    # Rare failures, long repairs: down is Binomial, and speed is what is up.
    job = {"block_mtbf": 1e9, "mttr": 1e9 / 99, "standby_hazard": 1.0, "stopped_hazard": 1.0}
    costs = {"interval": 1.0, "checkpoint_cost": 0.0}
    found = degraded_goodput(4, 0, may_miss=3, **job, **costs)
    # A job that waits when all four are down: all that counts is at most four of four.
    assert found == pytest.approx(0.99, rel=1e-7)


@pytest.mark.parametrize(("standbys", "may_miss", "states"), [(1500, 0, 3002), (499, 2, 3006)])
def test_a_job_of_more_states_than_can_be_solved_is_refused(standbys, may_miss, states):
    # Up or waiting, each with its numbers of blocks that are down.
    said = rf"at most 3000 states, got {states}: take larger blocks$"
    with pytest.raises(ValueError, match=said):
        degraded_goodput(8, standbys, may_miss=may_miss, **JOB)


@pytest.mark.slow
def test_a_job_of_exactly_the_most_states_is_answered():
    assert 0.0 < degraded_goodput(30, 47, may_miss=24, **JOB) < 1.0


def test_arrays_are_broadcast_together():
    found = degraded_goodput(8, [0, 1], may_miss=[[0], [2]], **JOB)
    assert found.shape == (2, 2)
    assert found[1, 1] == degraded_goodput(8, 1, may_miss=2, **JOB)
    assert found[1, 0] > found[0, 0]


def test_free_checkpoints_have_no_best_interval():
    free = {**JOB, "checkpoint_cost": 0.0}
    free.pop("interval", None)
    with pytest.raises(ValueError, match=r"^interval must be given where checkpoint_cost is 0"):
        degraded_goodput(8, 1, may_miss=2, **free)
    assert 0.0 < degraded_goodput(8, 1, may_miss=2, **free, interval=1.0) < 1.0
