"""The schedulers of three released versions of Cobalt, read in their source.

They differ in who drains, who is tried, and for how long backfilled jobs may run. What reading
shows to be a mistake there is left out, and each class says what.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ...._checks import nonnegative
from ....records import BoolArray, FloatArray, IntArray
from ..kernels.neighbours import lists_of
from ..machine import size_classes
from ..partitions import PartitionTable
from .scene import Chooser, Scene


@dataclass(frozen=True, slots=True)
class January2009:
    """No drains; backfilling until the next end of any job, longest first.

    Those down to the fall-back score of the top job are tried in order. If none starts, all
    waiting jobs are, by decreasing wall time, if they end at most `slack` after the first planned
    end on the machine. Nothing protects a job that waits for a large partition.

    Parameters
    ----------
    slack : float, [s]
        By how much a backfilled job may outlast that end; >= 0.

    Notes
    -----
    Left out: jobs past their planned end, which in the source close the window for all, and the
    wall clock that its simulator mixed with the time of the log.
    """

    slack: float = 120.0
    name: ClassVar[str] = "january-2009"

    def __post_init__(self) -> None:
        nonnegative("slack", self.slack)

    def seen(self, table: PartitionTable) -> PartitionTable:
        """Return the table as it is."""
        return table

    def chooser(self, table: PartitionTable) -> Chooser:
        """Return what decides on this machine."""
        return _NoDrains(table, self.slack)


@dataclass(frozen=True, slots=True)
class June2009:
    """The winning job drains before those within its fall-back score are tried; then the next.

    With threshold 0 only the top job's drain holds when others are tried, with threshold 1 all
    those above. Jobs of one size share a drain, which withholds its partition, what contains it,
    what it contains, and what of its size needs its wiring. Backfilling follows the score and does
    not heed drains: a job must end before the first busy partition that contains its own is free.

    Notes
    -----
    Left out: that a partition inside a busy one, or overlapping one, counts as free in five minutes
    whatever runs there; that a limit may fall below the end of a rival; that nothing is backfilled
    where no busy partition contains an idle one; that negative scores are never tried; and that its
    simulator lost the places of running jobs.
    """

    name: ClassVar[str] = "june-2009"

    def seen(self, table: PartitionTable) -> PartitionTable:
        """Return the table as it is."""
        return table

    def chooser(self, table: PartitionTable) -> Chooser:
        """Return what decides on this machine."""
        return _SharedDrains(table, self.withheld(table), everyone=False)

    def withheld(self, table: PartitionTable) -> BoolArray:
        """Return ``[p, q]``: whether a drain of p withholds q."""
        own = containers_of(table).T | np.eye(len(table), dtype=np.bool_)
        return table.parents | own


@dataclass(frozen=True, slots=True)
class Head:
    """Every job that cannot start drains; drains are shared; there is no fall-back threshold.

    The last version. A drain withholds all that conflicts with its partition, and allocation
    counts as parents all that conflicts with it except its own parts. Backfilling is that of
    `June2009`. The utility's threshold must be 0.

    Notes
    -----
    Left out: its simulator's search over permutations and its limit of 100,000 s.
    """

    name: ClassVar[str] = "head"

    def seen(self, table: PartitionTable) -> PartitionTable:
        """Return the table whose parents are all conflicts but the partition's own parts."""
        own = containers_of(table).T | np.eye(len(table), dtype=np.bool_)
        return replace(table, parents=table.conflicts & ~own)

    def chooser(self, table: PartitionTable) -> Chooser:
        """Return what decides on this machine."""
        return _SharedDrains(table, self.withheld(table), everyone=True)

    def withheld(self, table: PartitionTable) -> BoolArray:
        """Return ``[p, q]``: whether a drain of p withholds q."""
        return table.conflicts


