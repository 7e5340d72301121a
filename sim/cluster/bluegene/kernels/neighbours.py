"""The parts of a readable Blue Gene pass that are repeated most, compiled.

The walk of `schedulers.separate.choose` and the sum of `allocation.newly_blocked`; tests prove each
equal to its readable twin. A partition conflicts with a few dozen others, so both go through lists
of neighbours.
"""

from __future__ import annotations

import numpy as np

from ...._compiled import compiled
from ....records import BoolArray, FloatArray, IntArray


def lists_of(related: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the columns that the rows mark, row by row, and where those of each row begin."""
    # One axis at a time: for rows of a wide table several times as fast as np.nonzero.
    rows, columns = np.divmod(np.flatnonzero(related), related.shape[1])
    return columns, np.searchsorted(rows, np.arange(len(related) + 1))


class Neighbours:
    """The other partitions that each partition's row of `related` marks."""

    def __init__(self, related: BoolArray) -> None:
        self.members, self.first = lists_of(related & ~np.eye(len(related), dtype=np.bool_))

    def summed(self, candidates: IntArray, weight: FloatArray) -> FloatArray:
        """Return the summed weight of each candidate's neighbours."""
        total = np.empty(candidates.size)
        _summed(candidates, weight, self.members, self.first, total)
        return total

    def hold(self, placements: IntArray, ends: FloatArray, free: FloatArray) -> None:
        """Raise `free` to the end of every placement on it and on its neighbours."""
        _hold(placements, ends, self.members, self.first, free)


class Walk:
    """The fixed part of the walk: the partitions of each size, and which pairs conflict."""

    def __init__(self, members: list[IntArray], conflicts: BoolArray) -> None:
        self._members = np.concatenate(members)
        self._first = np.concatenate(([0], np.cumsum([m.size for m in members])))
        self._neighbours = Neighbours(conflicts)

    def choose(
        self,
        order: IntArray,
        *,
        eligible: int,
        size_class: IntArray,
        planned: FloatArray,
        idle: BoolArray,
        free_at: FloatArray,
        now: float,
    ) -> tuple[int, IntArray] | None:
        """Return which waiting job starts and the partitions it could start on, or None."""
        candidates = np.empty(idle.size, dtype=np.int64)
        waiting, count = _walk(
            order,
            eligible,
            size_class,
            planned,
            self._members,
            self._first,
            idle,
            free_at,
            self._neighbours.members,
            self._neighbours.first,
            now,
            candidates,
        )
        return None if waiting < 0 else (int(waiting), candidates[:count])


@compiled()
def _walk(  # type: ignore[no-untyped-def]  # noqa: PLR0912 (one walk, split it would be slower)
    order,
    eligible,
    size_class,
    planned,
    members,
    first,
    idle,
    free_at,
    neighbours,
    neighbours_first,
    now,
    candidates,
):
    drained_at = np.full(idle.size, np.inf)
    exhausted = np.zeros(first.size - 1, dtype=np.bool_)  # sizes whose partitions all drain
    for waiting in order[:eligible]:
        size = size_class[waiting]
        if exhausted[size]:
            continue
        count, drain = 0, -1
        for partition in members[first[size] : first[size + 1]]:
            if drained_at[partition] < np.inf:
                continue
            if idle[partition]:
                candidates[count] = partition
                count += 1
            if drain < 0 or free_at[partition] < free_at[drain]:
                drain = partition
        if count:
            return waiting, count
        if drain < 0:
            exhausted[size] = True
            continue
        drained_at[drain] = until = free_at[drain]
        for partition in neighbours[neighbours_first[drain] : neighbours_first[drain + 1]]:
            drained_at[partition] = min(drained_at[partition], until)
    for waiting in order:
        size, end, count = size_class[waiting], now + planned[waiting], 0
        for partition in members[first[size] : first[size + 1]]:
            if idle[partition] and end <= drained_at[partition]:
                candidates[count] = partition
                count += 1
        if count:
            return waiting, count
    return -1, 0


@compiled()
def _summed(candidates, weight, members, first, total):  # type: ignore[no-untyped-def]
    for place in range(candidates.size):
        partition, sum_ = candidates[place], 0.0
        for neighbour in members[first[partition] : first[partition + 1]]:
            sum_ += weight[neighbour]
        total[place] = sum_


@compiled()
def _hold(placements, ends, members, first, free):  # type: ignore[no-untyped-def]
    for place in range(placements.size):
        partition, end = placements[place], ends[place]
        free[partition] = max(free[partition], end)
        for neighbour in members[first[partition] : first[partition + 1]]:
            free[neighbour] = max(free[neighbour], end)
