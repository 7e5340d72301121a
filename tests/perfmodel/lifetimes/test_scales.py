"""A law of longer durations is the same law: f(c x) = c f(x) at any scale that floats hold."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perfmodel import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from tests.support.examples import examples
from tests.support.strategies import log_uniform

SHAPES = log_uniform(2e-3, 300.0)
LAWS = st.one_of(
    st.builds(Exponential, st.just(1.0)),
    st.builds(Weibull, SHAPES, st.just(1.0)),
    st.builds(Gamma, SHAPES, st.just(1.0)),
    st.builds(lambda sigma: LogNormal(0.0, sigma), log_uniform(1e-3, 40.0)),
    st.builds(lambda cv: HyperExponential.from_mean(1.0, cv=1.0 + cv), log_uniform(1e-3, 1e3)),
    st.builds(Empirical, st.lists(log_uniform(1e-3, 1e3), min_size=1, max_size=5)),
    st.builds(Deterministic, st.just(1.0)),
)
SMOOTH = LAWS.filter(lambda law: not isinstance(law, Empirical | Deterministic))
EXPONENTS = st.integers(-1000, 1000)
TIMES = log_uniform(1e-60, 1e6)


def same(found, known, exponent):
    """Whether `found` is 2^`exponent` times `known`, where both are floats with all digits."""
    found, known = np.asarray(found), np.asarray(known)
    assert not np.isnan(found).any()
    with np.errstate(over="ignore", under="ignore"):
        right = np.ldexp(known, exponent)
    held = (known > 1e-290) & (known < np.inf) & (right > 1e-290)
    np.testing.assert_allclose(
        np.where(held, found, 0.0), np.where(held, right, 0.0), rtol=3e-11, atol=0.0
    )


@settings(max_examples=examples(200))
@given(law=LAWS, exponent=EXPONENTS, time=TIMES, count=st.sampled_from([1, 2, 7, 1000, 10**9]))
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_moments_quantiles_and_tails(law, exponent, time, count):
    law, unit = law.first_of(count), 2.0**exponent
    assume(getattr(law, "scale", 1.0) * unit > 1e-290)  # else the parameter has lost digits
    other = law.scaled(unit)
    t = time * unit
    for order in (1, 2):
        same(other.partial_moment(t, order), law.partial_moment(time, order), order * exponent)
        same(
            other.partial_moment(np.inf, order), law.partial_moment(np.inf, order), order * exponent
        )
    same(other.mean, law.mean, exponent)
    same(other.std, law.std, exponent)
    if other.mean > 1e-290:  # below, it has lost digits
        same(other.scv, law.scv, 0)
    same(other.ppf([1e-6, 0.3, 0.999]), law.ppf([1e-6, 0.3, 0.999]), exponent)
    if 1e-290 < t < np.inf:
        for name in ("cdf", "sf", "cumulative_hazard"):
            same(getattr(other, name)(t), getattr(law, name)(time), 0)


@settings(max_examples=examples(100))
@given(law=SMOOTH, exponent=EXPONENTS, time=TIMES)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_densities(law, exponent, time):
    other, t = law.scaled(2.0**exponent), time * 2.0**exponent
    if 1e-290 < t < np.inf:
        same(other.pdf(t), law.pdf(time), -exponent)
        same(other.hazard(t), law.hazard(time), -exponent)


@pytest.mark.parametrize(
    ("law", "mean"),
    [  # integrals of sf^n over the logarithm of time, at 40 digits
        (Gamma(0.01, 1e28).first_of(2), 1.3607388026290456e24),
        (Gamma(0.04, 7e45).first_of(666), 1.0068081568742897),
        (Gamma(1.0, 1e-300).first_of(2), 5e-301),
        # Most durations are below all floats.
        (Gamma(0.003663349716169055, 1.0).first_of(1000), 9.0906519744198e-287),
        (Weibull(0.00421245912082982, 2.0**74).first_of(1000), 3.2092924036554674e-228),
    ],
)
def test_means_of_the_first_far_from_1(law, mean):
    assert law.mean == pytest.approx(mean, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("law", "time", "order", "known"),
    [  # by mpmath at 40 digits
        (LogNormal(0.0, 38.0), 1.0, 1, 0.010491225699639976),
        (LogNormal.from_mean(1e155, cv=1.0), 1e150, 2, 2.2854286850126512e259),
        (Weibull(0.005, 1.0), 1.0, 1, 0.001839351453099495),
        (Exponential(1e155), 1e143, 2, 3.3333333333308333e273),
    ],
)
def test_partial_moments_far_from_1(law, time, order, known):
    assert law.partial_moment(time, order) == pytest.approx(known, rel=2e-12)


def test_exponential_durations_two_of_which_are_tiny():
    law = Gamma(1.0, 1e-300).first_of(2)
    assert law.scv == pytest.approx(1.0, rel=1e-12)
    # 1e12 of them: in the logarithm of time, by the trapezoidal rule.
    a, n = 0.04, 1e12
    y = np.arange(-2000.0, 5.0, 0.01)
    rise = np.exp(a * y - math.lgamma(1.0 + a))  # the cdf, where time is short
    moments = [0.01 * np.sum(k * np.exp(k * (y + 740.0) - n * rise)) for k in (1, 2)]
    known = moments[1] / moments[0] ** 2 - 1.0
    assert Gamma(a, 1e-20).first_of(10**12).scv == pytest.approx(known, rel=1e-6)


def test_the_first_of_very_many_is_a_law_although_no_float_holds_its_scale():
    law = Weibull(0.01, 1.0).first_of(10**6)
    assert law.cdf(1e-300) == pytest.approx(-math.expm1(-1e6 * 1e-3), rel=1e-12)
    assert law.mean == 0.0  # 9e-443
    assert Weibull(0.01, 1.0).first_of(3000).mean == pytest.approx(
        math.exp(math.lgamma(101.0) - 100.0 * math.log(3000.0)), rel=1e-9
    )


@pytest.mark.parametrize(
    ("build", "names"),
    [
        (lambda: Weibull(1.0, 1e300).scaled(1e300), "factor"),
        (lambda: Exponential(1e-300).scaled(1e-300), "factor"),
        (lambda: Gamma.from_mean(1.0, cv=1e200), "cv"),
        (lambda: Gamma.from_mean(1e250, cv=1e100), "mean, cv"),
        (lambda: Weibull.from_mean(1e-300, cv=1e10), "mean, cv"),
        (lambda: HyperExponential.from_mean(1.0, cv=1e200), "cv"),
        (lambda: HyperExponential.from_mean(1e250, cv=1e100), "mean, cv"),
    ],
)
def test_a_refusal_names_what_was_given(build, names):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=rf"^{names} must "):
            build()


@pytest.mark.parametrize("cv", [1e-200, 1e-20, 1e-8, 1e200])
def test_lognormal_durations_of_any_variation(cv):
    law = LogNormal.from_mean(3.0, cv=cv)
    assert (
        math.sqrt(math.expm1(law.sigma**2)) == pytest.approx(cv, rel=1e-9)
        if 1e-9 < cv < 1e9
        else law.sigma > 0.0
    )


def test_a_variance_is_a_float_where_its_ratio_to_the_mean_is_not():
    law = LogNormal(-1400.0, 38.0)  # variance exp(2 mu + 2 sigma^2), but for 1 in e^1444
    assert law.std == pytest.approx(math.exp(-1400.0 + 38.0**2), rel=1e-12)
    assert law.variance == pytest.approx(math.exp(2.0 * (-1400.0 + 38.0**2)), rel=1e-12)
