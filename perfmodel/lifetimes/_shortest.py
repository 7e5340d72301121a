"""The shortest of several durations of one law, as the first failure among the nodes of a job."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NoReturn, Self

import numpy as np

from .._checks import ComplexArray, FloatArray
from .._special import legendre, power_of_two, product
from ._base import AbstractLifetime
from ._discrete import Empirical

__all__ = ["Shortest"]

_NODES = 16  # of a panel
_GUIDES = 2.0 ** np.arange(-60.0, 9.5, 0.5)  # cumulative hazards at which panels begin
_ONE = 35.0  # hazards of one: beyond, 1 - cdf has no digits
_NEAR_0 = 1e-18  # of the shortest time asked for: what is shorter is as good as 0
_TINY = 1e-290  # below, numbers lose digits
_EXACT = 1e-13
_ROUNDING = 4e-15  # of a cumulative hazard
_DENSITY = 1e-12  # rounding of a density whose logarithm is large
_HALVINGS = 40
_MOST_PANELS = 2**17


@dataclass(frozen=True, slots=True)
class Shortest(AbstractLifetime):
    """The shortest of `count` independent durations; made by `AbstractLifetime.first_of`.

    Parameters
    ----------
    law : AbstractLifetime, [time]
        Law of each of them.
    count : float, [-]
        How many; whole and >= 2.
    """

    law: AbstractLifetime
    count: float

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        unit, mean, _ = _moments(self)
        return unit * mean

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        return _moments(self)[2]

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-self._cumulative_hazard(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-self._cumulative_hazard(t)))

    def _pdf(self, t: FloatArray) -> FloatArray:
        others = np.exp((1.0 - self.count) * self.law._cumulative_hazard(t))
        return np.asarray(self.count * self.law._pdf(t) * others)

    def _hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.count * self.law._hazard(t))

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.count * self.law._cumulative_hazard(t))

    def _ppf(self, q: FloatArray) -> FloatArray:
        one = -np.expm1(np.log1p(-q) / self.count)
        found, before = self.law._ppf(one), self.law._ppf(one * (1.0 - 4e-16))
        # Rounding may lead beyond a step of the cdf.
        return np.where(self._cdf(before) >= q, before, found)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        unit, law = _in_own_unit(self)
        found = law.mean_of(t / unit, lambda x: x**order)
        return product(*[unit] * order, found)

    def mean_of(self, t: FloatArray, function: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Return E[function(T); T <= t]; the law should be in its own unit."""
        if isinstance(self.law, Empirical):
            samples = self.law.samples
            left = np.arange(samples.size, -1.0, -1.0) / samples.size
            sums = np.cumsum(function(samples) * -np.diff(left**self.count))
            return np.append(0.0, sums)[np.searchsorted(samples, t, side="right")]
        guides = self.law._ppf(-np.expm1(-np.minimum(_GUIDES, _ONE * self.count) / self.count))
        asked, places = np.unique(np.minimum(t, guides[-1]), return_inverse=True)
        early = np.append(guides, _NEAR_0 * asked)
        near = np.min(early, initial=guides[-1], where=early > _TINY)
        ends = np.unique(np.concatenate([[near], guides[guides > near], asked[asked > near]]))
        parts = _integrals(self, ends, function)
        sums = np.append(0.0, np.cumsum(parts)) + self._cdf(ends[:1]) * function(ends[:1])
        at_0 = self._cdf(np.zeros(1)) * function(np.zeros(1))
        found = np.where(asked > 0.0, np.interp(asked, ends, sums), at_0)
        return np.asarray(found[places.reshape(t.shape)])

    def _scaled(self, factor: float) -> Self:
        return replace(self, law=self.law.scaled(factor))

    def _first_of(self, count: float) -> Self:
        return replace(self, count=self.count * count)

    def _laplace(self, s: ComplexArray) -> NoReturn:
        raise TypeError(
            f"law must have a transform, got the shortest of {self.count:g} of {self.law}: "
            "fit a law to it"
        )


@lru_cache(maxsize=64)
def _moments(law: Shortest) -> tuple[float, float, float]:
    """Return a unit of time, the mean in it, and the squared coefficient of variation."""
    whole = np.asarray(np.inf)
    with np.errstate(all="ignore"):  # inf, 0 and underflow are answers here
        unit, law = _in_own_unit(law)
        mean = float(law.mean_of(whole, lambda t: t))
        if not 0.0 < mean < math.inf:
            return unit, mean, 0.0
        # About the mean, so that nothing cancels where all are about as long.
        return unit, mean, float(law.mean_of(whole, lambda t: (t / mean - 1.0) ** 2))


@lru_cache(maxsize=64)
def _in_own_unit(law: Shortest) -> tuple[float, Shortest]:
    """Return a unit, a power of two, and the law in it: nearly all durations are below some units.

    The parameters of the law stay floats.
    """
    with np.errstate(all="ignore"):
        few, all_ = law._ppf(-np.expm1(-np.array([_ONE, _ONE * law.count])))
    if not 0.0 < few < math.inf:
        return 1.0, law
    unit = power_of_two(max(float(few), float(all_) * 1e-300))
    return unit, law._scaled(1.0 / unit)


def _integrals(
    law: AbstractLifetime, ends: FloatArray, function: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Return E[function(T); low < T <= high] between neighbouring ends, all > 0.

    A panel is halved until the integral of the density over it is what the tail loses there.
    """
    nodes, weights = legendre(_NODES)
    found = np.zeros(ends.size - 1)
    low, high, owner = ends[:-1], ends[1:], np.arange(ends.size - 1)
    for halving in range(_HALVINGS):
        hazards = law._cumulative_hazard(low), law._cumulative_hazard(high)
        known = np.exp(-hazards[0]) * -np.expm1(hazards[0] - hazards[1])
        width = high - low
        t = low[:, None] + width[:, None] * (0.5 + 0.5 * nodes)
        mass = 0.5 * weights * width[:, None] * law._pdf(t)
        parts = np.sum(mass * function(t), axis=1)
        most = np.maximum(function(low), function(high))
        sums = np.cumsum(found + np.bincount(owner, parts, found.size))
        rounding = _ROUNDING * hazards[1] * np.exp(-hazards[0]) + _DENSITY * known
        wrong = (np.abs(mass.sum(axis=1) - known) - rounding) * most > _EXACT * sums[owner]
        if halving == _HALVINGS - 1 or low.size > _MOST_PANELS:
            parts, wrong = known * function(0.5 * (low + high)), np.zeros(low.size, dtype=bool)
        found += np.bincount(owner[~wrong], parts[~wrong], found.size)
        if not wrong.any():
            break
        low, high, owner = low[wrong], high[wrong], owner[wrong]
        middle = np.where(high > 4.0 * low, np.sqrt(low) * np.sqrt(high), 0.5 * (low + high))
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        owner = np.concatenate([owner, owner])
    return found
