"""Means over periods against the overlaps that make them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Failures, Workload, flat, replay, replay_grid
from sim.cluster.grid import ClusterSpec, Grid
from sim.metrics import mean_level, use_over_time
from tests.support.examples import examples
from tests.support.workloads import random_failures, random_workload, seeds

spans = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 9)), min_size=1)


@settings(deadline=None, max_examples=examples(200))
@given(spans=spans, bins=st.integers(1, 7))
def test_means_are_overlaps_of_spans_and_bins(spans, bins):
    up, length, size = np.array(spans, dtype=float).T
    down, edges = up + length, np.linspace(0.0, 100.0, bins + 1)
    overlap = np.minimum(down, edges[1:, None]) - np.maximum(up, edges[:-1, None])
    expected = (np.maximum(overlap, 0.0) * size).sum(axis=1) / np.diff(edges)
    found = mean_level(edges, up, down, size)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=examples(240))
@given(rng=seeds, step=st.sampled_from([0.7, 1.0, 3.0, 50.0]))
def test_the_means_of_the_periods_add_up_to_the_replay(rng, step):
    jobs = random_workload(rng, processors=5)
    failures = random_failures(rng, nodes=5)
    done = replay(jobs, flat(5), failures=failures, recovery="drop", engine="general")
    records, attempts = done.job_records, done.attempt_records
    found = use_over_time(records, attempts, size=5, step=step)
    span = done.metrics["makespan_s"]
    long = found["to_s"] - found["from_s"]
    np.testing.assert_allclose(long[:-1], step, rtol=1e-9)
    assert long.sum() == pytest.approx(span)
    assert (found["utilization"] * long).sum() * 5 == pytest.approx(done.node_time.delivered)
    wait = records.first_start - records.submit
    assert (found["waiting_jobs"] * long).sum() == pytest.approx(wait.sum(), abs=1e-9)
    asked = (found["waiting_processors"] * long).sum()
    assert asked == pytest.approx((wait * records.processors).sum(), abs=1e-9)
    assert (found[["utilization", "waiting_jobs"]] >= 0.0).all(axis=None)


def test_a_job_that_never_starts_waits_to_the_end():
    jobs = Workload([0.0, 1.0], [4.0, 4.0], [4.0, 4.0], [1, 2])
    done = replay(jobs, flat(2), failures=Failures([2.0], [1], [np.inf]))
    found = use_over_time(done.job_records, done.attempt_records, size=2, step=2.0)
    assert found["from_s"].tolist() == [0.0, 2.0]
    assert found["utilization"].tolist() == [0.5, 0.5]
    assert found["waiting_jobs"].tolist() == [0.5, 1.0]
    assert found["waiting_processors"].tolist() == [1.0, 2.0]


def test_a_cancelled_job_waits_until_then():
    grid = Grid((ClusterSpec("one", 2),))
    jobs = Workload([0.0, 1.0, 2.0], [8.0, 4.0, 4.0], [8.0, 4.0, 4.0], [1, 2, 1])
    failures = Failures([4.0], [1], [np.inf])
    done = replay_grid(jobs, grid, policy="fcfs", failures=failures).replay
    found = use_over_time(done.job_records, done.attempt_records, size=2, step=4.0)
    # The second job, of both machines, is cancelled at 4, when one of them is lost.
    assert found["waiting_jobs"].tolist() == [3 / 4 + 2 / 4, 1.0, 0.0]
    assert found["waiting_processors"].tolist() == [2 * 3 / 4 + 2 / 4, 1.0, 0.0]


def test_more_periods_than_can_be_read_are_refused():
    jobs = Workload([0.0], [4.0], [4.0], [1])
    done = replay(jobs, flat(2))
    with pytest.raises(ValueError, match=r"step must leave at most 1,000,000 periods of 4.0 s"):
        use_over_time(done.job_records, done.attempt_records, size=2, step=1e-6)
