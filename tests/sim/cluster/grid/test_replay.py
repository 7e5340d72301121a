"""Grids against single clusters, job by job, and against what must never happen."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload, flat, replay
from sim.cluster.grid import (
    GRID_POLICIES,
    ClusterSpec,
    Grid,
    GridEasy,
    GridFcfs,
    LocalSearch,
    Planned,
    replay_grid,
)
from sim.records import Outcome
from tests.support.examples import examples
from tests.support.oracles import attempts
from tests.support.plans import Watched
from tests.support.workloads import ORDERS, random_failures, random_workload, seeds

PAIRS = [
    ("fcfs", GridFcfs()),
    ("fcfs", GridFcfs(seed=3)),
    ("easy", GridEasy()),
    ("conservative", Planned()),
    ("conservative", LocalSearch(rounds=0)),
]
pairs = pytest.mark.parametrize(("plain", "policy"), PAIRS)


def random_grid(rng):
    return Grid(
        tuple(
            ClusterSpec(
                f"c{number}",
                int(rng.integers(1, 4)),
                int(rng.integers(1, 4)),
                speed=float(rng.integers(1, 3)),
            )
            for number in range(int(rng.integers(1, 4)))
        )
    )


def random_case(rng, *, failing=True):
    grid = random_grid(rng)
    largest = max(cluster.size for cluster in grid.clusters)
    workload = random_workload(rng, processors=largest, jobs=20)
    suitability = rng.random((len(workload), len(grid.clusters))) < 0.7
    failures = random_failures(rng, nodes=grid.nodes) if failing else None
    return workload, grid.with_suitability(suitability), failures


@pairs
@settings(deadline=None, max_examples=examples(160))
@given(
    rng=seeds,
    event_order=st.sampled_from(ORDERS),
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
    recovery=st.sampled_from(("original", "new", "drop")),
    failing=st.booleans(),
)
def test_one_cluster_is_a_flat_machine(  # noqa: PLR0917
    plain, policy, rng, event_order, kill, estimates, recovery, failing
):
    per_machine, machines = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    processors = per_machine * machines
    workload = random_workload(rng, processors=processors)
    options = {
        "event_order": event_order,
        "kill_at_walltime": kill,
        "estimates": estimates,
        "recovery": recovery,
        "failures": random_failures(rng, nodes=machines) if failing else None,
    }
    machine = flat(processors, processors_per_node=per_machine)
    grid = Grid((ClusterSpec("only", machines, per_machine),), repairs_known=True)
    expected = replay(workload, machine, policy=plain, engine="general", **options)
    assert attempts(replay(workload, grid, policy=policy, **options)) == attempts(expected)


@settings(deadline=None, max_examples=examples(240))
@given(
    rng=seeds,
    policy=st.sampled_from((("fcfs", "fcfs"), ("easy", "easy"), ("conservative", "cons"))),
    event_order=st.sampled_from(ORDERS),
    kill=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
)
def test_walltimes_and_event_orders_are_those_of_replay(rng, policy, event_order, kill, estimates):
    workload = random_workload(rng, processors=4)
    options = {
        "event_order": event_order,
        "kill_at_walltime": kill,
        "estimates": estimates,
        "recovery": "new",
        "failures": random_failures(rng, nodes=4),
    }
    plain, named = policy
    expected = replay(workload, flat(4), policy=plain, **options)
    grid = Grid((ClusterSpec("only", 4),), repairs_known=True)
    played = replay_grid(workload, grid, policy=named, cancel_stranded=False, **options)
    assert attempts(played.replay) == attempts(expected)
    assert played.metrics["killed_at_walltime"] == expected.metrics["killed"]
    assert played.metrics["completed"] == expected.metrics["completed"] + expected.metrics["killed"]


@pairs
@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_many_clusters_are_played_as_the_plain_policies_do(plain, policy, rng):
    if getattr(policy, "seed", None) is not None and plain == "fcfs":
        return  # it chooses other clusters
    workload, grid, _ = random_case(rng, failing=False)
    kept = grid.fits(workload)
    suits = grid.suits(workload)
    workload = workload.select(kept)
    grid = grid.with_suitability(suits[kept])
    options = {"estimates": "runtime", "kill_at_walltime": False}
    expected = replay(workload, grid, policy=plain, **options)
    assert attempts(replay(workload, grid, policy=policy, **options)) == attempts(expected)


@pytest.mark.parametrize("policy", list(GRID_POLICIES))
@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds, recovery=st.sampled_from(("drop", "original", "new")))
def test_no_machine_is_overfull_unsuitable_or_out(policy, rng, recovery):
    workload, grid, failures = random_case(rng)
    result = replay_grid(
        workload, grid, policy=policy, seed=7, failures=failures, recovery=recovery
    )
    records, jobs = result.replay.attempt_records, result.replay.workload
    suits = dict(zip(workload.job.tolist(), grid.suits(workload), strict=True))
    capacity = [count for cluster in grid.clusters for count in cluster.per_machine]
    first = grid.first_machines
    events = defaultdict(list)
    for position, start, end, placement in zip(
        records.position, records.start, records.end, records.placement, strict=True
    ):
        assert suits[int(jobs.job[position])][placement.cluster]
        assert sum(placement.processors) == jobs.processors[position]
        for machine, count in zip(placement.machines, placement.processors, strict=True):
            assert first[placement.cluster] <= machine < first[placement.cluster + 1]
            events[machine] += [(end, -count), (start, count)]
            for time, node, repair in zip(
                failures.time, failures.node, failures.repair, strict=True
            ):
                if node == machine:
                    assert end <= time or start >= time + repair
    for machine, changes in events.items():
        used = np.cumsum([count for _, count in sorted(changes)])
        assert used.max() <= capacity[machine]
    outcomes = result.replay.job_records.outcome
    ended = int(np.sum(outcomes <= Outcome.KILLED))
    unfinished = int(np.sum(outcomes == Outcome.UNFINISHED))
    assert ended + result.killed + result.cancelled + unfinished == len(workload)
    assert unfinished == 0
    if recovery == "drop":
        assert sum(result.killed_by_cluster.values()) == result.killed


@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_the_plan_of_the_first_instant_is_the_schedule(rng):
    # All jobs there from the start, runtimes exact: nothing happens that could change the plan.
    workload, grid, _ = random_case(rng, failing=False)
    workload = replace(workload, submit=np.zeros(len(workload)))
    kept = grid.fits(workload)
    grid, workload = grid.with_suitability(grid.suits(workload)[kept]), workload.select(kept)
    plans = []
    result = replay(
        workload, grid, policy=Watched(plans), estimates="runtime", failures=Failures([], [], [])
    )
    records = result.attempt_records
    played = {
        int(position): (placement.cluster, float(start))
        for position, start, placement in zip(
            records.position, records.start, records.placement, strict=True
        )
    }
    assert played == (plans[0] if plans else {})


def test_a_job_that_suits_nothing_is_cancelled_and_counted():
    grid = Grid((ClusterSpec("a", 1), ClusterSpec("b", 2)))
    jobs = Workload(submit=[0, 0, 0], runtime=[1] * 3, walltime=[1] * 3, processors=[2, 3, 1])
    allowed = np.array([[True, False], [True, True], [True, True]])
    result = replay_grid(jobs, grid.with_suitability(allowed))
    assert (result.cancelled, result.metrics["completed"]) == (2, 1)


def test_a_job_that_can_no_longer_fit_is_cancelled_when_the_machine_fails():
    grid = Grid((ClusterSpec("a", 2),))
    jobs = Workload(submit=[0, 1, 1], runtime=[5] * 3, walltime=[5] * 3, processors=[1, 2, 1])
    failures = Failures(time=[2.0], node=[1], repair=[100.0])
    for policy in GRID_POLICIES:
        result = replay_grid(jobs, grid, policy=policy, failures=failures)
        outcomes = result.replay.job_records.outcome.tolist()
        assert outcomes == [Outcome.COMPLETED, Outcome.CANCELLED, Outcome.COMPLETED], policy
        assert result.replay.job_records.start[2] == 5.0


def test_reservations_of_other_clusters_stay_when_a_machine_fails():
    grid = Grid((ClusterSpec("a", 2, speed=2.0), ClusterSpec("b", 2)))
    jobs = Workload(
        submit=[0, 0, 1, 1, 1],
        runtime=[10, 12, 4, 4, 4],
        walltime=[10, 12, 4, 4, 4],
        processors=[2, 2, 2, 2, 1],
    )
    # Planned at 1: job 2 on a at 10, job 3 on b at 12, job 4 on a at 14. At 3 the failure kills
    # job 1 and leaves b with one processor: job 3 gets a at 18, behind job 4. At 4 the machine is
    # back, nobody has a reservation on b, and the paper leaves those of a alone.
    failures = Failures(time=[3.0], node=[3], repair=[1.0])
    result = replay_grid(jobs, grid, policy="cons", failures=failures)
    records = result.replay.job_records
    assert records.outcome.tolist() == [0, 3, 0, 0, 0]
    assert records.start[2:].tolist() == [10.0, 18.0, 14.0]


@settings(deadline=None, max_examples=examples(160))
@given(rng=seeds)
def test_the_same_seed_gives_the_same_schedule(rng):
    workload, grid, failures = random_case(rng)
    for policy in ("ls", "fcfs-lb"):
        first, second = (
            replay_grid(workload, grid, policy=policy, seed=5, failures=failures) for _ in range(2)
        )
        assert attempts(first.replay) == attempts(second.replay)


def test_load_is_spread_by_chance():
    grid = Grid((ClusterSpec("a", 100), ClusterSpec("b", 100)))
    ones = np.ones(200)
    jobs = Workload(submit=np.arange(200) / 1000, runtime=ones, walltime=ones, processors=ones)
    for policy, least in (("fcfs", 100), ("fcfs-lb", 80)):
        result = replay_grid(jobs, grid, policy=policy)
        clusters = [p.cluster for p in result.replay.attempt_records.placement[:100]]
        assert (sum(clusters) == 0) == (policy == "fcfs")
        assert 100 - sum(clusters) <= least or policy == "fcfs"


def test_an_unknown_policy_is_refused():
    jobs = Workload(submit=[0], runtime=[1], walltime=[1], processors=[1])
    with pytest.raises(ValueError, match="policy must be one of fcfs, fcfs-lb, easy, cons, ls"):
        replay_grid(jobs, Grid((ClusterSpec("a", 1),)), policy="wfp")
