import itertools
import math
import pickle

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaln

from perfmodel import Bathtub, Deterministic, Empirical, Gamma, HyperExponential, LogNormal, Weibull
from perfmodel.lifetimes._base import Shortest

LAWS = [
    LogNormal.from_mean(3.0, cv=0.3),
    LogNormal.from_mean(3.0, cv=4.0),
    Gamma.from_mean(3.0, cv=0.3),
    Gamma.from_mean(3.0, cv=2.0),
    HyperExponential.from_mean(3.0, cv=2.5),
    Bathtub(0.45, 1.0, 0.8, 24.0),
    Bathtub(0.6, 0.1, 0.02, 5.0),
]
TIMES = np.geomspace(1e-6, 40.0, 60)


def moment(law, count, order):
    """Return the integral of order t^(order-1) sf^count, piece by piece in log t."""
    edges = np.arange(-50.0, 16.0, 0.25)
    pieces = [
        quad(
            lambda u: order * np.exp(order * u) * float(law.sf(np.exp(u))) ** count,
            *ends,
            epsabs=1e-300,
            epsrel=1e-12,
        )[0]
        for ends in itertools.pairwise(edges)
    ]
    return sum(pieces)


@pytest.mark.parametrize("count", [2, 40, 5000])
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_all_must_last_longer(law, count):
    first = law.first_of(count)
    np.testing.assert_allclose(first.sf(TIMES), law.sf(TIMES) ** count, rtol=3e-12, atol=1e-300)
    early = law.ppf(np.array([1e-14, 1e-11]) / count)
    np.testing.assert_allclose(first.cdf(early), count * law.cdf(early), rtol=1e-9)
    np.testing.assert_allclose(first.hazard(TIMES[:40]), count * law.hazard(TIMES[:40]), rtol=1e-14)
    q = np.array([1e-9, 0.01, 0.5, 0.99, 1.0 - 1e-9])
    np.testing.assert_allclose(first.cdf(first.ppf(q)), q, rtol=1e-8)