class _NoDrains:
    def __init__(self, table: PartitionTable, slack: float) -> None:
        self._members, self._slack = size_classes(table)[1], slack

    def choose(self, scene: Scene) -> tuple[int, IntArray] | None:
        idle = scene.idle
        offers = np.array([bool(idle[fitting].any()) for fitting in self._members])
        order = scene.order[: scene.eligible]
        able = offers[scene.size_class[order]]
        if not able.any():
            later = scene.ends[scene.ends > scene.now]
            window = later.min() - scene.now + self._slack if later.size else -np.inf
            order = scene.order[np.argsort(-scene.planned[scene.order], kind="stable")]
            able = offers[scene.size_class[order]] & (scene.planned[order] <= window)
            if not able.any():
                return None
        waiting = int(order[np.argmax(able)])
        fitting = self._members[scene.size_class[waiting]]
        return waiting, fitting[idle[fitting]]


class _SharedDrains:
    """Jobs of one size drain the same partition, so that a size needs to be tried only once."""

    def __init__(self, table: PartitionTable, withheld: BoolArray, *, everyone: bool) -> None:
        self._members, self._withheld = size_classes(table)[1], withheld
        self._everyone = everyone
        self._containers, self._first = lists_of(containers_of(table))

    def choose(self, scene: Scene) -> tuple[int, IntArray] | None:
        limit = self._limits(scene)
        found = self._walk(scene, np.where(scene.idle & (limit == np.inf), scene.now, limit))
        return found or self._backfill(scene, limit)

    def _limits(self, scene: Scene) -> FloatArray:
        """Return when each partition is free; if idle, when the first that contains it is, [s]."""
        busy = np.where(scene.idle, np.inf, scene.free_at)
        limit = busy.copy()
        held = np.flatnonzero(np.diff(self._first))
        if held.size:
            first = np.minimum.reduceat(busy[self._containers], self._first[held])
            limit[held] = np.where(scene.idle[held], first, busy[held])
        return limit

    def _walk(self, scene: Scene, limit: FloatArray) -> tuple[int, IntArray] | None:
        free = scene.idle.copy()
        drained: set[int] = set()
        order, scores = scene.order[: scene.tried].tolist(), scene.scores
        classes = scene.size_class.tolist()
        known = 0  # so many, from the front, were tried
        for place, winner in enumerate(order):
            if place == known:
                candidates = self._offered(classes[winner], free)
                if candidates.size:
                    return winner, candidates
                known += 1
            if classes[winner] not in drained:
                drained.add(classes[winner])
                fitting = self._members[classes[winner]]
                free &= ~self._withheld[fitting[np.argmin(limit[fitting])]]
            least = _fallback(scores[winner], scene.threshold)
            while not self._everyone and known < len(order) and scores[order[known]] >= least:
                candidates = self._offered(classes[order[known]], free)
                if candidates.size:
                    return order[known], candidates
                known += 1
        return None

    def _offered(self, size: int, free: BoolArray) -> IntArray:
        fitting = self._members[size]
        return fitting[free[fitting]]

    def _backfill(self, scene: Scene, limit: FloatArray) -> tuple[int, IntArray] | None:
        latest = [
            limit[fitting[scene.idle[fitting]]].max(initial=-np.inf) for fitting in self._members
        ]
        ends = scene.now + scene.planned[scene.order]
        able = ends <= np.array(latest)[scene.size_class[scene.order]]
        if not able.any():
            return None
        place = int(np.argmax(able))
        fitting = self._members[scene.size_class[scene.order[place]]]
        in_time = scene.idle[fitting] & (ends[place] <= limit[fitting])
        return int(scene.order[place]), fitting[in_time]


def _fallback(score: float, threshold: float) -> float:
    """Return the score down to which jobs are tried once that of the winner cannot start."""
    return -np.inf if threshold == 0.0 else min(threshold * score, score)


def containers_of(table: PartitionTable) -> BoolArray:
    """Return ``[p, q]``: whether q holds all of p and more; other parents do not count."""
    cards = table.cards.astype(np.float32)
    inside = cards @ cards.T == np.count_nonzero(cards, axis=1)[:, None]
    return np.asarray(inside & (table.nodes > table.nodes[:, None]))
