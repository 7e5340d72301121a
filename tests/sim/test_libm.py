import math

import mpmath
import numpy as np
import pytest

from sim import _libm


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [
        (2.0, 10.0, 1024.0),
        (10.0, 400.0, math.inf),
        (-10.0, 401.0, -math.inf),
        (-10.0, 400.0, math.inf),
        (10.0, -400.0, 0.0),
        (0.0, -1.0, math.inf),
        (-0.0, -1.0, -math.inf),
        (-0.0, -2.0, math.inf),
        (-0.0, -0.5, math.inf),
        (-0.0, -1e300, math.inf),
        (0.0, 0.0, 1.0),
        (math.inf, 0.5, math.inf),
        (-8.0, 1.0 / 3.0, math.nan),
        (math.nan, 2.0, math.nan),
    ],
)
def test_powers_at_the_edges_are_those_of_c(base, exponent, expected):
    np.testing.assert_equal(_libm.power(base, exponent), expected)
    np.testing.assert_equal(_libm.powers([base], exponent + np.zeros(1)), [expected])


def test_powers_broadcast_and_keep_empty_arrays():
    assert _libm.powers(np.ones((3, 1)), np.ones(2)).shape == (3, 2)
    assert _libm.powers(np.empty(0), 0.5).shape == (0,)
    assert _libm.powers(np.empty(0), 3.0).shape == (0,)
    assert _libm.powers(np.asarray(4.0), np.asarray(0.5)).tolist() == 2.0


@pytest.mark.parametrize("exponent", [1.0, 2.0, 3.0, 4.0])
def test_products_are_powers_to_two_ulps(exponent):
    base = np.random.default_rng(1).lognormal(0.0, 5.0, 200)
    with mpmath.workdps(40):
        exact = [float(mpmath.mpf(b) ** int(exponent)) for b in base.tolist()]
    np.testing.assert_array_max_ulp(_libm.powers(base, exponent), np.array(exact), maxulp=2)


def test_an_exponential_that_overflows_is_infinite():
    assert _libm.exp(1000.0) == math.inf
    assert _libm.exp(-1000.0) == 0.0
    assert _libm.exp(1.0) == math.e


def test_the_logarithm_of_an_array():
    np.testing.assert_array_equal(_libm.log(np.array([1.0, np.e])), [0.0, 1.0])
    np.testing.assert_array_equal(_libm.log1p(np.array([0.0, -1.0])), [0.0, -np.inf])
    np.testing.assert_array_equal(_libm.log2(np.array([1.0, 2.0, 1024.0])), [0.0, 1.0, 10.0])
    assert _libm.log2(np.empty(0)).shape == (0,)
