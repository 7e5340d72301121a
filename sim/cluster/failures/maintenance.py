"""Windows in which nodes of a machine are out, as a feed, and those that planning knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import finite, kind_of, one_of, whole
from ...records import IntArray
from ...traces.failures.maintenance import WINDOW_KINDS, Window
from .feed import Failures


@dataclass(frozen=True, slots=True)
class Maintenance:
    """Windows of one machine.

    Parameters
    ----------
    windows : tuple of Window
        On the clock of the submissions, [s]; those of one node do not overlap.
    nodes : int
        Of the machine.

    Raises
    ------
    ValueError
        If a window does not end after its start, names nodes beyond the machine, or shares a node
        with another at one instant.
    TypeError
        If a window is none.
    """

    windows: tuple[Window, ...]
    nodes: int

    def __post_init__(self) -> None:
        whole("nodes", self.nodes)
        object.__setattr__(self, "windows", tuple(self.windows))
        for window in self.windows:
            kind_of("windows", window, Window, "make each with Window(start, end, kind)")
            one_of("kind", window.kind, WINDOW_KINDS)
            finite("start", window.start)
            if not finite("end", window.end) > window.start:
                raise ValueError(f"{_at(window)}end must be after start, got {window.end!r}")
            self._check_nodes(window)
        self._refuse_overlaps()

    def failures(self) -> Failures:
        """Return the feed: each node of a window fails at its start and is out until its end."""
        members = [self.members(window) for window in self.windows]
        counts = [each.size for each in members]
        starts = np.array([window.start for window in self.windows])
        lengths = np.array([window.end - window.start for window in self.windows])
        return Failures(
            np.repeat(starts, counts),
            np.concatenate(members) if members else np.empty(0, np.int64),
            np.repeat(lengths, counts),
        )

    def members(self, window: Window) -> IntArray:
        """Return the nodes of a window, sorted."""
        if not window.nodes:
            return np.arange(self.nodes)
        return np.unique(np.concatenate([np.arange(a, b + 1) for a, b in window.nodes]))

    def after(self, time: float) -> Maintenance:
        """Return the windows that last beyond `time`, [s]."""
        return Maintenance(tuple(w for w in self.windows if w.end > time), self.nodes)

    def planned(self) -> tuple[Window, ...]:
        """Return the windows that planning knows, by start."""
        known = [window for window in self.windows if window.kind == "planned"]
        return tuple(sorted(known, key=lambda window: window.start))

    def _check_nodes(self, window: Window) -> None:
        for first, last in window.nodes:
            if not 0 <= first <= last:
                raise ValueError(f"{_at(window)}nodes must be ranges from 0 up, got {first}-{last}")
            if last >= self.nodes:
                raise ValueError(
                    f"{_at(window)}nodes must be below the {self.nodes:,} of the machine, counted "
                    f"from 0, got {last}"
                )

    def _refuse_overlaps(self) -> None:
        until = np.full(self.nodes, -np.inf)
        latest = np.full(self.nodes, -1)
        for place in sorted(range(len(self.windows)), key=lambda n: self.windows[n].start):
            window = self.windows[place]
            members = self.members(window)
            both = members[until[members] > window.start]
            if both.size:
                other = self.windows[latest[both[0]]]
                beside = f" as in line {other.line}" if other.line else ""
                raise ValueError(
                    f"{_at(window)}windows of one node must not overlap, got node {int(both[0])} "
                    f"at {window.start:.15g}{beside}"
                )
            until[members], latest[members] = window.end, place


def _at(window: Window) -> str:
    return f"line {window.line}: " if window.line else ""
