"""The inversion against laws whose cdf is elementary."""

import mpmath as mp
import numpy as np
import pytest
from scipy import special

from perfmodel._few_failures import FewFailures
from perfmodel.inversion import Excess, Inversion

NOTHING = FewFailures(None, (), lambda s: np.zeros(s.shape, dtype=complex), 0.0)


def gamma_law(shape, *, atom, light=True):
    """An atom, and a Gamma law of unit scale beyond it."""

    def log_ratio(s):
        return np.log(atom + (1.0 - atom) * np.exp(-shape * np.log(1.0 + s))) - np.log(atom)

    return Inversion(Excess(log_ratio, 1.0 if light else 0.0, np.log(atom), NOTHING, 1.0, shape))


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
