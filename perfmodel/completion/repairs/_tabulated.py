"""Lognormal and Weibull repairs that are not narrow: their transform, from a table.

Each value is an integral, and an inversion asks for ten thousands. In w = log s the function is
analytic beyond the half-plane Re s >= 0, a strip of height pi/2 above the real axis. The strip
is cut into squares; in each, complement/s is a polynomial in w, fitted on the boundary, where an
analytic function has its largest errors. The squares depend on the shape of the law only and are
kept, so that jobs with the same kind of repairs share them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..._checks import ComplexArray
from ...lifetimes import Lifetime
from ._fixed_point import BusyPeriod
from ._quadrature import ByQuadrature
from ._repair import LawRepair

_ROWS = 3  # squares between the real and the imaginary axis, for laws with a cv of `_WIDE` and more
_WIDE = 0.4  # below, the waves of the transform are shorter, and there are more squares
_DEGREE = 24  # of the polynomials: 20 reach the rounding of the integrals, 1e-13
_TERMS, _ROUNDING = 4, 1e-17  # of the series for small s
ORDERS = range(1, _TERMS + 2)  # of the moments: one more than there are terms
_LARGEST = 700.0  # logarithm that a float holds
_BLOCK = 8  # squares side by side that are fitted at once: 320 integrals, a good batch for NumPy


@dataclass(frozen=True)
class TabulatedRepair(LawRepair):
    """A repair whose transform is an integral, kept as a table.

    Parameters
    ----------
    law : Lifetime
        Of one repair; heavy, so that its transform ends at 0.
    shape : Lifetime
        The law in a unit of its own.
    log_unit : float
        Logarithm of that unit, [log time].
    log_moments : tuple of float
        Logarithms of E[X^k] of the shape, for k in `ORDERS`.
    """

    shape: Lifetime
    log_unit: float
    log_moments: tuple[float, ...]

    def first_failures(self, rate: float) -> ByQuadrature:
        """Return what is known in time of uptimes that failures end at `rate`, [1/time]."""
        return ByQuadrature(rate, self.law, self, unstruck=False)

    def struck(self, mtbf: float) -> BusyPeriod:
        """Return this repair where failures, one in each `mtbf` [time], prolong it."""
        known = ByQuadrature(1.0 / mtbf, self.law, self, unstruck=True)
        return BusyPeriod(self, mtbf, known, smooth=True)

    def _complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for Re s >= 0; relative error below 1e-10."""
        moving = s != 0.0
        points = s[moving]
        modulus, angle = np.log(np.abs(points)) + self.log_unit, np.angle(points)
        moments = [
            log - math.lgamma(k + 1.0) for k, log in zip(ORDERS, self.log_moments, strict=True)
        ]
        # On the right half-plane a series of exp is off by less than its next term.
        with np.errstate(over="ignore", invalid="ignore"):
            little = np.exp((_TERMS * modulus + moments[-1]) - moments[0]) < _ROUNDING
        little &= abs(moments[0]) < _LARGEST
        far = ~little
        scaled = np.exp(modulus + 1j * np.abs(angle))
        table = np.empty_like(points)
        table[far] = _from_table(self.shape, modulus[far], np.abs(angle[far]))
        table[little] = _by_moments(scaled[little], moments)
        found = scaled * table
        result = np.zeros_like(s)
        result[moving] = np.where(angle < 0.0, found.conj(), found)
        return result


def _by_moments(s: ComplexArray, moments: list[float]) -> ComplexArray:
    """Return complement/s where s is so small that a few moments have all digits."""
    total = np.zeros_like(s)
    with np.errstate(under="ignore"):
        for k in range(_TERMS - 1, -1, -1):
            # Each moment over the first: alone it may be beyond a float.
            total = math.exp(min(moments[k] - moments[0], _LARGEST)) - s * total
    return np.asarray(total * math.exp(min(moments[0], _LARGEST)))


def _rows(law: Lifetime) -> int:
    """Return how many squares lie between the axes: more for narrow laws, whose waves are short."""
    if law.scv >= _WIDE**2:
        return _ROWS
    return int(_ROWS * 2 ** math.ceil(math.log2(_WIDE / math.sqrt(law.scv))))


def _from_table(
    shape: Lifetime, modulus: npt.NDArray[np.float64], angle: npt.NDArray[np.float64]
) -> ComplexArray:
    """Return complement/s from log |s| and 0 <= arg s <= pi/2."""
    if modulus.size == 0:
        return np.empty(0, dtype=np.complex128)
    rows = _rows(shape)
    side = 0.5 * math.pi / rows
    column = np.floor(modulus / side).astype(np.intp)
    row = np.minimum((angle / side).astype(np.intp), rows - 1)
    block = column // _BLOCK
    first = int(block.min())
    code = (block - first) * rows + row
    used = np.flatnonzero(np.bincount(code))
    rank = np.zeros(int(used[-1]) + 1, dtype=np.intp)
    rank[used] = np.arange(used.size)
    table = np.concatenate([_fits(shape, first + int(c) // rows, int(c) % rows) for c in used])
    place = rank[code] * _BLOCK + column % _BLOCK
    x = (modulus - side * (column + 0.5) + 1j * (angle - side * (row + 0.5))) / (_RADIUS * side)
    total = table[place, _DEGREE]
    for power in range(_DEGREE - 1, -1, -1):
        total *= x
        total += table[place, power]
    return np.asarray(total)


@lru_cache(maxsize=1024)
def _fits(shape: Lifetime, block: int, row: int) -> ComplexArray:
    """Return the polynomials of `_BLOCK` squares, one a line."""
    side = 0.5 * math.pi / _rows(shape)
    middles = side * (block * _BLOCK + np.arange(_BLOCK) + 0.5) + 1j * side * (row + 0.5)
    s = np.exp(middles[:, None] + _RADIUS * side * _BOUNDARY)
    values = shape.laplace_complement(s.ravel()).reshape(s.shape) / s
    fits = np.asarray(values @ _FIT.T)
    fits.flags.writeable = False
    return fits


_RADIUS = 1.0 / math.sqrt(2.0)  # of a square's corners, in sides
_NODES = np.cos(np.pi * (np.arange(10) + 0.5) / 10.0)
_BOUNDARY = np.concatenate([_NODES - 1j, _NODES + 1j, 1j * _NODES - 1, 1j * _NODES + 1])
_BOUNDARY = np.asarray(_BOUNDARY / math.sqrt(2.0))
_FIT = np.linalg.pinv(_BOUNDARY[:, None] ** np.arange(_DEGREE + 1))
