"""The ways in which a job with two levels of checkpoints fails once or twice."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

_MOST = 12  # stretches of a pattern up to which two failures are enumerated: some 500 ways

Ways = dict[tuple[float, tuple[float, ...]], float]  # delay and spans -> number times shares


@dataclass(frozen=True, slots=True)
class Spans:
    """Exposures from one durable checkpoint to the next, [time].

    Parameters
    ----------
    count : int, [-]
        How many equal patterns.
    first : float, [time]
        The first segment with its checkpoint.
    between, number : float, [time], and int, [-]
        Length and number of equal segments after it.
    rest : tuple of float, [time]
        What comes after them: the last segment if it is not the first, the copy of a staged
        checkpoint.
    """

    count: int
    first: float
    between: float
    number: int
    rest: tuple[float, ...]

    @property
    def total(self) -> float:
        """All exposures of one pattern together, [time]."""
        return math.fsum((self.first, self.number * self.between, *self.rest))

    @property
    def different(self) -> tuple[float, ...]:
        """The lengths that occur, [time]."""
        between = (self.between,) if self.number else ()
        return tuple(dict.fromkeys((self.first, *between, *self.rest)))

    @property
    def stretches(self) -> int:
        """How many exposures there are, [-]."""
        return 1 + self.number + len(self.rest)

    def scaled(self, factor: float) -> Spans:
        """Return the same pattern in another unit of time."""
        rest = tuple(factor * span for span in self.rest)
        return replace(self, first=factor * self.first, between=factor * self.between, rest=rest)

    def each(self) -> tuple[float, ...]:
        """Return all exposures in turn, [time]."""
        return (self.first, *(self.between,) * self.number, *self.rest)


def ways_to_fail(
    patterns: tuple[Spans, ...],
    *,
    survived: float,
    local: float,
    durable: float,
    bare: bool,
    depth: int,
) -> Ways:
    """Return all ways to fail once, and twice if `depth` allows it and there are not too many."""
    depth = min(depth, 2 if sum(p.stretches for p in patterns) <= _MOST else 1)
    once: Ways = {}
    twice: Ways = {}
    for spans in patterns:
        walk = _Walk(spans.each(), survived, local, durable, bare)
        one, two = walk.ways(1), walk.ways(2) if depth > 1 else {}
        if depth > 1:
            pairs = spans.count * (spans.count - 1) / 2.0
            for more, number in (
                (two, float(spans.count)),
                (_both(one, one), pairs),
                (_both(once, one), float(spans.count)),
            ):
                _add(twice, more, number)
        _add(once, one, float(spans.count))
    return once | twice


def _add(total: Ways, more: Mapping[tuple[float, tuple[float, ...]], float], number: float) -> None:
    for key, weight in more.items():
        total[key] = total.get(key, 0.0) + number * weight


def _both(one: Ways, other: Ways) -> Ways:
    """Return each way of one pattern with each of another."""
    found: Ways = defaultdict(float)
    for (delay, spans), weight in one.items():
        for (more, others), factor in other.items():
            found[delay + more, tuple(sorted(spans + others))] += weight * factor
    return dict(found)


@dataclass(frozen=True, slots=True)
class _Walk:
    """One pattern, walked through from stretch to stretch.

    A place is a stretch and what is done there: ``"work"``, ``"alone"`` for work without a local
    copy, ``"local"`` and ``"durable"`` for a recovery.
    """

    spans: tuple[float, ...]
    survived: float
    local: float
    durable: float
    bare: bool

    def ways(self, failures: int) -> Ways:
        """Return the ways to fail so often from the start."""
        found: Ways = defaultdict(float)
        for weight, delay, spans in self._from("work", 0, failures):
            if weight > 0.0:
                found[delay, tuple(sorted(spans))] += weight
        return dict(found)

    def _path(self, what: str, place: int) -> Iterator[tuple[str, int]]:
        """Return what is done from a place to the end if nothing fails."""
        yield what, place
        if what == "local":
            yield "work", place
        elif what == "durable":
            yield ("alone" if self.bare else "work"), 0
        first = 1 if what == "durable" else place + 1
        for later in range(first, len(self.spans)):
            yield "work", later

    def _from(
        self, what: str, place: int, failures: int
    ) -> Iterator[tuple[float, float, tuple[float, ...]]]:
        """Return weight, delay and spans of each way to fail so often from a place on."""
        if not failures:
            yield 1.0, 0.0, ()
            return
        for doing, at in self._path(what, place):
            for share, then, back, delay, span in self._fail(doing, at):
                if span > 0.0 and share > 0.0:
                    for weight, more, spans in self._from(then, back, failures - 1):
                        yield share * weight, delay + more, (span, *spans)

    def _fail(self, doing: str, at: int) -> list[tuple[float, str, int, float, float]]:
        """Return share, recovery, stretch, delay and span of the failures at a place."""
        lost, before = 1.0 - self.survived, math.fsum(self.spans[:at])
        if doing == "work":
            span = self.spans[at]
            return [
                (self.survived, "local", at, self.local, span),
                (lost, "durable", 0, self.durable + before, span),
            ]
        if doing == "alone":
            return [(1.0, "durable", 0, self.durable, self.spans[0])]
        if doing == "local":
            # The recovery that was to succeed is already part of the delay.
            return [
                (self.survived, "local", at, 0.0, self.local),
                (lost, "durable", 0, self.durable + before - self.local, self.local),
            ]
        return [(1.0, "durable", 0, 0.0, self.durable)]
