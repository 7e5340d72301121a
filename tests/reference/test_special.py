"""Every function that could lose digits by cancellation, against its definition at 50 digits."""

import mpmath as mp
import numpy as np
import pytest

from perfmodel._special import (
    expm1_minus,
    lower_gamma,
    lower_gamma_inverse,
    optimal_ratio,
    truncated_exponential_mean,
    truncated_exponential_variance,
)

# More digits than needed, because the definitions lose about 30 of them at x = 1e-15.
DIGITS = 90
POINTS = np.concatenate([np.logspace(-15, 2.8, 90), np.nextafter(1.0, [0.0, 2.0]), [0.5, 1.0]])


def worst(function, points, definition):
    with mp.workdps(DIGITS):
        found = function(np.asarray(points))
        exact = [definition(mp.mpf(float(x))) for x in points]
        return max(float(abs(mp.mpf(float(y)) / e - 1)) for y, e in zip(found, exact, strict=True))


def test_optimal_ratio():
    # From root 1e-20, where W0 is -1 to 40 digits, across the threshold at 0.5, to ratios of 2e4.
    roots = np.concatenate([np.logspace(-20, 2.3, 150), [np.nextafter(0.5, 0.0), 0.5, 0.51]])

    def definition(root):
        return 1 + mp.lambertw(-mp.exp(-1 - root**2 / 2)).real

    assert worst(optimal_ratio, roots, definition) < 1e-15


def test_the_closed_form_would_not_do():
    from scipy.special import lambertw

    closed = worst(
        lambda root: 1 + lambertw(-np.exp(-1 - root**2 / 2)).real,
        np.array([1e-5]),
        lambda root: 1 + mp.lambertw(-mp.exp(-1 - root**2 / 2)).real,
    )
    assert closed > 1e-8


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_expm1_minus(sign):
    assert worst(expm1_minus, sign * POINTS, lambda x: mp.exp(x) - 1 - x) < 1e-15


def test_truncated_exponential_mean():
    def definition(x):
        return (1 - x / (mp.exp(x) - 1)) / x

    assert worst(truncated_exponential_mean, POINTS, definition) < 1e-15


def test_truncated_exponential_variance():
    def definition(x):
        return (1 - x**2 * mp.exp(x) / (mp.exp(x) - 1) ** 2) / x**2

    assert worst(truncated_exponential_variance, POINTS, definition) < 3e-15


def test_truncated_exponential_moments_are_those_of_the_density():
    for x in (1e-3, 0.5, 3.0, 40.0):
        with mp.workdps(50):
            mass = mp.quad(lambda u: mp.exp(-u), [0, x])
            first = mp.quad(lambda u: u * mp.exp(-u), [0, x]) / mass
            second = mp.quad(lambda u: u**2 * mp.exp(-u), [0, x]) / mass
            mean, variance = first / x, (second - first**2) / x**2
        assert float(truncated_exponential_mean(np.array(x))) == pytest.approx(float(mean), 1e-14)
        assert float(truncated_exponential_variance(np.array(x))) == pytest.approx(
            float(variance), 1e-14
        )


@pytest.mark.parametrize("shape", [2.1e5, 1e6, 1e8])
@pytest.mark.parametrize("deviations", [4.4, 4.6, 8.0, 30.0])
def test_the_gamma_function_far_below_a_large_mean(shape, deviations):
    """SciPy's is off by 5e-6 at a shape of 1e6, by 0.3 at 1e8."""
    x = shape - deviations * shape**0.5
    with mp.workdps(40):
        ends = [x * mp.exp(-mp.mpf(i) / deviations / mp.sqrt(shape)) for i in range(60, -1, -10)]
        whole = mp.quad(lambda t: mp.exp((shape - 1) * mp.log(t / x) - (t - x)), ends)
        exact = float(whole * mp.exp((shape - 1) * mp.log(x) - x - mp.loggamma(shape)))
    # Rounding of x, times the steepness of the logarithm.
    rounding = 1e-15 * deviations * shape**0.5
    assert float(lower_gamma(shape, x)) == pytest.approx(exact, rel=1e-13 + rounding)
    assert float(lower_gamma_inverse(shape, exact)) == pytest.approx(x, rel=1e-13)
