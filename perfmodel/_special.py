"""Functions that would lose digits if they were computed as books print them.

Most are a series where the closed form cancels, and the closed form elsewhere; the thresholds
are tested against mpmath at 50 digits in tests/reference/test_special.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import factorial, floor, fsum, log, log2, pi
from typing import Any

import numpy as np
from scipy.special import erfcx, gammainc, gammaincc, gammaincinv, lambertw, zeta

from ._checks import ArrayLike, ComplexArray, FloatArray

_LARGE = 700.0  # exp overflows at 709.8; beyond 700 every ratio below has reached its limit
_FARTHEST = 1500.0  # powers of e: beyond, no float times it is a float
_LOG_2 = float.fromhex("0x1.62e42fee00000p-1")
_LOG_2_REST = 1.9082149292705877e-10
_LARGE_SHAPE, _FAR_BELOW = 2e5, 4.5  # deviations, from which on SciPy's series ends too early
_RARE = 4e-6  # probability of what is farther below
_HUGE = 1e300  # in place of inf where inf - inf must be inf


def _optimum_series(terms: int) -> tuple[float, ...]:
    """Return a_1, a_2, ... of x = sum a_n s^n, the solution of x x' = s (1 - x).

    That is (1 - x) exp(x + s^2 / 2) = 1, differentiated. The radius of convergence in s
    is sqrt(4 pi) = 3.5, where the next branches of W meet.
    """
    a = [0.0, 1.0]
    for m in range(3, terms + 2):
        products = sum(a[j] * a[m - j] for j in range(2, m - 1))
        a.append(-a[m - 2] / m - products / 2.0)
    return tuple(a[1:])


# Each series ends where its next term is below 1e-17 at the threshold. _BERNOULLI holds
# B_n / n!, the coefficients of x / (exp(x) - 1), by Euler's formula for zeta(n).
_OPTIMUM = _optimum_series(20)
_EXPM1_MINUS = tuple(1.0 / factorial(n + 2) for n in range(17))
_BERNOULLI = {n: -2.0 * zeta(n) * (-1.0) ** (n // 2) / (2.0 * pi) ** n for n in range(2, 25, 2)}
_MEAN = tuple(float(-b) for b in _BERNOULLI.values())
_VARIANCE = tuple(float((n - 1) * b) for n, b in _BERNOULLI.items())


def _polynomial(coefficients: Sequence[float], x: FloatArray) -> FloatArray:
    total = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total *= x
        total += coefficient
    return total


def optimal_ratio(root: FloatArray) -> FloatArray:
    """Return x in [0, 1) with (1 - x) exp(x + root^2 / 2) = 1, to a few ulp.

    x is the optimal interval over the mtbf, and root = sqrt(2 checkpoint_cost / mtbf).
    In closed form x = 1 + W0(-exp(-1 - root^2 / 2)), which has no correct digit left at
    root = 1e-8: W0 is then -1 to rounding.
    """
    root = np.asarray(root)
    near = root < 0.5
    x = np.asarray(root * _polynomial(_OPTIMUM, np.where(near, root, 0.0)))
    if not near.all():
        far = ~near
        with np.errstate(over="ignore"):
            x[far] = 1.0 + lambertw(-np.exp(-1.0 - root[far] ** 2 / 2.0), 0).real
    return x


def expm1_minus(x: FloatArray) -> FloatArray:
    """Return exp(x) - 1 - x, which is x^2 / 2 for small x of either sign."""
    near = np.abs(x) < 1.0
    small = np.where(near, x, 0.0)
    with np.errstate(over="ignore"):
        return np.where(
            near, small**2 * _polynomial(_EXPM1_MINUS, small), np.expm1(x) - np.minimum(x, _HUGE)
        )


def truncated_exponential_mean(x: FloatArray) -> FloatArray:
    """Return E[U | U < x] / x for a standard exponential U and x > 0; 1/2 as x -> 0."""
    near = x < 1.0
    small = np.where(near, x, 1.0)
    large = np.minimum(np.where(near, 1.0, x), _LARGE)
    series = 0.5 + small * _polynomial(_MEAN, np.asarray(small**2))
    closed = (1.0 - large / np.expm1(large)) / np.where(near, 1.0, x)
    return np.where(near, series, closed)


def truncated_exponential_variance(x: FloatArray) -> FloatArray:
    """Return Var[U | U < x] / x^2 for a standard exponential U and x > 0; 1/12 as x -> 0."""
    near = x < 1.0
    small = np.where(near, x, 1.0)
    large = np.minimum(np.where(near, 1.0, x), _LARGE)
    closed = (1.0 - (large / 2.0 / np.sinh(large / 2.0)) ** 2) / np.where(near, 1.0, x)
    series = _polynomial(_VARIANCE, np.asarray(small**2))
    return np.where(near, series, closed / np.where(near, 1.0, x))


@cache
def legendre(count: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss and Legendre's quadrature on [-1, 1]; to be read only."""
    rule: Any = np.polynomial.legendre.leggauss  # without types before numpy 2.2
    nodes, weights = rule(count)
    nodes.flags.writeable = weights.flags.writeable = False
    return nodes, weights


