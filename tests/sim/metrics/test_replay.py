"""Metrics of a few jobs, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sim import metrics
from sim.records import AttemptRecords, JobRecords, Outcome


def records():
    jobs = JobRecords(
        job=np.array([1, 2, 3]),
        submit=np.array([0.0, 10.0, 20.0]),
        first_start=np.array([0.0, 30.0, 25.0]),
        start=np.array([50.0, 30.0, 25.0]),
        end=np.array([150.0, 34.0, 40.0]),
        processors=np.array([2, 1, 1]),
        runtime=np.array([100.0, 4.0, 60.0]),
        walltime=np.array([200.0, 8.0, 60.0]),
        executed=np.array([100.0, 4.0, 60.0]),
        undisturbed=np.array([109.0, 4.0, 66.0]),
        attempts=np.array([2, 1, 1]),
        failures=np.array([1, 0, 1]),
        outcome=np.array([Outcome.COMPLETED, Outcome.COMPLETED, Outcome.DROPPED]),
        user=np.array([-1, -1, -1]),
    )
    attempts = AttemptRecords(
        position=np.array([0, 1, 2, 0]),
        start=np.array([0.0, 30.0, 25.0, 50.0]),
        end=np.array([30.0, 34.0, 40.0, 150.0]),
        outcome=np.array([Outcome.FAILED, Outcome.COMPLETED, Outcome.FAILED, Outcome.COMPLETED]),
        processors=np.array([2, 1, 1, 2]),
        useful=np.array([10.0, 4.0, 6.0, 90.0]),
        lost=np.array([19.0, 0.0, 8.0, 0.0]),
        checkpoint=np.array([1.0, 0.0, 1.0, 8.0]),
        recovery=np.array([0.0, 0.0, 0.0, 2.0]),
    )
    return jobs, attempts


def test_wait_and_response_run_from_the_submission():
    jobs, _ = records()
    assert metrics.wait(jobs).tolist() == [0.0, 20.0, 5.0]
    np.testing.assert_array_equal(metrics.response(jobs), [150.0, 24.0, np.nan])


def test_slowdowns_are_relative_to_the_undisturbed_execution():
    jobs, _ = records()
    np.testing.assert_array_equal(metrics.slowdown(jobs), [1.5, 6.0, np.nan])
    np.testing.assert_array_equal(metrics.bounded_slowdown(jobs), [1.5, 2.4, np.nan])
    np.testing.assert_array_equal(metrics.bounded_slowdown(jobs, bound=48.0), [1.5, 1.0, np.nan])


def test_failure_slowdown_counts_the_jobs_that_were_struck_and_came_through():
    jobs, _ = records()
    delay = (150.0 - 0.0 - 109.0) / 109.0
    np.testing.assert_array_equal(metrics.failure_slowdown(jobs), [delay, np.nan, np.nan])


def test_time_goes_where_the_attempts_say():
    time = metrics.node_time(*records(), size=4, idle=0.0, down=0.0)
    assert time.useful == 2 * 100.0 + 4.0
    assert time.lost == 2 * 19.0 + 8.0 + 6.0  # job 3 was dropped: what it saved is lost
    assert time.checkpoint == 2 * 9.0 + 1.0
    assert time.recovery == 2 * 2.0
    assert time.capacity == 4 * 150.0
    assert time.delivered == 60.0 + 4.0 + 15.0 + 200.0


def test_the_summary_puts_it_together():
    summary = metrics.summary(*records(), size=4, idle=3600.0, down=7200.0)
    assert summary["jobs"] == 3
    assert summary["unsuccessful"] == 1
    assert summary["failures"] == 2
    assert summary["job_failure_rate"] == pytest.approx(2 / 3)
    assert summary["mean_wait_s"] == pytest.approx(25 / 3)
    assert summary["mean_response_s"] == 87.0
    assert summary["mean_bounded_slowdown"] == pytest.approx(1.95)
    assert summary["makespan_s"] == 150.0
    assert summary["utilization"] == pytest.approx(279.0 / 600.0)
    assert summary["service_unit_loss"] == pytest.approx(52.0 / 279.0)
    assert summary["capacity_loss"] == pytest.approx(52.0 / 600.0)
    assert (summary["idle_node_h"], summary["down_node_h"]) == (1.0, 2.0)


def test_frames_carry_names_and_outcomes():
    jobs, attempts = records()
    frame = jobs.frame()
    assert frame["outcome"].tolist() == ["completed", "completed", "dropped"]
    assert attempts.frame(jobs.job)["job"].tolist() == [1, 2, 3, 1]


def test_a_mean_of_nothing_is_not_a_number():
    values = np.array([3.0, np.nan, np.nan, 5.0])
    means = metrics.mean_by_name(values, ["a", "b", "b", "a"])
    assert means["a"] == 4.0
    assert np.isnan(means["b"])
    assert np.isnan(metrics.mean_of_known(np.full((2, 2), np.nan)))
    jobs, attempts = records()
    peace = replace(jobs, failures=np.zeros_like(jobs.failures))
    summary = metrics.summary(peace, attempts, size=4, idle=0.0, down=0.0)
    assert np.isnan(summary["failure_slowdown"])
