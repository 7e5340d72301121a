"""The compiled loop against the readable model, bit by bit; and jobs of a known length."""

import math

import numpy as np
import pytest

from sim.application import TwoStageRepair, simulate_makespans, simulate_standby_makespans
from sim.samplers import Exponential

JOB = {
    "blocks": 8,
    "standbys": 2,
    "block_mtbf": 60.0,
    "mttr": 12.0,
    "interval": 1.5,
    "checkpoint_cost": 0.1,
    "recovery_cost": 0.2,
    "switch_time": 0.1,
    "crews": 2,
    "standby_hazard": 0.3,
    "stopped_hazard": 0.5,
}
STAGES = TwoStageRepair(2.0, 20.0, 0.5, automatic_false=0.3, manual_false=0.1)
KINDS = {
    "one stage": {},
    "fewer blocks": {"may_miss": 2, "resize_time": 0.5},
    "two stages": {"mttr": STAGES, "stopped_hazard": 0.0},
    "fewer blocks after another job": {"may_miss": 2, "resize_time": 0.5, "warm_up": 20.0},
    "after another job": {"warm_up": 20.0},
    "standbys alone fail": {"stopped_hazard": 0.0, "standby_hazard": 1.0},
    "crews without limit": {"crews": math.inf},
    "standbys under repair": {"under_repair": 2},
}


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_both_methods_give_the_same_bits(kind):
    job = {**JOB, **kind, "replications": 70, "seed": 3}
    kernel = simulate_standby_makespans(20.0, **job)
    events = simulate_standby_makespans(20.0, **job, method="events")
    np.testing.assert_array_equal(kernel, events)
    assert len(set(kernel)) > 60


def test_more_replications_only_append():
    few = simulate_standby_makespans(20.0, **JOB, replications=5, seed=1)
    many = simulate_standby_makespans(20.0, **JOB, replications=90, seed=1)
    np.testing.assert_array_equal(few, many[:5])


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_without_failures_it_is_work_and_checkpoints(method):
    job = {**JOB, "block_mtbf": 1e12, "replications": 2, "seed": 1, "method": method}
    np.testing.assert_allclose(simulate_standby_makespans(10.0, **job), 10.7, rtol=1e-12)


def test_with_standbys_enough_it_is_a_job_of_one_machine():
    # Two means of 20,000 jobs each; 4.5 standard errors of their difference, 7 in a million.
    job = {name: JOB[name] for name in ("interval", "checkpoint_cost", "recovery_cost")}
    pool = {"blocks": 8, "standbys": 40, "block_mtbf": 60.0, "mttr": 1.0, "switch_time": 0.3}
    shared = simulate_standby_makespans(20.0, **job, **pool, replications=20_000, seed=1)
    alone = simulate_makespans(
        20.0, **job, uptime=Exponential(7.5), downtime=0.3, replications=20_000, seed=2
    )
    error = math.sqrt((shared.var() + alone.var()) / 20_000)
    assert abs(shared.mean() - alone.mean()) < 4.5 * error
    assert abs(shared.std() / alone.std() - 1.0) < 0.05


def test_blocks_that_return_in_a_wait_fail_like_those_of_the_job():
    # One crew, no standby: the wait is over when all 16 are up. First passages of the blocks down
    # from 1 to 0, with failures at 0.5/100 of each that is up, give the mean wait.
    mttr, time = 6.25, 0.0
    for up in range(16):
        time = mttr * (1.0 + 0.005 * up * time)
    job = {"blocks": 16, "standbys": 0, "block_mtbf": 100.0, "mttr": mttr, "crews": 1}
    job |= {"interval": 0.01, "checkpoint_cost": 0.0, "stopped_hazard": 0.5}
    walls = simulate_standby_makespans(500.0, **job, replications=200, seed=3) / 500.0
    known = 1.0 + 0.16 * time
    known *= math.expm1(0.0016) / 0.0016  # rework
    assert abs(walls.mean() - known) < 4.0 * walls.std() / 200**0.5  # 6 in 1e5
    assert walls.std() / 200**0.5 < 0.02 * known


def test_false_repairs_cost_switches_and_fewer_blocks_cost_speed():
    def mean(**changed):
        job = {**JOB, "standby_hazard": 0.0, "stopped_hazard": 0.0, **changed}
        return simulate_standby_makespans(50.0, **job, replications=2000, seed=4).mean()

    sound = TwoStageRepair(2.0, 20.0, 0.5)
    assert mean(mttr=STAGES) > 1.05 * mean(mttr=sound)
    assert mean(may_miss=3) < 0.95 * mean()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"may_miss": 8}, "may_miss must be below blocks, got 8 of 8"),
        ({"may_miss": 1, "mttr": STAGES}, "may_miss must be 0 where a repair has two stages"),
        ({"mttr": STAGES}, "stopped_hazard must be 0 where a repair has two stages, got 0.5"),
        ({"crews": 0}, "crews must be a whole number >= 1, got 0"),
        ({"standby_hazard": 1.5}, r"standby_hazard must be in \[0, 1\], got 1.5"),
    ],
)
def test_it_refuses(wrong, message):
    with pytest.raises(ValueError, match=message):
        simulate_standby_makespans(1.0, **{**JOB, **wrong}, replications=1, seed=1)
    with pytest.raises(ValueError, match="automatic must be finite and > 0"):
        TwoStageRepair(0.0, 1.0, 0.5)


def test_standbys_under_repair_at_first_cannot_take_over():
    job = {**JOB, "mttr": 100.0, "stopped_hazard": 0.0, "replications": 200, "seed": 4}
    means = [simulate_standby_makespans(3.0, **job, under_repair=n).mean() for n in (0, 1, 2)]
    assert means[1] > means[0] + 1.0
    assert means[2] > means[1] + 1.0
    with pytest.raises(ValueError, match="under_repair must be at most standbys, got 3 of 2"):
        simulate_standby_makespans(3.0, **job, under_repair=3)
