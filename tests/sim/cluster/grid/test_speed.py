"""Scaled runtimes against workloads that have these runtimes from the start, and by hand."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload, replay
from sim.cluster.grid import (
    ClusterSpec,
    Grid,
    GridEasy,
    ScaledRuntimes,
    replay_grid,
    runtime_scale,
)
from sim.records import Outcome
from tests.support.examples import examples
from tests.support.plans import Watched
from tests.support.workloads import ORDERS, random_failures, random_workload, seeds

POLICIES = ("fcfs", "fcfs-lb", "easy", "cons", "ls")
options = given(
    rng=seeds,
    event_order=st.sampled_from(ORDERS),
    kill_at_walltime=st.booleans(),
    estimates=st.sampled_from(("walltime", "runtime")),
    recovery=st.sampled_from(("original", "new", "drop")),
)


def random_case(rng):
    grid = Grid(
        tuple(
            ClusterSpec(f"c{n}", int(rng.integers(1, 4)), int(rng.integers(1, 4)))
            for n in range(int(rng.integers(1, 4)))
        )
    )
    workload = random_workload(rng, processors=max(c.size for c in grid.clusters), jobs=20)
    return workload, grid, random_failures(rng, nodes=grid.nodes)


def longer(workload, by):
    return replace(workload, runtime=workload.runtime * by, walltime=workload.walltime * by)


def same(scaled, expected):
    """Assert equal records, but for what the logs say; what never ran executed nothing."""
    started = scaled.replay.job_records.attempts > 0
    for name in ("job_records", "attempt_records"):
        ours, theirs = getattr(scaled.replay, name), getattr(expected.replay, name)
        for field in fields(ours):
            one, two = getattr(ours, field.name), getattr(theirs, field.name)
            if field.name == "placement":
                assert list(one) == list(two)
            elif field.name in ("executed", "undisturbed"):
                np.testing.assert_array_equal(one[started], two[started], err_msg=field.name)
            elif field.name not in ("runtime", "walltime"):
                np.testing.assert_array_equal(one, two, err_msg=field.name)


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, max_examples=examples(240))
@options
def test_one_scale_for_all_is_a_workload_of_longer_jobs(policy, rng, **settings):
    workload, grid, failures = random_case(rng)
    by = float(rng.choice([0.5, 1.0, 2.0]))
    scale = np.full((len(workload), len(grid.clusters)), by)
    settings |= {"policy": policy, "failures": failures, "engine": "general"}
    expected = replay_grid(longer(workload, by), grid, **settings)
    scaled = replay_grid(workload, grid, scale=scale, **settings)
    same(scaled, expected)


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, max_examples=examples(240))
@options
def test_jobs_that_suit_one_cluster_run_as_long_as_it_makes_them(policy, rng, **settings):
    workload, grid, failures = random_case(rng)
    sizes = np.array([cluster.size for cluster in grid.clusters])
    home = np.array([rng.choice(np.flatnonzero(sizes >= p)) for p in workload.processors])
    suits = np.arange(len(sizes)) == home[:, None]
    scale = rng.choice([0.25, 0.5, 1.0, 2.0, 4.0], suits.shape)
    own = scale[np.arange(len(workload)), home]
    grid = grid.with_suitability(suits)
    settings |= {"policy": policy, "failures": failures, "engine": "general"}
    expected = replay_grid(longer(workload, own), grid, **settings)
    scaled = replay_grid(workload, grid, scale=scale, **settings)
    same(scaled, expected)


@pytest.mark.few(2)
@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds, estimates=st.sampled_from(("walltime", "runtime")))
def test_every_attempt_lasts_as_long_as_its_cluster_makes_it(policy, rng, estimates):
    workload, grid, failures = random_case(rng)
    scale = rng.choice([0.25, 0.5, 1.0, 2.0, 4.0], (len(workload), len(grid.clusters)))
    found = replay_grid(
        workload, grid, policy=policy, scale=scale, failures=failures, estimates=estimates
    )
    row_of = {job: row for row, job in enumerate(workload.job.tolist())}
    records, jobs = found.replay.attempt_records, found.replay.job_records
    for position, start, end, outcome, place in zip(
        records.position,
        records.start,
        records.end,
        records.outcome,
        records.placement,
        strict=True,
    ):
        row = row_of[int(jobs.job[position])]
        whole = workload.runtime[row] * scale[row, place.cluster]
        assert end - start <= whole
        assert (end - start == whole) or outcome == Outcome.FAILED
        assert jobs.executed[position] == whole  # none is resubmitted here
    np.testing.assert_allclose(
        found.replay.node_time.useful + found.replay.node_time.lost,
        (records.end - records.start) @ records.processors,
    )
    ended = jobs.outcome == Outcome.COMPLETED
    assert (found.replay.jobs["slowdown"][ended] >= 1.0).all()


@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds)
def test_the_plan_of_the_first_instant_is_the_schedule(rng):
    # All jobs there from the start, runtimes exact: nothing happens that could change the plan.
    workload, grid, _ = random_case(rng)
    workload = replace(workload, submit=np.zeros(len(workload)))
    scale = rng.choice([0.25, 0.5, 1.0, 2.0, 4.0], (len(workload), len(grid.clusters)))
    plans = []
    result = replay(
        workload,
        grid,
        policy=Watched(plans),
        estimates="runtime",
        failures=Failures([], [], []),
        checkpointing=ScaledRuntimes(scale),
    )
    records = result.attempt_records
    rows = zip(records.position.tolist(), records.start.tolist(), records.placement, strict=True)
    played = {position: (place.cluster, start) for position, start, place in rows}
    assert played == (plans[0] if plans else {})


def test_easy_looks_at_the_run_where_it_would_be():
    # On fast, of speed 2, job 1 runs until 10 and job 2, which needs both machines, is next. Job 3
    # would end there by 10 if it ran for 4, but runs for 8 beyond 10 if for 16.
    grid = Grid((ClusterSpec("slow", 1), ClusterSpec("fast", 2, speed=2.0)))
    for runtime, place, start in ((16, 1, 2.0), (17, 0, 2.0)):
        jobs = Workload(
            submit=[0, 1, 2],
            runtime=[20, 20, runtime],
            walltime=[20, 20, runtime],
            processors=[1, 2, 1],
        )
        result = replay_grid(jobs, grid, scale=runtime_scale(grid, [0, 0, 0])).replay
        runs = {
            int(position): (placement.cluster, float(begin), float(end))
            for position, begin, end, placement in zip(
                result.attempt_records.position,
                result.attempt_records.start,
                result.attempt_records.end,
                result.attempt_records.placement,
                strict=True,
            )
        }
        assert runs[0] == (1, 0.0, 10.0)
        assert runs[1] == (1, 10.0, 20.0)
        assert runs[2] == (place, start, start + runtime / (2.0 if place else 1.0))


def test_slowdown_is_over_the_time_executed_there():
    grid = Grid((ClusterSpec("slow", 1), ClusterSpec("fast", 1, speed=4.0)))
    jobs = Workload(submit=[0, 0], runtime=[8, 8], walltime=[8, 8], processors=[1, 1])
    result = replay_grid(jobs, grid, policy="fcfs", scale=runtime_scale(grid, [0, -1]))
    assert result.replay.job_records.executed.tolist() == [2.0, 8.0]
    assert result.replay.jobs["slowdown"].tolist() == [1.0, 1.0]
    assert result.metrics["mean_length_s"] == 5.0


class Subclass(GridEasy):
    """A policy that may plan otherwise than the one it extends."""


def test_what_cannot_scale_is_refused():
    grid = Grid((ClusterSpec("a", 1), ClusterSpec("b", 1)))
    jobs = Workload(submit=[0], runtime=[8], walltime=[8], processors=[1])
    ones = np.ones((1, 2))
    with pytest.raises(ValueError, match=r"scale must have shape \(1, 2\), got \(1, 1\)"):
        replay_grid(jobs, grid, scale=np.ones((1, 1)))
    with pytest.raises(ValueError, match=r"scale must be finite and > 0, got 0\.0"):
        replay_grid(jobs, grid, scale=ones * [1.0, 0.0])
    with pytest.raises(ValueError, match="policy must be of fcfs, fcfs-lb, easy, cons, ls where"):
        replay_grid(jobs, grid, policy=Subclass(), scale=ones)
    with pytest.raises(ValueError, match=r"ran_on must be in \[-1, 1\], got 2"):
        runtime_scale(grid, [2])
