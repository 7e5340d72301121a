"""A published run of a cluster of accelerators, and jobs whose length is known otherwise."""

import math

import numpy as np
import pytest

from sim.application import (
    TrainingCluster,
    TwoStageRepair,
    simulate_makespans,
    simulate_training_jobs,
)
from sim.samplers import Exponential

MINUTE = 1.0 / 60.0
# The defaults of AIReSim: 256 days of work on 4,096 servers, in hours.
WORK = 6144.0
CLUSTER = TrainingCluster(
    servers=4096,
    standbys=16,
    working=4160,
    spare=200,
    mtbf=2400.0,
    repair=TwoStageRepair(2.0, 48.0, 0.8, automatic_false=0.4, manual_false=0.2),
    lemons=0.15,
    lemon_factor=5.0,
    recovery_time=20 * MINUTE,
    selection_time=3 * MINUTE,
    preemption_time=20 * MINUTE,
)
SMALL = TrainingCluster(
    servers=8,
    standbys=2,
    working=10,
    spare=4,
    mtbf=15.0,
    repair=TwoStageRepair(2.0, 24.0, 0.5, automatic_false=0.4, manual_false=0.2),
    lemons=0.25,
    lemon_factor=5.0,
    recovery_time=0.5,
    selection_time=0.1,
    preemption_time=1.0,
)


@pytest.fixture(scope="module")
def published():
    return simulate_training_jobs(WORK, cluster=CLUSTER, replications=120, seed=2)


@pytest.mark.slow
def test_the_published_mean_is_met_where_a_failure_costs_no_work(published):
    # 30 runs of AIReSim: 9865.97 +- 12.55 h with 95 %.
    walls = published.makespans
    assert abs(walls.mean() - 9865.97) < 12.55
    # So well is ours known: within a fourth of that.
    assert 1.96 * walls.std() / math.sqrt(walls.size) < 12.55 / 2.0
    assert 25.0 < walls.std() < 42.0  # 33.6 in those 30 runs


def test_so_are_its_counts(published):
    # Means and deviations of 30 runs; four standard errors of the difference, 6 in 1e5 each.
    for counts, mean, deviation in (
        (published.failures, 11145.6, 100.3),
        (published.selections, 42.9, 3.4),
        (published.preemptions, 13.9, 4.5),
    ):
        error = math.hypot(deviation / math.sqrt(30), counts.std() / math.sqrt(counts.size))
        assert abs(counts.mean() - mean) < 4.0 * error


@pytest.mark.parametrize("cluster", [CLUSTER, SMALL], ids=["published", "small"])
def test_every_hour_is_work_or_a_failure_or_a_selection_or_a_preemption(cluster):
    found = simulate_training_jobs(100.0, cluster=cluster, replications=20, seed=3)
    known = (
        100.0
        + cluster.recovery_time * found.failures
        + cluster.selection_time * found.selections
        + cluster.preemption_time * found.preemptions
    )
    waits = found.makespans - known
    assert (waits > -1e-9).all()
    if cluster is CLUSTER:
        np.testing.assert_allclose(waits, 0.0, atol=1e-8)
    else:  # it also waits for repairs when the spare pool is empty
        assert waits.max() > 1.0


def test_rework_makes_it_longer_than_the_published_one(published):
    job = {"cluster": CLUSTER, "interval": 0.25, "checkpoint_cost": MINUTE}
    walls = simulate_training_jobs(WORK, **job, replications=30, seed=1).makespans
    assert walls.mean() > 1.3 * published.makespans.mean()


def test_alike_servers_with_standbys_enough_are_one_machine():
    cluster = TrainingCluster(
        8, 40, 60, 0, mtbf=60.0, repair=TwoStageRepair(0.5, 1.0, 0.0), recovery_time=0.3
    )
    job = {"interval": 1.5, "checkpoint_cost": 0.1}
    pool = simulate_training_jobs(20.0, cluster=cluster, **job, replications=4000, seed=1).makespans
    alone = simulate_makespans(
        20.0,
        **job,
        final_checkpoint=False,
        uptime=Exponential(7.5),
        downtime=0.3,
        replications=40_000,
        seed=2,
    )
    error = math.hypot(pool.std() / math.sqrt(4000), alone.std() / math.sqrt(40_000))
    assert abs(pool.mean() - alone.mean()) < 4.0 * error  # 6 in 1e5
    assert abs(pool.std() / alone.std() - 1.0) < 0.1


def test_lemons_are_cured_one_by_one():
    # All lemons at first, all in the job: each fails at six times the rate until it is mended.
    cluster = TrainingCluster(50, 0, 50, 0, 1e3, TwoStageRepair(1e-6, 1.0, 0.0, 0.5), 1.0, 5.0)
    found = simulate_training_jobs(5e3, cluster=cluster, replications=200, seed=4).failures
    # 5000 h of 50 servers; each was a lemon for 1000/6 * 2 h: (6 - 1) * 2/6 failures more.
    known = 50 * (5.0 + 5.0 / 3.0)
    assert abs(found.mean() - known) < 4.0 * found.std() / math.sqrt(200)
    assert found.std() / math.sqrt(200) < 0.01 * known


@pytest.mark.parametrize("interval", [None, 1.5])
def test_the_compiled_loop_gives_the_same_bits(interval):
    job = {"cluster": SMALL, "interval": interval, "replications": 10, "seed": 1}
    kernel = simulate_training_jobs(30.0, **job)
    events = simulate_training_jobs(30.0, **job, method="events")
    for name in ("makespans", "failures", "selections", "preemptions"):
        np.testing.assert_array_equal(getattr(kernel, name), getattr(events, name))
    assert kernel.preemptions.max() == 4


def test_it_refuses():
    with pytest.raises(ValueError, match=r"working must be at least servers and standbys, got 8 <"):
        TrainingCluster(8, 1, 8, 0, 1.0, CLUSTER.repair)
    with pytest.raises(ValueError, match=r"checkpoint_cost must be 0 without interval, got 0.1"):
        simulate_training_jobs(1.0, cluster=SMALL, checkpoint_cost=0.1, replications=1, seed=1)
