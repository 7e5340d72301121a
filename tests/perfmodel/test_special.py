import numpy as np
import pytest
from mpmath import mp

from perfmodel._special import (
    _OPTIMUM,
    _minus_log1p,
    _optimum_series,
    chebyshev,
    erlang_b,
    expm1_minus,
    legendre,
    multiply,
    optimal_ratio,
    truncated_exponential_mean,
    truncated_exponential_variance,
)


@pytest.mark.parametrize(
    ("function", "at_zero", "far"),
    [
        (optimal_ratio, 0.0, 1.0),
        (expm1_minus, 0.0, np.inf),
        (truncated_exponential_mean, 0.5, 0.0),
        (truncated_exponential_variance, 1.0 / 12.0, 0.0),
    ],
)
def test_limits(function, at_zero, far):
    found = function(np.array([0.0, 1e-300, 1e300, np.inf]))
    np.testing.assert_allclose(found, [at_zero, at_zero, far, far], rtol=1e-15, atol=1e-299)


@pytest.mark.parametrize(
    ("function", "threshold", "slope"),
    [
        (optimal_ratio, 0.5, 0.7),
        (expm1_minus, 1.0, 1.72),
        (truncated_exponential_mean, 1.0, -0.08),
        (truncated_exponential_variance, 1.0, -0.008),
    ],
)
def test_series_and_closed_form_meet_at_the_threshold(function, threshold, slope):
    below = np.nextafter(threshold, 0.0)
    step = float(function(np.array(threshold)) - function(np.array(below)))
    value = float(function(np.array(threshold)))
    assert abs(step - slope * (threshold - below)) < 8 * np.spacing(value)


@pytest.mark.parametrize(
    "function",
    [optimal_ratio, expm1_minus, truncated_exponential_mean, truncated_exponential_variance],
)
def test_shapes_are_kept(function):
    for x in (0.2, 2.0, [0.2, 2.0], [[0.2], [2.0]]):
        assert function(np.array(x)).shape == np.shape(x)


def test_no_times_an_infinite_cost_is_nothing():
    found = multiply(np.array([0.0, 0.0, 2.0, 1e200]), np.array([np.inf, 3.0, 3.0, 1e200]))
    np.testing.assert_array_equal(found, [0.0, 0.0, 6.0, np.inf])


def test_the_series_of_the_optimum_solves_its_equation_order_by_order():
    a = np.array([0.0, *_optimum_series(20)])
    assert tuple(a[1:]) == _OPTIMUM
    slope = np.arange(1.0, 21.0) * a[1:]
    left, right = np.convolve(a, slope)[:20], -np.concatenate([[0.0], a])[:20]
    right[1] += 1.0  # x x' = s - s x
    np.testing.assert_allclose(left, right, rtol=0.0, atol=1e-16)


@pytest.mark.parametrize("count", [1, 2, 5, 16])
def test_the_nodes_of_a_rule_integrate_the_powers_that_they_can(count):
    nodes, weights = legendre(count)
    powers = np.arange(2 * count)
    found = nodes[:, None] ** powers
    np.testing.assert_allclose(
        weights @ found, np.where(powers % 2, 0.0, 2.0 / (powers + 1.0)), atol=1e-14
    )


@pytest.mark.parametrize("count", [2, 5, 16])
def test_points_and_weights_interpolate_a_polynomial_between_them(count):
    points, weights = chebyshev(count)
    polynomial = np.polynomial.Polynomial(1.0 / np.arange(1.0, count + 1.0))
    between = 0.3 * np.sqrt(2.0)
    shares = weights / (between - points)
    found = shares @ polynomial(points) / shares.sum()
    assert found == pytest.approx(polynomial(between), rel=1e-13)


def test_what_the_logarithm_takes_less_than_its_argument_has_all_digits():
    x = np.array([-0.9, -0.1001, -0.0999, -1e-3, -1e-12, 1e-9, 0.03, 0.0999, 0.1001, 7.0])
    with mp.workdps(40):
        known = [float(mp.mpf(float(v)) - mp.log1p(mp.mpf(float(v)))) for v in x]
    np.testing.assert_allclose(_minus_log1p(x), known, rtol=1e-14)


@pytest.mark.parametrize("places", [199, 200, 201, 640, 5000])
def test_the_share_that_is_lost_is_that_of_erlangs_recursion(places):
    """Also beyond the number of places from which on it is the quotient of a Poisson law."""
    load = np.array([0.3, 0.7, 0.95, 0.9999])
    known = np.ones(load.size)
    for place in range(1, places + 1):
        known = places * load * known / (place + places * load * known)
    found = erlang_b(np.full(load.size, float(places)), load)
    np.testing.assert_allclose(found, known, rtol=1e-10, atol=1e-290)
