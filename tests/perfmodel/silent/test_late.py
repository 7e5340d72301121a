import numpy as np
import pytest

from perfmodel import (
    expected_makespan,
    expected_makespan_detected_late,
    expected_makespan_silent,
    optimal_interval,
    optimal_interval_detected_late,
    waste,
    waste_detected_late,
)

COSTS = {"checkpoint_cost": 0.4, "detection_latency": 0.7, "recovery_cost": 0.6}
JOB = {"interval": 1.0, "mtbf": 3.0, "silent_mtbf": 1.5, "downtime": 0.8, **COSTS}
BEST = {"mtbf": 3.0, "silent_mtbf": 1.5, **COSTS}


@pytest.mark.parametrize("work", [0.7, 1.0, 5.3])
def test_without_silent_errors_it_is_the_plain_job(work):
    one = {"interval": 1.0, "mtbf": 3.0, "recovery_cost": 0.6, "downtime": 0.8}
    job = {**JOB, "silent_mtbf": np.inf}
    pairs = ((expected_makespan_detected_late, expected_makespan), (waste_detected_late, waste))
    for late, known in pairs:
        np.testing.assert_allclose(
            late(work, **job), known(work, checkpoint_cost=0.4, **one), rtol=1e-14
        )


def test_errors_that_show_at_once_without_a_recovery_are_failures_without_downtime():
    job = {**JOB, "mtbf": np.inf, "detection_latency": 0.0, "recovery_cost": 0.0}
    found = expected_makespan_detected_late(1.0, **job)
    np.testing.assert_allclose(found, 1.5 * np.expm1(1.0 / 1.5) + 0.4, rtol=1e-14)


def test_showing_at_once_is_better_than_a_free_verification_at_the_end_of_each_segment():
    job = {**JOB, "detection_latency": 0.0}
    late = expected_makespan_detected_late(5.0, **job)
    rest = {name: value for name, value in JOB.items() if name != "detection_latency"}
    assert late < expected_makespan_silent(5.0, verification_cost=0.0, **rest)


def test_the_latency_tends_to_none_without_a_step():
    at_once, soon = (
        expected_makespan_detected_late(5.0, **{**JOB, "detection_latency": latency})
        for latency in (0.0, 1e-12)
    )
    np.testing.assert_allclose(at_once, soon, rtol=1e-10)


def test_without_errors_only_costs_remain():
    job = {**JOB, "mtbf": np.inf, "silent_mtbf": np.inf}
    np.testing.assert_allclose(expected_makespan_detected_late(3.5, **job), 3.5 + 1.6, rtol=1e-15)
    assert optimal_interval_detected_late(**{**BEST, "mtbf": np.inf, "silent_mtbf": np.inf}) == (
        np.inf
    )


def test_a_tiny_waste_keeps_its_digits():
    rare = {**JOB, "mtbf": 1e20, "silent_mtbf": 1e20, "detection_latency": 0.0}
    rare |= {"checkpoint_cost": 0.0, "recovery_cost": 0.0, "downtime": 0.0}
    np.testing.assert_allclose(waste_detected_late(1.0, **rare), 1e-20, rtol=1e-12)


def test_the_best_interval_is_that_of_one_level_without_silent_errors():
    found = optimal_interval_detected_late(**{**BEST, "silent_mtbf": np.inf})
    np.testing.assert_allclose(found, optimal_interval(mtbf=3.0, checkpoint_cost=0.4), rtol=1e-14)


def test_without_failures_the_latency_acts_as_cheaper_checkpoints():
    found = optimal_interval_detected_late(**{**BEST, "mtbf": np.inf})
    cheaper = {"checkpoint_cost": 1.5 * np.log(1.0 / (1.0 - 0.4 / (1.5 + 0.7 + 0.6)))}
    # (1 - w/s) e^(w/s) = 1 - C/(s + L + R), and a job that stops has e^(-C'/s) on the right.
    np.testing.assert_allclose(found, optimal_interval(mtbf=1.5, **cheaper), rtol=1e-13)


@pytest.mark.parametrize("latency", [0.0, 0.01, 1.5, 100.0])
def test_no_other_interval_is_better(latency):
    best = optimal_interval_detected_late(**{**BEST, "detection_latency": latency})
    factors = np.geomspace(0.1, 10.0, 501)
    job = {**JOB, "interval": np.inf, "detection_latency": latency}
    pace = expected_makespan_detected_late(best * factors, **job) / factors
    assert np.argmin(pace) == 250


@pytest.mark.few(25)
@pytest.mark.parametrize("cost", [1e-9, 1e-3, 0.5, 4.0, 30.0])
@pytest.mark.parametrize("latency", [0.0, 1e-6, 0.3, 2.0, 300.0])
@pytest.mark.parametrize("mtbf", [0.3, 40.0, np.inf])
def test_nor_is_one_a_little_longer_or_shorter_whatever_the_costs(cost, latency, mtbf):
    machine = {"mtbf": mtbf, "silent_mtbf": 1.0, "checkpoint_cost": cost, "recovery_cost": 0.2}
    machine |= {"detection_latency": latency}
    best = float(optimal_interval_detected_late(**machine))
    factors = np.array([0.9997, 1.0, 1.0003])
    pace = expected_makespan_detected_late(best * factors, interval=np.inf, **machine) / factors
    assert np.argmin(pace) == 1


def test_free_checkpoints_are_written_all_the_time():
    assert optimal_interval_detected_late(**{**BEST, "checkpoint_cost": 0.0}) == 0.0


def test_arguments_broadcast():
    job = {**JOB, "detection_latency": [0.0, 0.7, 3.0]}
    found = expected_makespan_detected_late([[1.0], [2.5]], **job)
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found[1, 1], expected_makespan_detected_late(2.5, **JOB), rtol=1e-15)
