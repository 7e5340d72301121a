"""Extremes of independent completion times: the last of many tasks, the first of replicas."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ._checks import FloatArray
from ._special import legendre
from .distribution import AbstractCompletionTime, solve_monotone

__all__ = ["FirstCompletionTime", "SlowestCompletionTime"]


@dataclass(frozen=True, slots=True, eq=False)
class SlowestCompletionTime(AbstractCompletionTime):
    """The time at which the last of several independent tasks is done.

    Parameters
    ----------
    distributions : tuple of AbstractCompletionTime
        The different laws.
    counts : tuple of float, [-]
        How many tasks have each of them.
    """

    distributions: tuple[AbstractCompletionTime, ...]
    counts: tuple[float, ...]
    _known: list[tuple[float, float]] = field(init=False, repr=False, default_factory=list)

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return _moments(self, self.distributions, self._known)[0]

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        return _moments(self, self.distributions, self._known)[1]

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start = max(law.atom[0] for law in self.distributions)
        return start, float(np.exp(self._log_cdf(np.asarray(start))))

    @property
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]."""
        return min(
            1.0, sum(n * d.error for d, n in zip(self.distributions, self.counts, strict=True))
        )

    @property
    def seams(self) -> FloatArray:
        """Those of its parts, [time]; shape (n,)."""
        return np.unique(np.concatenate([law.seams for law in self.distributions]))

    def _log_cdf(self, t: FloatArray) -> FloatArray:
        total = np.zeros(t.shape)
        for law, count in zip(self.distributions, self.counts, strict=True):
            sf = law.sf(t)
            early = sf > 0.5
            with np.errstate(divide="ignore"):
                log_cdf = np.log1p(-np.where(early, 0.0, sf))
                if early.any():
                    log_cdf = np.where(early, np.log(law.cdf(t)), log_cdf)
            total = total + count * log_cdf
        return total

    def _cdf(self, t: FloatArray) -> FloatArray:
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(self._log_cdf(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        with np.errstate(under="ignore"):
            return np.asarray(-np.expm1(self._log_cdf(t)))

    def _early(self, q: FloatArray) -> FloatArray:
        if len(self.distributions) == 1:
            return self.distributions[0].isf(-np.expm1(np.log(q) / self.counts[0]))
        return self._search(self._cdf, q, rising=True)

    def _late(self, p: FloatArray) -> FloatArray:
        if len(self.distributions) == 1:
            return self.distributions[0].isf(-np.expm1(np.log1p(-p) / self.counts[0]))
        return self._search(self._sf, p, rising=False)

    def _search(
        self, function: Callable[[FloatArray], FloatArray], wanted: FloatArray, *, rising: bool
    ) -> FloatArray:
        start = self.atom[0]
        spread = max(float(law.isf(0.5 / sum(self.counts))) for law in self.distributions) - start
        return solve_monotone(
            function,
            wanted,
            start=start,
            spread=spread if spread > 0.0 else max(start, 1e-300),
            rising=rising,
        )


@dataclass(frozen=True, slots=True, eq=False)
class FirstCompletionTime(AbstractCompletionTime):
    """The time at which the first of `count` independent replicas of a task is done.

    Parameters
    ----------
    distribution : AbstractCompletionTime
        Of each replica.
    count : float, [-]
        Number of replicas.
    """

    distribution: AbstractCompletionTime
    count: float
    _known: list[tuple[float, float]] = field(init=False, repr=False, default_factory=list)

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return _moments(self, (self.distribution,), self._known)[0]

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        return _moments(self, (self.distribution,), self._known)[1]

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start, mass = self.distribution.atom
        return start, -math.expm1(self.count * math.log1p(-mass)) if mass < 1.0 else 1.0

    @property
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]."""
        return min(1.0, self.count * self.distribution.error)

    @property
    def seams(self) -> FloatArray:
        """Those of one replica, [time]; shape (n,)."""
        return self.distribution.seams

    def _cdf(self, t: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(self.count * np.log1p(-self.distribution.cdf(t))))

    def _sf(self, t: FloatArray) -> FloatArray:
        with np.errstate(under="ignore"):
            return np.asarray(self.distribution.sf(t) ** self.count)

    def _early(self, q: FloatArray) -> FloatArray:
        return self.distribution.isf(np.exp(np.log1p(-q) / self.count))

    def _late(self, p: FloatArray) -> FloatArray:
        return self.distribution.isf(p ** (1.0 / self.count))


def _moments(
    law: AbstractCompletionTime,
    parts: tuple[AbstractCompletionTime, ...],
    known: list[tuple[float, float]],
) -> tuple[float, float]:
    """Return mean and variance, computed when first asked for: percentiles do not need them."""
    if not known:
        known.append(_integrals(law, parts))
    return known[0]


def _integrals(
    law: AbstractCompletionTime, parts: tuple[AbstractCompletionTime, ...]
) -> tuple[float, float]:
    """Integrate the sf: its mean and variance; infinite if those of a part are."""
    start = law.atom[0]
    if any(math.isinf(part.mean) for part in parts):
        return math.inf, math.inf
    total = sum(getattr(law, "counts", (1.0,)))
    heavy = any(math.isinf(part.variance) for part in parts)
    # What is left beyond 1e-12 of all tasks together adds less than the error of the cdf.
    far = max(float(part.isf(1e-12 / total)) for part in parts)
    near = max(float(part.isf(min(0.5, 0.5 / total))) for part in parts)
    span, body = far - start, max(near - start, 1e-9 * (far - start))
    if not span > 0.0:
        return start, 0.0
    edges = np.concatenate([np.linspace(0.0, 2.0 * body, 65), _beyond(2.0 * body, span)])
    half = 0.5 * np.diff(edges)
    x = (edges[:-1] + half)[:, None] + half[:, None] * _NODES
    mass = _WEIGHTS * half[:, None] * law.sf(start + x)
    first, second = float(np.sum(mass)), 2.0 * float(np.sum(mass * x))
    return start + first, math.inf if heavy else second - first * first


def _beyond(left: float, right: float) -> FloatArray:
    if right <= left:
        return np.empty(0)
    return np.geomspace(left, right, 2 + math.ceil(6.0 * math.log2(right / left)))[1:]


_NODES, _WEIGHTS = legendre(8)
