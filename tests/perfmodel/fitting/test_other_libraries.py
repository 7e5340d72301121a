"""The same fits by lifelines and surpyval, which are in the extra `compare`."""

import warnings

import numpy as np
import pytest

from perfmodel import fit_lifetime

pytestmark = pytest.mark.slow

WHY = "is not installed: pip install -e '.[compare]'"
# Parameters of theirs, and ours from them.
LIFELINES = {
    "exponential": ("ExponentialFitter", lambda p: (p["lambda_"],)),
    "weibull": ("WeibullFitter", lambda p: (p["rho_"], p["lambda_"])),
    "lognormal": ("LogNormalFitter", lambda p: (p["mu_"], p["sigma_"])),
}
SURPYVAL = {
    "exponential": ("Exponential", lambda rate: (1.0 / rate,)),
    "weibull": ("Weibull", lambda scale, shape: (shape, scale)),
    "gamma": ("Gamma", lambda shape, rate: (shape, 1.0 / rate)),
    "lognormal": ("LogNormal", lambda mu, sigma: (mu, sigma)),
}


def record(late):
    """Return durations, which were cut off, and from which age on each was watched."""
    rng = np.random.default_rng(7)
    durations, ages = 8.0 * rng.weibull(0.8, 300), rng.uniform(0.0, 5.0, 300) * late
    met = durations > ages
    ends = (ages + rng.uniform(0.0, 30.0, 300))[met]
    return np.minimum(durations[met], ends), durations[met] > ends, ages[met]


def other(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs are not ours to mend
        return pytest.importorskip(name, reason=f"{name} {WHY}")


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("family", LIFELINES)
def test_lifelines_finds_the_same(family, late):
    durations, flags, ages = record(late)
    row = fit_lifetime(durations, censored=flags, entered=ages, families=[family]).best
    fitter, ours = LIFELINES[family]
    lifelines = other("lifelines")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = getattr(lifelines, fitter)().fit(
            durations, event_observed=~flags, entry=ages if late else None
        )
    assert ours(found.params_.to_dict()) == pytest.approx(tuple(row.parameters.values()), rel=2e-4)
    assert found.log_likelihood_ == pytest.approx(row.log_likelihood, abs=1e-5)
    assert row.log_likelihood > found.log_likelihood_ - 1e-8
    assert pytest.approx(row.aic, abs=2e-5) == found.AIC_


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("family", SURPYVAL)
def test_surpyval_finds_the_same(family, late):
    durations, flags, ages = record(late)
    row = fit_lifetime(durations, censored=flags, entered=ages, families=[family]).best
    law, ours = SURPYVAL[family]
    surpyval = other("surpyval")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = getattr(surpyval, law).fit(
            x=durations, c=flags.astype(int), tl=ages if late else None
        )
        aic, aicc = found.aic(), found.aic_c()
    assert ours(*found.params) == pytest.approx(tuple(row.parameters.values()), rel=2e-4)
    assert -found.neg_ll() == pytest.approx(row.log_likelihood, abs=1e-5)
    assert row.log_likelihood > -found.neg_ll() - 1e-8
    assert (aic, aicc) == pytest.approx((row.aic, row.aicc), abs=2e-5)
