"""Outages of a machine, drawn at random: what a log is written from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

__all__ = ["DrawnLog", "Outage", "drawn_log"]

MINUTE, DAY = 60, 86_400
BEGIN = 1_767_225_600  # 2026-01-01, [s]
_CAUSES = ("power", "memory", "network", "gpu 79")


@dataclass(frozen=True, slots=True)
class Outage:
    """One node is down from `start` until `end`, whole minutes since 1970, [s].

    `pieces` are the instants between at which a log may cut it into rows that touch.
    """

    node: int
    start: int
    end: int
    cause: str
    pieces: tuple[int, ...] = ()
    planned: bool = False

    @property
    def rows(self) -> tuple[tuple[int, int], ...]:
        """Start and end of each row."""
        ends = (*self.pieces, self.end)
        return tuple(zip((self.start, *self.pieces), ends, strict=True))


@dataclass(frozen=True, slots=True)
class DrawnLog:
    """Outages in the order of time, no two at one instant or within an hour on one node."""

    outages: tuple[Outage, ...]
    nodes: int

    @property
    def failures(self) -> tuple[Outage, ...]:
        """Those that were not planned."""
        return tuple(outage for outage in self.outages if not outage.planned)

    def cut(self, rng: np.random.Generator) -> DrawnLog:
        """Return the log with each outage in one to three rows that touch."""
        outages = []
        for outage in self.outages:
            inside = np.arange(outage.start + MINUTE, outage.end, MINUTE)
            count = min(int(rng.integers(0, 3)), inside.size)
            places = np.sort(rng.choice(inside, count, replace=False))
            outages.append(replace(outage, pieces=tuple(places.tolist())))
        return replace(self, outages=tuple(outages))


def drawn_log(rng: np.random.Generator, *, planned: bool = False) -> DrawnLog:
    """Draw a log of three to thirty outages of a few nodes over some months.

    Times are whole minutes, as the coarsest format has them. With `planned` some are planned work.
    """
    nodes = int(rng.integers(2, 7))
    count = int(rng.integers(3, 31))
    starts = BEGIN + DAY + MINUTE * np.sort(rng.choice(120 * 24 * 60, count, replace=False))
    busy = np.zeros(nodes, dtype=np.int64)
    outages = []
    for place, start in enumerate(starts.tolist()):
        node = int(rng.integers(nodes))
        if busy[node] + 60 * MINUTE > start:
            continue
        end = start + MINUTE * int(rng.integers(2, 600))
        busy[node] = end
        by_plan = planned and 0 < place < count - 1 and rng.random() < 0.3
        cause = _CAUSES[int(rng.integers(len(_CAUSES)))]
        outages.append(Outage(node, start, end, cause, planned=bool(by_plan)))
    log = DrawnLog(tuple(outages), nodes)
    return log if len(log.failures) > 2 else drawn_log(rng, planned=planned)
