"""What intervals and moments of machines that age refuse, in full, and what they leave out."""

import re

import numpy as np
import pandas as pd
import pytest

from perfmodel import (
    Empirical,
    Gamma,
    Weibull,
    expected_makespan_ageing,
    hazard_intervals,
    lazy_intervals,
    makespan_variance_ageing,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)

LAW = Weibull.from_mean(10.0, cv=1.5)


def refused(call, *args, **kwargs):
    with pytest.raises(ValueError, match=r".+") as error:
        call(*args, **kwargs)
    return str(error.value)


def far_apart(names, low, high):
    return f"{names} must be within a factor of 1e+100, got {low!r} and {high!r}"


def test_times_too_far_apart_are_all_named():
    short = Weibull.from_mean(1e-60, cv=1.5)
    of_shares = "intervals, uptime, checkpoint_cost, recovery_cost, downtime"
    of_intervals = "uptime, checkpoint_cost, recovery_cost"
    for interval, costs in ((1e60, {}), (1e-59, {"recovery_cost": 1e60})):
        said = refused(useful_share_ageing, interval, uptime=short, checkpoint_cost=1e-59, **costs)
        assert said == far_apart(of_shares, float(short.mean), 1e60)
    said = refused(optimal_interval_ageing, uptime=short, checkpoint_cost=1e60)
    assert said == far_apart(of_intervals, float(short.mean), 1e60)
    said = refused(optimal_interval_ageing, uptime=LAW, checkpoint_cost=1.0, recovery_cost=1e120)
    assert said == far_apart(of_intervals, 1.0, 1e120)


def test_intervals_by_age_name_all_times_that_are_too_far_apart():
    names = "uptime, checkpoint_cost, recovery_cost"
    for rule in (optimal_intervals_ageing, hazard_intervals, lazy_intervals):
        for cost in (0.5, 2.0):
            short = Weibull(1.0, 1.0)
            said = refused(rule, uptime=short, checkpoint_cost=cost, recovery_cost=1e120)
            assert said == far_apart(names, min(cost, 1.0), 1e120)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_a_recovery_that_is_no_time_is_named(bad):
    rule = f"recovery_cost must be finite and >= 0, got {bad}"
    job = {"uptime": LAW, "checkpoint_cost": 0.5, "recovery_cost": bad}
    assert refused(useful_share_ageing, 1.0, **job) == rule
    assert refused(optimal_interval_ageing, **job) == rule
    assert refused(optimal_intervals_ageing, **job) == rule


@pytest.mark.parametrize("share", [0.999e-5, 1.001e5])
def test_intervals_by_age_refuse_costs_beyond_their_limits(share):
    said = refused(optimal_intervals_ageing, uptime=Gamma(1.0, 1.0), checkpoint_cost=share)
    assert said == (
        "checkpoint_cost must be from 1e-05 to 1e+05 mean uptimes for intervals by age, got "
        f"{share!r}: optimal_interval_ageing takes any"
    )


def test_a_cost_at_the_limit_is_refused_for_another_reason():
    said = refused(optimal_intervals_ageing, uptime=Gamma(1.0, 1.0), checkpoint_cost=1e5)
    assert said.startswith("checkpoint_cost and recovery_cost must leave time in some uptime")


def test_costs_longer_than_any_uptime_are_named_with_both():
    said = refused(optimal_intervals_ageing, uptime=LAW, checkpoint_cost=9e4, recovery_cost=1e5)
    found = re.fullmatch(
        r"checkpoint_cost and recovery_cost must leave time in some uptime, "
        r"got 190000\.0 with uptimes up to (\S+)",
        said,
    )
    assert LAW.sf(float(found[1])) < 1e-9


def test_costs_longer_than_any_recorded_uptime_are_named_with_both():
    uptime = Empirical([1.0, 3.0])
    said = refused(optimal_interval_ageing, uptime=uptime, checkpoint_cost=2.0, recovery_cost=2.5)
    assert said == (
        "checkpoint_cost and recovery_cost must leave time in some uptime, got 4.5 with a mean "
        "uptime of 2.0"
    )


def test_moments_wait_for_no_repair_unless_told():
    job = {"interval": 2.0, "uptime": LAW, "checkpoint_cost": 0.1, "recovery_cost": 0.3}
    for moment in (expected_makespan_ageing, makespan_variance_ageing):
        assert moment(20.0, **job) == moment(20.0, **job, downtime=0.0)
        assert moment(20.0, **job) < moment(20.0, **job, downtime=1.0)


def test_a_series_of_works_is_answered_by_its_index():
    works = pd.Series([10.0, 20.0], index=["a", "b"])
    job = {"interval": 2.0, "uptime": LAW, "checkpoint_cost": 0.1}
    for moment in (expected_makespan_ageing, makespan_variance_ageing):
        found = moment(works, **job)
        assert found.index.tolist() == ["a", "b"]
        assert found.tolist() == [moment(10.0, **job), moment(20.0, **job)]
