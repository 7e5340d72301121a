"""Downtimes that are all equal and much longer than an attempt: failures can be counted.

The time lost is then n downtimes and something short, and its law a staircase whose steps no
window of an inversion resolves. Here each step is known by itself: with z for a downtime the
transform is a power series in z, and its n-th coefficient is that of the short rest after n
failures. The rest is bounded, so that its Fourier series needs no damping. Failures that strike
downtimes make n downtimes of fewer failures, with the weights of Borel and Tanner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import special

from .._checks import ComplexArray, FloatArray
from ._first_failures import FirstFailures
from .fourier import PASSED, interpolate, late_rise, series

LEAST_SF = 1e-12  # down to here `error` holds, here and in an inversion
_MOST_STEPS, _MOST_STRUCK = 2**16, 2**12  # downtimes that are counted
_FIRST_NODES, _MOST_NODES = 2**7, 2**15
_CLOSE = 1e-12  # change of the cdf when nodes are doubled, from which on they suffice
_BLOCK = 128  # steps that are kept together
_CACHED = 2**22  # coefficients that are kept
_LEAST = 1e-25  # probability of more failures than are counted
_LONG = 4.0  # attempts that a downtime must be longer than
_STEEP = 0.15  # of the square root of failures in steps, beyond which steps are smoothed away
_LOST = 1e-13  # share of the mass beyond the last step
_SEAMS = 200  # steps whose ends are named
_HEIGHTS, _FINE = 2**11, 4.0  # looked at; per turn and root of failures, so that no rise is missed


class Counting(Protocol):
    """Coefficients of the power series after `count` failures, in units of exp(log_unit)."""

    @property
    def count(self) -> int:
        """How many failures, [-]."""

    @property
    def log_unit(self) -> float:
        """Logarithm of the unit, [-]."""

    @property
    def value(self) -> ComplexArray:
        """The coefficients; the first, at s = 0, is neither tiny nor huge."""

    def following(self) -> Counting:
        """Return those after one failure more."""


class CountedFailures(Protocol):
    """A time lost in which failures can be counted."""

    @property
    def spacing(self) -> float:
        """What every downtime takes, [time]."""

    @property
    def load(self) -> float:
        """Mean number of failures that strike a downtime; 0 if none does, [-]."""

    @property
    def attempt(self) -> float:
        """The longest attempt and recovery, [time]."""

    @property
    def lost(self) -> float:
        """What a failure costs but for its downtime, roughly and at most, [time]."""

    @property
    def delay(self) -> float:
        """What every failure costs exactly, but for its downtime, [time]; 0 if nothing."""

    @property
    def log_atom(self) -> float:
        """Logarithm of the probability that nothing fails, [-]."""

    @property
    def first_failures(self) -> FirstFailures:
        """The first failures, known in time."""

    @property
    def failures(self) -> float:
        """Mean number of downtimes, those during a downtime apart, [-]."""

    def counting(self, s: ComplexArray) -> Counting:
        """Return the coefficients of no failure at points of which the first is 0."""


@dataclass(frozen=True, slots=True)
class _Flight:
    """The steps first .. last - 1, whose rests share a period and nodes."""

    first: int
    last: int
    period: float
    nodes: int
    error: float


def staircase_of(lost: CountedFailures | None) -> Staircase | None:
    """Return the staircase, where there are steps and not too many."""
    if lost is None or not lost.spacing > _LONG * lost.attempt or not lost.load < 1.0:
        return None
    if not _STEEP * lost.lost * math.sqrt(lost.failures) < lost.spacing:
        return None
    most = _MOST_STRUCK if lost.load else _MOST_STEPS
    if not lost.failures / (1.0 - lost.load) < most:
        return None
    found = Staircase(lost)
    return found if found.complete else None


class Staircase:
    """The cdf and sf of a time lost in which failures can be counted."""

    def __init__(self, lost: CountedFailures) -> None:
        self._lost = lost
        self._depth = (
            lost.first_failures.known.depth if lost.first_failures.known is not None else 0
        )
        single, means, self.complete = self._probabilities()
        self._struck = None
        if lost.load and self.complete:
            self._struck = _struck(lost.load, single.size)
            left = float(single.sum() - (self._struck @ single).sum())
            self.complete = left < _LOST * (1.0 - math.exp(lost.log_atom))
        mixed = single.copy()
        mixed[: self._depth + 1] = 0.0
        moments = mixed * means
        if self._struck is not None:
            mixed, moments = self._struck @ mixed, self._struck @ moments
        self._steps = mixed
        with np.errstate(all="ignore"):
            self._middles = np.where(mixed > 0.0, moments / mixed, 0.0)
        self._below = np.append(0.0, np.cumsum(mixed))
        self._above = np.append(np.cumsum(mixed[::-1])[::-1], 0.0)
        self._flights: dict[int, _Flight] = {}
        self._points: dict[int, ComplexArray] = {}
        self._marks: dict[int, list[Counting]] = {}
        self._rests: dict[int, FloatArray] = {}
        self._blocks: dict[tuple[int, int], ComplexArray] = {}
        count = np.arange(mixed.size)
        octave = np.floor(np.log2(np.maximum(count, 1))).astype(np.int64)
        self._periods = np.array([self._period(2 ** (int(o) + 1)) for o in octave])
        self._lows = np.maximum(self._middles - 0.5 * self._periods, 0.0)
        self._lows[self._periods >= count * lost.attempt] = 0.0
        self._starts = np.maximum.accumulate(count * lost.spacing + self._lows)
        self._ends = np.maximum.accumulate(count * lost.spacing + self._lows + self._periods)

    def __reduce__(self) -> tuple[type[Staircase], tuple[CountedFailures]]:
        return Staircase, (self._lost,)

    @property
    def seams(self) -> FloatArray:
        """Where steps begin and end, [time]; sorted."""
        live = np.flatnonzero(self._above[:-1] > LEAST_SF)
        live = np.union1d(live[:_SEAMS], live[:: max(1, live.size // _SEAMS)]).astype(np.int64)
        first = np.arange(1.0, self._depth + 1.0)
        known = first * self._lost.spacing
        ends = known + first * self._lost.attempt
        found = np.concatenate([self._starts[live], self._ends[live], known, ends])
        return np.unique(found[found > 0.0])

    @property
    def error(self) -> float:
        """Largest change of cdf or sf, down to sf = 1e-12, when nodes are doubled, [-]."""
        worst, first = 0.0, 1
        while first < self._steps.size and self._above[first] > LEAST_SF:
            flight = self._flight(first)
            overlap = 2.0 + flight.period / self._lost.spacing
            worst = max(worst, overlap * flight.error)
            first *= 2
        return worst

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return P(E <= t), [-], at any real times [time]."""
        return self._both(t)[0]

    def sf(self, t: FloatArray) -> FloatArray:
        """Return P(E > t), [-], at any real times [time]."""
        return self._both(t)[1]

    def ceiling(self, t: FloatArray) -> FloatArray:
        """Return 1, a bound on `sf` from above, [-]."""
        return np.ones(t.shape)

    def _both(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        times = np.asarray(t, dtype=np.float64)
        flat = np.ascontiguousarray(times.ravel())
        over = np.searchsorted(self._ends, flat, side="right")
        begun = np.maximum(np.searchsorted(self._starts, flat, side="right"), over)
        below, above = self._below[over], self._above[begun]
        partly = np.flatnonzero(begun > over)
        if partly.size:
            low, high = over[partly], begun[partly]
            for n in range(int(low.min()), int(high.max())):
                here = partly[(low <= n) & (n < high)]
                if here.size and self._steps[n] > 0.0:
                    passed = self._rest(n, flat[here])
                    below[here] += passed
                    above[here] += self._steps[n] - passed
        first = self._lost.first_failures
        # Beyond `rough` all first failures have passed: their cdf would keep its rounding for ever.
        known = np.full(flat.shape, first.total)
        early = flat < (1.0 + 1e-12) * first.rough
        known[early] = first.cdf(flat[early])
        cdf = math.exp(self._lost.log_atom) + (known + below)
        sf = (first.total - known) + above
        cdf[flat < 0.0], sf[flat < 0.0] = 0.0, 1.0
        cdf[np.isposinf(flat)], sf[np.isposinf(flat)] = 1.0, 0.0
        late = sf < 0.5
        cdf, sf = np.where(late, 1.0 - sf, cdf), np.where(late, sf, 1.0 - cdf)
        cdf, sf = np.clip(cdf, 0.0, 1.0), np.clip(sf, 0.0, 1.0)
        return cdf.reshape(times.shape), sf.reshape(times.shape)

    def _probabilities(self) -> tuple[FloatArray, FloatArray, bool]:
        """Return the probabilities of n failures, the means of the rests, and if these are all."""
        tiny = 1e-6 / self._lost.attempt
        state = self._lost.counting(np.array([0.0, 1j * tiny]))
        least = _LEAST * max(-math.expm1(self._lost.log_atom), 1e-250)
        sizes, means, total = [], [], 0.0
        while state.count <= (_MOST_STRUCK if self._lost.load else _MOST_STEPS):
            size = math.exp(math.log(abs(state.value[0])) + state.log_unit)
            means.append(-float(np.angle(state.value[1] / state.value[0])) / tiny)
            sizes.append(size)
            total += size
            if total > 0.5 and size < least:
                return np.array(sizes), np.array(means), True
            state = state.following()
        return np.array(sizes), np.array(means), False

    def _period(self, last: int) -> float:
        """Return the spread of the rests of fewer than `last` failures, [time]."""
        wide = 40.0 * self._lost.lost + 20.0 * math.sqrt(last) * self._lost.lost
        return min(1.0001 * last * self._lost.attempt, wide)

    def _flight(self, n: int) -> _Flight:
        octave = int(math.log2(max(n, 1)))
        if octave not in self._flights:
            self._flights[octave] = self._built(octave)
        return self._flights[octave]

    def _built(self, octave: int) -> _Flight:
        """Double the nodes until half of them give the same rests."""
        first, last = 2**octave, min(2 ** (octave + 1), self._steps.size)
        first = min(max(first, self._depth + 1), last - 1)  # only struck downtimes are below
        nodes, period = _FIRST_NODES, self._period(2 ** (octave + 1))
        likeliest = first + int(np.argmax(self._steps[first:last]))
        looked = {first, min(first + 1, last - 1), likeliest, last - 1}
        some = sorted(n for n in looked if self._steps[n] > 0.0)
        wanted = PASSED * self._late_rise(some, period, octave) * period / (2.0 * np.pi)
        coarse: dict[int, FloatArray] = {}
        while True:
            self._points[octave] = _points(period, nodes)
            self._marks.pop(octave, None)
            self._blocks.clear()
            worst, fine = math.inf if not coarse else 0.0, {}
            for n in some:
                fine[n] = series(self._terms(n, period, octave), period)
                if coarse:
                    change = (fine[n] - fine[n][0])[::2] - (coarse[n] - coarse[n][0])
                    worst = max(worst, float(np.max(np.abs(change))))
            if (worst <= _CLOSE and nodes >= wanted) or nodes >= _MOST_NODES or not fine:
                return _Flight(first, last, period, nodes, worst if fine else 0.0)
            coarse, nodes = fine, 2 * nodes

    def _late_rise(self, steps: list[int], period: float, octave: int) -> float:
        """Return the height of delays in step that too few nodes would not meet, [1/time]."""
        delay = self._lost.delay
        if not delay > 0.0:
            return 0.0
        turn = 2.0 * np.pi / delay
        gap = turn / max(16.0, _FINE * math.sqrt(max(steps, default=1)))
        heights = gap * np.arange(_HEIGHTS, dtype=np.float64)
        self._points[octave] = np.asarray(1j * heights)
        self._marks.pop(octave, None)
        self._blocks.clear()
        # A rise is narrower than an eighth of a turn.
        least = 0.1 * _CLOSE * 8.0 * np.pi / turn
        found = (late_rise(np.abs(self._terms(n, period, octave)), least) for n in steps)
        return gap * max(found, default=0)

    def _rest(self, n: int, t: FloatArray) -> FloatArray:
        """Return the probability of n failures and at most so much time, [-]."""
        flight = self._flight(n)
        if n not in self._rests:
            octave = int(math.log2(max(n, 1)))
            terms = self._terms(n, flight.period, octave)
            if len(self._rests) * flight.nodes > _CACHED:
                self._rests.clear()
            self._rests[n] = series(terms, flight.period)
        values = self._rests[n]
        late = t - (n * self._lost.spacing + self._lows[n])
        place = late * (values.size / flight.period)
        waves = interpolate(values, place) - values[0]
        return np.asarray(self._steps[n] * (late / flight.period) + waves)

    def _terms(self, n: int, period: float, octave: int) -> ComplexArray:
        """Return the Fourier coefficients of the rest's cdf, but for its straight part."""
        s = self._points[octave]
        if self._struck is None:
            found = self._coefficients(octave, n)
        else:
            weights = self._struck[n].copy()
            weights[: self._depth + 1] = 0.0
            found = np.zeros_like(s)
            for j in np.flatnonzero(weights > 1e-18 * weights.max(initial=1e-300)):
                found = found + weights[j] * self._coefficients(octave, int(j))
        with np.errstate(all="ignore"):
            found = found * np.exp(s * self._lows[n]) / s
        found[0] = 0.0
        return np.asarray(found)

    def _coefficients(self, octave: int, n: int) -> ComplexArray:
        """Return the n-th coefficient at the points of an octave, from the last mark before."""
        block = n // _BLOCK
        key = (octave, block)
        if key not in self._blocks:
            s = self._points[octave]
            marks = self._marks.setdefault(octave, [self._lost.counting(s)])
            while len(marks) <= block:
                marks.append(self._walk(marks[-1], []))
            rows: list[ComplexArray] = []
            self._walk(marks[block], rows)
            if len(self._blocks) * _BLOCK * s.size > _CACHED:
                self._blocks.clear()
            self._blocks[key] = np.array(rows)
        return np.asarray(self._blocks[key][n % _BLOCK])

    def _walk(self, state: Counting, rows: list[ComplexArray]) -> Counting:
        """Count a block further, and append the coefficients on the way to `rows`."""
        for _ in range(_BLOCK):
            with np.errstate(under="ignore"):
                rows.append(np.asarray(state.value * math.exp(state.log_unit)))
            state = state.following()
        return state


def _points(period: float, nodes: int) -> ComplexArray:
    return np.asarray(2j * np.pi / period * np.arange(nodes))


def _struck(load: float, size: int) -> FloatArray:
    """Return, for n downtimes in rows, the probability that j failures lead to them."""
    most = _MOST_STRUCK
    n, j = np.arange(1, most + 1)[:, None], np.arange(1, size)[None, :]
    x = load * n
    with np.errstate(all="ignore"):  # terms with more failures than downtimes are left out
        log = special.xlogy(n - j, x) - x - special.gammaln(np.maximum(n - j, 0) + 1.0)
        share = np.where(n >= j, j / n * np.exp(log), 0.0)
    result = np.zeros((most + 1, size))
    result[0, 0] = 1.0
    result[1:, 1:] = share
    used = int(np.max(np.flatnonzero(result.max(axis=1) > _LEAST)))
    return result[: used + 1]
