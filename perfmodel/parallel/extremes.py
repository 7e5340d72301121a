"""Extremes of independent completion times: the last of many tasks, the first of replicas."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .._checks import FloatArray
from .._special import legendre, power_of_two
from ..completion import AbstractCompletionTime
from ..completion.law import solve_monotone

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
    _known: list[_Moments] = field(init=False, repr=False, default_factory=list)

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return _moments_of(self).mean

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist or is too large for a float."""
        moments = _moments_of(self)
        return moments.variance * moments.unit * moments.unit

    @property
    def std(self) -> float:
        """The standard deviation, [time]; inf where it does not exist."""
        moments = _moments_of(self)
        return math.sqrt(moments.variance) * moments.unit

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start = max(law.atom[0] for law in self.distributions)
        return start, float(np.exp(self._log_cdf(np.asarray(start))))

    @property
    def parts(self) -> list[tuple[AbstractCompletionTime, float]]:
        """The laws, and how many tasks have each."""
        return list(zip(self.distributions, self.counts, strict=True))

    @property
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]."""
        return min(1.0, sum(count * law.error for law, count in self.parts))

    @property
    def light(self) -> bool:
        """Whether sf keeps its digits however small it is."""
        return all(law.light for law in self.distributions)

    @property
    def seams(self) -> FloatArray:
        """Those of its parts, [time]; shape (n,)."""
        return np.unique(np.concatenate([law.seams for law in self.distributions]))

    def _log_cdf(self, t: FloatArray) -> FloatArray:
        """Return the logarithm of the cdf; once below e^-60 it is not computed further."""
        flat = t.ravel()
        total = np.zeros(flat.shape)
        # The longest first: where their cdf is nearly 0, the others are not computed.
        for law, count in sorted(self.parts, key=lambda part: -part[0].mean):
            live = total > -60.0
            if not live.any():
                break
            some = flat[live]
            sf = law.sf(some)
            early = sf > 0.5
            with np.errstate(divide="ignore"):
                log_cdf = np.log1p(-np.where(early, 0.0, sf))
                if early.any():
                    log_cdf[early] = np.log(law.cdf(some[early]))
            total[live] += count * log_cdf
        return total.reshape(t.shape)

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
        means = [law.mean for law in self.distributions]
        longest = max(means)
        spread = longest if math.isfinite(longest) else 1e250
        spread = max(spread - start, 1e-9 * start, 1e-300)
        while float(self._sf(np.asarray(start + spread))) > 0.5 and spread < 1e280:
            spread *= 1.5
        return solve_monotone(function, wanted, start=start, spread=spread, rising=rising)


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
    _known: list[_Moments] = field(init=False, repr=False, default_factory=list)

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return _moments_of(self).mean

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist or is too large for a float."""
        moments = _moments_of(self)
        return moments.variance * moments.unit * moments.unit

    @property
    def std(self) -> float:
        """The standard deviation, [time]; inf where it does not exist."""
        moments = _moments_of(self)
        return math.sqrt(moments.variance) * moments.unit

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start, mass = self.distribution.atom
        return start, -math.expm1(self.count * math.log1p(-mass)) if mass < 1.0 else 1.0

    @property
    def parts(self) -> list[tuple[AbstractCompletionTime, float]]:
        """The law of a replica, and how many there are."""
        return [(self.distribution, self.count)]

    @property
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]."""
        return min(1.0, self.count * self.distribution.error)

    @property
    def light(self) -> bool:
        """Whether sf keeps its digits however small it is."""
        return self.distribution.light

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


@dataclass(frozen=True, slots=True)
class _Moments:
    """Mean [time], and variance in squares of a unit: those of huge times overflow."""

    mean: float
    variance: float
    unit: float = 1.0


def _moments_of(law: SlowestCompletionTime | FirstCompletionTime) -> _Moments:
    """Return mean and variance, computed when first asked for: percentiles do not need them."""
    if not law._known:
        law._known.append(_integrals(law))
    return law._known[0]


def _integrals(law: SlowestCompletionTime | FirstCompletionTime) -> _Moments:
    """Integrate the sf: its mean and variance; infinite if those of a part are."""
    parts = law.parts
    if any(math.isinf(part.mean) for part, _ in parts):
        return _Moments(math.inf, math.inf)
    start = law.atom[0]
    near = max(part.mean - start + 3.0 * min(part.std, part.mean) for part, _ in parts)
    near = max(near, 0.01 * (max(part.mean - part.atom[0] for part, _ in parts)))
    if not near > 0.0:
        return _Moments(start, 0.0)
    near = max(near, math.ulp(start))  # no time between two floats can be asked
    unit = power_of_two(near)  # of all integrals
    if len(parts) == 1 and parts[0][1] == 1.0:
        return _Moments(parts[0][0].mean, _square(parts[0][0], unit), unit)
    heavy = math.fsum(count for part, count in parts if not part.light)
    # In steps of the spread where tails are light: far ones may be costly to compute.
    end, step, wider = near, 0.5 * near, 1.5
    if not heavy:
        step, wider = min(step, max(0.5 * part.std for part, _ in parts)), 1.15
    # A heavy tail is known up to 1e280 times its unit; a light one ends wherever it lies.
    last = _LAST if near > 1e270 and not heavy else 1e280
    while float(law.sf(start + end)) > max(1e-13, 3e-13 * heavy) and end < last:
        end, step = min(end + step, _LAST), wider * step
    seams = law.seams - start
    edges = np.concatenate([_panels(near, end), seams[(seams > 0.0) & (seams < end)]])
    edges = np.unique(edges) / unit
    # About a point near the mean: a small spread would be lost between two large squares.
    middle = _settled(lambda x: law.sf(start + unit * x), edges, least=_NEAR)[0]
    centre = start + unit * middle
    after, before = edges[edges > middle] - middle, middle - edges[edges < middle]
    late = _settled(lambda x: law.sf(centre + unit * x), np.append(0.0, after))
    early = _settled(lambda x: law.cdf(centre - unit * x), np.append(0.0, before[::-1]))
    first, square = middle + (late[0] - early[0]), late[1] + early[1]
    if isinstance(law, SlowestCompletionTime):
        for part, count in parts:
            more = _beyond(part, start, end, edges, unit)
            first += count * more[0]
            square += count * (more[1] - 2.0 * middle * more[0])
    endless = any(math.isinf(part.std) for part, _ in parts)
    square = math.inf if endless else max(square - (first - middle) ** 2, 0.0)
    return _Moments(start + unit * first, square, unit)


def _square(part: AbstractCompletionTime, unit: float) -> float:
    """Return the variance in squares of `unit`; one too large for a float has a deviation."""
    if math.isinf(part.variance):
        return (part.std / unit) ** 2
    return part.variance / unit / unit


def _beyond(
    part: AbstractCompletionTime, start: float, end: float, edges: FloatArray, unit: float
) -> tuple[float, float]:
    """Return what a heavy tail adds beyond `end`: its own moments less what is before.

    There at most one task is late, and the sf of all is the sum of those of each. `edges` and
    the answers are in multiples of `unit`.
    """
    if part.light or math.isinf(part.mean):
        return 0.0, 0.0
    own = part.atom[0]
    offset = start - own
    places = np.concatenate([[0.0], unit * edges + offset, part.seams - own])
    places = np.unique(places[(places >= 0.0) & (places <= end + offset)]) / unit
    offset /= unit
    first, second = _settled(lambda x: part.sf(own + unit * x), places)
    lost = (part.mean - own) / unit
    more = lost - first
    square = _square(part, unit) + lost * lost - second
    if math.isinf(square) or not square > _NOTICED * (second + square):
        square = 0.0
    if not more > _NOTICED * lost:
        more = 0.0
    # From the square of the part's own excess to that of the excess over the start of all.
    return more, square - 2.0 * offset * more


def _panels(near: float, end: float) -> FloatArray:
    """Return edges of panels that are even around the bulk and widen beyond and before."""
    body = min(max(near, 1e-9 * end), end)
    even = np.linspace(0.0, min(2.0 * body, end), 33)
    small = body * np.geomspace(1e-9, 0.05, 40)
    wide = np.geomspace(body, end, 2 + math.ceil(3.0 * math.log2(end / body)))
    return np.unique(np.concatenate([even, small, wide]))


def _settled(
    sf: Callable[[FloatArray], FloatArray], edges: FloatArray, *, least: float = 1e-12
) -> tuple[float, float]:
    """Integrate sf and 2 x sf by Gauss and Legendre's panels.

    A panel is halved until that changes less than the share `least` of the whole integral.
    """
    left, right = edges[:-1], edges[1:]
    # Up to where sf is 1 the integrals are known.
    certain = float(np.max(right, where=sf(right) >= 1.0 - 1e-15, initial=0.0))
    late = left >= certain
    left, right = left[late], right[late]
    whole = _rule(sf, left, right)
    total = np.array([certain, certain * certain])
    for _ in range(_HALVINGS):
        middle = 0.5 * (left + right)
        halves = _rule(sf, np.concatenate([left, middle]), np.concatenate([middle, right]))
        first, second = halves[:, : left.size], halves[:, left.size :]
        both = first + second
        size = total + both.sum(axis=1)
        rough = np.any(np.abs(both - whole) > least * size[:, None], axis=0)
        total = total + both[:, ~rough].sum(axis=1)
        left, right = (
            np.concatenate([left[rough], middle[rough]]),
            np.concatenate([middle[rough], right[rough]]),
        )
        whole = np.concatenate([first[:, rough], second[:, rough]], axis=1)
        if not 0 < left.size < _MOST_PANELS:
            break
    total = total + whole.sum(axis=1)
    return float(total[0]), float(total[1])


def _rule(
    sf: Callable[[FloatArray], FloatArray], left: FloatArray, right: FloatArray
) -> FloatArray:
    """Return the integrals of sf and of 2 x sf over each panel."""
    half = 0.5 * (right - left)
    x = (left + half)[:, None] + half[:, None] * _NODES
    mass = _WEIGHTS * half[:, None] * sf(x)
    return np.array([mass.sum(axis=1), 2.0 * (mass * x).sum(axis=1)])


_NODES, _WEIGHTS = legendre(8)
_HALVINGS, _MOST_PANELS = 40, 2**14
_NEAR = 1e-5  # share of an integral that finds a point near the mean
_LAST = 1e308  # near the largest float
_NOTICED = 1e-8  # share of its own moment that a tail is known to
