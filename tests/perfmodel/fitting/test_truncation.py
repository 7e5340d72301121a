"""Durations watched from some age on only, and the correction of AIC for few of them."""

import numpy as np
import pytest
from scipy import optimize, stats

from perfmodel import Weibull, fit_lifetime


def watched_late(count, seed):
    """Return durations of Weibull(0.7, 8) longer than an age, which were cut off, and ages."""
    rng = np.random.default_rng(seed)
    durations, ages = 8.0 * rng.weibull(0.7, count), rng.uniform(0.0, 6.0, count)
    met = durations > ages
    ends = (ages + rng.uniform(0.0, 30.0, count))[met]
    return np.minimum(durations[met], ends), durations[met] > ends, ages[met]


def test_the_exponential_estimate_is_the_time_watched_over_the_failures():
    durations, flags, ages = watched_late(200, 1)
    row = fit_lifetime(durations, censored=flags, entered=ages, families=["exponential"]).best
    assert row.mean == pytest.approx((durations - ages).sum() / np.sum(~flags), rel=1e-10)


def test_the_estimate_maximises_scipys_likelihood():
    durations, flags, ages = watched_late(150, 2)
    row = fit_lifetime(durations, censored=flags, entered=ages, families=["weibull"]).best

    def loss(point):
        law = stats.weibull_min(np.exp(point[0]), scale=np.exp(point[1]))
        seen = law.logpdf(durations[~flags]).sum() + law.logsf(durations[flags]).sum()
        return law.logsf(ages).sum() - seen

    found = optimize.minimize(loss, [0.0, 2.0], method="Nelder-Mead", options={"fatol": 1e-10})
    assert row.log_likelihood == pytest.approx(-found.fun, abs=1e-8)
    assert (row.parameters["shape"], row.parameters["scale"]) == pytest.approx(
        np.exp(found.x), rel=1e-3
    )


def test_truncation_ignored_takes_the_record_for_a_longer_law():
    durations, flags, ages = watched_late(3000, 3)
    right = fit_lifetime(durations, censored=flags, entered=ages, families=["weibull"]).best
    wrong = fit_lifetime(durations, censored=flags, families=["weibull"]).best
    low, high = right.intervals["shape"]
    assert low < 0.7 < high
    assert wrong.intervals["shape"][0] > 0.9


def test_ages_of_0_change_nothing():
    durations, flags, ages = watched_late(60, 4)
    assert fit_lifetime(durations, censored=flags, entered=0.0 * ages) == fit_lifetime(
        durations, censored=flags
    )


def test_a_fine_grid_changes_little():
    durations, flags, ages = watched_late(80, 5)
    plain = fit_lifetime(durations, censored=flags, entered=ages)
    fine = fit_lifetime(durations, censored=flags, entered=ages, resolution=1e-5)
    for a, b in zip(plain, fine, strict=True):
        assert b.mean == pytest.approx(a.mean, rel=1e-4)
        assert b.ks_distance == pytest.approx(a.ks_distance, abs=1e-4)


def test_the_unit_changes_nothing():
    durations, flags, ages = watched_late(60, 6)
    here = fit_lifetime(durations, censored=flags, entered=ages)
    there = fit_lifetime(1e6 * durations, censored=flags, entered=1e6 * ages)
    for a, b in zip(here, there, strict=True):
        assert b.mean == pytest.approx(1e6 * a.mean, rel=1e-8)
        assert b.ks_distance == pytest.approx(a.ks_distance, abs=1e-8)


def test_distance_is_to_the_law_of_durations_longer_than_the_least_age():
    # Watched from 2 on: half of them end at 3, half at 5, whatever the law does before 2.
    record = {"durations": [3.0, 5.0], "entered": [2.0, 2.0], "families": ["exponential"]}
    row = fit_lifetime(**record).best
    assert row.mean == pytest.approx(2.0)
    gaps = [1.0 - np.exp(-0.5), 0.5 - (1.0 - np.exp(-0.5)), 1.0 - np.exp(-1.5) - 0.5]
    gaps.append(np.exp(-1.5))
    assert row.ks_distance == pytest.approx(max(np.abs(gaps)), rel=1e-12)


def test_those_not_yet_watched_are_not_at_risk():
    # At 3 only the first is watched; the law's distance is to a step of 1 there.
    row = fit_lifetime([3.0, 9.0, 8.0], entered=[1.0, 4.0, 4.0], families=["exponential"]).best
    assert row.ks_distance > np.exp(-2.0 / row.mean) - 1e-12


@pytest.mark.parametrize(("ended", "left"), [(2, np.inf), (3, 4.0), (12, 0.4)])
def test_aicc_adds_for_each_parameter(ended, left):
    durations = Weibull(0.7, 3.0).ppf((np.arange(ended) + 0.5) / ended)
    row = fit_lifetime(durations, censored=[9.0, 9.0], families=["exponential"]).best
    assert row.aicc - row.aic == pytest.approx(left)
    assert row.observed == ended


def test_the_best_has_the_least_aicc():
    fits = fit_lifetime([1.0, 4.0, 0.1, 9.0, 0.01])
    assert min(fits, key=lambda row: row.aic).family != "exponential"
    assert fits.best.family == "exponential"
    few = fit_lifetime([1.0, 4.0])  # none has a correction
    assert few.best is min(few, key=lambda row: row.aic)
