"""Everything that is asked of a law, against its definition at 50 digits, far into both tails."""

import math

import mpmath as mp
import numpy as np
import pytest

from perfmodel import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

QUANTILES = [1e-280, 1e-30, 1e-8, 0.03, 0.4, 0.6, 0.97]
TAILS = [1e-3, 1e-12, 1e-100, 1e-280]


def weibull(law):
    k, scale = mp.mpf(law.shape), mp.mpf(law.scale)
    return (
        lambda t: mp.exp(-((t / scale) ** k)),
        lambda t: -mp.expm1(-((t / scale) ** k)),
        lambda t: k / scale * (t / scale) ** (k - 1) * mp.exp(-((t / scale) ** k)),
    )


def exponential(law):
    return weibull(Weibull(1.0, law.mean))


def hyperexponential(law):
    parts = [
        (mp.mpf(p), exponential(Exponential(m)))
        for p, m in zip(law.probabilities, law.means, strict=True)
    ]
    return tuple(
        lambda t, place=place: mp.fsum(p * part[place](t) for p, part in parts)
        for place in range(3)
    )


def gamma(law):
    k, scale = mp.mpf(law.shape), mp.mpf(law.scale)
    return (
        lambda t: mp.gammainc(k, t / scale, regularized=True),
        lambda t: mp.gammainc(k, 0, t / scale, regularized=True),
        lambda t: (t / scale) ** (k - 1) * mp.exp(-t / scale) / mp.gamma(k) / scale,
    )


def lognormal(law):
    def place(t):
        return (mp.log(t) - mp.mpf(law.mu)) / mp.mpf(law.sigma)

    return (
        lambda t: mp.erfc(place(t) / mp.sqrt(2)) / 2,
        lambda t: mp.erfc(-place(t) / mp.sqrt(2)) / 2,
        lambda t: mp.npdf(place(t)) / (t * mp.mpf(law.sigma)),
    )


LAWS = [
    (Exponential(3.0), exponential),
    (HyperExponential((0.75, 0.1875, 0.0625), (0.2, 1.0, 9.0)), hyperexponential),
    (Weibull(0.4, 2.0), weibull),
    (Weibull(1.0, 2.0), weibull),
    (Weibull(3.3, 0.5), weibull),
    (Gamma(0.3, 4.0), gamma),
    (Gamma(1.0, 4.0), gamma),
    (Gamma(9.99, 0.4), gamma),
    (Gamma(10.5, 0.4), gamma),
    (Gamma(500.0, 0.01), gamma),
    (LogNormal(0.3, 0.2), lognormal),
    (LogNormal(-1.0, 1.7), lognormal),
]


@pytest.fixture(params=LAWS, ids=lambda each: repr(each[0]))
def known(request):
    law, make = request.param
    with mp.workdps(60):
        yield law, *make(law)


def times_of(law):
    """Return times from one tail to the other, none of which under- or overflows."""
    early, late = law.ppf(QUANTILES), [law.ppf(1.0 - 1e-16) * factor for factor in (1.5, 4.0, 9.0)]
    t = np.array([*early, *late])
    return t[t > 1e-250]


def exact(function, t):
    return np.array([float(function(mp.mpf(float(x)))) for x in t])


def test_probabilities(known):
    law, sf, cdf, pdf = known
    t = times_of(law)
    np.testing.assert_allclose(law.cdf(t), exact(cdf, t), rtol=3e-12)
    np.testing.assert_allclose(law.sf(t), exact(sf, t), rtol=2e-11)
    np.testing.assert_allclose(law.pdf(t), exact(pdf, t), rtol=2e-11)
    assert law.cdf([-1.0, 0.0, np.inf]).tolist() == [0.0, 0.0, 1.0]
    assert law.sf([-1.0, 0.0, np.inf]).tolist() == [1.0, 1.0, 0.0]
    assert law.pdf([-1.0, np.inf]).tolist() == [0.0, 0.0]


