"""The reservations of a machine with numbered nodes: which job holds which nodes, and when."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...records import FloatArray, IntArray

_FIRST_CHUNK, _CHUNK = 4, 64
_PLACES = (0.0, 0.25, 0.5, 0.75, 1.0)  # in a window, at which to look how many nodes are busy


class Calendar:
    """Slots of time on sets of nodes, each under a key; slots may overlap.

    Slots are rows of arrays, so that many candidate times are checked by one matrix product.
    Most candidates drop out before, because at one of a few instants too many nodes are busy; for
    this only slots count that share no node with others at any time.
    """

    def __init__(self, nodes: int) -> None:
        self._size = 0
        self._start = np.empty(64)
        self._end = np.empty(64)
        self._counted = np.zeros(64, dtype=np.int64)
        self._uses = np.zeros((64, nodes), dtype=np.float32)
        self._keys: list[object] = []
        self._row: dict[object, int] = {}

    def hold(
        self, key: object, nodes: IntArray, start: float, end: float, *, alone: bool = False
    ) -> None:
        """Hold `nodes` from `start` to `end` [s] under `key`, instead of what it held before.

        The caller sets `alone` if no other slot that is held alone overlaps this one on any node.
        """
        row = self._row.get(key)
        if row is None:
            row = self._size
            if row == self._start.size:
                self._start = np.resize(self._start, 2 * row)
                self._end = np.resize(self._end, 2 * row)
                self._counted = np.resize(self._counted, 2 * row)
                self._uses = np.resize(self._uses, (2 * row, self._uses.shape[1]))
            self._row[key] = row
            self._keys.append(key)
            self._size += 1
        self._start[row], self._end[row] = start, end
        self._counted[row] = nodes.size if alone else 0
        self._uses[row] = 0.0
        self._uses[row, nodes] = 1.0

    def release(self, key: object) -> None:
        """Delete the slot of `key`, if there is one."""
        if key not in self._row:
            return
        row, last = self._row.pop(key), self._size - 1
        moved = self._keys.pop()
        if row != last:
            self._start[row], self._end[row] = self._start[last], self._end[last]
            self._counted[row], self._uses[row] = self._counted[last], self._uses[last]
            self._keys[row], self._row[moved] = moved, row
        self._size = last

    def openings(
        self, now: float, count: int, duration: float, changes: FloatArray
    ) -> Iterator[tuple[float, IntArray]]:
        """Yield, by time, when `count` nodes are free for `duration` [s], and the free nodes.

        Times at which more can be free are now and the ends of slots; `changes` are others at
        which to look. After the last of them everything stays free. A `duration` too short for the
        clock is an instant, at which no slot may last.
        """
        size = self._size
        start, end, uses = self._start[:size], self._end[:size], self._uses[:size]
        later = changes[np.searchsorted(changes, now, side="right") :]
        ahead = end[(end > now) & (end < np.inf)]
        times = np.unique(np.concatenate(([now], ahead, later)))
        times = times[self._busy(times, duration) <= uses.shape[1] - count]
        first, chunk = 0, _FIRST_CHUNK
        while first < times.size:
            some = times[first : first + chunk, None]
            overlaps = ((start < some + duration) | (start <= some)) & (end > some)
            free = overlaps.astype(np.float32) @ uses == 0.0
            for place in np.flatnonzero(free.sum(axis=1) >= count):
                yield float(some[place, 0]), np.flatnonzero(free[place])
            first, chunk = first + chunk, _CHUNK

    def _busy(self, times: FloatArray, duration: float) -> IntArray:
        """Return for each start the most nodes seen busy at some instants of its window."""
        size = self._size
        by_start, by_end = np.argsort(self._start[:size]), np.argsort(self._end[:size])
        starts, ends = self._start[by_start], self._end[by_end]
        begun = np.concatenate(([0], np.cumsum(self._counted[by_start])))
        over = np.concatenate(([0], np.cumsum(self._counted[by_end])))
        most = np.zeros(times.size, dtype=np.int64)
        last = np.maximum(times, np.nextafter(times + duration, -np.inf))  # still in the window
        for share in _PLACES:
            instant = np.minimum(times + share * duration, last)
            begun_by = begun[np.searchsorted(starts, instant, side="right")]
            over_by = over[np.searchsorted(ends, instant, side="right")]
            most = np.maximum(most, begun_by - over_by)
        return most
