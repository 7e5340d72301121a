"""The transform of a makespan with a local level of checkpoints and a durable one.

Passages from one durable checkpoint to the next follow each other, each tried until it gets
through without a durable recovery. Transforms are of the time that is lost: what a durable
recovery throws away counts as lost when it is thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from .._checks import BoolArray, ComplexArray, FloatArray
from .._special import log1p
from ._first_failures import Visit
from ._pole import nearest_pole
from ._segment_process import SegmentProcess
from ._struck_process import StruckProcess
from ._uptimes import attempt, attempt_lasting
from .level_visits import Spans, ways_to_fail
from .repairs import Repair

_NEAR = 0.5  # of 1: from here on a difference to 1 is summed, which cancels nothing


@dataclass(frozen=True, slots=True)
class _Run:
    """Transforms of a stretch that is passed or thrown back from, arrays over s.

    Parameters
    ----------
    passes : ndarray
        Of the time lost until the stretch is passed, with its probability.
    falls : ndarray
        Of the whole time until it is thrown back, with its probability.
    lasting : ndarray
        1 less both, without cancellation.
    kept : ndarray
        exp(-s length) of the whole stretch.
    gone : ndarray
        1 - `kept`, without cancellation.
    """

    passes: ComplexArray
    falls: ComplexArray
    lasting: ComplexArray
    kept: ComplexArray
    gone: ComplexArray

    def then(self, other: _Run) -> _Run:
        """Return this stretch followed by another."""
        late = self.passes * other.falls
        return _Run(
            self.passes * other.passes,
            self.falls + late * self.kept,
            self.lasting + self.passes * other.lasting + late * self.gone,
            self.kept * other.kept,
            self.gone + self.kept * other.gone,
        )

    def power(self, count: int) -> _Run:
        """Return `count` >= 1 of these in turn, by repeated squaring."""
        found: _Run | None = None
        square = self
        while True:
            if count % 2:
                found = square if found is None else found.then(square)
            count //= 2
            if not count:
                assert found is not None
                return found
            square = square.then(square)


def _rest_of_one(part: ComplexArray, summed: ComplexArray) -> ComplexArray:
    """Return 1 - `part`, which is `summed` from terms that do not cancel where it is small."""
    direct = 1.0 - part
    return np.where(np.abs(direct) < _NEAR, summed, direct)


def _log_rest(part: ComplexArray, rest: ComplexArray, *, far: bool) -> ComplexArray:
    """Return log(1 - `part`), by `rest` = 1 - part where the part is not small."""
    small = log1p(-part)
    return small if far else np.where(np.abs(part) < _NEAR, small, np.log(rest))


@dataclass(frozen=True, slots=True)
class _Attempts:
    """What all stretches share at given s: the ends of a local and of a durable recovery.

    Parameters
    ----------
    struck, lasting, shift : callable
        Of a span: transform of an uptime that it cuts, 1 less it but for those not cut, and
        exp(-s span) with 1 less it.
    back, lost, still : ndarray
        Transform of the time of a downtime and a local recovery that succeeds, one that destroys
        the local copy, and 1 less both.
    again, remains : ndarray
        Transform of a durable recovery, and 1 less it.
    known : dict
        Stretches that have been computed.
    """

    rate: float
    survived: float
    struck: Callable[[float], ComplexArray]
    lasting: Callable[[float], ComplexArray]
    shift: Callable[[float], tuple[ComplexArray, ComplexArray]]
    back: ComplexArray
    lost: ComplexArray
    still: ComplexArray
    again: ComplexArray
    remains: ComplexArray
    known: dict[float, _Run] = field(default_factory=dict)

    def retries(self, span: float) -> ComplexArray:
        """Transform of an attempt at `span` after which it is made again."""
        return self.survived * self.struck(span) * self.back

    def run(self, span: float) -> _Run:
        """Return a stretch of one attempt, made again after each local recovery."""
        if span not in self.known:
            self.known[span] = self._run(span)
        return self.known[span]

    def _run(self, span: float) -> _Run:
        struck = self.struck(span)
        done = math.exp(-self.rate * span)
        falls = struck * ((1.0 - self.survived) + self.survived * self.lost)
        lasting = self.lasting(span) + self.survived * struck * self.still
        whole = _rest_of_one(self.survived * struck * self.back, done + falls + lasting)
        return _Run(done / whole, falls / whole, lasting / whole, *self.shift(span))

    def pattern(self, spans: Spans) -> tuple[_Run, _Run | None]:
        """Return a pattern, and all of it but its first stretch."""
        rest: _Run | None = None
        if spans.number:
            rest = self.run(spans.between).power(spans.number)
        for span in spans.rest:
            one = self.run(span)
            rest = one if rest is None else rest.then(one)
        first = self.run(spans.first)
        return (first if rest is None else first.then(rest)), rest

    def open(self, run: _Run) -> ComplexArray:
        """Return 1 less the transform of falling and of the durable recovery after it."""
        summed = run.passes + run.lasting + run.falls * self.remains
        return _rest_of_one(run.falls * self.again, summed)


@dataclass(frozen=True)
class LevelProcess(StruckProcess):
    """The time lost in patterns of segments on two levels.

    Parameters
    ----------
    rate, survived : float, [1/time], [-]
        Of all failures, and the share of them that leaves the local copy.
    patterns : tuple of Spans
        Kinds of patterns.
    local, durable : float, [time]
        Recoveries from either copy.
    bare : bool
        Whether a durable recovery leaves no local copy, until the next checkpoint.
    down : Repair
        A downtime.
    extent : float, [time]
        Mean time lost.
    """

    rate: float
    survived: float
    patterns: tuple[Spans, ...]
    local: float
    durable: float
    bare: bool
    down: Repair
    extent: float
    counted = None  # failures are not counted step by step

    @property
    def busy(self) -> float:
        """The makespan without failures, [time]."""
        return math.fsum(p.count * p.total for p in self.patterns)

    @property
    def _different(self) -> tuple[float, ...]:
        return tuple({span for pattern in self.patterns for span in pattern.different})

    @property
    def finest(self) -> float:
        """The shortest time that an attempt takes, roughly, [time]."""
        return min(1.0 / self.rate, *(span for span in self._different if span > 0.0))

    @property
    def scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        back = min(max(self._different) + self.local, 1.0 / self.rate)
        return back + self.down.mean

    @cached_property
    def _durable(self) -> SegmentProcess:
        return SegmentProcess(self.rate, ((1, 0.0),), self.durable, self.down)

    def _attempts(self, s: ComplexArray) -> _Attempts:
        """Return what all stretches share at `s`."""
        gone = self.down.complement(s)
        down = 1.0 - gone
        struck = attempt(s, self.rate, self.local)
        share = self.survived
        done = np.exp(-(s + self.rate) * self.local) * down
        fails = (1.0 - share) * struck * down
        still = gone + down * s * struck / self.rate
        whole = _rest_of_one(share * struck * down, done + fails + still)
        return _Attempts(
            self.rate,
            share,
            lambda span: attempt(s, self.rate, span),
            lambda span: attempt_lasting(s, self.rate, span),
            lambda span: (np.exp(-s * span), -np.expm1(-s * span)),
            done / whole,
            fails / whole,
            still / whole,
            self._durable.repair(s),
            self._durable.repair_lasting(s),
        )

    def _far_attempts(self, s: ComplexArray) -> _Attempts:
        """Return the same where no difference to 1 cancels: one exponential for each span."""
        down = self.down.transform(s)
        share, none = self.survived, np.zeros_like(s)
        odds = self.rate / (s + self.rate)

        @cache
        def kept(span: float) -> ComplexArray:
            return np.asarray(np.exp(-s * span))

        @cache
        def struck(span: float) -> ComplexArray:
            return np.asarray(odds * (1.0 - math.exp(-self.rate * span) * kept(span)))

        def recovery(span: float, share: float) -> tuple[ComplexArray, ComplexArray]:
            done = math.exp(-self.rate * span) * kept(span) * down
            again = struck(span) * down
            return done / (1.0 - share * again), (1.0 - share) * again / (1.0 - share * again)

        back, lost = recovery(self.local, share)
        again, _ = recovery(self.durable, 1.0)
        return _Attempts(
            self.rate,
            share,
            struck,
            lambda span: none,
            lambda span: (kept(span), none),
            back,
            lost,
            none,
            again,
            none,
        )

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        stretches = max(p.stretches for p in self.patterns)
        within = max(4.0 * self.rate * stretches, 0.5 / max(self._different))
        # Left of the rate of failures, transforms of long stretches grow.
        left = max(-(float(s.real.min(initial=0.0)) + self.rate), 0.0)
        within *= math.exp(min(left * max(p.total for p in self.patterns), 700.0))
        near = np.abs(s + self.rate) < within
        total = np.empty_like(s)
        with np.errstate(all="ignore"):
            total[near] = self._log_ratio(self._attempts(s[near]), far=False)
            total[~near] = self._log_ratio(self._far_attempts(s[~near]), far=True)
        return total

    def _log_ratio(self, at: _Attempts, *, far: bool) -> ComplexArray:
        total = np.zeros_like(at.back)
        for spans in self.patterns:
            run, rest = at.pattern(spans)
            change = np.zeros_like(total)
            numbers = [(spans.first, 1), (spans.between, spans.number)]
            for span, number in (*numbers, *((span, 1) for span in spans.rest)):
                if number:
                    passes = at.run(span).passes * math.exp(self.rate * span)
                    change -= number * _log_rest(at.retries(span), 1.0 / passes, far=far)
            again = run.falls * at.again
            if self.bare:
                restarted, open_ = self._restarted(at, spans, rest)
                after = np.ones(()) if rest is None else rest.passes
                change += log1p(again * restarted.passes / open_ * after / run.passes)
            else:
                change -= _log_rest(again, at.open(run), far=far)
            total = total + spans.count * change
        return total

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))], relatively accurate also near s = 0."""
        total = np.zeros_like(s)
        with np.errstate(all="ignore"):
            at = self._attempts(s)
            for spans in self.patterns:
                run, rest = at.pattern(spans)
                if self.bare:
                    left = run.lasting + run.falls * self._late(at, spans, rest)
                    change = log1p(-left)
                else:
                    more = run.lasting + run.falls * at.remains
                    change = -log1p(np.asarray(more / run.passes))
                total = total + spans.count * change
        return np.asarray(total)

    def _restarted(
        self, at: _Attempts, spans: Spans, rest: _Run | None
    ) -> tuple[_Run, ComplexArray]:
        """Return the first stretch without a local copy, and 1 less falling after it."""
        struck = at.struck(spans.first)
        done = math.exp(-self.rate * spans.first)
        lasting = at.lasting(spans.first) + struck * at.remains
        whole = _rest_of_one(struck * at.again, done + lasting)
        first = _Run(done / whole, 0.0 * struck, lasting / whole, *at.shift(spans.first))
        if rest is None:
            return first, np.ones_like(struck)
        run = first.then(rest)
        return first, at.open(run)

    def _late(self, at: _Attempts, spans: Spans, rest: _Run | None) -> ComplexArray:
        """Return 1 less a durable recovery and the pattern without a local copy after it."""
        first, open_ = self._restarted(at, spans, rest)
        run = first if rest is None else first.then(rest)
        left = (run.lasting + run.falls * at.remains) / open_
        return np.asarray(at.remains + at.again * left)

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""
        down = np.abs(self.down.transform(s)).astype(np.complex128)
        struck = np.abs(attempt(s, self.rate, self.local))
        whole = 1.0 - self.survived * struck * down
        last = np.abs(attempt(s, self.rate, self.durable))
        zero = np.zeros_like(s)

        def kept(span: float) -> ComplexArray:
            return np.asarray(np.exp(-s.real * span), dtype=np.complex128)

        at = _Attempts(
            self.rate,
            self.survived,
            lambda span: np.abs(attempt(s, self.rate, span)).astype(np.complex128),
            lambda span: zero,
            lambda span: (kept(span), zero),
            kept(self.local) * math.exp(-self.rate * self.local) * down / whole,
            (1.0 - self.survived) * struck * down / whole,
            zero,
            kept(self.durable) * math.exp(-self.rate * self.durable) * down / (1.0 - last * down),
            zero,
        )
        total = np.full(s.shape, self.log_atom)
        for spans in self.patterns:
            run, _ = at.pattern(spans)
            grown = np.log(run.passes.real) + self.rate * spans.total
            total += spans.count * (grown - np.log1p(-(run.falls * at.again).real))
        return np.asarray(np.exp(total) - math.exp(self.log_atom) - self.first_failures.bound(s))

    def resonances(self) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted."""
        longest = max(self._different)
        near = self._known.resonances(self.local, longest)
        return np.unique(np.concatenate([near, self._known.resonances(self.durable, longest)]))

    @cached_property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches: to its nearest pole."""

        def exists(c: FloatArray) -> BoolArray:
            s = (-c).astype(np.complex128)
            with np.errstate(all="ignore"):
                at = self._attempts(s)
                good = (at.back.real > 0.0) & (at.again.real > 0.0)
                for spans in self.patterns:
                    run, rest = at.pattern(spans)
                    good &= (at.open(run).real > 0.0) & (run.passes.real > 0.0)
                    for span in spans.different:
                        good &= at.run(span).passes.real > 0.0
                    if self.bare:
                        first, open_ = self._restarted(at, spans, rest)
                        good &= (first.passes.real > 0.0) & (open_.real > 0.0)
            return np.asarray(good)

        start = min(1e-12 * self.rate, 1e-3 / max(self.extent, self.scale))
        return nearest_pole(exists, start=start, end=self.down.abscissa)

    def _visits(self, depth: int) -> tuple[Visit, ...]:
        """Return the ways to fail once or twice."""
        ways = ways_to_fail(
            self.patterns,
            survived=self.survived,
            local=self.local,
            durable=self.durable,
            bare=self.bare,
            depth=depth,
        )
        return tuple(
            Visit(weight * math.exp(self.log_atom - self.rate * delay), delay, spans)
            for (delay, spans), weight in ways.items()
        )