def test_hazards_also_where_nothing_survives(known):
    law, sf, cdf, pdf = known
    t = np.append(times_of(law), law.ppf(1.0 - 1e-16) * np.array([60.0, 900.0]))
    with mp.workdps(60):
        hazard = exact(lambda x: pdf(x) / sf(x), t)
        cumulative = exact(lambda x: -mp.log(sf(x)) if cdf(x) > 0.5 else -mp.log1p(-cdf(x)), t)
    np.testing.assert_allclose(law.hazard(t), hazard, rtol=2e-11)
    np.testing.assert_allclose(law.cumulative_hazard(t), cumulative, rtol=2e-12)
    assert law.cumulative_hazard([-1.0, 0.0, np.inf]).tolist() == [0.0, 0.0, np.inf]
    assert law.hazard(-1.0) == 0.0


def test_quantiles(known):
    law, _, cdf, _ = known
    q = np.array([1e-200, 1e-30, 1e-8, 0.03, 0.49999, 0.50001, 0.97, 1.0 - 2.0**-45])
    t = law.ppf(q)
    inside = t > 1e-250
    np.testing.assert_allclose(exact(cdf, t[inside]), q[inside], rtol=1e-11)
    assert law.ppf([0.0, 1.0]).tolist() == [0.0, np.inf]


@pytest.mark.parametrize("law", [law for law, _ in LAWS], ids=repr)
def test_moments(law):
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for q in (1e-8, 0.03, 0.4, 0.97, 1.0 - 1e-12):
        end = float(law.ppf(q))
        # In the variable of a power, where a density that is infinite at 0 is smooth.
        edges = np.linspace(0.0, end**0.125, 41)
        half = np.diff(edges)[:, None] / 2.0
        u = edges[:-1, None] + half * (1.0 + nodes)
        for order in (1, 2):
            density = 8.0 * u**7 * u ** (8 * order) * law.pdf(u**8)
            whole = float(np.sum(half * weights * density))
            assert law.partial_moment(end, order) == pytest.approx(whole, rel=1e-9, abs=0.0)


CHANGES = [(lambda law: law, 1.0), (lambda law: law.scaled(7.0), 7.0)]


@pytest.mark.parametrize(("change", "factor"), CHANGES)
def test_means_and_variations(change, factor):
    one = mp.mpf(1)
    for law, mean, second in (
        (Exponential(3.0), 3, 18),
        (HyperExponential((0.75, 0.25), (2.0, 6.0)), 3, 2 * (0.75 * 4 + 0.25 * 36)),
        (Weibull(0.4, 2.0), 2 * mp.gamma(1 + one / mp.mpf(0.4)), 4 * mp.gamma(1 + 2 / mp.mpf(0.4))),
        (Weibull(30.0, 2.0), 2 * mp.gamma(1 + one / 30), 4 * mp.gamma(1 + one / 15)),
        (Gamma(0.3, 4.0), mp.mpf(0.3) * 4, mp.mpf(0.3) * (1 + mp.mpf(0.3)) * 16),
        (LogNormal(0.5, 1.5), mp.exp(0.5 + 1.125), mp.exp(1 + 4.5)),
        (Empirical([1.0, 2.0, 6.0]), 3, mp.mpf(41) / 3),
        (Deterministic(3.0), 3, 9),
    ):
        found = change(law)
        assert found.mean == pytest.approx(factor * float(mean), rel=1e-13)
        variance = float(second - mean**2) * factor**2
        assert found.variance == pytest.approx(variance, rel=1e-12)
        assert found.std == pytest.approx(math.sqrt(variance), rel=1e-12)
        assert found.scv == pytest.approx(float(second / mean**2 - 1), rel=1e-12, abs=1e-16)


FAMILIES = [Weibull, Gamma, LogNormal, HyperExponential]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("cv", [1e-3, 0.1, 0.5, 0.9999, 1.0, 1.0001, 2.0, 30.0, 400.0])
def test_a_law_of_a_mean_and_a_variation_has_them(family, cv):
    if family is HyperExponential and cv < 1.0:
        return
    law = family.from_mean(5.0, cv=cv)
    assert law.mean == pytest.approx(5.0, rel=1e-12)
    assert math.sqrt(law.scv) == pytest.approx(cv, rel=1e-11)
    if family is HyperExponential:  # both branches have half of the mean
        shares = [p * m for p, m in zip(law.probabilities, law.means, strict=True)]
        assert shares == [pytest.approx(2.5), pytest.approx(2.5)]
        assert law.probabilities[0] >= law.probabilities[1]


