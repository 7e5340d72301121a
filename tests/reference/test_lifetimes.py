"""Laws of durations against mpmath, from the definitions: tails, hazards, quantiles, transforms."""

import itertools

import mpmath as mp
import numpy as np
import pytest

from perfmodel import (
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

LAWS = [
    Exponential(3.0),
    Weibull(0.3, 3.0),
    Weibull(5.0, 3.0),
    Gamma(0.05, 3.0),
    Gamma(2.5, 3.0),
    Gamma(400.0, 3.0),
    LogNormal(1.0, 0.2),
    LogNormal(1.0, 3.0),
    HyperExponential((1023 / 1024, 1 / 1024), (1.0, 1e4)),
]


@pytest.fixture(autouse=True)
def _digits():
    with mp.workdps(50):
        yield


def sf(law, t):
    t = mp.mpf(float(t))
    match law:
        case Exponential():
            return mp.exp(-t / law.mean)
        case Weibull():
            return mp.exp(-((t / law.scale) ** law.shape))
        case Gamma():
            return mp.gammainc(law.shape, t / law.scale, regularized=True)
        case LogNormal():
            return mp.erfc((mp.log(t) - law.mu) / (law.sigma * mp.sqrt(2))) / 2
        case HyperExponential():
            return sum(
                p * mp.exp(-t / m) for p, m in zip(law.probabilities, law.means, strict=True)
            )


def cdf(law, t):
    t = mp.mpf(float(t))
    match law:
        case Exponential():
            return -mp.expm1(-t / law.mean)
        case Weibull():
            return -mp.expm1(-((t / law.scale) ** law.shape))
        case Gamma():
            return mp.gammainc(law.shape, 0, t / law.scale, regularized=True)
        case LogNormal():
            return mp.erfc((law.mu - mp.log(t)) / (law.sigma * mp.sqrt(2))) / 2
        case HyperExponential():
            return -sum(
                p * mp.expm1(-t / m) for p, m in zip(law.probabilities, law.means, strict=True)
            )


def pdf(law, t):
    t = mp.mpf(float(t))
    match law:
        case Exponential():
            return mp.exp(-t / law.mean) / law.mean
        case Weibull():
            z = (t / law.scale) ** law.shape
            return law.shape / t * z * mp.exp(-z)
        case Gamma():
            x = t / law.scale
            return x ** (mp.mpf(law.shape) - 1) * mp.exp(-x) / mp.gamma(law.shape) / law.scale
        case LogNormal():
            z = (mp.log(t) - law.mu) / law.sigma
            return mp.npdf(z) / (law.sigma * t)
        case HyperExponential():
            return sum(
                p / mp.mpf(m) * mp.exp(-t / m)
                for p, m in zip(law.probabilities, law.means, strict=True)
            )


def relative_error(value, expected):
    return float(abs(mp.mpf(float(value)) - expected) / abs(expected))


def time_where_sf_is(law, level):
    """Return the time by bisection on the reference."""
    low, high = mp.mpf("1e-300"), mp.mpf("1e300")
    for _ in range(60):
        middle = mp.sqrt(low * high)
        low, high = (middle, high) if sf(law, middle) > level else (low, middle)
    return float(low)


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("level", ["0.9", "0.5", "1e-3", "1e-20", "1e-100", "1e-300"])
def test_upper_tail(law, level):
    t = time_where_sf_is(law, mp.mpf(level))
    assert relative_error(law.sf(t), sf(law, t)) < 3e-12
    if pdf(law, t) > mp.mpf("1e-300"):
        assert relative_error(law.pdf(t), pdf(law, t)) < 3e-12
    assert relative_error(law.hazard(t), pdf(law, t) / sf(law, t)) < 3e-12
    assert relative_error(law.cumulative_hazard(t), -mp.log(sf(law, t))) < 3e-14


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("factor", [1e-12, 1e-4, 0.05, 0.5])
def test_lower_tail(law, factor):
    t = factor * law.mean
    expected = cdf(law, t)
    if expected > mp.mpf("1e-300"):
        assert relative_error(law.cdf(t), expected) < 3e-12
        assert relative_error(law.pdf(t), pdf(law, t)) < 3e-12
    if 1 > expected > mp.mpf("1e-290"):
        assert relative_error(law.cumulative_hazard(t), -mp.log1p(-expected)) < 3e-12


@pytest.mark.parametrize(
    "law", [Gamma(0.05, 3.0), Gamma(2.5, 3.0), Gamma(400.0, 3.0), LogNormal(1.0, 0.2)], ids=repr
)
@pytest.mark.parametrize("factor", [1e3, 1e4, 1e8])
def test_hazard_where_the_tail_underflows(law, factor):
    t = factor * law.mean
    assert law.sf(t) == 0.0 or factor < 1e8
    assert relative_error(law.hazard(t), pdf(law, t) / sf(law, t)) < 1e-13
    assert relative_error(law.cumulative_hazard(t), -mp.log(sf(law, t))) < 1e-13


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("q", [1e-14, 1e-5, 0.1, 0.5, 0.9, 1 - 1e-9, 1 - 2.0**-50])
def test_quantiles(law, q):
    t = float(law.ppf(q))
    if t > 1e-290:
        # distance to the true quantile by one Newton step of the reference, relative to t
        distance = (cdf(law, t) - mp.mpf(q)) / (t * pdf(law, t))
        assert abs(float(distance)) < 1e-12


@pytest.mark.parametrize("shape", [0.05, 0.3, 4.9, 5.1, 40.0, 1e4, 1e7])
def test_weibull_moments_of_narrow_and_wide_laws(shape):
    law, x = Weibull(shape, 3.0), 1 / mp.mpf(shape)
    first, second = 3 * mp.gamma(1 + x), 9 * mp.gamma(1 + 2 * x)
    assert relative_error(law.mean, first) < 1e-13
    assert relative_error(law.scv, second / first**2 - 1) < 1e-12
    assert relative_error(law.variance, second - first**2) < 1e-12


@pytest.mark.parametrize("law", [LogNormal(1.0, 1e-6), LogNormal(1.0, 3.0)], ids=repr)
def test_lognormal_moments(law):
    variance = mp.mpf(law.sigma) ** 2
    mean = mp.exp(law.mu + variance / 2)
    assert relative_error(law.mean, mean) < 1e-14
    assert relative_error(law.scv, mp.expm1(variance)) < 1e-14


def test_hyperexponential_of_balanced_means_keeps_a_rare_branch():
    law = HyperExponential.from_mean(1.0, cv=1e6)
    c = mp.mpf(1e6) ** 2
    rare = (1 - mp.sqrt((c - 1) / (c + 1))) / 2
    assert relative_error(law.probabilities[1], rare) < 1e-14
    assert law.scv == pytest.approx(1e12, rel=1e-12)


def weibull_transform(shape, s):
    """Return the sum of the series in s (shape > 1) or in s^-shape (shape < 1); both converge."""
    k, s = mp.mpf(shape), mp.mpc(s)
    grow = abs(s) ** (k / (k - 1)) if k > 1 else abs(s) ** (-k / (1 - k))
    with mp.workdps(40 + int(2 * grow)):
        k = mp.mpf(shape)
        total, n, size = mp.mpc(0), 0, mp.mpf(1)
        while n < 20 or size > mp.mpf(10) ** (-mp.mp.dps + 5):
            if k > 1:
                term = (-s) ** n / mp.factorial(n) * mp.gamma(1 + n / k)
            else:
                term = k * (-1) ** n / mp.factorial(n) * mp.gamma(k * (n + 1)) / s ** (k * (n + 1))
            total, n, size = total + term, n + 1, abs(term)
        return complex(total)


DIRECTIONS = [1.0, np.exp(0.7j), np.exp(-1.3j), 1j]


@pytest.mark.few(18)
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(
    ("shape", "modulus"),
    [
        (0.3, 0.001),
        (0.3, 1.0),
        (0.3, 1000000.0),
        (0.5, 0.05),
        (0.5, 30.0),
        (0.7, 0.3),
        (0.7, 1000.0),
        (1.5, 0.01),
        (1.5, 4.0),
        (3.0, 0.5),
        (3.0, 15.0),
        (5.0, 1.0),
        (5.0, 30.0),
        (12.0, 40.0),
    ],
)
def test_weibull_transform(shape, modulus, direction):
    s = complex(modulus * direction)
    value, expected = complex(Weibull(shape, 2.0).laplace(s / 2.0)), weibull_transform(shape, s)
    assert abs(value - expected) < 1e-14 + 1e-13 * abs(expected)
    if direction == 1.0:
        assert value.real == pytest.approx(expected.real, rel=1e-12)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("modulus", [1e-9, 1e-3, 0.3, 5.0, 40.0, 1e3, 1e7])
def test_rayleigh_transform_is_an_error_function(modulus, direction):
    s = mp.mpc(modulus * direction)
    with mp.workdps(60):
        z = s / 2
        # e^(z^2) erfc(z) by its asymptotic series, because the product overflows
        if abs(s) > 100:
            tail = sum(
                (-1) ** n * mp.fac2(2 * n - 1) / (2 * z * z) ** n if n else mp.mpf(1)
                for n in range(12)
            )
            expected = 1 - tail
        else:
            expected = 1 - mp.sqrt(mp.pi) * z * mp.exp(z * z) * mp.erfc(z)
    value = complex(Weibull(2.0, 1.0).laplace(complex(s)))
    assert abs(value - complex(expected)) < 1e-13 * abs(complex(expected)) + 1e-15


def lognormal_transform(sigma, s, share):
    """Integrate the definition on log t - i share arg(s), which Cauchy's theorem allows."""
    with mp.workdps(25):
        sigma, s = mp.mpf(sigma), mp.mpc(s)
        shift = 1j * share * mp.arg(s)
        peak = mp.re(mp.lambertw(sigma**2 * s))
        narrow = sigma / mp.sqrt(1 + peak)

        def integrand(u):
            y = u - peak - shift
            return mp.exp(-s * mp.exp(y) - (y / sigma) ** 2 / 2) / (sigma * mp.sqrt(2 * mp.pi))

        cuts = [-12 * sigma, -6 * sigma, *(narrow * n for n in range(-4, 5)), 6 * narrow]
        cuts = sorted({*cuts, 12 * narrow if peak > 1 else 12 * sigma, 8 * narrow})
        cuts = [a + (b - a) * mp.mpf(n) / 3 for a, b in itertools.pairwise(cuts) for n in range(3)]
        return complex(mp.quad(integrand, [*cuts, 12 * narrow if peak > 1 else 12 * sigma]))


@pytest.mark.parametrize(
    ("sigma", "share", "s"),
    [
        (0.05, 0.0, 3.0),
        pytest.param(0.05, 0.02, 20j, marks=pytest.mark.slow),
        (0.3, 0.1, 8.0 + 6j),
        pytest.param(0.3, 0.2, 5j, marks=pytest.mark.slow),
        (1.0, 0.0, 1e4),
        pytest.param(1.0, 0.7, 2.0 - 30j, marks=pytest.mark.slow),
        (1.4, 0.8, 0.01j),
        pytest.param(1.4, 0.9, -1e3j, marks=pytest.mark.slow),
        (3.0, 0.0, 1e-4),
        pytest.param(3.0, 0.9, 1j, marks=pytest.mark.slow),
        (3.0, 0.95, 0.1 + 1e5j),
    ],
)
def test_lognormal_transform(sigma, share, s):
    value = complex(LogNormal(np.log(2.0), sigma).laplace(s / 2.0))
    expected = lognormal_transform(sigma, s, share)
    assert abs(value - expected) < 1e-13
    if np.isreal(s):
        assert value.real == pytest.approx(expected.real, rel=1e-12)


@pytest.mark.parametrize(
    ("law", "reference"),
    [
        (Gamma(0.3, 2.0), lambda s: (1 + 2 * s) ** mp.mpf(-0.3)),
        (Gamma(300.0, 2.0), lambda s: (1 + 2 * s) ** -300),
        (
            HyperExponential((0.25, 0.75), (4.0, 2.0)),
            lambda s: 0.25 / (1 + 4 * s) + 0.75 / (1 + 2 * s),
        ),
        (Deterministic(3.0), lambda s: mp.exp(-3 * s)),
        (
            Empirical([1.0, 2.0, 2.0, 9.0]),
            lambda s: (mp.exp(-s) + 2 * mp.exp(-2 * s) + mp.exp(-9 * s)) / 4,
        ),
    ],
)
@pytest.mark.parametrize("s", [1e-9, 1e-9j, 0.02 + 0.3j, 5.0, 0.001 - 700j])
def test_closed_transforms(law, reference, s):
    expected = complex(reference(mp.mpc(s)))
    assert abs(complex(law.laplace(s)) - expected) < 2e-13 * abs(expected) + 1e-300
