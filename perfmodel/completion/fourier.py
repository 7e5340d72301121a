"""Filtered Fourier series on a fine grid over one period, and interpolation between its points."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from .._checks import ComplexArray, FloatArray

OVERSAMPLED = 8  # points of the grid for each term
PASSED = 3.0  # of a height: a series that ends there leaves what is at the height whole
_MIDDLE, _STEEP = 0.7, 5.5 / 0.3  # of the filter: 1 to rounding up to 0.4 of the terms


def series(terms: ComplexArray, period: float) -> FloatArray:
    """Return the sum of `terms`, filtered, on a grid over the period.

    Each term but the first is added with its conjugate, and the sum is divided by the period.
    """
    kept = terms * _filter(terms.size)
    grid = OVERSAMPLED * terms.size
    return np.asarray(np.fft.irfft(kept, n=grid) * (grid / period))


def late_rise(sizes: FloatArray, least: float) -> int:
    """Return from which term on no later one is larger than those some way before; else 0.

    Terms that are farther away, and larger, come after a series seems to have settled.
    """
    last = np.flatnonzero(sizes > least)
    begin, end = last // 3, 1 + 2 * last // 3
    before = np.zeros(last.size)
    # The largest of each window of `width` terms; one of up to twice that is two of them.
    largest, width = sizes, 1
    while width <= (end - begin).max(initial=0):
        here = (end - begin >= width) & (end - begin < 2 * width)
        before[here] = np.maximum(largest[begin[here]], largest[end[here] - width])
        largest = np.maximum(largest[:-width], largest[width:])
        width *= 2
    found = last[sizes[last] > before]
    return int(found[-1]) if found.size else 0


@lru_cache(maxsize=16)
def _filter(count: int) -> FloatArray:
    share = np.arange(count) / count
    found: FloatArray = 0.5 * special.erfc(_STEEP * (share - _MIDDLE))
    found.flags.writeable = False
    return found


def interpolate(values: FloatArray, place: FloatArray) -> FloatArray:
    """Return periodic `values` at places between them, by Lagrange's polynomial of 8 points."""
    if place.size > _AT_ONCE:
        parts = np.split(place.ravel(), range(_AT_ONCE, place.size, _AT_ONCE))
        return np.concatenate([interpolate(values, part) for part in parts]).reshape(place.shape)
    base = np.floor(place)
    across = (-1,) + (1,) * place.ndim
    gaps = place - base - _NODES.reshape(across)
    # Products of the gaps to the nodes before each, and to those after it.
    weights = np.ones(gaps.shape)
    weights[1:] = np.multiply.accumulate(gaps[:-1], axis=0)
    weights[:-1] *= np.multiply.accumulate(gaps[:0:-1], axis=0)[::-1]
    nodes = base.astype(np.int64) + _NODES.astype(np.int64).reshape(across)
    weights *= values[nodes % values.size] / _SPACING.reshape(across)
    total = weights[0]
    for weight in weights[1:]:  # in one order for any number of places, which a sum has not
        total = total + weight
    return np.asarray(total)


_AT_ONCE = 1024  # places: the table of more does not stay near the processor
_NODES = np.arange(-3.0, 5.0)
_SPACING = np.array([math.prod(x - y for y in _NODES if y != x) for x in _NODES])