GROWTH = [
    (Exponential(2.0), lambda s: 1 / (1 + 2 * s), 0.5),
    (
        HyperExponential((0.75, 0.25), (1.0, 5.0)),
        lambda s: 0.75 / (1 + s) + 0.25 / (1 + 5 * s),
        0.2,
    ),
    (Gamma(2.5, 0.4), lambda s: (1 + mp.mpf(0.4) * s) ** mp.mpf(-2.5), 2.5),
    (Deterministic(1.5), lambda s: mp.exp(-mp.mpf(1.5) * s), mp.inf),
    (Empirical([1.0, 4.0, 4.0]), lambda s: (mp.exp(-s) + 2 * mp.exp(-4 * s)) / 3, mp.inf),
]


@pytest.mark.parametrize(("law", "transform", "abscissa"), GROWTH, ids=lambda each: "")
def test_transforms_in_closed_form(law, transform, abscissa):
    assert law.abscissa == pytest.approx(float(abscissa))
    points = [1e-14, 1e-5, 0.3, 7.0, 0.4j, 1.0 - 2.0j, 1e6]
    points += [-0.4 * min(float(abscissa), 1.0), -0.9 * min(float(abscissa), 1.0) + 0.2j]
    s = np.array(points, dtype=complex)
    with mp.workdps(40):
        values = [transform(mp.mpmathify(complex(point))) for point in points]
        known = np.array([complex(value) for value in values])
        less = np.array([complex(1 - value) for value in values])
    np.testing.assert_allclose(law.laplace_complement(s), less, rtol=1e-13, atol=1e-30)
    right = s.real >= 0.0
    np.testing.assert_allclose(law.laplace(s[right]), known[right], rtol=2e-13, atol=1e-300)
    assert law.laplace(0.3).dtype == np.float64
    assert law.laplace(np.array([[0.3 + 0.0j]])).shape == (1, 1)
    rates = [
        -50.0,
        -1.0,
        -1e-9,
        1e-9,
        0.3 * min(float(abscissa), 3.0),
        0.95 * min(float(abscissa), 3.0),
    ]
    with mp.workdps(40):
        grown = [float(mp.log(transform(-mp.mpf(rate)))) for rate in rates]
    np.testing.assert_allclose(law.log_growth(rates), grown, rtol=1e-12)


def test_a_bathtub_to_many_digits():
    law = Bathtub(0.45, 1.0, 0.8, 24.0)
    with mp.workdps(40):
        share, early, late, turn = (mp.mpf(x) for x in (0.45, 1.0, 0.8, 24.0))

        def cdf(t):
            return share * (mp.exp((t - turn) / late) - mp.expm1(-t / early))

        def pdf(t):
            return share * (mp.exp((t - turn) / late) / late + mp.exp(-t / early) / early)

        end = mp.findroot(lambda t: cdf(t) - 1, 24.1)
        # A float near the end is off by 4e-9 of what is left of it.
        t = [1e-9, 0.2, 3.0, 12.0, 20.0, 24.0, float(end) - 1e-6]
        np.testing.assert_allclose(law.cdf(t), exact(cdf, t), rtol=1e-13)
        np.testing.assert_allclose(law.sf(t), exact(lambda x: 1 - cdf(x), t), rtol=1e-8)
        np.testing.assert_allclose(law.pdf(t), exact(pdf, t), rtol=1e-13)
        np.testing.assert_allclose(
            law.hazard(t), exact(lambda x: pdf(x) / (1 - cdf(x)), t), rtol=1e-8
        )
        known = exact(lambda x: -mp.log1p(-cdf(x)), t)
        np.testing.assert_allclose(law.cumulative_hazard(t), known, rtol=1e-9)
        assert law.end == pytest.approx(float(end), rel=1e-15)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for upto in (1e-3, 0.9, 1.1, 15.0, law.end):
        half = upto / 80.0
        x = 2.0 * half * np.arange(40.0)[:, None] + half * (1.0 + nodes)
        mass = (
            half
            * weights
            * law.share
            * (np.exp(-x / law.early) / law.early + np.exp((x - law.turn) / law.late) / law.late)
        )
        for order in (1, 2):
            found = law.partial_moment(upto, order)
            assert found == pytest.approx(float(np.sum(mass * x**order)), rel=1e-12)
    s = np.array([1e-12, 0.3, 5.0, 2.0j, -0.7, -1.0, 1.25, 1.25 + 1e-10, 0.1 - 3.0j])
    less = [np.sum(mass * -np.expm1(-point * x)) for point in s]
    np.testing.assert_allclose(law.laplace_complement(s), less, rtol=1e-10)
    for rate in (-9.0, -0.02, 1e-9, 0.03, 0.05, 0.5, 3.0, 20.0):
        known = math.log1p(float(np.sum(mass * np.expm1(rate * x))))
        if rate > 1.0:  # from the end, where all counts
            known = rate * law.end + math.log(float(np.sum(mass * np.exp(rate * (x - law.end)))))
        assert law.log_growth(rate) == pytest.approx(known, rel=1e-9)


