"""A whole law measured in another unit of time is the same law: all its times are as many more."""

import math

import numpy as np
import pytest

from perfmodel import (
    Exponential,
    Gamma,
    LogNormal,
    Weibull,
    exact_makespan,
    exact_makespan_ageing,
    exact_makespan_async,
    exact_makespan_two_levels,
    expected_makespan_async,
    slowest,
    slowest_of,
    wsj_compound,
    wsj_makespan,
)

COSTS = {"checkpoint_cost": 0.5, "recovery_cost": 0.75, "downtime": 0.25}
TWO = {"local_cost": 0.1, "durable_cost": 0.5, "local_recovery": 0.1, "durable_recovery": 0.6}


def times(unit, **costs):
    return {name: unit * value for name, value in costs.items()}


def job(unit, **costs):
    return exact_makespan(40.0 * unit, **times(unit, interval=4.0, mtbf=12.0, **COSTS | costs))


def repaired(unit):
    downtime = LogNormal.from_mean(2.0 * unit, cv=1.5)
    return exact_makespan(
        40.0 * unit, **times(unit, interval=4.0, mtbf=12.0, checkpoint_cost=0.5), downtime=downtime
    )


LAWS = {
    "one job": job,
    "a job with repairs": repaired,
    "the slowest of many": lambda unit: slowest_of(job(unit), 50),
    "the slowest of two kinds": lambda unit: slowest([job(unit), job(unit, downtime=0.5)]),
    "a job that writes beside its work": lambda unit: exact_makespan_async(
        67.5 * unit, **times(unit, interval=2.25, mtbf=10.0, latency=1.5, **COSTS)
    ),
    "a job of two levels": lambda unit: exact_makespan_two_levels(
        6.0 * unit,
        durable_every=4,
        survived=0.1 / 0.12,
        **times(unit, interval=1.0, mtbf=8.0, **TWO),
    ),
    "a job on an ageing machine": lambda unit: exact_makespan_ageing(
        20.0 * unit, uptime=Weibull(0.5, 12.0 * unit), **times(unit, interval=4.0, **COSTS)
    ),
    "a compound of repairs": lambda unit: wsj_compound(
        128.0 * unit, downtime=Exponential(2.0 * unit), **times(unit, mtbf=64.0, interval=4.0)
    ),
    "a gamma law": lambda unit: wsj_makespan(
        128.0 * unit, downtime=Exponential(2.0 * unit), **times(unit, mtbf=64.0, interval=4.0)
    ),
}


@pytest.mark.few(3)
@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("unit", [2.0**-70, 1e70])
@pytest.mark.parametrize("build", LAWS.values(), ids=LAWS)
def test_a_law_in_another_unit_is_the_same_law(build, unit):
    law, other = build(1.0), build(unit)
    assert other.mean == pytest.approx(unit * law.mean, rel=1e-12)
    assert other.std == pytest.approx(unit * law.std, rel=1e-9)
    late = law.mean + law.std * np.array([-0.5, 0.0, 1.0, 4.0])
    np.testing.assert_allclose(other.sf(unit * late), law.sf(late), rtol=1e-9, atol=1e-12)
    chances = [0.0, 0.1, 0.5, 0.99]
    np.testing.assert_allclose(other.ppf(chances), unit * law.ppf(chances), rtol=1e-9)


@pytest.mark.filterwarnings("error", "ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("function", [wsj_compound, wsj_makespan])
@pytest.mark.parametrize("recovery", [None, 0.5, Exponential(0.5)], ids=repr)
@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-600, 2.0**600, 2.0**1000])
def test_a_deviation_may_have_a_square_that_no_float_holds(function, recovery, unit):
    def law(unit):
        cost = recovery.scaled(unit) if isinstance(recovery, Exponential) else recovery
        cost = unit * cost if isinstance(cost, float) else cost
        down = Exponential(2.0 * unit)
        job = times(unit, mtbf=64.0, interval=4.0)
        return function(128.0 * unit, downtime=down, recovery_cost=cost, **job)

    known, found = law(1.0), law(unit)
    assert found.std / unit == pytest.approx(known.std, rel=1e-12)
    assert found.ppf(0.99) / unit == pytest.approx(float(known.ppf(0.99)), rel=1e-9)
    assert found.cdf(136.0 * unit) == pytest.approx(float(known.cdf(136.0)), abs=1e-9)


@pytest.mark.filterwarnings("error", "ignore::perfmodel.ValidityWarning")
@pytest.mark.parametrize("function", [wsj_compound, wsj_makespan])
@pytest.mark.parametrize(
    ("job", "std"),
    [
        # One failure in 1e57, whose recovery squared is on average twice 1e400.
        ({"work": 1e-57, "mtbf": 1.0, "recovery_cost": Exponential(1e200)}, 20.0**0.5 * 1e171),
        ({"work": 1e-57, "mtbf": 1e181, "downtime": Exponential(1e97)}, 2.0**0.5 * 1e-22),
        ({"work": 1.0, "mtbf": 1.0, "recovery_cost": Gamma(1e200, 0.5)}, 5e199),
    ],
)
def test_a_recovery_may_be_far_longer_than_the_work(function, job, std):
    found = function(interval=1.0, **{"downtime": 0.0, **job})
    assert found.std == pytest.approx(std, rel=1e-12)


@pytest.mark.filterwarnings("error", "ignore::perfmodel.ValidityWarning")
def test_a_loss_beyond_the_floats_never_ends():
    task = wsj_makespan(1e159, mtbf=1.0, downtime=0.0, interval=1.0, recovery_cost=1e166)
    assert (task.mean, task.std, task.cdf(1e300)) == (np.inf, np.inf, 0.0)


@pytest.mark.filterwarnings("error")
def test_segments_far_shorter_than_the_rest_have_a_law():
    job = {"interval": 1e-263, "checkpoint_cost": 5e27, "final_checkpoint": False}
    law = exact_makespan(1e-117, mtbf=2.7e167, **job)
    assert law.mean == pytest.approx(5e173, rel=1e-14)
    # Each of 1e146 segments loses a third of its square, where a failure strikes.
    assert law.std == pytest.approx(math.sqrt(1e146 * 5e27**3 / (3.0 * 2.7e167)), rel=1e-9)
    asynchronous = expected_makespan_async(
        1e106, interval=1e105, mtbf=1e-17, checkpoint_cost=5e291, latency=1e190, in_flight="skip"
    )
    assert asynchronous == np.inf
