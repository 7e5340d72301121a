"""Sums of exponentials, compiled: in floats, and at 31 digits.

There a number is an unevaluated sum of two floats. The sums and products of two floats are exact in
two floats [1]_; what is rounded here are their last digits, some 1e-32 of the largest term for each
turn of its phase. A sum in mpmath takes fifty times as long.

References
----------
.. [1] T. J. Dekker, "A floating-point technique for extending the available precision",
   Numerische Mathematik 18, 1971. The article was not seen; derived here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt
from numba import njit

from validation.judge.chance import FloatArray

__all__ = ["ExponentialSum", "fallen_and_slope"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_SPLIT = 134217729.0  # 2^27 + 1
_HALVINGS = 8
_ORDER = 14  # (pi + 0.35) / 2^8 to this power, over its factorial, is below 1e-36
_DEEP = 700.0  # exp(-700) is nothing beside terms of 1, and still a float


def _parts(value: Any) -> tuple[float, float]:
    high = float(value)
    return high, float(value - high)


def _rows(values: Sequence[Any]) -> FloatArray:
    """Return real and imaginary parts, each in two floats; shape (4, n)."""
    rows = [(*_parts(mp.re(value)), *_parts(mp.im(value))) for value in values]
    return np.ascontiguousarray(np.array(rows, dtype=np.float64).T)


with mp.workdps(60):
    _INVERSES = np.array([_parts(1 / mp.factorial(n)) for n in range(_ORDER + 1)])
    _LOG_2 = _parts(mp.log(2))
    _TURN = _parts(2 * mp.pi)


class ExponentialSum:
    """E[exp(-s X)] and E[X exp(-s X)] of a variable that takes complex values with weights.

    Parameters
    ----------
    values, weights : sequence of mpf or mpc
        As many of each.
    """

    def __init__(self, values: Sequence[Any], weights: Sequence[Any]) -> None:
        self._values, self._weights = _rows(values), _rows(weights)

    def __call__(self, s: Any) -> tuple[Any, Any]:
        """Return both sums at a complex s; nan where a term would leave the range of floats."""
        found = [
            mp.mpf(high) + mp.mpf(low)
            for high, low in _summed(_rows([s])[:, 0], self._values, self._weights)
        ]
        return mp.mpc(*found[:2]), mp.mpc(*found[2:])


@njit(cache=True, inline="always")
def _add(ah: float, al: float, bh: float, bl: float) -> tuple[float, float]:
    high = ah + bh
    back = high - ah
    low = (ah - (high - back)) + (bh - back)
    second = al + bl
    back = second - al
    third = (al - (second - back)) + (bl - back)
    low += second
    top = high + low
    low = low - (top - high) + third
    high = top + low
    return high, low - (high - top)


@njit(cache=True, inline="always")
def _times(ah: float, al: float, bh: float, bl: float) -> tuple[float, float]:
    high = ah * bh
    cut = _SPLIT * ah
    a1 = cut - (cut - ah)
    a2 = ah - a1
    cut = _SPLIT * bh
    b1 = cut - (cut - bh)
    b2 = bh - b1
    low = ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 + (ah * bl + al * bh)
    top = high + low
    return top, low - (top - high)


@njit(cache=True)
def _product(a: Any, b: Any) -> Any:
    """Return the product of two complex numbers of four floats each."""
    h1, l1 = _times(a[0], a[1], b[0], b[1])
    h2, l2 = _times(a[2], a[3], b[2], b[3])
    real = _add(h1, l1, -h2, -l2)
    h1, l1 = _times(a[0], a[1], b[2], b[3])
    h2, l2 = _times(a[2], a[3], b[0], b[1])
    imag = _add(h1, l1, h2, l2)
    return real[0], real[1], imag[0], imag[1]


@njit(cache=True)
def _sum(a: Any, b: Any) -> Any:
    real, imag = _add(a[0], a[1], b[0], b[1]), _add(a[2], a[3], b[2], b[3])
    return real[0], real[1], imag[0], imag[1]


@njit(cache=True)
def _exponential(z: Any) -> Any:
    """Return e^z, from e^z - 1 of a small part of what is left of whole turns and halvings."""
    halvings = math.floor(z[0] / _LOG_2[0] + 0.5)
    turns = math.floor(z[2] / _TURN[0] + 0.5)
    h, low = _times(-halvings, 0.0, _LOG_2[0], _LOG_2[1])
    real = _add(z[0], z[1], h, low)
    h, low = _times(-turns, 0.0, _TURN[0], _TURN[1])
    imag = _add(z[2], z[3], h, low)
    part = 0.5**_HALVINGS
    small = (real[0] * part, real[1] * part, imag[0] * part, imag[1] * part)
    found = (_INVERSES[_ORDER, 0], _INVERSES[_ORDER, 1], 0.0, 0.0)
    for n in range(_ORDER - 1, 0, -1):
        found = _sum(_product(found, small), (_INVERSES[n, 0], _INVERSES[n, 1], 0.0, 0.0))
    found = _product(found, small)
    for _ in range(_HALVINGS):
        twice = (2.0 * found[0], 2.0 * found[1], 2.0 * found[2], 2.0 * found[3])
        found = _sum(_product(found, found), twice)
    found = _sum(found, (1.0, 0.0, 0.0, 0.0))
    scale = 2.0**halvings
    return found[0] * scale, found[1] * scale, found[2] * scale, found[3] * scale


@njit(cache=True)
def _both(s: Any, values: Any, weights: Any) -> Any:
    total = slope = (0.0, 0.0, 0.0, 0.0)
    for j in range(values.shape[1]):
        x = (values[0, j], values[1, j], values[2, j], values[3, j])
        z = _product((-s[0], -s[1], -s[2], -s[3]), x)
        if z[0] < -_DEEP:
            continue
        if not z[0] < _DEEP:
            return (np.nan, 0.0, np.nan, 0.0), (np.nan, 0.0, np.nan, 0.0)
        w = (weights[0, j], weights[1, j], weights[2, j], weights[3, j])
        term = _product(w, _exponential(z))
        total, slope = _sum(total, term), _sum(slope, _product(x, term))
    return total, slope


def _summed(s: FloatArray, values: FloatArray, weights: FloatArray) -> list[tuple[float, float]]:
    """Return the parts of both sums, real and imaginary, each in two floats."""
    total, slope = _both(s, values, weights)
    return [total[:2], total[2:], slope[:2], slope[2:]]


def fallen_and_slope(
    s: ComplexArray, values: ComplexArray, weights: ComplexArray
) -> tuple[ComplexArray, ComplexArray]:
    """Return 1 - E[exp(-s X)] and E[X exp(-s X)] of a variable with few values, in floats."""
    found = np.empty((2, s.size), dtype=np.complex128)
    _fill(s, values, weights, found)
    return found[0], found[1]


@njit(cache=True)
def _fill(s: Any, values: Any, weights: Any, found: Any) -> None:
    for i in range(s.size):
        fallen = slope = 0.0j
        for j in range(values.size):
            z = -s[i] * values[j]
            size, half = math.exp(z.real), math.sin(0.5 * z.imag)
            # e^z - 1 with all digits where z is small.
            gone = complex(math.expm1(z.real) - 2.0 * size * half * half, size * math.sin(z.imag))
            fallen -= weights[j] * gone
            slope += weights[j] * values[j] * (1.0 + gone)
        found[0, i], found[1, i] = fallen, slope
