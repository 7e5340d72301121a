"""The complement 1 - E[exp(-s T)] of lognormal and Weibull durations, from a table.

Each value is an integral, and an inversion asks for ten thousands. In w = log s the function is
analytic beyond the half-plane Re s >= 0, a strip of height pi/2 above the real axis. The strip
is cut into squares; in each, complement/s is a polynomial in w, fitted on the boundary, where an
analytic function has its largest errors. The squares depend on the shape of the law only and are
kept, so that jobs with the same kind of repairs share them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from .lifetimes import LogNormal, Weibull
from .lifetimes._laplace import lognormal_complement, lognormal_transform, weibull_complement

__all__ = ["complement", "has_table"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_ROWS = 3  # squares between the real and the imaginary axis
_SIDE = 0.5 * math.pi / _ROWS
_BLOCK = 8  # squares side by side that are fitted at once
_DEGREE = 24
_NARROW = 0.4  # coefficient of variation below which so few squares do not resolve the waves


def has_table(law: LogNormal | Weibull) -> bool:
    """Tell whether `complement` is fast, or every value an integral."""
    return law.scv >= _NARROW**2


def complement(law: LogNormal | Weibull, s: ComplexArray) -> ComplexArray:
    """Return E[1 - exp(-s T)], [-], for Re s >= 0; relative error below 1e-10."""
    if not has_table(law):
        return _by_quadrature(law, s)
    shape: LogNormal | Weibull
    if isinstance(law, LogNormal):
        shape, log_unit = LogNormal(0.0, law.sigma), law.mu
    else:
        shape, log_unit = Weibull(law.shape, 1.0), math.log(law.scale)
    moving = s != 0.0
    points = s[moving]
    modulus, angle = np.log(np.abs(points)) + log_unit, np.angle(points)
    found = np.exp(modulus + 1j * np.abs(angle)) * _from_table(shape, modulus, np.abs(angle))
    result = np.zeros(s.shape, dtype=np.complex128)
    result[moving] = np.where(angle < 0.0, found.conj(), found)
    return result


def _by_quadrature(law: LogNormal | Weibull, s: ComplexArray) -> ComplexArray:
    if isinstance(law, Weibull):
        return weibull_complement(law.shape, s * law.scale)
    result = 1.0 - lognormal_transform(law.mu, law.sigma, s)
    near = np.abs(s) < 1e-2 / max(law.mean, 1e-300)
    if near.any():
        result[near] = lognormal_complement(law.mu, law.sigma, s[near])
    return result


def _from_table(
    shape: LogNormal | Weibull, modulus: npt.NDArray[np.float64], angle: npt.NDArray[np.float64]
) -> ComplexArray:
    """Return complement/s from log |s| and 0 <= arg s <= pi/2."""
    if modulus.size == 0:
        return np.empty(0, dtype=np.complex128)
    column = np.floor(modulus / _SIDE).astype(np.intp)
    row = np.minimum((angle / _SIDE).astype(np.intp), _ROWS - 1)
    block = column // _BLOCK
    first = int(block.min())
    code = (block - first) * _ROWS + row
    used = np.flatnonzero(np.bincount(code))
    rank = np.zeros(int(used[-1]) + 1, dtype=np.intp)
    rank[used] = np.arange(used.size)
    table = np.concatenate([_fits(shape, first + int(c) // _ROWS, int(c) % _ROWS) for c in used])
    place = rank[code] * _BLOCK + column % _BLOCK
    x = (modulus - _SIDE * (column + 0.5) + 1j * (angle - _SIDE * (row + 0.5))) / _RADIUS
    total = table[place, _DEGREE]
    for power in range(_DEGREE - 1, -1, -1):
        total *= x
        total += table[place, power]
    return np.asarray(total)


@lru_cache(maxsize=1024)
def _fits(shape: LogNormal | Weibull, block: int, row: int) -> ComplexArray:
    """Return the polynomials of `_BLOCK` squares, one a line."""
    middles = _SIDE * (block * _BLOCK + np.arange(_BLOCK) + 0.5) + 1j * _SIDE * (row + 0.5)
    s = np.exp(middles[:, None] + _RADIUS * _BOUNDARY)
    values = _by_quadrature(shape, s.ravel()).reshape(s.shape) / s
    fits = np.asarray(values @ _FIT.T)
    fits.flags.writeable = False
    return fits


_RADIUS = _SIDE / math.sqrt(2.0)
_NODES = np.cos(np.pi * (np.arange(10) + 0.5) / 10.0)
_BOUNDARY = np.concatenate([_NODES - 1j, _NODES + 1j, 1j * _NODES - 1, 1j * _NODES + 1])
_BOUNDARY = np.asarray(_BOUNDARY / math.sqrt(2.0))
_FIT = np.linalg.pinv(_BOUNDARY[:, None] ** np.arange(_DEGREE + 1))
