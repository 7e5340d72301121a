"""The queue by a score, against sorting by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.cluster import Conservative, Easy, Fcfs, first_band, flat, order_from_expression, replay
from tests.support.examples import examples
from tests.support.workloads import ORDERS, random_failures, random_workload, seeds

KEYS = {
    "-walltime": lambda job, now: job.planned,
    "wait*nodes": lambda job, now: -(now - job.queued_at) * job.processors,
    "nodes/walltime": lambda job, now: -(job.processors / job.planned),
    "7": lambda job, now: 0.0,
}


@settings(deadline=None, max_examples=examples(320))
@given(
    rng=seeds,
    kind=st.sampled_from([Fcfs, Easy, Conservative]),
    text=st.sampled_from(sorted(KEYS)),
    event_order=st.sampled_from(ORDERS),
)
def test_a_pass_considers_jobs_by_score_then_in_queue_order(rng, kind, text, event_order):
    def by_hand(cluster):
        return sorted(cluster.queue, key=lambda job: (job.band, KEYS[text](job, cluster.now)))

    jobs, failures = random_workload(rng, processors=5), random_failures(rng, nodes=5)
    found, expected = (
        replay(jobs, flat(5), policy=kind(order), failures=failures, event_order=event_order)
        for order in (order_from_expression(text), by_hand)
    )
    assert found.engine == "general"
    np.testing.assert_array_equal(found.job_records.start, expected.job_records.start)
    np.testing.assert_array_equal(found.job_records.end, expected.job_records.end)


def test_an_order_is_told_from_that_of_bands():
    assert order_from_expression("wait") == order_from_expression("wait")
    assert Easy(order_from_expression("wait")) != Easy(first_band)


def test_a_score_that_is_not_a_number_is_refused():
    jobs = random_workload(np.random.default_rng(1), processors=5, jobs=15)
    with pytest.raises(ValueError, match="score of 0/0 must be a number, got nan"):
        replay(jobs, flat(5), policy=Easy(order_from_expression("0/0")))
