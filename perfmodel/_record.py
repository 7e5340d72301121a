"""Downtimes that take many recorded values: their transform, and one failure with one of them.

A transform of n values at m points costs n m exponentials. On the equally spaced points of a line
it is a Fourier sum of points that are not equally spaced: each is spread over a few nodes of a
grid by a Gaussian, which an FFT and a division take away again [1]_. In a busy period the
values meet themselves at points that are spaced unevenly; sorted by how many failures strike one
repair, what is spaced unevenly becomes the argument of a polynomial.

References
----------
.. [1] L. Greengard and J.-Y. Lee, "Accelerating the nonuniform fast Fourier transform", SIAM
   Review 46, 2004. Not seen; derived here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import FloatArray

__all__ = ["MANY", "Record", "SortedPoints"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

MANY = 40  # values from which on these ways pay
_LINE = 1024  # points of a line from which on an FFT pays
_SPREAD = 14  # nodes on either side
_NEAR = 1e-4  # |s| times the mean up to which 1 - transform loses too many digits
_TERMS = 400  # failures during one repair that are looked at


@dataclass(frozen=True, slots=True)
class Record:
    """Values > = 0 with weights."""

    values: FloatArray
    weights: FloatArray

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return the sum of weight times exp(-s value)."""
        return self.sums(s, self.weights[:, None])[..., 0]

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return the sum of weight times (1 - exp(-s value)), also relatively accurate near 0."""
        result = np.asarray(1.0 - self.transform(s))
        near = np.abs(s) * float(self.weights @ self.values) < _NEAR
        points = s[near]
        part = np.zeros(points.shape, dtype=np.complex128)
        for value, weight in zip(self.values, self.weights, strict=True):
            part -= weight * np.expm1(-points * value)
        result[near] = part
        return result

    def sums(self, s: ComplexArray, weights: FloatArray) -> ComplexArray:
        """Return the same for every column of `weights`, as a last axis."""
        flat = s.reshape(-1)
        if _on_a_line(flat):
            damped = weights * np.exp(-flat[0].real * self.values)[:, None]
            result = _fourier(self.values * flat[1].imag, damped, flat.size)
        else:
            result = np.empty((flat.size, weights.shape[1]), dtype=np.complex128)
            rows = max(1, 2_000_000 // self.values.size)
            for first in range(0, flat.size, rows):
                with np.errstate(over="ignore", under="ignore"):
                    waves = np.exp(-flat[first : first + rows, None] * self.values)
                    result[first : first + rows] = waves @ weights
        return result.reshape(*s.shape, weights.shape[1])

    def busy(self, s: ComplexArray, rate: float, largest: float) -> Callable[..., ComplexArray]:
        """Return c -> E[1 - exp(-(s + rate c) value)], for |1 - c| up to `largest`.

        By powers of y = 1 - c: the number of failures during a repair is Poisson.
        """
        mean = rate * float(self.values.max()) * max(largest, 1.0)
        count = int(mean + 10.0 * np.sqrt(mean) + 30.0)
        if count > _TERMS:
            return lambda c, which=slice(None): self.complement(s[which] + rate * c)
        terms = np.empty((self.values.size, count))
        terms[:, 0] = self.weights
        for n in range(1, count):
            terms[:, n] = terms[:, n - 1] * (rate * self.values / n)
        powers = self.sums(s + rate, terms)
        near = np.abs(s) * float(self.weights @ self.values) < _NEAR

        def series(c: ComplexArray, which: Any = slice(None)) -> ComplexArray:
            part, y = powers[which], 1.0 - c
            total = part[..., -1].copy()
            for n in range(count - 2, -1, -1):
                total = total * y + part[..., n]
            total = 1.0 - total
            close = near[which]
            if close.any():
                total[close] = self.complement(s[which][close] + rate * c[close])
            return np.asarray(total)

        return series


def _on_a_line(flat: ComplexArray) -> bool:
    if flat.size < _LINE or flat[0].imag != 0.0 or np.ptp(flat.real) != 0.0:
        return False
    even = flat[1].imag * np.arange(flat.size)
    return bool(np.all(np.abs(flat.imag - even) <= 1e-12 * even[-1]))


def _fourier(angles: FloatArray, weights: FloatArray, count: int) -> ComplexArray:
    """Return the sums of weight exp(-i k angle) for k = 0 .. count - 1, column by column."""
    half = -(-count // 2)
    nodes = 4 * half
    width = np.pi * _SPREAD / (half * half * 12.0)
    turned = np.mod(angles, 2.0 * np.pi)
    nearest = np.floor(turned * (nodes / (2.0 * np.pi))).astype(np.intp)
    around = nearest[:, None] + np.arange(1 - _SPREAD, 1 + _SPREAD)
    bells = np.exp(-((turned[:, None] - around * (2.0 * np.pi / nodes)) ** 2) / (4.0 * width))
    # Powers -half .. half - 1 around the middle one: the spread is undone best near 0.
    bells = bells * np.exp(-1j * half * angles)[:, None]
    around = np.mod(around, nodes).ravel()
    powers = np.arange(-half, half)
    undo = np.sqrt(np.pi / width) * np.exp(width * powers.astype(np.float64) ** 2) / nodes
    result = np.empty((count, weights.shape[1]), dtype=np.complex128)
    for column in range(weights.shape[1]):
        spread = (bells * weights[:, column, None]).ravel()
        grid = np.bincount(around, spread.real, nodes) + 1j * np.bincount(
            around, spread.imag, nodes
        )
        result[:, column] = (np.fft.fft(grid)[powers] * undo)[:count]
    return result


@dataclass(frozen=True, slots=True)
class SortedPoints:
    """One failure and one downtime that takes many values; failures at `rate`."""

    rate: float
    record: Record
    _sums: FloatArray = field(init=False)
    _masses: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        values, weights = self.record.values, self.record.weights
        sums = np.cumsum(weights)
        # Mass of value and uptime up to each value; every step adds what is positive.
        masses = np.zeros(values.size)
        passed = -np.expm1(-self.rate * np.diff(values))
        for j in range(1, values.size):
            masses[j] = masses[j - 1] + (sums[j - 1] - masses[j - 1]) * passed[j - 1]
        object.__setattr__(self, "_sums", sums)
        object.__setattr__(self, "_masses", masses)

    @property
    def depth(self) -> int:
        """One failure."""
        return 1

    @property
    def end(self) -> float:
        """Largest downtime, [time]."""
        return float(self.record.values[-1])

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""
        return self.record.transform(s)

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(one uptime and one downtime <= t), [-]."""
        assert m == 1
        values = self.record.values
        place = np.searchsorted(values, t, side="right") - 1
        at = np.maximum(place, 0)
        left = self._sums[at] - self._masses[at]
        mass = self._masses[at] - left * np.expm1(-self.rate * (t - values[at]))
        return np.where(place < 0, 0.0, mass)
