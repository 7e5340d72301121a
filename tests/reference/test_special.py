"""Every function that could lose digits by cancellation, against its definition at 50 digits."""

import mpmath as mp
import numpy as np
import pytest

from perfmodel._special import (
    expm1_minus,
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
