"""The mean time of a pattern on many levels from its Markov chain, solved as linear equations.

A state is how much is saved, which copies there are, and which of them is being read. The rules
are those of the simulator, written again, each with a fault that changes it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perfmodel.levels import Level

__all__ = ["FAULTS", "mean_time"]

State = tuple[int, tuple[tuple[int, int], ...], int]  # saved, copies by level, level read or -1

FAULTS = (
    "downtime dropped",
    "a recovery never fails",
    "every recovery from the last level",
    "all failures survived by the lowest level",
    "no failure survived but by the last level",
    "cost of the last level dropped",
    "one checkpoint too many",
    "rules exchanged",
    "work alone at risk",
)


def mean_time(
    levels: Sequence[Level],
    *,
    interval: float,
    counts: Sequence[int],
    mtbf: float,
    downtime: float = 0.0,
    rule: str = "reinstated",
    fault: str = "",
) -> float:
    """Return the mean time of one pattern, with a fault if one is named."""
    last = len(levels) - 1
    shares = [level.survives for level in levels]
    costs = [level.cost for level in levels]
    recoveries = [level.recovery for level in levels]
    if fault == "all failures survived by the lowest level":
        shares = [1.0] * len(shares)
    if fault == "no failure survived but by the last level":
        shares = [0.0] * last + [1.0]
    if fault == "every recovery from the last level":
        recoveries = [recoveries[-1]] * len(recoveries)
    if fault == "cost of the last level dropped":
        costs[-1] = 0.0
    if fault == "one checkpoint too many":
        counts = [count + (count > 0) for count in counts]
    if fault == "rules exchanged":
        rule = "escalate" if rule == "reinstated" else "reinstated"
    chain = _Chain(interval, costs, recoveries, shares, counts, 1.0 / mtbf, rule, fault)
    return chain.solved(0.0 if fault == "downtime dropped" else downtime)


@dataclass(frozen=True, slots=True)
class _Chain:
    """The states of one pattern, and where each leads."""

    interval: float
    costs: list[float]
    recoveries: list[float]
    shares: list[float]
    counts: Sequence[int]
    rate: float
    rule: str
    fault: str

    @property
    def last(self) -> int:
        return len(self.costs) - 1

    @property
    def used(self) -> list[int]:
        return [k for k in range(self.last) if self.counts[k]] + [self.last]

    def solved(self, downtime: float) -> float:
        """Return the mean time from the start to the last checkpoint."""
        total = math.prod(count + 1 for count in self.counts)
        states: dict[State, int] = {(0, self._left({}, self.last, 0), -1): 0}
        rows: list[tuple[float, list[tuple[float, State]]]] = []
        while len(rows) < len(states):
            for state in list(states)[len(rows) :]:
                time, struck, after = self._try(state)
                ways = [(1.0 - struck, after)] if after[0] < total else []
                ways += [(struck * share, to) for share, to in self._back(state)]
                rows.append((time + struck * downtime, ways))
                for _, target in ways:
                    states.setdefault(target, len(states))
        matrix, right = np.eye(len(states)), np.array([time for time, _ in rows])
        for row, (_, ways) in enumerate(rows):
            for weight, target in ways:
                matrix[row, states[target]] -= weight
        return float(np.linalg.solve(matrix, right)[0])

    def _level_of(self, place: int) -> int:
        """Return the level of the checkpoint at a place of the pattern."""
        found, every = self.used[0], 1
        for below, above in itertools.pairwise(self.used):
            every *= self.counts[below] + 1
            found = above if place % every == 0 else found
        return found

    def _left(self, copies: dict[int, int], level: int, saved: int) -> tuple[tuple[int, int], ...]:
        """Return the copies after a checkpoint of a level, or a recovery from it."""
        kept = {k: place for k, place in copies.items() if k > level}
        lower = self.used if self.rule == "reinstated" else [level]
        return tuple(sorted({**kept, **{k: saved for k in lower if k <= level}}.items()))

    def _try(self, state: State) -> tuple[float, float, State]:
        """Return the mean time of what a state does, how probably it fails, and what follows."""
        saved, held, reading = state
        if reading < 0:
            level, at = self._level_of(saved + 1), saved + 1
            span = self.interval + self.costs[level]
        else:
            level, at, span = reading, saved, self.recoveries[reading]
        exposed = span
        if self.fault == "work alone at risk" and reading < 0:
            exposed = self.interval
        if self.fault == "a recovery never fails" and reading >= 0:
            exposed = 0.0
        struck = -math.expm1(-self.rate * exposed)
        time = struck / self.rate + (span - exposed) * (1.0 - struck)
        return time, struck, (at, self._left(dict(held), level, at), -1)

    def _back(self, state: State) -> Iterator[tuple[float, State]]:
        """Return where each kind of failure leads, with its share."""
        _, held, reading = state
        for kind, share in enumerate(np.diff([0.0, *self.shares])):
            given_up = self.rule == "escalate" and reading == kind < self.last
            left = {k: place for k, place in held if k >= kind + given_up}
            lowest = min(left)
            yield float(share), (left[lowest], tuple(sorted(left.items())), lowest)
