"""Orders other than that of submission, against the plain policies and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Conservative, Easy, Fcfs, Workload, flat, replay
from sim.cluster.grid import (
    ClusterSpec,
    Grid,
    GridEasy,
    GridFcfs,
    Planned,
    replay_grid,
    runtime_scale,
)
from sim.cluster.order import by_submission
from tests.support.examples import examples
from tests.support.oracles import attempts
from tests.support.workloads import ORDERS, random_failures, random_workload, seeds


def shortest_first(cluster):
    return sorted(cluster.queue, key=lambda job: (job.planned, job.key))


def longest_wait_for_its_length(cluster):
    """An order that changes with time."""
    now = cluster.now
    return sorted(cluster.queue, key=lambda job: (-(now - job.queued_at) / job.planned, job.key))


ORDERINGS = pytest.mark.parametrize("order", [shortest_first, longest_wait_for_its_length])
PAIRS = pytest.mark.parametrize(
    ("plain", "grids"), [(Fcfs, GridFcfs), (Easy, GridEasy), (Conservative, Planned)]
)


@ORDERINGS
@PAIRS
@settings(deadline=None, max_examples=examples(160))
@given(
    rng=seeds,
    event_order=st.sampled_from(ORDERS),
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
    recovery=st.sampled_from(("original", "new", "drop")),
    failing=st.booleans(),
)
def test_one_cluster_is_a_flat_machine_in_any_order(  # noqa: PLR0917
    plain, grids, order, rng, event_order, kill, estimates, recovery, failing
):
    per_machine, machines = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    workload = random_workload(rng, processors=per_machine * machines)
    options = {
        "event_order": event_order,
        "kill_at_walltime": kill,
        "estimates": estimates,
        "recovery": recovery,
        "failures": random_failures(rng, nodes=machines) if failing else None,
    }
    machine = flat(per_machine * machines, processors_per_node=per_machine)
    grid = Grid((ClusterSpec("only", machines, per_machine),), repairs_known=True)
    expected = replay(workload, machine, policy=plain(order=order), engine="general", **options)
    played = replay(workload, grid, policy=grids(order=order), **options)
    assert attempts(played) == attempts(expected)


@ORDERINGS
@PAIRS
@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_many_clusters_are_played_as_the_plain_policies_do(plain, grids, order, rng):
    grid = Grid(
        tuple(
            ClusterSpec(f"c{n}", int(rng.integers(1, 4)), int(rng.integers(1, 4)))
            for n in range(int(rng.integers(2, 4)))
        )
    )
    workload = random_workload(rng, processors=max(c.size for c in grid.clusters), jobs=20)
    suits = grid.suits(workload) & (rng.random((len(workload), len(grid.clusters))) < 0.7)
    kept = suits.any(axis=1)
    workload, grid = workload.select(kept), grid.with_suitability(suits[kept])
    options = {"estimates": "walltime", "kill_at_walltime": True, "engine": "general"}
    expected = replay(workload, grid, policy=plain(order=order), **options)
    played = replay(workload, grid, policy=grids(order=order), **options)
    assert attempts(played) == attempts(expected)


@pytest.mark.parametrize("policy", ["fcfs", "fcfs-lb", "easy"])
@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, estimates=st.sampled_from(("walltime", "runtime")))
def test_the_order_of_submission_by_hand_changes_nothing(policy, rng, estimates):
    grid = Grid((ClusterSpec("a", 2, 2), ClusterSpec("b", 3)))
    workload = random_workload(rng, processors=4, jobs=20)
    options = {
        "policy": policy,
        "estimates": estimates,
        "failures": random_failures(rng, nodes=5),
        "recovery": "original",
    }
    plain = replay_grid(workload, grid, engine="general", **options)
    ordered = replay_grid(workload, grid, order=by_submission, **options)
    assert attempts(ordered.replay) == attempts(plain.replay)


@pytest.mark.parametrize("policy", ["fcfs", "fcfs-lb", "easy", "cons"])
def test_the_shortest_goes_first(policy):
    grid = Grid((ClusterSpec("a", 1), ClusterSpec("b", 1)))
    jobs = Workload(
        submit=[0, 0, 1, 2, 3],
        runtime=[9, 9, 8, 6, 7],
        walltime=[9, 9, 8, 6, 7],
        processors=[1] * 5,
    )
    result = replay_grid(jobs, grid, policy=policy, order=shortest_first).replay
    assert result.job_records.start.tolist() == [0.0, 0.0, 15.0, 9.0, 9.0]
    assert result.engine == "general"


def test_orders_and_scaled_runtimes_go_together():
    grid = Grid((ClusterSpec("a", 1), ClusterSpec("b", 1, speed=2.0)))
    jobs = Workload(
        submit=[0, 0, 1, 2], runtime=[8, 8, 8, 6], walltime=[8, 8, 8, 6], processors=[1] * 4
    )
    for policy in ("fcfs", "easy", "cons"):
        scale = runtime_scale(grid, np.zeros(4, np.int64))
        result = replay_grid(jobs, grid, policy=policy, order=shortest_first, scale=scale)
        assert result.replay.job_records.start.tolist() == [0.0, 0.0, 7.0, 4.0]


def test_an_order_is_for_policies_by_name_that_have_one():
    grid = Grid((ClusterSpec("a", 1),))
    jobs = Workload(submit=[0], runtime=[8], walltime=[8], processors=[1])
    with pytest.raises(ValueError, match="policy must be fcfs, fcfs-lb, easy or cons where an o"):
        replay_grid(jobs, grid, policy="ls", order=shortest_first)
    with pytest.raises(ValueError, match="order must be left out where policy is an object"):
        replay_grid(jobs, grid, policy=GridEasy(), order=shortest_first)
    with pytest.raises(ValueError, match="engine must be 'general' for a policy that has an"):
        replay_grid(jobs, grid, policy="easy", order=shortest_first, engine="kernel")