@pytest.mark.few(3)
@pytest.mark.parametrize("count", [2, 40, 5000])
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_moments_are_integrals_of_the_tail(law, count):
    first = law.first_of(count)
    mean, square = moment(law, count, 1), moment(law, count, 2)
    assert first.mean == pytest.approx(mean, rel=1e-9)
    assert first.scv == pytest.approx(square / mean**2 - 1.0, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("shape", [300.0, 924_556.0, 1e9])
def test_alike_durations_by_the_mean_difference_of_two(shape):
    """A far tail of large shapes has fewer digits than panels were once halved for."""
    law = Gamma(shape, 3.0)
    apart = np.exp(gammaln(shape + 0.5) - gammaln(shape + 1.0)) / np.pi**0.5
    assert 1.0 - law.first_of(2).mean / law.mean == pytest.approx(apart, rel=1e-6)


@pytest.mark.parametrize("count", [2, 117, 5000, 100_000])
@pytest.mark.parametrize("cv", [0.25, 1.0, 4.0])
def test_a_moment_looks_at_few_times_however_broad_the_law(cv, count):
    first = Gamma.from_mean(1.0, cv=cv).first_of(count)
    mean, looks = first.mean, []

    def deviation(times):
        looks.append(np.size(times))
        return (times / mean - 1.0) ** 2

    first.mean_of(np.asarray(np.inf), deviation)
    assert sum(looks) < 100_000


def test_the_mean_of_very_broad_laws_is_the_integral_of_the_tail():
    # By mpmath: integrals of sf^n over log t, with 30 digits.
    known = {
        117: 5.2738017036911764e-20,
        5000: 1.2601152896126955e-45,
        100_000: 1.9730567629610215e-66,
    }
    law = Gamma.from_mean(1.0, cv=4.0)
    for count, mean in known.items():
        assert law.first_of(count).mean == pytest.approx(mean, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_a_partial_moment_is_the_same_alone_and_among_others(law):
    first = law.first_of(7)
    times = np.array([0.0, 3.0, 1e-4, 0.5, 3.0, 60.0, np.inf])
    for order in (1, 2):
        together = first.partial_moment(times, order)
        alone = [first.partial_moment(t, order) for t in times]
        np.testing.assert_allclose(together, alone, rtol=1e-11)
        assert together[0] == 0.0
    assert first.partial_moment(np.inf) == pytest.approx(first.mean, rel=1e-12)


@pytest.mark.parametrize("cv", [0.3, 1.0, 4.0])
def test_of_weibull_laws_both_ways_agree(cv):
    law = Weibull.from_mean(2.0, cv=cv)
    known, found = law.first_of(300), Shortest(law, 300.0)
    assert isinstance(known, Weibull)
    assert found.mean == pytest.approx(known.mean, rel=1e-11)
    assert found.scv == pytest.approx(known.scv, rel=1e-10)
    at = known.ppf([0.001, 0.3, 0.9])
    np.testing.assert_allclose(found.partial_moment(at, 2), known.partial_moment(at, 2), rtol=1e-10)
    np.testing.assert_allclose(found.ppf([0.2, 0.7]), known.ppf([0.2, 0.7]), rtol=1e-13)


def test_of_a_record_all_pairs_are_counted():
    record = Empirical([4.0, 1.0, 1.0, 7.0, 2.5])
    first = record.first_of(2)
    pairs = [min(pair) for pair in itertools.product(record.samples, repeat=2)]
    assert first.mean == pytest.approx(np.mean(pairs), rel=1e-14)
    assert first.variance == pytest.approx(np.var(pairs), rel=1e-13)
    assert first.partial_moment(2.5) == pytest.approx(sum(t for t in pairs if t <= 2.5) / 25)
    for q in np.arange(0.02, 1.0, 0.04):
        assert first.ppf(q) == np.sort(pairs)[int(np.ceil(q * 25)) - 1]
    with pytest.raises(TypeError, match="law must have a density, got Empirical"):
        first.pdf(1.0)


def test_one_is_the_law_itself_and_a_constant_stays():
    assert LAWS[0].first_of(1) is LAWS[0]
    assert Deterministic(3.0).first_of(9) == Deterministic(3.0)


def test_the_first_of_the_first_and_of_other_units():
    law = Gamma(2.0, 3.0)
    assert law.first_of(3).first_of(4) == law.first_of(12)
    assert law.first_of(3).scaled(60.0).mean == pytest.approx(60.0 * law.first_of(3).mean)
    assert pickle.loads(pickle.dumps(law.first_of(3))) == law.first_of(3)


def test_has_no_transform_and_says_so():
    with pytest.raises(TypeError, match=r"law must have a transform, got the shortest of 3 of Gam"):
        Gamma(2.0, 3.0).first_of(3).laplace(1.0)


@pytest.mark.parametrize("count", [0, 1.5, -2])
def test_refuses_a_count(count):
    with pytest.raises(ValueError, match="count must be a whole number >= 1"):
        Gamma(2.0, 3.0).first_of(count)


@pytest.mark.parametrize("shape", [0.02, 0.0225, 0.05])
@pytest.mark.parametrize("law", [Gamma, Weibull])
def test_variation_is_kept_where_no_float_holds_the_mean(law, shape):
    # Of steep laws 10^9 of one unit have a mean of 1e-345; in another unit it is a float.
    first = law(shape, 1.0).first_of(10**9)
    longer = first.scaled(2.0**1000)
    assert first.scv == pytest.approx(longer.scv, rel=1e-9)
    assert longer.std == pytest.approx(longer.mean * math.sqrt(longer.scv), rel=1e-9)
    exponent = -math.log(1e9) / shape + math.lgamma(1.0 + 1.0 / shape) + 1000.0 * math.log(2.0)
    if law is Weibull:
        assert math.log(longer.mean) == pytest.approx(exponent, rel=1e-12)


def test_means_beyond_floats_are_inf_and_below_them_0():
    assert Weibull(0.002, 1.0).first_of(7).mean == math.inf  # 1e711
    assert Weibull(0.003, 1.0).first_of(1000).mean == pytest.approx(7.1672e-303, rel=1e-4)
    assert Weibull(0.002, 1.0).first_of(1000).mean == 0.0  # 1e-366
    assert Weibull(0.002, 1.0).first_of(1000).std == pytest.approx(6.3434002e-217, rel=1e-7)
