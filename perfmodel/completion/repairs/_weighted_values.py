"""Downtimes that take many recorded values: their transform, and that of their busy periods.

A transform of n values at m points costs n m exponentials. On the equally spaced points of a line
it is a Fourier sum of points that are not equally spaced: each is spread over a few nodes of a
grid by a Gaussian, which an FFT and a division take away again [1]_. A busy period needs the sums
at points that are spaced unevenly; expanded by the number of failures that strike one repair,
they are polynomials in what is uneven, with coefficients on the equal spacing.

References
----------
.. [1] L. Greengard and J.-Y. Lee, "Accelerating the nonuniform fast Fourier transform", SIAM
   Review 46, 2004. Not seen; derived here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._checks import ComplexArray, FloatArray

_LINE, _MANY = 128, 8  # points of a line and values from which on an FFT is quicker, as measured
_SPREAD = 14  # nodes on either side: 4e-14 is lost; 12 lose 1e-12, 16 gain nothing
_NEAR, _MOMENTS = 0.25, 12  # |s| times the largest value, and moments: 0.25^12/13! is 1e-17
FEW = 40  # points up to which exponentials are quicker than powers
_CACHED = 2**15  # exponentials that are summed before the next are taken: 512 kB
_TERMS = 400  # failures during one repair; for more, the values are summed plainly


@dataclass(frozen=True, slots=True)
class WeightedValues:
    """Values >= 0 with weights."""

    values: FloatArray
    weights: FloatArray

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return the sum of weight times exp(-s value)."""
        return np.asarray(self.sums(s.ravel(), self.weights[None]).reshape(s.shape))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return the sum of weight times (1 - exp(-s value)), also relatively accurate near 0."""
        near = self.is_near(s)
        if near.all():
            return self.nearby(s)
        result = np.asarray(1.0 - self.transform(s))
        if near.any():
            result[near] = self.nearby(s[near])
        return result

    def is_near(self, s: ComplexArray) -> npt.NDArray[np.bool_]:
        """Return where 1 less the transform loses digits, and `nearby` does not."""
        return np.abs(s) * float(self.values.max()) < _NEAR

    def nearby(self, s: ComplexArray) -> ComplexArray:
        """Return the complement by its moments, where `is_near`."""
        unit = max(float(self.values.max()), 1e-300)
        shares, x = self.values / unit, s * unit
        total = np.zeros_like(s)
        for j in range(_MOMENTS, 0, -1):
            moment = float(self.weights @ shares**j) / math.factorial(j)
            total = x * (moment - total)
        return total

    def sums(self, s: ComplexArray, weights: FloatArray) -> ComplexArray:
        """Return the sums of weight times exp(-s value), a row for each of `weights`."""
        if not _on_a_line(s):
            return _sums(s, self.values, weights)
        step = (s[-1].imag - s[0].imag) / (s.size - 1)
        if self.values.size > _MANY:
            return fourier(self.values * step, weights * np.exp(-s[0] * self.values), s.size)
        # Few values: of two factors, so that few exponentials are taken.
        many = math.isqrt(s.size - 1) + 1
        near = np.exp(-1j * step * np.multiply.outer(self.values, np.arange(many)))
        far = np.exp(-np.multiply.outer(self.values, s[::many]))
        waves = (far[:, :, None] * near[:, None, :]).reshape(self.values.size, -1)
        return _weighted(weights, waves[:, : s.size])

    def busy(self, s: ComplexArray, rate: float, largest: float) -> Callable[..., ComplexArray]:
        """Return c -> E[1 - exp(-(s + rate c) value)], for |1 - c| up to `largest`.

        By powers of y = 1 - c: the number of failures during a repair is Poisson.
        """
        terms = self._struck(float(s.real.min()), rate, largest)
        if terms is None:
            return lambda c, which=slice(None): self.complement(s[which] + rate * c)
        powers = self.sums(s + rate, terms)

        def series(c: ComplexArray, which: Any = slice(None)) -> ComplexArray:
            part, y = powers[:, which], 1.0 - c
            total = part[-1].copy()
            for row in part[-2::-1]:
                total *= y
                total += row
            total = 1.0 - total
            at = s[which] + rate * c
            close = self.is_near(at)
            if close.any():
                total[close] = self.nearby(at[close])
            return np.asarray(total)

        return series

    def _struck(self, lowest: float, rate: float, largest: float) -> FloatArray | None:
        """Return the weights times (rate value)^n/n!, a row for each n that counts.

        One counts if, where Re s is `lowest` and |y| `largest`, it adds to the sum.
        """
        grown = rate * largest * self.values
        with np.errstate(over="ignore"):
            bound = self.weights * np.exp(-(lowest + rate) * self.values)
        terms, total = [self.weights], float(bound.sum())
        while len(terms) <= grown.max() or not bound.sum() <= 1e-16 * total:
            if len(terms) == _TERMS:
                return None
            terms.append(terms[-1] * (rate * self.values / len(terms)))
            bound = bound * grown / (len(terms) - 1)
            total += float(bound.sum())
        return np.array(terms)


def _sums(s: ComplexArray, values: FloatArray, weights: FloatArray) -> ComplexArray:
    """Return weights @ exp(-s value), in blocks that stay in the cache."""
    points = s if s.imag.any() else s.real  # real ones take a fifth of the time
    result = np.empty((weights.shape[0], s.size), dtype=np.complex128)
    width = max(1, _CACHED // values.size)
    for first in range(0, s.size, width):
        some = slice(first, first + width)
        with np.errstate(over="ignore", under="ignore"):
            waves = np.exp(-np.multiply.outer(values, points[some]))
            result[:, some] = _weighted(weights, waves)
    return result


def _weighted(weights: FloatArray, waves: Any) -> ComplexArray:
    """Return weights @ waves, without products with the imaginary parts of weights, which are 0."""
    if not np.iscomplexobj(waves):
        return np.asarray(weights @ waves)
    found = weights @ np.ascontiguousarray(waves).view(np.float64)
    return np.asarray(found.view(np.complex128))


def _on_a_line(flat: ComplexArray) -> bool:
    if flat.size < _LINE or np.ptp(flat.real) != 0.0:
        return False
    first, last = flat[0].imag, flat[-1].imag
    even = np.linspace(first, last, flat.size)
    return bool(np.all(np.abs(flat.imag - even) <= 1e-14 * (abs(first) + abs(last))))


def fourier(angles: FloatArray, weights: ComplexArray, count: int) -> ComplexArray:
    """Return the sums of weight exp(-i k angle) for k = 0 .. count - 1, row by row."""
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
    grid = np.empty((weights.shape[0], nodes), dtype=np.complex128)
    for row, weight in zip(grid, weights, strict=True):
        spread = (bells * weight[:, None]).ravel()
        row.real = np.bincount(around, spread.real, nodes)
        row.imag = np.bincount(around, spread.imag, nodes)
    # All rows at once: one by one their transforms take half as long again.
    waves = np.fft.fft(grid, axis=1)
    return np.asarray((waves[:, powers] * undo)[:, :count])
