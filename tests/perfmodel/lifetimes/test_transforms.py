"""Transforms by quadrature are those of power series and of another quadrature, at 25 digits."""

import cmath
import math

import numpy as np
import pytest
from mpmath import mp

from perfmodel.lifetimes import LogNormal, Weibull

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
