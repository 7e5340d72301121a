"""Copies on levels below the last: what is known of them, and which is written next.

Levels are numbered from 1, the cheapest; the last one is durable. The best pattern is that of
`perfmodel.optimal_pattern_levels` for the failures and the costs seen so far. The shares of the
failures that the levels survive are learnt, too; the newest of many failures counts a fiftieth. A
level is written once the work since the last copy there or above comes nearest to the best period,
so that the pattern may change while it is followed.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._checks import shown
from ..levels.many import Level, expected_pattern_time
from ..levels.pattern import optimal_pattern_levels
from .survival import contradiction, mean_survived
from .tracked import Tracked

_MOST_READ = 50.0  # failures that are remembered
_MOVED = 0.05  # relative: less moves no pattern, the search of which takes milliseconds
_LEAST, _MOST = 2e-8, 50.0  # mtbfs: of what costs patterns are searched


def checked_copies(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Return the levels below the last, or raise what says why they are none."""
    found = tuple(levels)
    for level in found:
        if not isinstance(level, Level):
            raise TypeError(f"levels must be of class Level, got {shown(level)}")
    shares = [level.survives for level in found]
    if any(after < before for before, after in itertools.pairwise(shares)):
        raise ValueError(f"levels must be sorted by the share that they survive, got {shares}")
    if shares and shares[-1] == 1.0:
        raise ValueError(
            "levels must survive less than all failures, got survives=1.0: that is the checkpoint "
            "of `cost`"
        )
    return found


