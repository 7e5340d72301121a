"""The slowest of tasks whose times are exponential beyond a start is known in closed form."""

import numpy as np
import pytest
from scipy import special

from perfmodel import LogNormal, exact_makespan, slowest, slowest_of
from perfmodel.completion.wsj import GammaCompletionTime


def task(start, scale, *, failing=1.0, shape=1.0):
    return GammaCompletionTime(start=start, failing=failing, shape=shape, scale=scale)


@pytest.mark.parametrize("unit", [1e-140, 1e-3, 1.0, 1e140])
@pytest.mark.parametrize("ratio", [1.0, 1.001, 30.0, 1e6])
@pytest.mark.parametrize("later", [0.0, 0.3, 9.0])
def test_of_two_that_begin_apart(unit, ratio, later):
    start, short = 5.0, ratio
    found = slowest([task(start * unit, unit), task((start + later) * unit, short * unit)])
    # By the second's start the first is done but with probability p; then both are memoryless.
    p, first = np.exp(-later), 1.0 / (1.0 + 1.0 / short)
    mean = (1.0 - p) * short + p * (1.0 + short - first)
    square = 2.0 * ((1.0 - p) * short**2 + p * (1.0 + short**2 - first**2))
    assert found.mean / unit == pytest.approx(start + later + mean, rel=1e-9)
    assert found.std / unit == pytest.approx(np.sqrt(square - mean**2), rel=1e-7)
    assert found.variance / unit / unit == pytest.approx(square - mean**2, rel=1e-7)
    assert found.atom == ((start + later) * unit, 0.0)


@pytest.mark.parametrize("count", [2, 10, 10**4])
@pytest.mark.parametrize("failing", [1.0, 0.01])
def test_probabilities_and_percentiles_keep_their_digits_on_both_sides(count, failing):
    found = slowest_of(task(5.0, 2.0, failing=failing), count)
    t = 5.0 + 2.0 * np.array([1e-6, 1e-3, 0.3, 2.0, 30.0, 300.0])
    x = (t - 5.0) / 2.0
    late = failing * np.exp(-x)
    known = np.exp(count * np.log1p(-late)) if failing < 1.0 else (-np.expm1(-x)) ** count
    np.testing.assert_allclose(found.cdf(t), known, rtol=1e-9, atol=1e-305)
    np.testing.assert_allclose(found.sf(t), -np.expm1(count * np.log1p(-late)), rtol=1e-10)
    for p in (1e-25, 1e-9, 0.3, 0.999):
        one = -np.expm1(np.log1p(-p) / count)
        if one < failing:
            assert found.isf(p) == pytest.approx(5.0 - 2.0 * np.log(one / failing), rel=1e-10)
        q = 1.0 - p
        one = -np.expm1(np.log(q) / count)
        if 0.0 < one < failing:
            assert found.ppf(q) == pytest.approx(5.0 - 2.0 * np.log(one / failing), rel=1e-8)


def test_of_several_kinds_cdfs_multiply_where_they_are_tiny():
    kinds = [task(5.0, 2.0, shape=3.0), task(4.0, 1.0, shape=2.0), task(5.0, 2.0, shape=3.0)]
    found = slowest(kinds)
    t = 5.0 + np.array([1e-2, 0.1, 1.0, 10.0])
    known = special.gammainc(3.0, (t - 5.0) / 2.0) ** 2 * special.gammainc(2.0, t - 4.0)
    np.testing.assert_allclose(found.cdf(t), known, rtol=1e-11)
    assert known[0] < 1e-14
    assert found.atom == (5.0, 0.0)
    assert found.light
    assert found.error == 3e-12
    np.testing.assert_allclose(found.cdf(found.ppf(known[1:3])), known[1:3], rtol=1e-6)


@pytest.mark.few(2)
@pytest.mark.parametrize("unit", [1e-6, 1024.0])
@pytest.mark.parametrize("cv", [30.0, 1e4])
def test_of_two_with_heavy_tails_both_moments_are_those_of_all_less_the_first(cv, unit):
    def job(unit):
        repair = LogNormal.from_mean(2.0 * unit, cv=cv)
        times = {"interval": unit, "mtbf": unit, "checkpoint_cost": 0.0, "downtime": repair}
        return exact_makespan(unit, **times)

    # max + min is the sum of both, and the tail of the first is light enough to integrate.
    alone = job(1.0)
    start = alone.atom[0]
    edges = np.concatenate([[0.0], np.geomspace(1e-9, 1e14, 900)])
    x, w = np.polynomial.legendre.leggauss(5)
    half = 0.5 * np.diff(edges)[:, None]
    t = edges[:-1, None] + half * (1.0 + x)
    weights = half * w * np.reshape(alone.sf(start + t.ravel()), t.shape) ** 2
    lost = alone.mean - start
    mean = 2.0 * lost - np.sum(weights)
    square = 2.0 * (alone.variance + lost**2) - np.sum(weights * 2.0 * t)
    found = slowest([job(unit)] * 2)
    assert found.mean / unit == pytest.approx(start + mean, rel=1e-7)
    assert found.std / unit == pytest.approx(np.sqrt(square - mean**2), rel=1e-9)