def chebyshev(count: int) -> tuple[FloatArray, FloatArray]:
    """Return Chebyshev's points on [-1, 1] and the barycentric weights to interpolate by them."""
    angles = np.pi * (np.arange(count) + 0.5) / count
    return np.cos(angles), np.asarray((-1.0) ** np.arange(count) * np.sin(angles))


def multiply(count: FloatArray, cost: FloatArray) -> FloatArray:
    """Return count * cost with 0 * inf = 0: what never happens costs nothing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(count > 0.0, count * cost, 0.0)


def product(*factors: ArrayLike) -> FloatArray:
    """Return the product of `factors`; it overflows only if the product itself is too large."""
    mantissa, exponent = np.ones(()), np.zeros((), dtype=np.int64)
    for factor in factors:
        m, e = np.frexp(factor)
        mantissa, exponent = mantissa * m, exponent + e
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(mantissa, np.clip(exponent, -2200, 2200).astype(np.int32)))


def in_one_unit(*times: FloatArray) -> tuple[FloatArray, ...]:
    """Return a unit, and times >= 0 in it: a power of two for each element, near the longest.

    It is shorter where the shortest would leave the floats in it. inf stays.
    """
    together = np.stack(times)
    counted = (together > 0.0) & (together < np.inf)
    powers = np.frexp(together)[1]
    high = np.max(powers, axis=0, where=counted, initial=-1073)
    low = np.min(powers, axis=0, where=counted, initial=1024)
    power = np.maximum(np.minimum(high, low + 1020), high - 1023) - 1
    return np.ldexp(1.0, power), *np.ldexp(together, -power)


def times_exp(value: ArrayLike, power: ArrayLike) -> FloatArray:
    """Return value exp(power); it leaves the floats only if the product itself does."""
    powers = np.clip(power, -_FARTHEST, _FARTHEST)
    twos = np.rint(powers / log(2.0))
    # The logarithm of 2 in two parts, of which the first times a small whole number is exact.
    rest = (powers - twos * _LOG_2) - twos * _LOG_2_REST
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(np.asarray(value) * np.exp(rest), twos.astype(np.int32)))


def log_ratio(time: FloatArray, unit: float | FloatArray) -> FloatArray:
    """Return log(time/unit) of times >= 0, also where the ratio is not a float."""
    mantissa, exponent = np.frexp(time)
    other, twos = np.frexp(unit)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(mantissa / other) + (exponent - twos) * log(2.0))


_RECURSIVE = 200  # places up to which Erlang's recursion is summed place by place


def erlang_b(places: FloatArray, load: FloatArray) -> FloatArray:
    """Return the share of customers lost by `places` servers, each offered `load` in (0, 1).

    For few places by the recursion over places; for many it is P(N = c)/P(N <= c) of a Poisson
    number N of mean c load, with P(N = c) = exp(-c (load - 1 - log load)) over Stirling's c!.
    """
    few = np.minimum(places, _RECURSIVE)
    offered, lost = few * load, np.ones_like(load)
    for place in range(1, int(few.max(initial=0.0)) + 1):
        lost = np.where(place <= few, offered * lost / (place + offered * lost), lost)
    many = places > _RECURSIVE
    if not many.any():
        return lost
    c, rho = np.where(many, places, 1.0), np.where(many, load, 0.5)
    with np.errstate(all="ignore"):  # log 0 where load - 1 rounds to -1
        bend = c * _minus_log1p(rho - 1.0)
        stirling = 1.0 / (12.0 * c) - 1.0 / (360.0 * c**3)
        exactly = np.exp(-bend - stirling) / np.sqrt(2.0 * pi * c)
        at_most = gammaincc(c + 1.0, c * rho)
    return np.where(many, exactly / at_most, lost)


def _minus_log1p(x: FloatArray) -> FloatArray:
    """Return x - log(1 + x) for x > -1, which is x^2 / 2 for small x."""
    near = np.abs(x) < 0.1
    small = np.where(near, x, 0.0)
    series = small**2 * _polynomial([(-1.0) ** n / (n + 2.0) for n in range(16)], small)
    return np.where(near, series, x - np.log1p(np.where(near, 0.0, x)))


def lower_gamma(shape: ArrayLike, x: ArrayLike) -> FloatArray:
    """Return the regularized lower incomplete gamma function, of large shapes in the far tail too.

    There SciPy adds up 2000 terms, which are too few.
    """
    a, at = np.broadcast_arrays(np.asarray(shape, np.float64), np.asarray(x, np.float64))
    found = np.array(gammainc(a, at), np.float64)
    far = (a > _LARGE_SHAPE) & (at > 0.0) & (a - at > _FAR_BELOW * np.sqrt(a))
    if far.any():
        found[far] = np.exp(_log_lower_gamma(a[far], at[far])[0])
    return found


def lower_gamma_inverse(shape: ArrayLike, q: ArrayLike) -> FloatArray:
    """Return the x at which `lower_gamma` is q."""
    a, asked = np.broadcast_arrays(np.asarray(shape, np.float64), np.asarray(q, np.float64))
    found = np.array(gammaincinv(a, asked), np.float64)
    far = (a > _LARGE_SHAPE) & (asked > 0.0) & (asked < _RARE)
    if far.any():
        a, asked = a[far], np.log(asked[far])
        x = a - np.sqrt(-2.0 * asked * a)  # below: the logarithm is concave there
        for _ in range(20):
            value, slope = _log_lower_gamma(a, x)
            x = x + (asked - value) / slope
        found[far] = x
    return found


def _log_lower_gamma(a: FloatArray, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the logarithm and its derivative far below a large mean, by Temme (DLMF 8.12)."""
    u = (x - a) / a
    half = np.where(u > -0.5, np.log1p(u), np.log(x / a)) - u
    eta = -np.sqrt(-2.0 * half)
    first = 1.0 / u - 1.0 / eta
    second = eta**-3.0 - u**-3.0 - u**-2.0 - 1.0 / (12.0 * u)
    rest = (first + second / a) / np.sqrt(2.0 * pi * a)
    share = 0.5 * erfcx(-eta * np.sqrt(0.5 * a)) - rest
    return a * half + np.log(share), np.sqrt(a / (2.0 * pi)) / (x * share)


def log1p(z: ComplexArray) -> ComplexArray:
    """Return log(1 + z) of complex numbers, also of tiny ones, for which NumPy's returns 0."""
    x, y = z.real, z.imag
    with np.errstate(all="ignore"):
        near = 0.5 * np.log1p(x * (2.0 + x) + y * y)
        size = np.where(np.abs(z) < 0.5, near, np.log(np.hypot(1.0 + x, y)))
    return np.asarray(size + 1j * np.arctan2(y, 1.0 + x))


def stirling_error(a: float) -> float:
    """Return log Gamma(a) - (a - 1/2) log a + a - log(2 pi)/2 for a >= 10."""
    y = 1.0 / (a * a)
    terms = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
    return fsum(term * y**order for order, term in enumerate(terms)) / a


def power_of_two(x: float) -> float:
    """Return the largest power of two up to `x` > 0, or 2^-1022, the least with an inverse.

    As a unit of time it costs no digit.
    """
    return 2.0 ** max(floor(log2(x)), -1022)
