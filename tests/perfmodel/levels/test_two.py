import numpy as np
import pytest

from perfmodel import (
    expected_makespan,
    expected_makespan_two_levels,
    makespan_variance,
    makespan_variance_two_levels,
)
from validation.subjects.levels.definitions import moments

RULES = ("reinstated", "bare", "staged")
JOB = {
    "interval": 1.0,
    "durable_every": 4,
    "mtbf": 1 / 0.12,
    "survived": 0.1 / 0.12,
    "local_cost": 0.1,
    "durable_cost": 0.5,
    "local_recovery": 0.1,
    "durable_recovery": 0.6,
    "downtime": 0.2,
}
MOMENTS = (expected_makespan_two_levels, makespan_variance_two_levels)


def test_the_three_rules_at_a_point_computed_to_sixteen_digits():
    # From the 5 patterns' linear equations in 40 digits.
    means = [expected_makespan_two_levels(20.0, **JOB, rule=rule) for rule in RULES]
    known = [28.14514226577634, 28.17838075762134, 27.87500208795195]
    np.testing.assert_allclose(means, known, rtol=4e-16 * 8)
    variance = makespan_variance_two_levels(20.0, **JOB)
    np.testing.assert_allclose(variance, 11.31431013112391, rtol=1e-14)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("work", [3.0, 7.3, 20.0])
def test_one_durable_checkpoint_a_segment_and_equal_recoveries_are_one_level(work, rule):
    # Both stages of a staged checkpoint are one where they cost the same.
    job = {**JOB, "durable_every": 1, "local_recovery": 0.6, "local_cost": 0.5}
    one = {"interval": 1.0, "mtbf": JOB["mtbf"], "checkpoint_cost": 0.5, "downtime": 0.2}
    for two, known in zip(MOMENTS, (expected_makespan, makespan_variance), strict=True):
        found = two(work, **job, rule=rule)
        np.testing.assert_allclose(found, known(work, **one, recovery_cost=0.6), rtol=1e-13)


@pytest.mark.parametrize("work", [8.0, 10.4])
def test_where_no_failure_is_survived_a_pattern_is_one_segment(work):
    job = {**JOB, "survived": 0.0, "local_cost": 0.0}
    one = {"interval": 4.0, "mtbf": JOB["mtbf"], "checkpoint_cost": 0.5, "downtime": 0.2}
    for two, known in zip(MOMENTS, (expected_makespan, makespan_variance), strict=True):
        found = two(work, **job)
        np.testing.assert_allclose(found, known(work, **one, recovery_cost=0.6), rtol=1e-13)


def test_where_all_failures_are_survived_the_durable_recovery_does_not_matter():
    job = {**JOB, "survived": 1.0}
    one = {"interval": 1.0, "mtbf": JOB["mtbf"], "recovery_cost": 0.1, "downtime": 0.2}
    for two, known in zip(MOMENTS, (expected_makespan, makespan_variance), strict=True):
        local, top = (known(1.0, **one, checkpoint_cost=cost) for cost in (0.1, 0.5))
        for recovery in (0.0, 0.6, 50.0):
            found = two(20.0, **{**job, "durable_recovery": recovery})
            np.testing.assert_allclose(found, 15 * local + 5 * top, rtol=1e-13)


@pytest.mark.parametrize("function", MOMENTS)
@pytest.mark.parametrize("rule", RULES)
def test_it_is_continuous_where_all_failures_are_survived(function, rule):
    job = {**JOB, "rule": rule}
    limit = function(20.0, **{**job, "survived": 1.0})
    near = function(20.0, **{**job, "survived": 1.0 - 1e-13})
    np.testing.assert_allclose(near, limit, rtol=1e-11)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("mtbf", [1e4, 1e8, 1e12])
def test_the_variance_keeps_its_digits_where_failures_are_rare(rule, mtbf):
    # The judge's moments are those of the transform, at 400 digits.
    job = {**JOB, "mtbf": mtbf, "rule": rule}
    _, known = moments(work=9.5, **job)
    np.testing.assert_allclose(makespan_variance_two_levels(9.5, **job), known, rtol=1e-14)


@pytest.mark.parametrize("rule", RULES)
def test_without_failures_the_makespan_is_work_and_checkpoints(rule):
    job = {**JOB, "mtbf": np.inf, "rule": rule}
    np.testing.assert_allclose(expected_makespan_two_levels(9.5, **job), 9.5 + 7 * 0.1 + 3 * 0.5)
    assert makespan_variance_two_levels(9.5, **job) == 0.0


@pytest.mark.parametrize("rule", RULES)
def test_scaling_time_scales_mean_and_deviation(rule):
    times = ("interval", "mtbf", "local_cost", "durable_cost", "local_recovery")
    scaled = {name: value * 3600.0 for name, value in JOB.items() if name in times}
    scaled |= {"durable_recovery": 2160.0, "downtime": 720.0, "rule": rule}
    for power, two in enumerate(MOMENTS, start=1):
        found = two(20.0 * 3600.0, **{**JOB, **scaled})
        np.testing.assert_allclose(found, 3600.0**power * two(20.0, **JOB, rule=rule), rtol=1e-13)


def test_squares_of_short_times_stay_floats():
    unit = 2.0**-598  # of a variance of 4e296
    times = {"interval": 0.01, "mtbf": 0.0003, "local_cost": 0.0, "durable_cost": 0.0942}
    short = {name: value * unit for name, value in times.items()}
    how = {"durable_every": 1, "survived": 0.0}
    whole = makespan_variance_two_levels(1.0, **times, **how)
    found = makespan_variance_two_levels(unit, **short, **how)
    np.testing.assert_allclose(found, whole * unit * unit, rtol=1e-13)


def test_units_that_no_rate_follows_warn_of_nothing():
    far = {**JOB, "mtbf": 1e-87, "survived": 0.0, "local_cost": 0.0, "downtime": 2.8e221}
    assert makespan_variance_two_levels(1.0, **far) == np.inf


def test_arguments_broadcast():
    every = np.array([[1], [3], [4]])
    survived = np.array([0.0, 0.5, 1.0])
    for two in MOMENTS:
        found = two(11.0, **{**JOB, "durable_every": every, "survived": survived})
        one = two(11.0, **{**JOB, "durable_every": 3, "survived": 0.5})
        assert found.shape == (3, 3)
        np.testing.assert_allclose(found[1, 1], one, rtol=1e-15)


def test_a_pattern_longer_than_the_job_is_one_pattern():
    for two in MOMENTS:
        job = {**JOB, "durable_every": [7, 8, 1e9]}
        np.testing.assert_allclose(np.ptp(two(7.0, **job)), 0.0, atol=1e-12)


def test_what_takes_longer_than_a_float_can_hold_is_inf():
    job = {**JOB, "mtbf": 1e-4, "survived": [0.0, 0.5, 1.0]}
    for rule in RULES:
        for two in MOMENTS:
            assert np.isposinf(two(1.0, **job, rule=rule)).all()