@dataclass(frozen=True, slots=True)
class Copies:
    """What an advisor remembers of its levels.

    Parameters
    ----------
    costs : tuple of Tracked, [s]
        Of checkpoints on each level but the last.
    read : tuple of float, [-]
        For each level, after how many failures it was the lowest that could be read.
    work : tuple of float, [s]
        For each level but the first, work from the last copy there or above to the last
        checkpoint; inf if such a copy was lost before it was durable.
    level, writing : int
        On which level the next checkpoint is due, and the last one was begun.
    fallen : bool
        Whether a failure struck since the job last worked.
    periods : tuple of float, [s]
        For each level, best work from a copy there or above to the next; equal to that of the level
        above if it is not used.
    known : tuple of float
        For what they are the best: failure rate, costs, and shares of the failures.
    """

    costs: tuple[Tracked, ...]
    read: tuple[float, ...]
    work: tuple[float, ...]
    level: int = 1
    writing: int = 1
    fallen: bool = False
    periods: tuple[float, ...] = ()
    known: tuple[float, ...] = ()

    @classmethod
    def of(cls, levels: Sequence[Level]) -> Copies:
        """Return what is known at first of the levels below the last."""
        return cls(
            costs=tuple(Tracked.stated(level.cost) for level in levels),
            read=(0.0,) * (len(levels) + 1),
            work=(0.0,) * len(levels),
        )

    @property
    def last(self) -> int:
        """The number of the level that survives all failures."""
        return len(self.costs) + 1

    @property
    def unused(self) -> bool:
        """Whether every checkpoint is on the last level."""
        return self.periods[0] == self.periods[-1]

    def survives(self, stated: Sequence[Level]) -> tuple[float, ...]:
        """Return the share of the failures that each level survives, as far as it is known."""
        return mean_survived([level.survives for level in stated], self.read)

    def contradiction(self, stated: Sequence[Level]) -> float:
        """Return how much the failures speak against what is stated of these shares."""
        return contradiction([level.survives for level in stated], self.read)

    def tiers(self, stated: Sequence[Level], cost: float, recovery: float) -> tuple[Level, ...]:
        """Return all levels as they are now known; `cost` and `recovery` [s] are of the last."""
        costs = (*(tracked.mean for tracked in self.costs), cost)
        recoveries = (*(level.recovery for level in stated), recovery)
        return tuple(map(Level, costs, recoveries, self.survives(stated)))

    def planned(self, levels: Sequence[Level], rate: float) -> Copies:
        """Return the same with the best pattern for `rate` [1/s], if that or a cost has moved."""
        shares = [0.0, *(level.survives for level in levels)]
        kinds = (high - low for low, high in itertools.pairwise(shares))
        known = (rate, *(level.cost for level in levels), *kinds)
        moved = (abs(new - old) > _MOVED * old for new, old in zip(known, self.known, strict=False))
        if self.known and not any(moved):
            return self
        mtbf = 1.0 / rate
        within = [
            Level(
                min(max(level.cost, _LEAST * mtbf), _MOST * mtbf),
                min(level.recovery, _MOST * mtbf),
                level.survives,
            )
            for level in levels
        ]
        best = optimal_pattern_levels(within, mtbf=mtbf)
        every = itertools.accumulate((1 + n for n in best.counts), operator.mul, initial=1)
        return replace(self, known=known, periods=tuple(best.interval * n for n in every))

    def placed(self, interval: float) -> int:
        """Return the level of a checkpoint after `interval` seconds more of work."""
        level = 1
        for above in range(2, self.last + 1):
            if self.work[above - 2] + 1.5 * interval >= self.periods[above - 1]:
                level = above
        while level < self.last and self.periods[level - 1] == self.periods[level]:
            level += 1
        return level

    def mean_cost(self, cost: float, interval: float = math.inf) -> float:
        """Return the mean cost of a checkpoint, [s], if one is written every `interval` seconds.

        `cost` is that of the last level. An `interval` of inf is the best one.
        """
        if not self.periods:
            return cost
        spans = self.spans(interval if interval < math.inf else self.periods[0])
        often = [*(spans[0] / span for span in spans), 0.0]
        costs = (*(tracked.mean for tracked in self.costs), cost)
        alone = (each - above for each, above in itertools.pairwise(often))
        return math.fsum(map(operator.mul, costs, alone))

    def expected_loss(self, levels: Sequence[Level], rate: float, interval: float) -> float:
        """Return the share of time that is lost in a long run, [-]."""
        if interval == math.inf:
            return 1.0
        spans = self.spans(interval)
        counts = [max(round(above / each), 1) - 1 for each, above in itertools.pairwise(spans)]
        work = interval * math.prod(1 + count for count in counts)
        time = expected_pattern_time(levels, interval=interval, counts=counts, mtbf=1.0 / rate)
        return 1.0 - work / time

    def spans(self, interval: float) -> tuple[float, ...]:
        """Return the periods if the lowest level that is used has that `interval`."""
        low = self.periods[0]
        return tuple(interval if each == low else max(each, interval) for each in self.periods)

    def written(self, worked: float, took: float) -> Copies:
        """Return what is known once a copy lies on the level that was written.

        `worked` [s] is the work since the last checkpoint, `took` [s] the cost of this one.
        """
        level = self.writing
        work = tuple(0.0 if k <= level else w + worked for k, w in enumerate(self.work, start=2))
        costs = tuple(
            cost.seen(took) if k == level else cost for k, cost in enumerate(self.costs, start=1)
        )
        return replace(self, work=work, costs=costs, fallen=False)

    def struck(self, *, draining: bool) -> Copies:
        """Return what is known after a failure, perhaps before a durable copy was complete."""
        work = (*self.work[:-1], math.inf) if draining else self.work
        return replace(self, work=work, fallen=True)

    def resumed(self, level: int) -> Copies:
        """Return what is known once the job goes on from the last copy on a level or above."""
        undone = self.work[level - 2] if level > 1 else 0.0
        work = tuple(0.0 if k <= level else w - undone for k, w in enumerate(self.work, start=2))
        if not self.fallen:
            return replace(self, work=work)
        kept = min(1.0, (_MOST_READ - 1.0) / max(math.fsum(self.read), 1.0))
        read = tuple(kept * n + (k == level) for k, n in enumerate(self.read, start=1))
        return replace(self, work=work, read=read, fallen=False)
