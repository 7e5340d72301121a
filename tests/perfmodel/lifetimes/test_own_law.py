"""What a law of one's own need not know: the base class answers it."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import integrate, special

from perfmodel.lifetimes import Lifetime


@dataclass(frozen=True)
class Square(Lifetime):
    """The square of a number from 0 to 1, each with equal probability: its cdf is a root."""

    unit: float = 1.0

    @property
    def mean(self):
        return self.unit / 3.0

    @property
    def scv(self):
        return 0.8

    def _cdf(self, t):
        return np.sqrt(np.minimum(t / self.unit, 1.0))

    def _sf(self, t):
        return 1.0 - self._cdf(t)

    def _pdf(self, t):
        return np.where(t <= self.unit, 0.5 / np.sqrt(t * self.unit), 0.0)

    def _hazard(self, t):
        return self._pdf(t) / self._sf(t)

    def _cumulative_hazard(self, t):
        return -np.log(self._sf(t))

    def _ppf(self, q):
        return self.unit * q * q

    def _scaled(self, factor):
        return Square(self.unit * factor)

    def _laplace(self, s):
        root = np.sqrt(np.where(s == 0.0, 1.0, s * self.unit))
        return np.where(s == 0.0, 1.0, 0.5 * math.sqrt(math.pi) / root * special.erf(root))


@dataclass(frozen=True)
class Bounded(Square):
    """The same, which tells that no rate is too large for it."""

    @property
    def abscissa(self):
        return math.inf


def by_quadrature(function):
    """Return E[function(T)] of the law with unit 1."""
    return integrate.quad(lambda u: function(u * u), 0.0, 1.0, epsabs=0.0, epsrel=1e-12)[0]


@pytest.mark.parametrize("unit", [1e-7, 1.0, 3e9])
def test_partial_moments_up_to_one_time_or_to_many(unit):
    law, t = Square(unit), unit * np.array([[0.0, 1e-9, 0.04], [0.5, 1.0, np.inf]])
    ends = np.minimum(t / unit, 1.0)
    np.testing.assert_allclose(law.partial_moment(t), unit * ends**1.5 / 3.0, rtol=1e-12)
    np.testing.assert_allclose(law.partial_moment(t, 2), unit**2 * ends**2.5 / 5.0, rtol=1e-12)
    assert law.partial_moment(unit) == pytest.approx(law.mean, rel=1e-12)
    assert law.variance == pytest.approx(unit**2 * (1 / 5 - 1 / 9), rel=1e-14)
    assert law.std == pytest.approx(unit * math.sqrt(4 / 45), rel=1e-14)


def test_the_complement_of_its_transform_in_any_shape():
    law, s = Square(), np.array([[0.0, 0.3, 2.0], [1.0 + 2.0j, 3.0 - 1.0j, 5.0j]])
    found = law.laplace_complement(s)
    assert (found.shape, found.dtype) == (s.shape, np.complex128)
    for place in np.ndindex(s.shape):
        known = [
            by_quadrature(lambda t, s=s[place], part=part: getattr(1.0 - np.exp(-s * t), part))
            for part in ("real", "imag")
        ]
        assert [found[place].real, found[place].imag] == pytest.approx(known, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("law", [Square(), Bounded()], ids=repr)
def test_growth_by_its_transform(law):
    rates = np.array([[-40.0, -1.0, -1e-3], [0.0, 0.5, 30.0]])
    found = law.log_growth(rates)
    assert found.shape == rates.shape
    for rate, growth in zip(rates.flat, found.flat, strict=True):
        known = math.log(by_quadrature(lambda t, rate=rate: math.exp(rate * t)))
        endless = rate > 0.0 and not isinstance(law, Bounded)
        assert growth == (math.inf if endless else pytest.approx(known, rel=1e-9, abs=1e-14))


@dataclass(frozen=True)
class Coin(Square):
    """0 or `unit`, each with equal probability, and no density."""

    def atoms(self):
        return np.array([0.0, self.unit]), np.array([0.5, 0.5])

    def _sf(self, t):
        return np.where(t < self.unit, 0.5, 0.0)

    def _cdf(self, t):
        return 1.0 - self._sf(t)

    def _pdf(self, t):
        raise TypeError

    def _ppf(self, q):
        return np.where(q <= 0.5, 0.0, self.unit)

    def _scaled(self, factor):
        return Coin(self.unit * factor)


def test_the_first_of_some_with_atoms_counts_them():
    first = Coin(6.0).first_of(3)
    assert first.mean == pytest.approx(6.0 / 8.0, rel=1e-14)
    assert first.variance == pytest.approx(36.0 * 7.0 / 64.0, rel=1e-14)
    assert first.partial_moment([0.0, 5.9, 6.0]) == pytest.approx([0.0, 0.0, 0.75], rel=1e-14)


@pytest.mark.slow
def test_the_first_of_some():
    first = Square().first_of(3)
    assert first.mean == pytest.approx(
        integrate.quad(lambda t: (1.0 - math.sqrt(t)) ** 3, 0.0, 1.0)[0], rel=1e-9
    )
