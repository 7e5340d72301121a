"""The inversion against laws whose cdf is elementary."""

from dataclasses import dataclass

import mpmath as mp
import numpy as np
import pytest
from scipy import special

from perfmodel import exact_makespan
from perfmodel.completion._first_failures import FirstFailures
from perfmodel.completion.inversion import Inversion


@dataclass(frozen=True)
class GammaLost:
    """An atom, and a Gamma law of unit scale beyond it."""

    shape: float
    atom: float
    abscissa: float
    first_failures: FirstFailures
    scale: float = 1.0
    finest: float = 1e-3
    counted: None = None

    @property
    def log_atom(self):
        return np.log(self.atom)

    @property
    def extent(self):
        return self.shape

    def log_transform(self, s):
        with np.errstate(all="ignore"):
            return np.log1p((1.0 - self.atom) * np.expm1(-self.shape * np.log(1.0 + s)))

    def log_ratio(self, s):
        return self.log_transform(s) - self.log_atom

    def rest_bound(self, s):
        return np.abs(np.exp(self.log_transform(s)))

    def resonances(self):
        return np.empty(0)


def gamma_law(shape, *, atom, light=True):
    return Inversion(GammaLost(shape, atom, 1.0 if light else 0.0, FirstFailures(0.0, None, ())))


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize(("shape", "atom"), [(5.0, 0.3), (3.0, 1e-9), (40.0, 0.9), (900.0, 1e-3)])
def test_cdf_is_that_of_the_gamma_law(shape, atom, light):
    law = gamma_law(shape, atom=atom, light=light)
    t = shape * np.concatenate([np.geomspace(1e-4, 1.0, 60), np.linspace(1.0, 12.0, 60)])
    known = atom + (1.0 - atom) * special.gammainc(shape, t)
    np.testing.assert_allclose(law.cdf(t), known, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize(("shape", "atom"), [(5.0, 0.3), (40.0, 0.999), (900.0, 1e-3)])
def test_light_tails_keep_their_digits(shape, atom):
    law = gamma_law(shape, atom=atom)
    for level in (1e-4, 1e-8, 1e-12, 1e-20):
        t = special.gammainccinv(shape, level)
        known = (1.0 - atom) * mp.gammainc(shape, t, regularized=True)
        assert float(law.sf(np.array(t))) == pytest.approx(float(known), rel=1e-6)


def test_before_the_atom_there_is_nothing_and_at_infinity_everything():
    law = gamma_law(5.0, atom=0.3)
    np.testing.assert_allclose(law.cdf(np.array([-1.0, 0.0, np.inf])), [0.0, 0.3, 1.0], atol=1e-9)
    np.testing.assert_allclose(law.sf(np.array([-np.inf, 0.0, np.inf])), [1.0, 0.7, 0.0], atol=1e-9)


def test_shapes_are_kept():
    law = gamma_law(5.0, atom=0.3)
    assert law.cdf(np.ones((2, 3))).shape == (2, 3)
    assert law.sf(np.array(1.0)).shape == ()


@pytest.mark.parametrize("mtbf", [1.0, 50.0, 5000.0])
def test_the_ceiling_of_a_light_tail_holds_and_is_near(mtbf):
    law = exact_makespan(
        100.0, interval=5.0, mtbf=mtbf, checkpoint_cost=0.3, recovery_cost=0.2, downtime=0.5
    )
    t = law.isf(10.0 ** -np.linspace(0.5, 25.0, 30))
    sf = law.sf(t)
    share = law.ceiling(t) / sf
    assert np.all(share >= 1.0)
    assert np.all(share < 1e3)
    assert law.ceiling(np.array([law.atom[0]])) == 1.0
