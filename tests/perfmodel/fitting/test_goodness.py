"""Limits of distances and correlations, against records drawn at random."""

import numpy as np
import pytest

from perfmodel.fitting import fit_lifetime
from perfmodel.fitting._kaplan_meier import kaplan_meier, ks_distance
from perfmodel.fitting.goodness import (
    correlation_limit,
    distance,
    distance_limit,
    quantiles,
    rank_correlation,
)
from perfmodel.lifetimes import Exponential, LogNormal, Weibull

NONE = np.empty(0)
RECORDS = 800


def records(seed, size, *, cuts=None):
    """Yield durations of a Weibull law, those seen to end and those cut off."""
    rng = np.random.default_rng(seed)
    for _ in range(RECORDS):
        times = rng.weibull(0.7, size)
        cut = np.full(size, np.inf) if cuts is None else cuts * rng.weibull(1.5, size)
        yield times[times <= cut], cut[times > cut]


def test_without_cuts_the_distance_is_that_of_kolmogorov():
    for observed, cut in list(records(1, 40))[:50]:
        law = Exponential(1.3)
        assert distance(law, observed, cut) == ks_distance(law, kaplan_meier(observed, cut), 0.0)


@pytest.mark.few(2)
@pytest.mark.parametrize("size", [10, 300])
@pytest.mark.parametrize("family", ["exponential", "lognormal"])
def test_one_record_in_a_hundred_is_farther_from_the_law_fitted_to_it(family, size):
    rng, far = np.random.default_rng(size), 0
    for _ in range(2 * RECORDS):
        if family == "exponential":
            times = rng.exponential(3.0, size)
            law = Exponential(times.mean())
        else:
            times = rng.lognormal(1.0, 2.0, size)
            law = LogNormal(np.log(times).mean(), np.log(times).std())
        far += distance(law, times, NONE) > distance_limit(family, size)
    # Limits are those of long records, beyond which short ones are less often.
    assert 0.001 < far / (2 * RECORDS) < 0.01 + 4.0 * (0.01 / (2 * RECORDS)) ** 0.5


@pytest.mark.parametrize("family", ["weibull", "gamma"])
def test_families_of_two_parameters_that_are_right_are_said_to_fit(family):
    rng, far = np.random.default_rng(5), 0
    for _ in range(40):
        times = 5.0 * (rng.weibull(0.7, 60) if family == "weibull" else rng.gamma(0.2, 1.0, 60))
        fits = fit_lifetime(times, families=[family])
        far += distance(fits.best.lifetime, times, NONE) > distance_limit(family, 60)
    assert far <= 3


@pytest.mark.few(2)
@pytest.mark.parametrize("size", [50, 400])
@pytest.mark.parametrize("cuts", [0.2, 0.5, 2.0])
def test_a_law_fitted_to_a_record_that_was_cut_off_is_hardly_ever_farther(size, cuts):
    far = 0
    for observed, cut in records(size, size, cuts=cuts):
        if observed.size >= 5:
            # Weibull times of a known shape are powers of exponential ones.
            scale = (np.sum(observed**0.7) + np.sum(cut**0.7)) / observed.size
            law = Weibull(0.7, scale ** (1.0 / 0.7))
            far += distance(law, observed, cut) > distance_limit("exponential", observed.size)
    assert far <= 0.01 * RECORDS + 4.0 * (0.01 * RECORDS) ** 0.5


@pytest.mark.parametrize("cuts", [None, 2.0])
def test_records_of_another_law_are_told(cuts):
    found = [
        distance(Exponential(1.27), observed, cut) > distance_limit("exponential", observed.size)
        for observed, cut in records(3, 1000, cuts=cuts)
    ]
    assert np.mean(found[:200]) > 0.95


def test_quantiles_are_those_of_the_record_until_it_is_cut_off():
    observed, cut = np.array([1.0, 2.0, 2.0, 4.0]), NONE
    fractions = np.array([0.25, 0.26, 0.75, 0.76, 1.0])
    assert quantiles(observed, cut, fractions).tolist() == [1.0, 2.0, 2.0, 4.0, 4.0]
    seen = quantiles(np.array([1.0]), np.array([3.0]), np.array([0.5, 0.6]))
    assert seen[0] == 1.0
    assert np.isnan(seen[1])


def test_independent_durations_are_rarely_found_correlated():
    rng = np.random.default_rng(7)
    found = [rank_correlation(rng.weibull(0.5, 60)) > correlation_limit(60) for _ in range(RECORDS)]
    assert sum(found) <= 0.01 * RECORDS + 4.0 * (0.01 * RECORDS) ** 0.5


def test_durations_in_clusters_are_found_correlated():
    rng = np.random.default_rng(8)
    rate = np.repeat(rng.choice([0.1, 3.0], 20), 10)
    gaps = rng.exponential(1.0, 200) / rate
    assert rank_correlation(gaps) > 3.0 * correlation_limit(200)
    assert rank_correlation(np.ones(9)) == 0.0


@pytest.mark.parametrize(
    ("gaps", "known"), [([1, 2, 3], 1.0), ([1, 3, 2], -1.0), ([2, 1, 2], -1.0)]
)
def test_the_rank_correlation_of_three_durations(gaps, known):
    assert rank_correlation(np.array(gaps, dtype=float)) == pytest.approx(known, rel=1e-15)


def test_the_rank_correlation_is_that_of_a_definition():
    rng = np.random.default_rng(9)
    for gaps in (rng.random(30), rng.integers(0, 5, 40).astype(float)):
        ranks = np.array([(gaps < g).sum() + 0.5 * ((gaps == g).sum() + 1) for g in gaps])
        expected = np.corrcoef(ranks[:-1], ranks[1:])[0, 1]
        assert rank_correlation(gaps) == pytest.approx(expected, rel=1e-12)
