"""Extremes of independent completion times: the last of many tasks, the first of replicas."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .._checks import FloatArray
from .._special import legendre, power_of_two
from ..completion import CompletionTime

_SETTLED, _COMPARED = 1e-12, 1e-10  # of the whole integral, for each panel; to compare means


class ExtremeCompletionTime(CompletionTime):
    """The time at which the last, or the first, of several independent tasks is done."""

    __slots__ = ()
    _known: list[_Moments]

    @property
    @abstractmethod
    def parts(self) -> list[tuple[CompletionTime, float]]:
        """The different laws, and how many tasks have each."""

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
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]."""
        return min(1.0, sum(count * law.error for law, count in self.parts))

    @property
    def light(self) -> bool:
        """Whether sf keeps its digits however small it is."""
        return all(law.light for law, _ in self.parts)

    @property
    def seams(self) -> FloatArray:
        """Those of its parts, [time]; shape (n,)."""
        return np.unique(np.concatenate([law.seams for law, _ in self.parts]))


@dataclass(frozen=True, slots=True, eq=False)
class SlowestCompletionTime(ExtremeCompletionTime):
    """The time at which the last of several independent tasks is done.

    Parameters
    ----------
    distributions : tuple of CompletionTime
        The different laws.
    counts : tuple of float, [-]
        How many tasks have each of them.
    """

    distributions: tuple[CompletionTime, ...]
    counts: tuple[float, ...]
    _known: list[_Moments] = field(init=False, repr=False, default_factory=list)

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start = max(law.atom[0] for law in self.distributions)
        return start, float(np.exp(self._log_cdf(np.asarray(start))))

    @property
    def parts(self) -> list[tuple[CompletionTime, float]]:
        """The laws, and how many tasks have each."""
        return list(zip(self.distributions, self.counts, strict=True))

    def _log_cdf(self, t: FloatArray, *, least: float = 0.0) -> FloatArray:
        """Return the logarithm of the cdf; once below e^-60 it is not computed further.

        Laws may be left out that together change it by less than `least`, or 1 in 1e11.
        """
        flat = t.ravel()
        total = np.zeros(flat.shape)
        # The longest first: where their cdf is nearly 0, the others are not computed.
        parts = sorted(self.parts, key=lambda part: -part[0].mean)
        ceilings = [count * law.ceiling(flat) for law, count in parts]
        faint, least = _FAINT / len(parts), least / len(parts)
        if len(parts) > _MANY:  # nor are those that can no longer add a digit
            order = np.argsort(
                [int(np.sum(c <= max(faint, least))) for c in ceilings], kind="stable"
            )
            parts, ceilings = [parts[k] for k in order], [ceilings[k] for k in order]
        for (law, count), ceiling in zip(parts, ceilings, strict=True):
            live = (total > -60.0) & (ceiling > np.maximum(faint * -total, least))
            if not live.any():
                continue
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

    def sf_within(self, error: float, t: FloatArray) -> FloatArray:
        """Return the sf less what laws add that together stay below `error`, [-]."""
        with np.errstate(under="ignore"):
            return np.asarray(-np.expm1(self._log_cdf(t, least=error)))

    def _early(self, q: FloatArray) -> FloatArray:
        if len(self.distributions) == 1:
            return self.distributions[0].isf(-np.expm1(np.log(q) / self.counts[0]))
        return self._solve(self._cdf, q, rising=True)

    def _late(self, p: FloatArray) -> FloatArray:
        if len(self.distributions) == 1:
            return self.distributions[0].isf(-np.expm1(np.log1p(-p) / self.counts[0]))
        return self._solve(self._sf, p, rising=False)

    def _spread(self) -> float:
        start = self.atom[0]
        means = [law.mean for law in self.distributions]
        longest = max(means)
        spread = longest if math.isfinite(longest) else 1e250
        spread = max(spread - start, 1e-9 * start, 1e-300)
        while float(self._sf(np.asarray(start + spread))) > 0.5 and spread < 1e280:
            spread *= 1.5
        return spread


@dataclass(frozen=True, slots=True, eq=False)
class FirstCompletionTime(ExtremeCompletionTime):
    """The time at which the first of `count` independent replicas of a task is done.

    Parameters
    ----------
    distribution : CompletionTime
        Of each replica.
    count : float, [-]
        Number of replicas.
    """

    distribution: CompletionTime
    count: float
    _known: list[_Moments] = field(init=False, repr=False, default_factory=list)

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        start, mass = self.distribution.atom
        return start, -math.expm1(self.count * math.log1p(-mass)) if mass < 1.0 else 1.0

    @property
    def parts(self) -> list[tuple[CompletionTime, float]]:
        """The law of a replica, and how many there are."""
        return [(self.distribution, self.count)]

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


def _moments_of(law: ExtremeCompletionTime) -> _Moments:
    """Return mean and variance, computed when first asked for: percentiles do not need them."""
    if not law._known:
        law._known.append(_integrals(law))
    return law._known[0]


