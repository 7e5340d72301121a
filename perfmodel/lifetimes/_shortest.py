"""Means over the shortest of several durations, as the first failure among the nodes of a job."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .._checks import FloatArray
from .._special import legendre, multiply

Function: TypeAlias = Callable[[FloatArray], FloatArray]

_NODES = 16  # of a panel
_GUIDES = 2.0 ** np.arange(-60.0, 9.5, 0.5)  # cumulative hazards at which panels begin
_ONE = 35.0  # hazards of one: beyond, 1 - cdf has no digits
_NEAR_0 = 1e-18  # of the shortest time asked for: what is shorter is as good as 0
_TINY = 1e-303  # below, numbers lose digits
_MOST = np.finfo(np.float64).max
_EXACT = 1e-13
_ROUNDING = 4e-15  # of a cumulative hazard
_DENSITY = 1e-12  # rounding of a density whose logarithm is large
_ROUNDED = 1e-7  # of what a panel has: more is never rounding
_HALVINGS = 40
_MOST_PANELS = 2**17


def chances_of_guides(count: float) -> FloatArray:
    """Return the cdf of each of `count` durations, [-], where panels of the shortest begin."""
    return np.asarray(-np.expm1(-np.minimum(_GUIDES, _ONE * count) / count))


def chances_of_nearly_all(count: float) -> FloatArray:
    """Return the cdf of the shortest, [-], when nearly surely one of `count` is over, and all."""
    return np.asarray(-np.expm1(-np.array([_ONE, _ONE * count])))


def mean_of_atoms(
    t: FloatArray, function: Function, atoms: FloatArray, left: FloatArray
) -> FloatArray:
    """Return E[function(T); T <= t] for a T among `atoms`, beyond each of which `left` is left."""
    sums = np.cumsum(function(atoms) * -np.diff(left, prepend=1.0))
    return np.append(0.0, sums)[np.searchsorted(atoms, t, side="right")]


def mean_of_density(
    t: FloatArray, function: Function, guides: FloatArray, *, density: Function, hazard: Function
) -> FloatArray:
    """Return E[function(T); T <= t] for a T of a density and a cumulative hazard."""

    def cdf(at: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-hazard(at)))

    # What lasts longer than floats has no mean that they hold, unless it is too rare to count.
    far = np.minimum(guides[-1:], _MOST)
    beyond = multiply(np.exp(-hazard(far)), function(far)) if guides[-1] > _MOST else np.zeros(1)
    guides = np.minimum(guides, _MOST)
    asked, places = np.unique(np.minimum(t, guides[-1]), return_inverse=True)
    early = np.append(guides, _NEAR_0 * asked)
    # Guides of a law that begins steeply are decades apart, most of them below all floats.
    near = min(max(early.min(), _TINY), guides[-1])
    ends = np.unique(np.concatenate([[near], guides[guides > near], asked[asked > near]]))
    parts = _integrals(ends, function, density=density, hazard=hazard)
    sums = np.append(0.0, np.cumsum(parts)) + multiply(cdf(ends[:1]), function(ends[:1]))
    at_0 = cdf(np.zeros(1)) * function(np.zeros(1))
    found = np.where(asked > 0.0, np.interp(asked, ends, sums), at_0)
    found = found[places.reshape(t.shape)]
    return np.where((t > _MOST) & (beyond[0] > _EXACT * sums[-1]), np.inf, found)


def _integrals(
    ends: FloatArray, function: Function, *, density: Function, hazard: Function
) -> FloatArray:
    """Return E[function(T); low < T <= high] between neighbouring ends, all > 0.

    A panel is halved until the integral of the density over it is what the tail loses there.
    """
    nodes, weights = legendre(_NODES)
    found = np.zeros(ends.size - 1)
    low, high, owner = ends[:-1], ends[1:], np.arange(ends.size - 1)
    before = np.full(owner.size, np.inf)
    for halving in range(_HALVINGS):
        hazards = hazard(low), hazard(high)
        known = np.exp(-hazards[0]) * -np.expm1(hazards[0] - hazards[1])
        width = high - low
        t = low[:, None] + width[:, None] * (0.5 + 0.5 * nodes)
        mass = 0.5 * weights * width[:, None] * density(t)
        parts = np.sum(multiply(mass, function(t)), axis=1)
        most = np.maximum(function(low), function(high))
        sums = np.cumsum(found + np.bincount(owner, parts, found.size))
        rounding = _ROUNDING * hazards[1] * np.exp(-hazards[0]) + _DENSITY * known
        off = np.abs(mass.sum(axis=1) - known)
        wrong = (off - rounding) * most > _EXACT * sums[owner]
        # What a halving does not mend is rounding, as that of a steep tail may be.
        wrong &= (off > _ROUNDED * known) | (off < 0.5 * before * known)
        if halving == _HALVINGS - 1 or low.size > _MOST_PANELS:
            parts = multiply(known, function(0.5 * (low + high)))
            wrong = np.zeros(low.size, dtype=bool)
        found += np.bincount(owner[~wrong], parts[~wrong], found.size)
        if not wrong.any():
            break
        low, high, owner = low[wrong], high[wrong], owner[wrong]
        before = np.tile(off[wrong] / known[wrong], 2)
        middle = np.where(high > 4.0 * low, np.sqrt(low) * np.sqrt(high), 0.5 * (low + high))
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        owner = np.concatenate([owner, owner])
    return found
