"""Downtimes of many recorded values: fast sums against plain ones."""

import numpy as np
import pytest

from perfmodel import Empirical, exact_makespan, wsj_compound
from perfmodel.completion.repairs._weighted_values import WeightedValues
from sim import samplers
from sim.application import simulate_wsj_makespans
from validation.judge.compare_laws import compare_cdf


def record(count, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.random(count)
    return WeightedValues(np.sort(rng.lognormal(0.2, 1.4, count)), weights / weights.sum())


@pytest.mark.parametrize("count", [1024, 4097, 65536])
@pytest.mark.parametrize("step", [1e-3, 0.3, 20.0])
def test_a_line_of_points_is_summed_as_plainly(count, step):
    some = record(200)
    s = 0.2 + 1j * step * np.arange(count)
    picked = slice(None, None, max(1, count // 50))
    plain = np.exp(-s[picked, None] * some.values) @ some.weights
    # The phase of the last point carries the rounding of step times value.
    room = 1e-12 + 2e-16 * step * count * some.values.max()
    np.testing.assert_allclose(some.transform(s)[picked], plain, rtol=0, atol=room)


@pytest.mark.parametrize("real", [0.3, 0.0, -0.01])
def test_the_series_of_failures_during_repair(real):
    some, rate = record(80), 0.05
    s = real + 1j * np.linspace(0.0, 9.0, 60)
    y = np.exp(1j * np.arange(60.0)) * np.linspace(0.0, 1.0, 60)
    plain = some.transform(s + rate * (1.0 - y))
    np.testing.assert_allclose(1.0 - some.busy(s, rate, 1.0)(1.0 - y), plain, rtol=0, atol=1e-13)


@pytest.mark.slow
def test_the_law_does_not_depend_on_the_way_it_is_computed():
    """Few values, and each of them parted into many that are all but equal."""
    few = np.linspace(0.05, 7.0, 7) ** 1.3
    many = np.outer(few, 1.0 + 1e-11 * np.arange(40)).ravel()
    job = {"interval": 8.0, "mtbf": 64.0, "checkpoint_cost": 0.2}
    t = np.linspace(128.0, 220.0, 100)
    for at_risk in (False, True):
        found, plain = (
            exact_makespan(128.0, **job, downtime=Empirical(each), downtime_at_risk=at_risk)
            for each in (many, few)
        )
        np.testing.assert_allclose(found.cdf(t), plain.cdf(t), rtol=0, atol=2e-9)
        np.testing.assert_allclose(found.sf(t), plain.sf(t), rtol=1e-5, atol=1e-9)


@pytest.mark.slow
def test_repairs_of_many_values_that_can_be_struck_against_played_jobs():
    values = np.linspace(0.05, 14.0, 300) ** 1.3
    job = {"interval": 8.0, "mtbf": 64.0, "checkpoint_cost": 0.2}
    law = wsj_compound(128.0, **job, downtime=Empirical(values))
    walls = simulate_wsj_makespans(
        128.0, **job, downtime=samplers.Empirical(values), replications=200_000, seed=3
    )
    assert compare_cdf(law.cdf, walls, alpha=1e-4, tolerance=0.01).passed


@pytest.mark.parametrize("unit", [0.02, 30.0])
def test_the_series_counts_failures_of_repairs_of_any_length(unit):
    some, rate = record(50), 0.5 / unit
    some = WeightedValues(unit * some.values, some.weights)
    s = (0.1 + 1j * np.linspace(0.0, 9.0, 60)) / unit
    y = np.exp(1j * np.arange(60.0)) * np.linspace(0.0, 1.0, 60)
    plain = np.exp(-np.multiply.outer(s + rate * (1.0 - y), some.values)) @ some.weights
    np.testing.assert_allclose(1.0 - some.busy(s, rate, 1.0)(1.0 - y), plain, rtol=0, atol=1e-13)


def test_a_repair_that_hundreds_of_failures_strike_is_summed_plainly():
    some, rate = WeightedValues(np.array([1.0, 1000.0]), np.array([0.999, 0.001])), 0.5
    s = 0.001 + 1j * np.linspace(0.0, 0.01, 60)
    y = np.exp(1j * np.arange(60.0)) * np.linspace(0.0, 1.0, 60)
    plain = np.exp(-np.multiply.outer(s + rate * (1.0 - y), some.values)) @ some.weights
    np.testing.assert_allclose(1.0 - some.busy(s, rate, 1.0)(1.0 - y), plain, rtol=0, atol=1e-13)
