"""What a job has done when an uptime ends: a cell for each number of segments.

An uptime begins with a recovery and goes on through the segments that are left. If it ends in
cell i, i of them are saved and the rest of it is lost: the recovery, and the begun segment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from .._special import legendre
from ..lifetimes import Lifetime

_PANELS = 16  # of a cell whose density is narrow
_LEAST = 1e-16  # chance of an uptime beyond which it is not looked for
_ROUNDING, _CLOSE = 1e-15, 1e-9  # of the chance of a cell, from which on it was missed
_NODES = 40  # of a cell: also where a hazard changes by twenty orders of magnitude within it


@dataclass(frozen=True, slots=True)
class Cells:
    """Where an uptime may end.

    Parameters
    ----------
    chance : ndarray, [-]
        Probability of each cell.
    lost : ndarray, [time]
        Mean of the part of the uptime that is lost, given the cell.
    variance : ndarray, [time^2]
        Its variance, given the cell.
    """

    chance: FloatArray
    lost: FloatArray
    variance: FloatArray

    def part(self, begin: int, end: int) -> Cells:
        """Return some of the cells."""
        return Cells(self.chance[begin:end], self.lost[begin:end], self.variance[begin:end])

    def then(self, other: Cells) -> Cells:
        """Return these cells and others."""
        return Cells(
            np.append(self.chance, other.chance),
            np.append(self.lost, other.lost),
            np.append(self.variance, other.variance),
        )


def first_cell(law: Lifetime, end: float) -> Cells:
    """Return the cell from 0 to `end`, in closed form: densities may be infinite at 0."""
    chance = float(law.cdf(end))
    if chance == 0.0:
        return Cells(*np.zeros((3, 1)))
    mean = float(law.partial_moment(end)) / chance
    square = float(law.partial_moment(end, 2)) / chance
    found = (chance, mean, max(square - mean * mean, 0.0))
    return Cells(*np.array(found)[:, None])


def cells(
    law: Lifetime, recovery: float, period: float, numbers: FloatArray, length: float
) -> Cells:
    """Return the cells of these `numbers` >= 1: from recovery + number period on, for `length`."""
    if not numbers.size:
        return Cells(*np.zeros((3, 0)))
    saved = period * numbers
    low, high = recovery + saved, recovery + saved + length
    if not has_density(law):
        return _by_differences(law, saved, low, high)
    end = law.ppf(1.0)
    low, high = np.minimum(low, end), np.minimum(high, end)
    nodes, weights = legendre(_NODES)
    found = _by_density(law, saved, low, high, (nodes, weights))
    before, beyond = law.sf(low), law.sf(high)
    steep = np.where(before < 0.5, before - beyond, law.cdf(high) - law.cdf(low))
    # A density that is narrow beside its cell lies between the nodes: look where there is any.
    missed = np.abs(found.chance - steep) > _ROUNDING + _CLOSE * steep
    if missed.any():
        some = _by_density(
            law,
            saved[missed],
            np.clip(low[missed], law.ppf(_LEAST), end),
            np.clip(high[missed], 0.0, law.ppf(1.0 - _LEAST)),
            (
                np.concatenate([(nodes + k) / _PANELS for k in range(1 - _PANELS, _PANELS, 2)]),
                np.tile(weights / _PANELS, _PANELS),
            ),
        )
        found.lost[missed], found.variance[missed] = some.lost, some.variance
    # In a tail that falls by many orders within a cell the difference has all digits.
    exact = missed | (before - beyond > 0.5 * before)
    return Cells(np.where(exact, steep, found.chance), found.lost, found.variance)


def _by_density(
    law: Lifetime,
    saved: FloatArray,
    low: FloatArray,
    high: FloatArray,
    rule: tuple[FloatArray, FloatArray],
) -> Cells:
    nodes, weights = rule
    wide = np.maximum(high - low, 0.0)[:, None]
    at = low[:, None] + wide * (0.5 + 0.5 * nodes)
    mass = 0.5 * weights * wide * law.pdf(at)
    chance = mass.sum(axis=1)
    inside = np.where(chance > 0.0, chance, 1.0)
    gone = at - saved[:, None]
    lost = np.sum(mass * gone, axis=1) / inside
    variance = np.sum(mass * (gone - lost[:, None]) ** 2, axis=1) / inside
    return Cells(chance, lost, variance)


def _by_differences(law: Lifetime, saved: FloatArray, low: FloatArray, high: FloatArray) -> Cells:
    chance = law.cdf(high) - law.cdf(low)
    inside = np.where(chance > 0.0, chance, 1.0)
    mean = (law.partial_moment(high) - law.partial_moment(low)) / inside
    square = (law.partial_moment(high, 2) - law.partial_moment(low, 2)) / inside
    lost = np.where(chance > 0.0, mean - saved, 0.0)
    return Cells(chance, lost, np.maximum(square - mean**2, 0.0))


def has_density(law: Lifetime) -> bool:
    """Whether the law has a density."""
    try:
        law.pdf(math.inf)
    except TypeError:
        return False
    return True
