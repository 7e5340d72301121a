import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    evaluate_formula,
    expected_makespan,
    expected_makespan_silent,
    optimal_interval,
    optimal_interval_silent,
    optimal_interval_silent_first_order,
    waste,
    waste_silent,
)

COSTS = {"checkpoint_cost": 0.4, "verification_cost": 0.3, "recovery_cost": 0.6}
JOB = {"interval": 1.0, "mtbf": 3.0, "silent_mtbf": 1.5, "downtime": 0.8, **COSTS}
BEST = {"mtbf": 3.0, "silent_mtbf": 1.5, **COSTS}


@pytest.mark.parametrize("work", [0.7, 1.0, 5.3])
def test_without_silent_errors_a_verification_is_part_of_the_checkpoint(work):
    job = {**JOB, "silent_mtbf": np.inf}
    one = {"interval": 1.0, "mtbf": 3.0, "recovery_cost": 0.6, "downtime": 0.8}
    for silent, known in ((expected_makespan_silent, expected_makespan), (waste_silent, waste)):
        found = silent(work, **job)
        np.testing.assert_allclose(found, known(work, checkpoint_cost=0.7, **one), rtol=1e-14)


def test_without_failures_the_errors_of_a_segment_are_geometric():
    found = expected_makespan_silent(1.0, **{**JOB, "mtbf": np.inf})
    tries = np.exp(1.0 / 1.5)
    np.testing.assert_allclose(found, tries * 1.3 + (tries - 1.0) * 0.6 + 0.4, rtol=1e-14)


def test_without_errors_only_costs_remain():
    job = {**JOB, "mtbf": np.inf, "silent_mtbf": np.inf}
    np.testing.assert_allclose(expected_makespan_silent(3.5, **job), 3.5 + 4 * 0.7, rtol=1e-15)
    np.testing.assert_allclose(waste_silent(3.5, **job), 2.8 / 6.3, rtol=1e-15)
    assert optimal_interval_silent(**{**BEST, "mtbf": np.inf, "silent_mtbf": np.inf}) == np.inf


def test_a_tiny_waste_keeps_its_digits():
    rare = {**JOB, "mtbf": 1e20, "silent_mtbf": 1e20, "checkpoint_cost": 0.0}
    rare |= {"verification_cost": 0.0, "recovery_cost": 0.0, "downtime": 0.0}
    np.testing.assert_allclose(waste_silent(1.0, **rare), 1.5e-20, rtol=1e-12)


def test_the_best_interval_is_that_of_one_level_without_silent_errors():
    found = optimal_interval_silent(**{**BEST, "silent_mtbf": np.inf})
    known = optimal_interval(mtbf=3.0, checkpoint_cost=0.7)
    np.testing.assert_allclose(found, known, rtol=1e-14)


def test_without_failures_and_verification_it_tends_to_the_root_of_cost_times_mean():
    free = {"mtbf": np.inf, "verification_cost": 0.0}
    for find in (optimal_interval_silent, optimal_interval_silent_first_order):
        found = find(silent_mtbf=1e10, checkpoint_cost=1.0, **free)
        np.testing.assert_allclose(found, 1e5, rtol=1e-4)


def test_no_other_interval_is_better():
    best = optimal_interval_silent(**BEST)
    factors = np.geomspace(0.1, 10.0, 501)
    pace = expected_makespan_silent(best * factors, **{**JOB, "interval": np.inf}) / factors
    assert np.argmin(pace) == 250


def test_free_checkpoints_are_written_all_the_time():
    free = {**BEST, "checkpoint_cost": 0.0, "verification_cost": 0.0}
    assert optimal_interval_silent(**free) == 0.0


def test_the_first_order_warns_where_it_cannot_be_trusted_and_falls_back():
    with pytest.warns(ValidityWarning, match=r"is beyond 0.1, up to which .* within 0.60% regret"):
        optimal_interval_silent_first_order(**BEST)
    found = evaluate_formula(optimal_interval_silent_first_order, **BEST)
    assert found.fell_back
    assert found.value == optimal_interval_silent(**BEST)


def test_the_printed_waste_is_that_of_the_first_order():
    costs = {"mtbf": 1 / 5.19e-7, "silent_mtbf": 1 / 7.78e-6}
    costs |= {"checkpoint_cost": 439.0, "verification_cost": 9.1}
    w = float(optimal_interval_silent_first_order(**costs))
    np.testing.assert_allclose(w, 7465.74, rtol=1e-6)
    np.testing.assert_allclose(2 * 448.1 / w, 0.12004, rtol=1e-4)
    # The whole overhead of the same interval, with a recovery that costs what a checkpoint does.
    share = float(waste_silent(w, interval=w, recovery_cost=439.0, **costs))
    np.testing.assert_allclose(share / (1 - share), 0.12598, rtol=1e-4)


def test_arguments_broadcast():
    found = expected_makespan_silent([[1.0], [2.5]], **{**JOB, "silent_mtbf": [1.0, 1.5, np.inf]})
    assert found.shape == (2, 3)
    np.testing.assert_allclose(found[1, 1], expected_makespan_silent(2.5, **JOB), rtol=1e-15)
