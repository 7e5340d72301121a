"""The transform of a makespan with asynchronous checkpoints: a cold snapshot, then warm ones.

Here none is skipped; `_skipping_process` is where some are.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._checks import ComplexArray, FloatArray
from .._special import log1p
from ._first_failures import Visit
from ._segment_process import SegmentProcess
from ._struck_process import StruckProcess
from ._uptimes import attempt, attempt_lasting
from .repairs import Repair


@dataclass(frozen=True)
class AbstractAsyncProcess(StruckProcess):
    """The time lost by a first snapshot that takes `first`, and by those after it.

    Parameters
    ----------
    rate, first, recovery : float, [1/time], [time], [time]
        Of failures, the first snapshot from its cold start, and a recovery.
    down : Repair
        A downtime.
    """

    rate: float
    first: float
    recovery: float
    down: Repair
    counted = None  # failures are not counted step by step

    @property
    @abstractmethod
    def downtimes(self) -> float:
        """Mean number of downtimes, those of failed recoveries included, [-]."""

    @property
    @abstractmethod
    def finest(self) -> float:
        """The shortest time that an attempt takes, roughly, [time]."""

    @property
    @abstractmethod
    def longest(self) -> float:
        """The longest attempt, [time], which is from a cold start."""

    @abstractmethod
    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""

    @abstractmethod
    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))], relatively accurate also near s = 0."""

    @abstractmethod
    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""

    @cached_property
    def cold(self) -> SegmentProcess:
        """The first snapshot, which is a synchronous segment."""
        return self.tried(self.first)

    def tried(self, busy: float) -> SegmentProcess:
        """Return a snapshot from a cold start, which is a synchronous segment."""
        return SegmentProcess(self.rate, ((1, busy),), self.recovery, self.down)

    @property
    def scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        lost = min(self.longest + self.recovery, 1.0 / self.rate)
        return lost + (self.down.mean if math.isfinite(self.down.mean) else 0.0)

    @property
    def extent(self) -> float:
        """What all failures cost, roughly, [time]."""
        return self.scale * min(self.downtimes, 1e250)

    @cached_property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches: to the pole of the longest cold snapshot."""
        return self.tried(self.longest).abscissa

    def resonances(self) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted."""
        return self._known.resonances(self.recovery, self.longest)

    def repair_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform from a failure to the end of the recovery, [-]."""
        down = np.abs(self.down.transform(s))
        again = np.abs(attempt(s, self.rate, self.recovery))
        kept = np.exp(-(s.real + self.rate) * self.recovery)
        return np.asarray(down * kept / (1.0 - again * down))


@dataclass(frozen=True, slots=True)
class Warm:
    """Equal snapshots, each made right after another.

    Parameters
    ----------
    count : int, [-]
        How many.
    spacing : float, [time]
        From one durable snapshot to the next if nothing fails.
    busy : float, [time]
        The same from a cold start.
    gap : float, [time]
        The difference of the two.
    """

    count: int
    spacing: float
    busy: float
    gap: float


@dataclass(frozen=True)
class AsyncProcess(AbstractAsyncProcess):
    """The time lost by a first snapshot that takes `first`, and by `warm` ones."""

    warm: tuple[Warm, ...]

    @property
    def busy(self) -> float:
        """The makespan without failures, [time]."""
        return math.fsum((self.first, *(w.count * w.spacing for w in self.warm)))

    @property
    def downtimes(self) -> float:
        """Mean number of downtimes, those of failed recoveries included, [-]."""
        failures = math.expm1(min(self.rate * self.first, 700.0))
        for warm in self.warm:
            struck = -math.expm1(-self.rate * warm.spacing)
            failures += warm.count * struck * math.exp(min(self.rate * warm.busy, 700.0))
        return failures * math.exp(min(self.rate * self.recovery, 700.0))

    @property
    def finest(self) -> float:
        """The shortest time that an attempt takes, roughly, [time]."""
        return min(1.0 / self.rate, self.first, *(warm.spacing for warm in self.warm))

    @property
    def longest(self) -> float:
        """The longest attempt, [time]."""
        return max(self.first, *(warm.busy for warm in self.warm), 0.0)

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        total = self.cold.log_ratio(s)
        repair = self.cold.repair(s)
        with np.errstate(all="ignore"):
            for warm in self.warm:
                # A failure, a repair, and a cold snapshot that takes `gap` longer.
                cold = self.tried(warm.busy).log_ratio(s)
                struck = attempt(s, self.rate, warm.spacing) * repair
                again = struck * np.exp(cold - (s + self.rate) * warm.gap)
                total = total + warm.count * log1p(np.asarray(again))
        return np.asarray(total)

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))], relatively accurate also near s = 0."""
        total = self.cold.log_transform(s)
        lasting = self.cold.repair_lasting(s)
        with np.errstate(all="ignore"):
            for warm in self.warm:
                cold = self.tried(warm.busy).log_transform(s)
                after = -np.expm1(log1p(-lasting) + cold - s * warm.gap)
                struck = attempt(s, self.rate, warm.spacing)
                more = attempt_lasting(s, self.rate, warm.spacing) + struck * after
                total = total + warm.count * log1p(np.asarray(-more))
        return np.asarray(total)

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""
        repair = self.repair_bound(s)
        total = self.log_atom - np.log1p(-np.abs(attempt(s, self.rate, self.first)) * repair)
        for warm in self.warm:
            struck = np.abs(attempt(s, self.rate, warm.spacing)) * repair
            cold = 1.0 - np.abs(attempt(s, self.rate, warm.busy)) * repair
            later = np.exp(-(s.real + self.rate) * warm.gap)
            total = total + warm.count * np.log1p(struck * later / cold)
        return np.asarray(np.exp(total) - math.exp(self.log_atom) - self.first_failures.bound(s))

    def _visits(self, depth: int) -> Iterator[Visit]:
        """Return the ways to fail up to `depth` times.

        In a kind of warm snapshots `hits` are struck, and cold ones after them `more` times; the
        first snapshot shares its `more` with those of its own length.
        """
        kinds = [(0, self.first, 0.0, 0.0, 1)]
        kinds += [(w.count, w.busy, w.spacing, w.gap, 0) for w in self.warm]
        if len(kinds) > 1 and kinds[1][1] == self.first:
            kinds[:2] = [(*kinds[1][:4], 1)]

        def ways(place: int, left: int) -> Iterator[tuple[float, float, int, tuple[float, ...]]]:
            """Return weight, gaps, failures and spans, from a kind on."""
            if place == len(kinds):
                yield 1.0, 0.0, 0, ()
                return
            count, busy, spacing, gap, extra = kinds[place]
            for hits in range(min(count, left) + 1):
                for more in range(left - hits + 1 if hits + extra else 1):
                    chosen = math.comb(count, hits)
                    if more:
                        chosen *= math.comb(more + hits + extra - 1, more)
                    spans = (spacing,) * hits + (busy,) * more
                    for weight, gaps, number, others in ways(place + 1, left - hits - more):
                        yield (
                            weight * chosen,
                            gaps + hits * gap,
                            number + hits + more,
                            spans + others,
                        )

        for weight, gaps, number, spans in ways(0, depth):
            if not number:
                continue
            for repeats in range(depth - number + 1 if self.recovery else 1):
                delay = number * self.recovery + gaps
                kept = math.exp(self.log_atom - self.rate * delay)
                chosen = weight * math.comb(number + repeats - 1, repeats)
                yield Visit(chosen * kept, delay, (*spans, *(self.recovery,) * repeats))
