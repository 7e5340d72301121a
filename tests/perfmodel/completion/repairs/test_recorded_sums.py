"""Sums of uptimes and of downtimes with finitely many values, against plain sums."""

import math

import numpy as np
import pytest
from scipy import special

from perfmodel import Deterministic, Empirical, busy_period_transform, exact_makespan
from perfmodel.completion._first_failures import Visit
from perfmodel.completion.repairs._recorded_sums import busy_sums, cut_sum, full, recorded_sums
from perfmodel.completion.repairs._weighted_values import WeightedValues

RATE = 0.2


def record(count, scale=1.0):
    rng = np.random.default_rng(count)
    weights = rng.random(count)
    return WeightedValues(np.sort(scale * rng.lognormal(0.0, 0.8, count)), weights / weights.sum())


def plain_cdf(some, m, t):
    """Add up the gamma law of m uptimes behind every sum of m values."""
    values, weights = np.zeros(1), np.ones(1)
    for _ in range(m):
        values = np.add.outer(values, some.values).ravel()
        weights = np.multiply.outer(weights, some.weights).ravel()
    late = np.maximum(np.subtract.outer(t, values), 0.0)
    return special.gammainc(m, RATE * late) @ weights


def uncut(found, m, t):
    """Return the cdf of m uptimes that nothing cuts and m downtimes."""
    late = t > 0.0
    result = np.zeros(t.shape)
    result[late] = found.cdf((Visit(1.0, 0.0, (1e12,) * m),), t[late])
    return result


@pytest.mark.parametrize(("count", "depth"), [(1, 3), (4, 3), (25, 3), (60, 2), (600, 1)])
def test_sums_of_uptimes_and_downtimes(count, depth):
    some = record(count)
    found = recorded_sums(some, RATE, some)
    assert found.depth == depth
    t = np.concatenate([np.linspace(0.0, 40.0, 60), some.values, [1e-9, 3e3]])
    for m in range(1, depth + 1):
        np.testing.assert_allclose(uncut(found, m, t), plain_cdf(some, m, t), rtol=0, atol=1e-14)


@pytest.mark.parametrize(("count", "rate"), [(25, RATE), (60, 3.0), (60, 60.0), (600, RATE)])
def test_cut_uptimes_and_many_sums_are_those_of_each_value(count, rate):
    some = record(count)
    found = recorded_sums(some, rate, some)
    for sums, spans in zip(found.sums, [(0.7,), (0.7, 1.9), (0.7, 1.9, 0.7)], strict=False):
        visit = Visit(1.0, 0.3 * len(spans), spans)
        t = np.linspace(0.01, 1.2 * (visit.longest + sums.values[-1]), 150)
        late = np.subtract.outer(t - visit.delay, sums.values)
        each = cut_sum(np.clip(late, 0.0, math.fsum(spans)), rate, spans)
        each[late >= math.fsum(spans)] = full(visit, rate)
        np.testing.assert_allclose(found.cdf((visit,), t), each @ sums.weights, rtol=0, atol=2e-13)


@pytest.mark.parametrize("rate", [1e-2, 1e-6, 1e-300])
@pytest.mark.parametrize("count", [1, 7])
def test_where_failures_are_rare_no_digit_is_lost(count, rate):
    some = record(count)
    found = recorded_sums(some, rate, some)
    t = 3.0 * some.values[-1] + np.linspace(0.5, 5.0, 20)
    for m in (1, 2, 3):
        sums = found.sums[m - 1]
        late = rate * np.subtract.outer(t, sums.values)
        plain = special.gammainc(m, np.maximum(late, 0.0)) @ sums.weights
        np.testing.assert_allclose(uncut(found, m, t), plain, rtol=1e-9, atol=1e-300)


def test_repairs_much_longer_than_the_mtbf():
    some = record(5, scale=400.0)
    found = recorded_sums(some, RATE, some)
    t = np.linspace(0.0, 9e3, 70)
    for m in (1, 2, 3):
        np.testing.assert_allclose(uncut(found, m, t), plain_cdf(some, m, t), rtol=0, atol=1e-14)


@pytest.mark.parametrize("values", [[0.5], [0.3, 1.1], [0.5, 0.7, 0.9], [0.1, 0.2, 0.3, 0.4] * 5])
def test_busy_periods_are_those_of_their_transform(values):
    law = Empirical(np.array(values))
    unique, counts = np.unique(law.samples, return_counts=True)
    found = busy_sums(WeightedValues(unique, counts / counts.sum()), RATE)
    assert np.all(np.diff(found.sums[0].values) > 1e-9), "values that differ by rounding are merged"
    s = np.array([0.0, 0.01, 0.7, 3.0 + 2.0j, 5.0j])
    for m, sums in enumerate(found.sums, start=1):
        added = np.exp(-np.multiply.outer(s, sums.values)) @ sums.weights
        known = busy_period_transform(s, mtbf=1.0 / RATE, downtime=law) ** m
        np.testing.assert_allclose(added, known, rtol=0, atol=1e-13)