def test_what_a_record_answers():
    law = Empirical([4.0, 1.0, 4.0, 7.0])
    t = [0.999, 1.0, 3.9, 4.0, 7.0, np.inf, -np.inf]
    cdf = [0.0, 0.25, 0.25, 0.75, 1.0, 1.0, 0.0]
    assert law.cdf(t).tolist() == cdf
    assert law.sf(t).tolist() == [1.0 - each for each in cdf]
    np.testing.assert_allclose(law.cumulative_hazard(t[:4]), -np.log1p(-np.array(cdf[:4])))
    assert law.cumulative_hazard(7.0) == np.inf
    assert law.ppf([0.0, 0.25, 0.2501, 0.75, 0.76, 1.0]).tolist() == [1.0, 1.0, 4.0, 4.0, 7.0, 7.0]
    assert law.partial_moment(t).tolist() == [0.0, 0.25, 0.25, 2.25, 4.0, 4.0, 0.0]
    assert law.partial_moment(t, 2).tolist() == [0.0, 0.25, 0.25, 8.25, 20.5, 20.5, 0.0]


def test_what_a_constant_answers():
    law = Deterministic(2.0)
    t = [-1.0, 1.999, 2.0, np.inf]
    assert law.cdf(t).tolist() == [0.0, 0.0, 1.0, 1.0]
    assert law.sf(t).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert law.cumulative_hazard(t).tolist() == [0.0, 0.0, np.inf, np.inf]
    assert law.ppf([0.0, 0.3, 1.0]).tolist() == [2.0, 2.0, 2.0]
    assert law.partial_moment(t, 2).tolist() == [0.0, 0.0, 4.0, 4.0]
    assert law.first_of(5) is law
    assert Deterministic.from_mean(3.0) == Deterministic(3.0)


@pytest.mark.parametrize("sigma", [0.05, 0.4, 1.5, 3.0, 8.0])
@pytest.mark.parametrize("s", [1e-30, 1e-5, 0.5, 40.0, 1e7, 1e60])
def test_a_real_lognormal_transform_by_a_plain_sum(sigma, s):
    """By the trapezoidal rule in the normal variable, which is exact for analytic bells."""
    z, step = np.linspace(-39.0, 39.0, 200_001, retstep=True)
    weights = step / math.sqrt(2.0 * math.pi) * np.exp(-0.5 * z * z)
    with np.errstate(over="ignore"):
        powers = s * np.exp(sigma * z + 0.25)
        known, less = weights @ np.exp(-powers), weights @ -np.expm1(-powers)
    law = LogNormal(0.25, sigma)
    assert law.laplace(s) == pytest.approx(known, rel=2e-12, abs=1e-300)
    found = law.laplace_complement(np.array([s + 0.0j]))[0].real
    assert found == pytest.approx(less, rel=2e-12)


@pytest.mark.parametrize("shape", [0.1, 0.4, 0.99, 1.0, 1.01, 3.0, 12.0, 60.0])
@pytest.mark.parametrize("s", [1e-30, 1e-5, 0.5, 40.0, 1e7])
def test_a_real_weibull_transform_by_a_plain_sum(shape, s):
    """By the trapezoidal rule in the logarithm of t^k."""
    x, step = np.linspace(-250.0, 7.0, 400_001, retstep=True)
    weights = step * np.exp(x - np.exp(x))
    powers = 2.0 * s * np.exp(x / shape)
    known, less = weights @ np.exp(-powers), weights @ -np.expm1(-powers)
    law = Weibull(shape, 2.0)
    assert law.laplace(s) == pytest.approx(known, rel=2e-12, abs=1e-100)
    found = law.laplace_complement(np.array([s + 0.0j]))[0].real
    assert found == pytest.approx(less, rel=2e-11)