def nearly_mean(law: SlowestCompletionTime) -> float:
    """Return the mean, less what lies beyond sf = 1e-13 of a task, to 1e-10, [time]."""
    return _integrals(law, beyond=False).mean


def _integrals(law: ExtremeCompletionTime, *, beyond: bool = True) -> _Moments:
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
    end = _far(law, start, near)
    edges = _panels(near, end)
    if not beyond:
        edges = np.union1d(edges[::3], edges[-1:])
    seams = _seams(law, start, end)
    edges = np.unique(np.concatenate([edges, seams])) / unit
    close = _SETTLED if beyond else _COMPARED
    moments = _settled(lambda x: _seen(law, start + unit * x), edges, laws=len(parts), close=close)
    first, second, begin = moments.first, moments.second, moments.begin
    if beyond and isinstance(law, SlowestCompletionTime):
        least = first / len(parts), max(second - first * first, 0.0) / len(parts)
        for part, count in parts:
            more = _beyond(part, start, end, edges, unit, least=least)
            first += count * more[0]
            second += count * (more[1] - 2.0 * begin * more[0])
    endless = any(math.isinf(part.std) for part, _ in parts)
    square = math.inf if endless else max(second - first * first, 0.0)
    return _Moments(start + unit * (begin + first), square, unit)


def _seen(law: ExtremeCompletionTime, t: FloatArray) -> FloatArray:
    """Return the sf, of many laws less what no moment shows."""
    if isinstance(law, SlowestCompletionTime) and len(law.distributions) > _MANY:
        return law.sf_within(_UNSEEN, t)
    return law.sf(t)


def _far(law: ExtremeCompletionTime, start: float, near: float) -> float:
    """Return how long after the start next to nothing is left, [time]."""
    parts = law.parts
    heavy = math.fsum(count for part, count in parts if not part.light)
    # In steps of the spread where tails are light: far ones may be costly to compute.
    end, step, wider = near, 0.5 * near, 1.5
    if not heavy:
        step, wider = min(step, max(0.5 * part.std for part, _ in parts)), 1.15
    # A heavy tail is known up to 1e280 times its unit, and any law where it has its mean.
    last = _LAST if near > 1e270 else 1e280

    def more(after: float) -> bool:
        t = np.array([start + after])
        ceilings = [float(part.ceiling(t)[0]) for part, _ in parts]
        if not heavy and max(ceilings) < 1.0:  # where there is a bound, the sf may be left alone
            bound = math.fsum(count * c for c, (_, count) in zip(ceilings, parts, strict=True))
            if bound > _WORTH:
                return True
        return float(_seen(law, t)[0]) > max(_LEFT, 3.0 * _LEFT * heavy)

    while more(end) and end < last:
        end, step = min(end + step, _LAST), wider * step
    return end