def test_busy_periods_of_a_few_repairs_stay_few():
    # 31 + 496 sums would leave one failure known instead of two.
    some = record(31)
    found = busy_sums(some, RATE)
    assert (found.depth, found.sums[0].values.size) == (2, 31)


@pytest.mark.parametrize("count", [12, 45, 300])
def test_busy_periods_of_many_values_are_those_of_few_repairs(count):
    some = record(count)
    found = busy_sums(some, RATE)
    one = found.sums[0]
    s = np.array([0.0, 0.7, 3.0 + 2.0j])
    np.testing.assert_allclose(
        found.downtime(s), np.exp(-np.multiply.outer(s, one.values)) @ one.weights, atol=1e-13
    )
    alone = float(some.weights @ np.exp(-RATE * some.values))
    assert alone - 1e-14 <= one.weights.sum() < 1.0


@pytest.mark.slow
def test_no_downtime_and_downtime_of_nearly_full_load():
    none = exact_makespan(10.0, interval=1.0, mtbf=5.0, checkpoint_cost=0.1)
    at_risk = exact_makespan(
        10.0, interval=1.0, mtbf=5.0, checkpoint_cost=0.1, downtime_at_risk=True
    )
    np.testing.assert_allclose(none.cdf([11.5, 14.0]), at_risk.cdf([11.5, 14.0]), atol=1e-10)
    full = exact_makespan(
        10.0,
        interval=1.0,
        mtbf=5.0,
        checkpoint_cost=0.1,
        downtime=Deterministic(4.9),
        downtime_at_risk=True,
    )
    chance = full.cdf([full.atom[0], 20.0, 1e3])
    assert chance[0] == pytest.approx(math.exp(-11.0 / 5.0), abs=1e-10)
    assert np.all(np.diff(chance) > 0.0)


@pytest.mark.slow
def test_a_pole_beyond_which_there_are_no_busy_periods():
    # The first look for the pole lies beyond it with all its points.
    repairs = Empirical(np.random.default_rng(1).lognormal(-1.2, 1.0, 60))
    law = exact_makespan(
        5.0,
        interval=0.5,
        mtbf=3.0,
        checkpoint_cost=0.3,
        recovery_cost=0.4,
        downtime=repairs,
        downtime_at_risk=True,
    )
    late = law.isf(1e-6)
    assert law.sf(late) == pytest.approx(1e-6, rel=1e-6)


def test_the_end_is_that_of_one_downtime():
    # Windows of the inversion follow from it; three times as wide they cost digits.
    some = record(4)
    assert recorded_sums(some, RATE, some).rough == some.values[-1]


def test_values_are_in_step_again_at_their_common_divisor_and_not_before():
    few = busy_sums(WeightedValues(np.array([3.0, 4.0]), np.array([0.5, 0.5])), rate=1.0 / 30.0)
    heights = few.resonances(0.0, 0.0)
    assert heights[0] > 1.5  # not the first fall from 1, near 0
    assert np.any(np.abs(heights - 2.0 * np.pi) < 0.01)


@pytest.mark.parametrize("values", [(2.199, 2.2, 2.202), (2.2, 2.2, 2.2, 4.4, 165.0)])
def test_values_nearly_alike_are_in_step_at_each_turn(values):
    times, counts = np.unique(values, return_counts=True)
    some = WeightedValues(times, counts / counts.sum())
    heights = recorded_sums(some, RATE, some).resonances(0.1, 0.0)
    assert np.any(np.abs(heights * (2.2 + 0.1) / (2.0 * np.pi) - 1.0) < 1e-3)


def test_a_law_of_repairs_nearly_alike_does_not_fall_between_its_steps():
    repairs = Empirical([2.198, 2.1995, 2.2, 2.201, 2.2035])
    job = {"interval": 8e-4, "mtbf": 0.11, "checkpoint_cost": 1e-3, "recovery_cost": 8e-3}
    law = exact_makespan(127.0, downtime=repairs, **job)
    seam = law.seams[np.searchsorted(law.seams, law.mean)]
    cdf = law.cdf(seam + 2.2 * np.linspace(-2.0, 2.0, 201))
    assert np.diff(cdf).min() >= -law.error - 1e-13