@pytest.mark.few(11)
@pytest.mark.parametrize("shape", [1.0001, 1.1, 1.5, 3.0, 20.0])
@pytest.mark.parametrize("rate", [1e-9, 0.01, 0.49, 0.51, 0.9, 3.0, 20.0])
def test_growth_of_a_weibull_law_by_a_plain_sum(shape, rate):
    x, step = np.linspace(-60.0, 25.0, 800_001, retstep=True)
    powers = rate * np.exp(x / shape) - np.exp(x) + x
    top = powers.max()
    if np.argmax(powers) > 700_000 or top > 1e6:
        return
    x = x[x < 6.5]  # beyond, and for rates below 0.5, there is nothing
    less = step * np.sum(np.expm1(min(rate, 0.5) * np.exp(x / shape)) * np.exp(x - np.exp(x)))
    known = math.log1p(less) if rate < 0.5 else top + math.log(step * np.sum(np.exp(powers - top)))
    assert Weibull(shape, 5.0).log_growth(rate / 5.0) == pytest.approx(known, rel=1e-11)


def test_a_transform_beyond_the_floats_of_its_argument():
    """At s = 1e298, whose logarithm enters Lambert's function by itself."""
    z, step = np.linspace(-39.0, 39.0, 400_001, retstep=True)
    with np.errstate(over="ignore", under="ignore"):
        mass = np.exp(-0.5 * z * z) * np.exp(-np.exp(math.log(1e298) - 146.0 + 16.0 * z))
    known = step / math.sqrt(2.0 * math.pi) * float(mass.sum())
    assert 1e-290 < known < 1e-200
    assert LogNormal(-146.0, 16.0).laplace(1e298) == pytest.approx(known, rel=1e-9, abs=0.0)


def test_the_first_of_some_where_it_is_of_the_same_kind():
    assert Exponential(3.0).first_of(4) == Exponential(0.75)
    first = Weibull(0.5, 8.0).first_of(2)
    assert (first.shape, first.scale) == (0.5, pytest.approx(2.0))
    assert Exponential(3.0).first_of(1) == Exponential(3.0)


def test_a_law_that_is_shown_tells_its_parameters_and_moments():
    shown = Weibull(2.0, 5.0)._repr_html_()
    law, places = Weibull(2.0, 5.0), []
    for name, value in (
        ("Weibull", None),
        ("shape", 2.0),
        ("scale", 5.0),
        ("mean", law.mean),
        ("standard deviation", law.std),
        ("median", float(law.ppf(0.5))),
    ):
        places.append(shown.index(name))
        assert value is None or f"{value:.6g}" in shown[places[-1] :].split("</tr>")[0], name
    assert places == sorted(places)
    assert "3 values" in Empirical([1.0, 2.0, 3.0])._repr_html_()


@pytest.mark.parametrize("law", [Bathtub(0.45, 0.3, 20.0, 24.0), Bathtub(1.5, 4.0, 9.0, 6.0)])
def test_growth_of_a_bathtub_whose_late_part_begins_at_once(law):
    nodes, weights = np.polynomial.legendre.leggauss(60)
    half = law.end / 80.0
    x = 2.0 * half * np.arange(40.0)[:, None] + half * (1.0 + nodes)
    slope = np.exp(-x / law.early) / law.early + np.exp((x - law.turn) / law.late) / law.late
    mass, atom = half * weights * law.share * slope, law.share * math.exp(-law.turn / law.late)
    for rate in (-2.0, 0.01, 1.1 / law.end, 0.7, 2.0, 30.0):
        grown = float(np.sum(mass * np.exp(rate * (x - law.end)))) + atom * math.exp(
            -rate * law.end
        )
        known = rate * law.end + math.log(grown)
        assert law.log_growth(rate) == pytest.approx(known, rel=1e-9, abs=1e-12)


def test_arguments_of_a_transform_that_are_too_large_are_named():
    with pytest.raises(ValueError, match="s must be at most") as error:
        Exponential(100.0).laplace([1.0, 2e298])
    assert str(error.value) == "s must be at most 1e300/mean = 1e+298 in modulus, got 2e+298"