def _seams(law: ExtremeCompletionTime, start: float, end: float) -> FloatArray:
    """Return the seams, or some of them where there are hundreds: others are found by halving."""
    seams = law.seams - start
    seams = seams[(seams > 0.0) & (seams < end)]
    return seams[:: 1 + seams.size // _MOST_SEAMS]


def _square(part: CompletionTime, unit: float) -> float:
    """Return the variance in squares of `unit`; one too large for a float has a deviation."""
    if math.isinf(part.variance):
        return (part.std / unit) ** 2
    return part.variance / unit / unit


def _beyond(
    part: CompletionTime,
    start: float,
    end: float,
    edges: FloatArray,
    unit: float,
    *,
    least: tuple[float, float],
) -> tuple[float, float]:
    """Return what a heavy tail adds beyond `end`: its own moments less what is before.

    There at most one task is late, and the sf of all is the sum of those of each. `edges` and
    the answers are in multiples of `unit`; `least` are moments beside which it may be nothing.
    """
    if part.light or math.isinf(part.mean):
        return 0.0, 0.0
    own = part.atom[0]
    lost = (part.mean - own) / unit
    # Where tails end as those of lognormal laws do, this is ten times what may be left.
    rest = 10.0 * float(part.sf(start + end)) * (start - own + end) / unit
    whole = _square(part, unit) + lost * lost
    square = 2.0 * rest * (start - own + end) / unit
    if rest <= _NOTICED * max(lost, least[0]) and square <= _NOTICED * max(whole, least[1]):
        return 0.0, 0.0
    offset = start - own
    places = np.concatenate([[0.0], unit * edges + offset, part.seams - own])
    places = np.unique(places[(places >= 0.0) & (places <= end + offset)]) / unit
    offset /= unit
    before = _settled(lambda x: part.sf(own + unit * x), places)
    first = before.begin + before.first
    second = before.second + before.begin * (first + before.first)
    more = lost - first
    square = whole - second
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


@dataclass(frozen=True, slots=True)
class _Sums:
    """Integrals of sf and of 2 (x - begin) sf from `begin`, before which sf is 1."""

    begin: float
    first: float
    second: float


def _settled(
    sf: Callable[[FloatArray], FloatArray],
    edges: FloatArray,
    *,
    laws: int = 1,
    close: float = _SETTLED,
) -> _Sums:
    """Integrate by Gauss and Legendre's panels, halved until nothing changes."""
    # From the last: before the bulk, where nothing is done yet, laws may be costly to compute.
    at, at_once = edges.size, _AT_ONCE
    if laws > _MANY:  # in fewer, larger steps; the errors of so many laws are larger, too
        at_once, close = 16 * _AT_ONCE, close * min(laws, 100)
    begin = edges[0]
    while at > 1:
        some = edges[max(1, at - at_once) : at]
        certain = sf(some) >= 1.0 - 1e-15
        if certain.any():
            begin = np.max(some[certain])
            break
        at -= at_once
    left, right = edges[:-1], edges[1:]
    late = left >= begin
    # About where the rest begins: a small spread would be lost between two large squares.
    left, right = left[late] - begin, right[late] - begin

    def beyond(x: FloatArray) -> FloatArray:
        return sf(begin + x)

    whole, _ = _rule(beyond, left, right)
    size = np.array([begin, 0.0]) + whole.sum(axis=1)
    total = np.zeros(2)
    # Some neighbours at a time: a law of many steps keeps what it needs for those.
    for at in range(0, left.size, _TOGETHER):
        these = slice(at, at + _TOGETHER)
        total += _halved(beyond, left[these], right[these], whole[:, these], least=close * size)
    return _Sums(float(begin), float(total[0]), float(total[1]))


def _halved(
    sf: Callable[[FloatArray], FloatArray],
    left: FloatArray,
    right: FloatArray,
    whole: FloatArray,
    *,
    least: FloatArray,
) -> FloatArray:
    """Return both integrals over some panels, each halved until that changes less than `least`."""
    total = np.zeros(2)
    for _ in range(_HALVINGS):
        middle = 0.5 * (left + right)
        halves, hidden = _rule(sf, np.concatenate([left, middle]), np.concatenate([middle, right]))
        first, second = halves[:, : left.size], halves[:, left.size :]
        both = first + second
        unsure = np.abs(both - whole) + hidden[:, : left.size] + hidden[:, left.size :]
        rough = np.any(unsure > least[:, None], axis=0)
        total = total + both[:, ~rough].sum(axis=1)
        left, right = (
            np.concatenate([left[rough], middle[rough]]),
            np.concatenate([middle[rough], right[rough]]),
        )
        whole = np.concatenate([first[:, rough], second[:, rough]], axis=1)
        if not 0 < left.size < _MOST_PANELS:
            break
    return np.asarray(total + whole.sum(axis=1))


def _rule(
    sf: Callable[[FloatArray], FloatArray], left: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the integrals of sf and of 2 x sf over each panel, and what may hide at its ends.

    A fall between an end and the first node changes no node: there the polynomial through the
    nodes must meet the sf.
    """
    half = 0.5 * (right - left)
    x = (left + half)[:, None] + half[:, None] * _PLACES
    values = sf(x)
    inner, at = values[:, 1:-1], x[:, 1:-1]
    mass = _WEIGHTS * half[:, None] * inner
    sums = np.array([mass.sum(axis=1), 2.0 * (mass * at).sum(axis=1)])
    missed = np.abs(values[:, [0, -1]] - inner @ _ENDS) * (_GAP * half)[:, None]
    hidden = np.array([missed.sum(axis=1), 2.0 * (missed * x[:, [0, -1]]).sum(axis=1)])
    return sums, hidden


_NODES, _WEIGHTS = legendre(8)
# Just within a panel: what falls at its very end belongs to the next one.
_PLACES = np.concatenate([[-1.0 + 1e-9], _NODES, [1.0 - 1e-9]])
_GAP = 1.0 - _NODES.max()
_APART = _NODES[:, None] - _NODES + np.eye(_NODES.size)
# Values at both ends of the polynomials that are 1 at one node and 0 at the others.
_ENDS = np.array(
    [
        [np.prod(np.delete((end - _NODES) / _APART[k], k)) for end in (-1.0, 1.0)]
        for k in range(_NODES.size)
    ]
)
_HALVINGS, _MOST_PANELS = 40, 2**14
_TOGETHER = 8  # panels
_AT_ONCE = 4  # edges
_MANY = 8  # laws from which on some are left out where they add nothing
_FAINT = 1e-11  # of the log cdf of all: what laws that are left out add together at most
_LEFT = 1e-13  # sf at the end
_UNSEEN = 1e-14  # of the sf, left out of moments of many laws
_WORTH = 1e-9  # a bound on it, which mostly is too high by some 4 nats
_MOST_SEAMS = 120
_LAST = 1e308  # near the largest float
_NOTICED = 1e-8  # share of its own moment that a tail is known to
