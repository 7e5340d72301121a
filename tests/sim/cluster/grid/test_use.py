"""The use of each cluster against that of the whole grid, and by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload
from sim.cluster.grid import GRID_POLICIES, ClusterSpec, ClusterUse, Grid, replay_grid
from sim.cluster.grid import use_by_cluster as by_cluster
from sim.records import Outcome
from tests.support.examples import examples
from tests.support.workloads import random_failures, random_workload, seeds


def random_case(rng):
    grid = Grid(
        tuple(
            ClusterSpec(f"c{n}", int(rng.integers(1, 4)), int(rng.integers(1, 4)), speed=n + 1.0)
            for n in range(int(rng.integers(1, 4)))
        )
    )
    workload = random_workload(rng, processors=max(c.size for c in grid.clusters), jobs=20)
    return workload, grid, random_failures(rng, nodes=grid.nodes)


@pytest.mark.parametrize("policy", list(GRID_POLICIES))
@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, recovery=st.sampled_from(("drop", "original", "new")))
def test_the_clusters_add_up_to_the_grid(policy, rng, recovery):
    workload, grid, failures = random_case(rng)
    result = replay_grid(workload, grid, policy=policy, failures=failures, recovery=recovery)
    use, played = result.use_by_cluster, result.replay
    size = np.array([cluster.size for cluster in grid.clusters], dtype=float)
    capacity = size * played.metrics["makespan_s"]
    held = np.array([one.utilization for one in use.values()])
    down = np.array([one.down for one in use.values()])
    np.testing.assert_allclose(held @ capacity, played.metrics["utilization"] * capacity.sum())
    np.testing.assert_allclose(down @ capacity, played.down, atol=1e-9)
    hours = np.array([one.down_machine_h for one in use.values()])
    per_machine = np.array([cluster.per_machine[0] for cluster in grid.clusters])
    assert hours @ per_machine * 3600.0 == pytest.approx(played.down)
    assert sum(one.killed for one in use.values()) == result.killed
    struck = played.attempt_records.outcome == Outcome.FAILED
    assert sum(one.kills for one in use.values()) == int(struck.sum())
    for one in use.values():
        assert one.striking_failures <= min(one.failures, one.kills)
        assert (one.striking_failures > 0) == (one.kills > 0)


def test_the_use_of_two_clusters_worked_by_hand():
    grid = Grid((ClusterSpec("a", 2, 2, speed=2.0), ClusterSpec("b", 4)))
    # On a, of four processors: job 1 until the failure at 6, which ends job 2 beside it. On b: 3.
    jobs = Workload(
        submit=[0, 0, 0], runtime=[10, 10, 20], walltime=[10, 10, 20], processors=[2, 1, 4]
    )
    first = replay_grid(jobs, grid, policy="fcfs").use_by_cluster
    assert first["a"] == ClusterUse(30 / 80, 0.0, 0.0, 0, 0, 0, 0)
    assert first["b"] == ClusterUse(1.0, 0.0, 0.0, 0, 0, 0, 0)
    # Machine 1 has job 2, which runs for 6. It is out from 6, again from 8, until 13. The failure
    # at 30 is of machine 2, in b, after all jobs.
    failures = Failures(time=[6, 8, 30], node=[1, 1, 2], repair=[4, 5, 9])
    lost = replay_grid(jobs, grid, policy="fcfs", failures=failures)
    assert lost.use_by_cluster == {
        "a": ClusterUse((20 + 6) / 80, 14 / 80, 7 / 3600, 2, 1, 1, 1),
        "b": ClusterUse(1.0, 0.0, 0.0, 0, 0, 0, 0),
    }
    again = replay_grid(jobs, grid, policy="fcfs", failures=failures, recovery="original")
    assert again.use_by_cluster["a"].killed == 0
    assert again.use_by_cluster["a"].kills == 1


def test_one_failure_that_ends_two_jobs_strikes_once():
    grid = Grid((ClusterSpec("a", 2, 2),))
    jobs = Workload(submit=[0, 0], runtime=[9, 9], walltime=[9, 9], processors=[1, 1])
    failures = Failures(time=[5, 5], node=[1, 0], repair=[1, 1])
    use = replay_grid(jobs, grid, failures=failures).use_by_cluster["a"]
    assert (use.failures, use.striking_failures, use.kills, use.killed) == (2, 1, 2, 2)


def test_without_a_placement_no_cluster_is_known():
    grid = Grid((ClusterSpec("a", 2),))
    jobs = Workload(submit=[0], runtime=[9], walltime=[9], processors=[1])
    done = replay_grid(jobs, grid)
    records = replace(done.replay.attempt_records, placement=None)
    with pytest.raises(ValueError, match="placement must be known for every attempt, got none"):
        by_cluster(done.replay.job_records, records, grid=grid, failures=done.failures, outages=())
