"""What every law must satisfy, whatever its formula."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from scipy import integrate, stats

from perfmodel.lifetimes import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    Lifetime,
    LogNormal,
    Weibull,
)
from tests.support.examples import examples

SMOOTH = [
    (Exponential(3.0), stats.expon(scale=3.0)),
    (Weibull(0.7, 3.0), stats.weibull_min(0.7, scale=3.0)),
    (Weibull(2.5, 3.0), stats.weibull_min(2.5, scale=3.0)),
    (Gamma(0.4, 3.0), stats.gamma(0.4, scale=3.0)),
    (Gamma(40.0, 3.0), stats.gamma(40.0, scale=3.0)),
    (LogNormal(1.0, 0.3), stats.lognorm(0.3, scale=np.e)),
    (LogNormal(1.0, 2.0), stats.lognorm(2.0, scale=np.e)),
]
HYPER = HyperExponential((0.3, 0.7), (5.0, 0.5))
CONTINUOUS = [law for law, _ in SMOOTH] + [HYPER]
POINTS = [Deterministic(2.0), Empirical([3.0, 1.0, 1.0, 2.0])]
BATHTUBS = [Bathtub(0.45, 1.0, 0.8, 24.0), Bathtub(2.0, 3.0, 5.0, 12.0)]
EVERY = CONTINUOUS + POINTS + BATHTUBS
FROM_MEAN = [(Weibull, 0.01), (Weibull, 30.0), (Gamma, 0.3), (Gamma, 3.0), (LogNormal, 0.01)]
FROM_MEAN += [(LogNormal, 30.0), (HyperExponential, 1.0), (HyperExponential, 30.0)]


def name(law):
    return repr(law)


@pytest.mark.parametrize(("law", "known"), SMOOTH, ids=lambda x: name(x)[:24])
def test_agrees_with_scipy(law, known):
    t = np.geomspace(1e-3, 1e3, 41)
    np.testing.assert_allclose(law.cdf(t), known.cdf(t), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(law.sf(t), known.sf(t), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(law.pdf(t), known.pdf(t), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(law.mean, known.mean(), rtol=1e-12)
    np.testing.assert_allclose(law.variance, known.var(), rtol=1e-12)
    np.testing.assert_allclose(law.std, known.std(), rtol=1e-12)


@pytest.mark.parametrize("law", EVERY, ids=name)
def test_moments_are_integrals_of_the_tail(law):
    end = float(law.ppf(1.0 - 1e-16))
    end = min(end, 1e9)

    def integral(function):
        cuts = np.unique(np.concatenate([[0.0], law.ppf(np.linspace(0.05, 1 - 1e-9, 40)), [end]]))
        pieces = itertools.pairwise(cuts)
        return sum(integrate.quad(function, a, b, epsabs=0, epsrel=1e-10)[0] for a, b in pieces)

    assert integral(law.sf) == pytest.approx(law.mean, rel=1e-6)
    second = integral(lambda t: 2 * t * law.sf(t))
    assert second - law.mean**2 == pytest.approx(law.variance, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("law", EVERY, ids=name)
def test_cdf_and_sf_are_complements_and_start_at_zero(law):
    t = np.array([0.0, 1e-6, 0.1, 0.99, 1.0, 2.0, 7.0, 1e5])
    np.testing.assert_allclose(law.cdf(t) + law.sf(t), 1.0, rtol=1e-14)
    assert np.all(np.diff(law.cdf(t)) >= 0.0)
    assert law.cdf(np.inf) == 1.0
    assert law.sf(np.inf) == 0.0
    assert law.cdf(-1.0) == 0.0
    assert law.sf(-np.inf) == 1.0
    assert law.cumulative_hazard(-1.0) == 0.0


@pytest.mark.parametrize("law", CONTINUOUS, ids=name)
def test_hazard_is_density_over_survival_and_goes_on_where_survival_underflows(law):
    t = np.geomspace(1e-2, 10.0, 21)
    np.testing.assert_allclose(law.hazard(t), law.pdf(t) / law.sf(t), rtol=1e-11)
    np.testing.assert_allclose(law.cumulative_hazard(t), -np.log(law.sf(t)), rtol=1e-9, atol=1e-15)
    far = law.mean * np.geomspace(1e2, 1e12, 21)
    hazard, total = law.hazard(far), law.cumulative_hazard(far)
    assert np.all(np.isfinite(hazard) & (hazard > 0.0) & np.isfinite(total))
    slope = (law.cumulative_hazard(far * (1 + 1e-4)) - law.cumulative_hazard(far * (1 - 1e-4))) / (
        2e-4 * far
    )
    np.testing.assert_allclose(hazard, slope, rtol=1e-6)


@pytest.mark.parametrize("law", CONTINUOUS, ids=name)
def test_ppf_inverts_both_tails(law):
    low = np.array([1e-100, 1e-12, 1e-3, 0.2, 0.5])
    np.testing.assert_allclose(law.cdf(law.ppf(low)), low, rtol=1e-11)
    high = np.array([0.5, 0.9, 1 - 1e-6, 1 - 1e-14])
    np.testing.assert_allclose(law.sf(law.ppf(high)), 1.0 - high, rtol=1e-11)
    assert law.ppf(0.0) == 0.0
    assert law.ppf(1.0) == np.inf


@pytest.mark.parametrize("law", EVERY, ids=name)
def test_transform_has_the_moments_and_the_symmetry(law):
    assert law.laplace(0.0) == 1.0
    assert law.laplace(0.0).dtype == np.float64
    s = 1e-5 / law.mean
    second = law.variance + law.mean**2
    first_order = 1.0 - s * law.mean
    assert first_order - 1e-14 <= law.laplace(s) <= first_order + 0.5 * s * s * second + 1e-14
    points = np.array([[0.3 + 2j, 1j], [5.0 + 0j, 0.1 - 40j]])
    values = law.laplace(points)
    assert values.shape == (2, 2)
    np.testing.assert_allclose(law.laplace(points.conj()), values.conj(), rtol=1e-15)
    assert np.all(np.abs(values) <= law.laplace(points.real) + 1e-15)
    assert law.laplace(points.real)[1, 0] == pytest.approx(values[1, 0].real, rel=1e-13)


@pytest.mark.parametrize(("kind", "cv"), FROM_MEAN)
def test_from_mean_has_the_asked_moments(kind, cv):
    law = kind.from_mean(7.0, cv=cv)
    assert law.mean == pytest.approx(7.0, rel=1e-12)
    assert law.scv == pytest.approx(cv**2, rel=1e-11)
    assert law.std == pytest.approx(7.0 * cv, rel=1e-11)


@settings(deadline=None, max_examples=examples(240))
@given(cv=st.floats(1e-6, 1e6), mean=st.floats(1e-6, 1e6))
def test_weibull_solves_for_any_shape(cv, mean):
    law = Weibull.from_mean(mean, cv=cv)
    assert law.mean == pytest.approx(mean, rel=1e-10)
    assert law.scv == pytest.approx(cv**2, rel=1e-9)


@settings(deadline=None, max_examples=examples(120))
@given(unit=st.floats(1e-4, 1e4), t=st.floats(0.0, 50.0))
def test_is_homogeneous_in_time(unit, t):
    for law, scaled in [
        (Weibull(0.7, 3.0), Weibull(0.7, 3.0 * unit)),
        (Gamma(2.5, 3.0), Gamma(2.5, 3.0 * unit)),
        (LogNormal(1.0, 2.0), LogNormal(1.0 + np.log(unit), 2.0)),
        (HYPER, HyperExponential(HYPER.probabilities, np.array(HYPER.means) * unit)),
    ]:
        assert scaled.mean == pytest.approx(unit * law.mean, rel=1e-12)
        assert scaled.sf(unit * t) == pytest.approx(float(law.sf(t)), rel=1e-11)
        s = 0.3 + 1j
        assert scaled.laplace(s / unit) == pytest.approx(complex(law.laplace(s)), rel=1e-11)


def test_reductions_to_the_exponential_law():
    t, s = np.linspace(0.0, 60.0, 7), np.array([0.1, 2.0 + 3j, 50j])
    base = Exponential.from_mean(4.0)
    same = [Weibull(1.0, 4.0), Gamma(1.0, 4.0), HyperExponential((1.0,), (4.0,))]
    same += [kind.from_mean(4.0, cv=1.0) for kind in (Exponential, Weibull, Gamma)]
    same += [HyperExponential.from_mean(4.0, cv=1.0)]
    for law in same:
        for method in ("cdf", "sf", "pdf", "hazard", "cumulative_hazard"):
            np.testing.assert_allclose(
                getattr(law, method)(t), getattr(base, method)(t), rtol=1e-12
            )
        np.testing.assert_allclose(law.laplace(s), base.laplace(s), rtol=1e-12)
        np.testing.assert_allclose(law.ppf([0.1, 0.9]), base.ppf([0.1, 0.9]), rtol=1e-12)


def test_hazard_at_birth():
    assert Weibull(0.5, 3.0).hazard(0.0) == np.inf
    assert Weibull(1.0, 4.0).hazard(0.0) == 0.25
    assert Weibull(2.0, 4.0).hazard(0.0) == 0.0
    assert LogNormal(0.0, 1.0).hazard(0.0) == 0.0
    assert LogNormal(0.0, 1.0).pdf(0.0) == 0.0
    assert Gamma(20.0, 1.0).pdf(0.0) == 0.0


def test_infinite_moments_are_answers():
    law = LogNormal(0.0, 40.0)
    assert law.mean == np.inf
    assert law.variance == np.inf
    assert Weibull(0.003, 1.0).mean == np.inf


def test_points_have_no_density():
    for law in POINTS:
        for method in (law.pdf, law.hazard):
            with pytest.raises(TypeError, match=r"law must have a density, got"):
                method(1.0)


def test_empirical_keeps_a_sorted_read_only_copy():
    record = np.array([3.0, 1.0, 1.0, 2.0])
    law = Empirical(record)
    record[0] = 99.0
    assert law.samples.tolist() == [1.0, 1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        law.samples[0] = 5.0
    assert law == Empirical((1, 2, 3, 1))
    assert hash(law) == hash(Empirical((1, 2, 3, 1)))
    assert law != Empirical((1, 2, 3))
    assert law != "law"
    assert law.mean == 1.75
    assert law.variance == pytest.approx(0.6875, rel=1e-15)


def test_empirical_quantiles_are_samples():
    law = Empirical(np.arange(1.0, 101.0))
    levels = np.arange(1, 101) / 100
    assert law.ppf(levels).tolist() == law.samples.tolist()
    assert law.ppf(0.0) == 1.0
    assert law.cdf(law.samples).tolist() == levels.tolist()


def test_empirical_transform_of_many_samples_is_the_plain_mean():
    values = np.linspace(0.0, 9.0, 4001)
    s = np.linspace(0.0, 3.0, 700) + 2j
    np.testing.assert_allclose(
        Empirical(values).laplace(s), np.exp(-np.outer(s, values)).mean(axis=1), atol=1e-14
    )


@pytest.mark.parametrize("law", EVERY, ids=name)
def test_laws_are_values(law):
    assert law == type(law)(*(getattr(law, field) for field in law.__dataclass_fields__))
    assert len({law, law}) == 1
    field = next(iter(law.__dataclass_fields__))
    with pytest.raises(AttributeError, match=f"cannot assign to field '{field}'"):
        setattr(law, field, 1.0)


BAD_NUMBERS = [(np.nan, "nan"), (np.inf, "inf"), (-1.0, "-1.0"), (0.0, "0.0")]


@pytest.mark.parametrize(("value", "text"), BAD_NUMBERS)
@pytest.mark.parametrize(
    ("build", "argument"),
    [
        (Exponential, "mean"),
        (lambda v: Weibull(v, 1.0), "shape"),
        (lambda v: Weibull(1.0, v), "scale"),
        (lambda v: Gamma(v, 1.0), "shape"),
        (lambda v: Gamma(1.0, v), "scale"),
        (lambda v: LogNormal(0.0, v), "sigma"),
        (lambda v: HyperExponential((0.5, 0.5), (1.0, v)), "means"),
        (lambda v: Weibull.from_mean(v, cv=1.0), "mean"),
        (lambda v: Weibull.from_mean(1.0, cv=v), "cv"),
        (lambda v: Gamma.from_mean(1.0, cv=v), "cv"),
        (lambda v: LogNormal.from_mean(1.0, cv=v), "cv"),
        (lambda v: HyperExponential.from_mean(1.0, cv=v), "cv"),
        (lambda v: Exponential.from_mean(1.0, cv=v), "cv"),
    ],
)
def test_parameters_must_be_positive(build, argument, value, text):
    with pytest.raises(ValueError, match=rf"^{argument} must be finite and > 0, got {text}$"):
        build(value)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Exponential("8h"), TypeError, "mean must be a number"),
        (lambda: Exponential(True), TypeError, "mean must be a number"),
        (lambda: Exponential([1.0, 2.0]), ValueError, r"mean must be a single number, got shape"),
        (lambda: Exponential([]), ValueError, "mean must be non-empty"),
        (lambda: Exponential.from_mean(1.0, cv=2.0), ValueError, "cv must be 1 for Exp.*got 2.0"),
        (lambda: Deterministic.from_mean(1.0, cv=2.0), ValueError, "cv must be 0 for Det.*got 2.0"),
        (lambda: HyperExponential.from_mean(1.0, cv=0.5), ValueError, "cv must be >= 1 .*got 0.5"),
        (lambda: Deterministic(-1.0), ValueError, "value must be finite and >= 0, got -1.0"),
        (lambda: LogNormal(np.nan, 1.0), ValueError, "mu must be finite, got nan"),
        (lambda: HyperExponential((0.5, 0.6), (1, 2)), ValueError, "probabilities must be .*sum 1"),
        (lambda: HyperExponential((1.5, -0.5), (1, 2)), ValueError, r"probabilities must be in \["),
        (lambda: HyperExponential((0.5, 0.5), (1,)), ValueError, "one per probability, got 1 for"),
        (lambda: HyperExponential(1.0, 1.0), ValueError, "probabilities must be a list of numbers"),
        (lambda: Empirical([]), ValueError, "samples must be non-empty"),
        (lambda: Empirical([1.0, -2.0]), ValueError, "samples must be finite and >= 0, got -2.0"),
        (lambda: Empirical([[1.0], [2.0]]), ValueError, r"samples must be a list .*\(2, 1\)"),
        (lambda: Empirical(3.0), ValueError, r"samples must be a list of numbers, got shape \(\)"),
        (lambda: Empirical(["1h"]), TypeError, "samples must be a number"),
        (lambda: Exponential(1.0).cdf(np.nan), ValueError, "t must be a time, got nan"),
        (lambda: Exponential(1.0).cdf("1h"), TypeError, "t must be a number"),
        (lambda: Exponential(1.0).sf([]), ValueError, "t must be non-empty"),
        (lambda: Exponential(1.0).sf([[1], [1, 2]]), TypeError, "t must be a number"),
        (lambda: Exponential(1.0).ppf(1.5), ValueError, r"q must be in \[0, 1\], got 1.5"),
        (
            lambda: Exponential(1.0).laplace(-1.0),
            ValueError,
            "s must be finite with real.*got -1.0",
        ),
        (lambda: Exponential(1.0).laplace(-1j - 1), ValueError, "s must be finite with real part"),
        (lambda: Exponential(1.0).laplace(np.inf), ValueError, "s must be finite .*got inf"),
        (lambda: Exponential(1.0).laplace("a"), TypeError, "s must be a number"),
    ],
)
def test_refuses_impossible_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("law", EVERY, ids=name)
@pytest.mark.parametrize("factor", [2.0**-40, 0.3, 7.0])
def test_a_scaled_law_is_that_of_the_duration_times_the_factor(law, factor):
    other = law.scaled(factor)
    assert type(other) is type(law)
    assert other.mean == pytest.approx(factor * law.mean, rel=1e-14)
    assert other.scv == pytest.approx(law.scv, rel=1e-13)
    np.testing.assert_allclose(other.ppf([0.1, 0.7]), factor * law.ppf([0.1, 0.7]), rtol=1e-13)


@pytest.mark.parametrize("factor", [0.0, -1.0, np.inf, np.nan])
def test_a_law_is_scaled_by_a_positive_number_only(factor):
    with pytest.raises(ValueError, match="factor must be finite and > 0"):
        Exponential(1.0).scaled(factor)


@pytest.mark.parametrize("law", EVERY, ids=name)
def test_the_complement_of_the_transform_keeps_its_digits_near_zero(law):
    s = np.array([[0.0, 0.3, 2.0 + 1.0j], [50j, 1e-3 - 2e-3j, 1e3]])
    np.testing.assert_allclose(law.laplace_complement(s) + law.laplace(s), 1.0, rtol=1e-13)
    tiny = np.array([1e-13 / law.mean + 0j])
    assert law.laplace_complement(tiny)[0] == pytest.approx(1e-13, rel=1e-11)


@pytest.mark.parametrize("law", [Exponential(3.0), HYPER, Gamma(0.4, 3.0), *POINTS], ids=name)
def test_left_of_zero_the_complement_goes_on_to_the_abscissa(law):
    s = -min(0.4 * law.abscissa, 1.0) + np.array([0.0, 0.1j])
    if law in POINTS:
        grown = np.exp(-s[:, None] * law.ppf((np.arange(4) + 0.5) / 4.0)).mean(axis=1)
    else:
        t, step = np.linspace(0.0, 400.0 * law.mean, 200_001, retstep=True)
        # The last cell's mass is left out; a density may be infinite at 0.
        mass = -np.diff(law.sf(t))
        grown = np.exp(-s[:, None] * (t[1:] - 0.5 * step)) @ mass
    np.testing.assert_allclose(1.0 - law.laplace_complement(s), grown, rtol=1e-4)


@pytest.mark.parametrize("law", EVERY, ids=name)
@pytest.mark.parametrize("order", [1, 2])
def test_partial_moments_are_integrals_up_to_a_time(law, order):
    t = np.array([-1.0, 0.0, 1e-3, 0.7, 2.0, 9.0, np.inf])
    found = law.partial_moment(t, order)
    assert found[:2].tolist() == [0.0, 0.0]
    whole = law.mean if order == 1 else law.variance + law.mean**2
    assert found[-1] == pytest.approx(whole, rel=1e-9)
    if law not in POINTS:
        by_quadrature = Lifetime._partial_moment(law, t[2:-1], order)
        np.testing.assert_allclose(found[2:-1], by_quadrature, rtol=1e-9)


@pytest.mark.parametrize("law", POINTS, ids=name)
def test_partial_moments_of_points_include_their_end(law):
    constant = law == POINTS[0]
    assert law.partial_moment(2.0) == (2.0 if constant else 1.0)
    assert law.partial_moment(1.999) == (0.0 if constant else 0.5)


def test_an_order_of_a_partial_moment_is_1_or_2():
    with pytest.raises(ValueError, match="order must be 1 or 2, got 3"):
        Exponential(1.0).partial_moment(1.0, 3)
    with pytest.raises(ValueError, match=r"order must be a whole number >= 1, got 0\.5"):
        Exponential(1.0).partial_moment(1.0, 0.5)


@pytest.mark.parametrize("law", BATHTUBS, ids=name)
def test_a_bathtub_ends_where_its_cdf_is_one(law):
    end = law.end
    assert law.ppf(1.0) == pytest.approx(end, rel=1e-15)
    assert law.sf(end) == 0.0
    assert law.cdf(end) == 1.0
    low = np.array([0.2, 0.5, 0.999])  # beyond the atom at 0
    np.testing.assert_allclose(law.cdf(law.ppf(low)), low, rtol=1e-12)
    assert law.sf(law.ppf(1.0 - 2.0**-40)) == pytest.approx(2.0**-40, rel=1e-6)
    t = np.linspace(0.01, 0.99, 21) * end
    slope = (law.cdf(t + 1e-6) - law.cdf(t - 1e-6)) / 2e-6
    rounding = 2e-16 / 1e-6  # of the difference
    np.testing.assert_allclose(law.pdf(t), slope, rtol=1e-6, atol=rounding)
    np.testing.assert_allclose(law.hazard(t), law.pdf(t) / law.sf(t), rtol=1e-12)


def test_a_bathtub_with_share_one_half_ends_at_its_turn():
    law = Bathtub(0.5, 0.5, 0.8, 24.0)
    assert law.end == pytest.approx(24.0, rel=1e-14)
    assert law.mean == pytest.approx(11.85, rel=1e-12)
    assert Bathtub(0.45, 1.0, 0.8, 24.0).mean == pytest.approx(13.298295106, rel=1e-10)
    with pytest.raises(ValueError, match=r"turn must be > late log\(share\) = 3\.4"):
        Bathtub(2.0, 1.0, 5.0, 3.0)


@pytest.mark.parametrize(
    "parameters",
    [
        (0.45, 1e145, 1e135, 1e140),  # early far above the longest duration, late far below it
        (1e-6, 3.0, 1e-5, 1.0),  # nearly every duration is about 1
        (1e6, 1e-6, 0.05, 1.0),  # nearly every duration is about 1e-12
        (2.0, 0.4e-150, 1.3e-150, 1e-150),
    ],
)
def test_moments_of_an_extreme_bathtub_at_many_digits(parameters):
    law = Bathtub(*parameters)
    with mp.workdps(60):
        share, early, late, turn = (mp.mpf(value) for value in parameters)

        def excess(t):
            return share * (mp.exp((t - turn) / late) + 1 - mp.exp(-t / early)) - 1

        end = mp.findroot(
            lambda x: excess(x * turn),
            (0, 1 - late / turn * mp.log(share)),
            "bisect",
            tol=1e-50,
            maxsteps=250,
        )
        end *= turn
        rise = mp.exp((end - turn) / late)
        start = mp.exp(-turn / late)
        first = share * (
            early * mp.gammainc(2, 0, end / early) + rise * (end - late) + start * late
        )
        second = share * (
            early**2 * mp.gammainc(3, 0, end / early)
            + rise * (end**2 - 2 * late * end + 2 * late**2)
            - 2 * start * late**2
        )
        assert law.end == pytest.approx(float(end), rel=1e-12)
        assert law.mean == pytest.approx(float(first), rel=1e-9)
        assert law.scv == pytest.approx(float(second / first**2 - 1), rel=1e-9)
    assert law.std == pytest.approx(law.mean * math.sqrt(law.scv), rel=1e-12)


@pytest.mark.parametrize("turn", [1e-150, 1.0, 1e150])
@pytest.mark.parametrize("limit", [1e-6, 1e6])
def test_a_bathtub_may_be_at_each_of_its_limits(turn, limit):
    beyond = limit * (1.0 + (1e-9 if limit > 1.0 else -1e-9))
    inside, outside = [turn, limit * turn], [turn, beyond * turn]
    assert Bathtub(0.5, inside[1], turn, turn).early == limit * turn
    assert Bathtub(0.5, turn, inside[1], turn).late == limit * turn
    # Beside a share of a million an end so much later that it has an atom of 0.37 only.
    late = turn / (math.log(limit) + 1.0) if limit > 1.0 else turn
    assert Bathtub(limit, turn, late, turn).share == limit
    for parameters, name in (
        ((0.5, outside[1], turn, turn), "early/turn"),
        ((0.5, turn, outside[1], turn), "late/turn"),
        ((beyond, turn, late, turn), "share"),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must be in \[1e-6, 1e6\], got "):
            Bathtub(*parameters)


def test_an_atom_at_its_limit_is_taken():
    shares = 0.999999 * math.e * (1.0 + 2.2e-16 * np.arange(-8, 9))
    at_limit = [share for share in shares if share * math.exp(-1.0) == 0.999999]
    assert at_limit
    for share in at_limit:
        assert Bathtub(share, 1.0, 1.0, 1.0).cdf(0.0) == 0.999999


@pytest.mark.parametrize(
    "law", [Exponential(1e203), Weibull(0.7, 1e203), Gamma(2.0, 1e203), Deterministic(1e203)]
)
def test_a_square_beyond_all_numbers_is_inf(law):
    assert law.partial_moment(1e203, 2) == np.inf


@pytest.mark.parametrize(
    ("law", "rate", "expected"),
    [
        # By quadrature at 30 digits, and in closed form.
        (Weibull(1.5, 2.0), 0.005, 0.009046278667430074),
        (Weibull(1.02, 1.0), 0.9, 1.9668002320105709),
        (Weibull(1.02, 1.0), 1.05, 3.6888710049065865),
        (Weibull(1.5, 1.0), 100.0, 148155.915950255),
        (Weibull(1.0, 2.0), 0.25, np.log(2.0)),
        (LogNormal(0.0, 1.0), -3.0, -1.9643109175132005),
        (Exponential(2.0), -1e-12, -2e-12),
        (Deterministic(3.0), -1e5, -3e5),
        (Empirical([1.0, 2.0, 5.0]), 400.0, 2000.0 - np.log(3.0)),
        (Bathtub(0.45, 1.0, 0.8, 24.0), 1.0, 22.974912891903372),
    ],
)
def test_growth_is_known_to_many_digits(law, rate, expected):
    np.testing.assert_allclose(law.log_growth(rate), expected, rtol=1e-12)


def test_growth_is_endless_where_the_tail_is_too_heavy():
    for law in (LogNormal(0.0, 1.0), Weibull(0.9, 1.0), Exponential(10.0), Gamma(0.5, 10.0)):
        assert law.log_growth([[-0.1, 0.0], [0.1, 0.2]]).shape == (2, 2)
        assert law.log_growth(0.1) == np.inf
        assert law.log_growth(0.0) == 0.0
    assert Weibull(1.0005, 1.0).log_growth(2.0) == np.inf  # e to a number of 600 digits


@pytest.mark.parametrize("shape", [1.02, 1.03, 1.05, 1.06, 1.2])
def test_growth_of_a_narrow_peak_is_its_height(shape):
    """For the larger rate, as the peak of exp(rate t - t^k) is at t^(k - 1) = rate / k."""
    rate = 10.0 if shape < 1.1 else 1e4
    top = (rate / shape) ** (shape / (shape - 1.0))
    found = Weibull(shape, 1.0).log_growth(rate)
    assert found == pytest.approx((shape - 1.0) * top, rel=1e-11)


def test_growth_refuses_endless_rates():
    with pytest.raises(ValueError, match="rate must be finite, got inf"):
        Exponential(1.0).log_growth(np.inf)


def test_a_bathtub_has_a_transform_where_its_early_part_would_not_decay():
    law = Bathtub(0.45, 1.0, 0.8, 24.0)
    beside = law.laplace_complement(np.array([-1.0, -1.0 - 1e-9]) + 0.0j)
    np.testing.assert_allclose(beside[0], beside[1], rtol=1e-6)
