"""Transforms by quadrature are those of power series and of another quadrature, at 25 digits."""

import cmath
import math

import numpy as np
import pytest
from mpmath import mp

from perfmodel.lifetimes import LogNormal, Weibull, _laplace

ANGLES = (0.0, 0.5 * math.pi, -1.2)


def weibull_complement(shape, s):
    """E[1 - exp(-s T)] of scale 1: the series in s for shapes above 1, in s^-shape below."""
    with mp.workdps(150):
        k, s = mp.mpf(shape), mp.mpc(s)
        total, n = mp.mpc(0), 1 if shape > 1.0 else 0
        while True:
            if shape > 1.0:
                term = -((-s) ** n) * mp.gamma(1 + n / k) / mp.factorial(n)
            else:
                term = -k * (-1) ** n / mp.factorial(n) * mp.gamma(k * (n + 1)) / s ** (k * (n + 1))
            total += term
            n += 1
            if n > 20 and abs(term) < mp.mpf(10) ** -40 * abs(total):
                return complex(total if shape > 1.0 else 1 + total)


def lognormal_complement(mu, sigma, s):
    """E[1 - exp(-s T)], with the path of the logarithm turned, at most by `sigma`."""
    with mp.workdps(25):
        turn = max(-sigma, min(sigma, mp.arg(mp.mpc(s)) / 2))

        def integrand(y):
            x = y - 1j * turn
            return mp.npdf((x - mu) / sigma) / sigma * -mp.expm1(-s * mp.exp(x))

        ends = [mu + sigma * step for step in (-14, -4, 0, 4, 14)]
        return complex(mp.quad(integrand, [*ends, ends[-1] + sigma**2]))  # of T: as much higher


WEIBULLS = [(0.5, 0.6), (0.5, 30.0), (0.8, 3.0), (1.3, 1e-6), (1.3, 3.0), (1.9, 0.4), (1.9, 5.0)]


@pytest.mark.parametrize(("shape", "size"), WEIBULLS)
def test_a_weibull_transform_is_its_power_series(shape, size):
    s = np.array([size * cmath.exp(1j * angle) for angle in ANGLES])
    known = np.array([weibull_complement(shape, complex(point)) for point in s])
    law = Weibull(shape, 2.0)
    np.testing.assert_allclose(law.laplace_complement(0.5 * s), known, rtol=1e-12)
    np.testing.assert_allclose(law.laplace(0.5 * s), 1.0 - known, rtol=1e-12, atol=1e-13)


LOGNORMALS = [(0.05, 0.7), (0.05, 1e-7), (0.4, 0.4), (1.5, 0.02), (1.5, 3.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("sigma", "size"), LOGNORMALS)
def test_a_lognormal_transform_is_another_quadrature(sigma, size):
    s = np.array([size * cmath.exp(1j * angle) for angle in ANGLES])
    known = np.array([lognormal_complement(0.3, sigma, complex(point)) for point in s])
    law = LogNormal(0.3, sigma)
    np.testing.assert_allclose(law.laplace_complement(s), known, rtol=1e-12)
    np.testing.assert_allclose(law.laplace(s), 1.0 - known, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("sigma", [0.05, 0.4, 1.5])
@pytest.mark.parametrize("size", [1e-5, 0.5, 40.0])
def test_a_complex_lognormal_transform_by_a_plain_sum(sigma, size):
    """By the trapezoidal rule in the normal variable, without any rotation."""
    z, step = np.linspace(-14.0, 14.0, 40_001, retstep=True)
    weights = step / math.sqrt(2.0 * math.pi) * np.exp(-0.5 * z * z)
    times = np.exp(sigma * z + 0.25)
    law = LogNormal(0.25, sigma)
    for s in (size * np.exp(1.2j), size * np.exp(1.4j), size * np.exp(-0.7j)):
        known = weights @ np.exp(-s * times)
        found = law.laplace(np.array([s, s.conjugate()]))
        np.testing.assert_allclose(found, [known, known.conjugate()], rtol=1e-12, atol=2e-13)


SIZES = (1e-30, 1e-5, 0.5, 40.0, 1e7)
# Nodes in all for sizes and three angles, and 1 %: of the transform, and of one less it.
WORK = [
    (Weibull(0.1, 1.0), 2440, 2600),
    (Weibull(0.5, 1.0), 2110, 2160),
    (Weibull(0.99, 1.0), 2890, 3150),
    (Weibull(1.01, 1.0), 3980, 3200),
    (Weibull(2.0, 1.0), 3910, 5800),
    (Weibull(8.0, 1.0), 4240, 20710),
    (LogNormal(0.0, 0.05), 630, 950),
    (LogNormal(0.0, 0.4), 620, 950),
    (LogNormal(0.0, 1.5), 1150, 1940),
    (LogNormal(0.0, 3.0), 2060, 3620),
    (LogNormal(0.0, 8.0), 5190, 7260),
]


@pytest.mark.parametrize(("law", "transform", "complement"), WORK, ids=repr)
def test_a_quadrature_looks_no_farther_than_it_has_to(law, transform, complement, monkeypatch):
    """An inversion asks for thousands: what more nodes cost must be known where one adds them."""
    nodes, plain = [], _laplace._trapezoid

    def counted(integrand, left, right, step, beta):
        nodes.append(float(np.max((right - left) / step)))
        return plain(integrand, left, right, step, beta)

    monkeypatch.setattr(_laplace, "_trapezoid", counted)
    points = [size * cmath.exp(1j * angle) for size in SIZES for angle in (0.0, 1.2, math.pi / 2)]
    for s in points:
        law.laplace(s)
    assert sum(nodes) <= transform
    nodes.clear()
    for s in points:
        law.laplace_complement(np.array([s]))
    assert sum(nodes) <= complement
