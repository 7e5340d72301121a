"""Checkpoints of single jobs from a file: job, interval, cost, recovery."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from asking.units import seconds

from ..logs.words import of_file
from .by_job import rows_by_job
from .requests import SiteRequest

if TYPE_CHECKING:
    from ...cluster import Periodic, Workload
    from ...traces import Trace

_COLUMNS = ("job", "interval", "cost", "recovery")
_NONE = "none"


class Checkpoint(NamedTuple):
    """How a job checkpoints, [s]; an endless interval: not at all."""

    interval: float
    cost: float
    recovery: float


@dataclass(frozen=True, slots=True)
class OwnCheckpoints:
    """What a file says, by the lines of the jobs in the log."""

    source: str
    by_line: Mapping[int, Checkpoint]

    def periodic(self, workload: Workload, others: Checkpoint, *, in_walltime: bool) -> Periodic:
        """Return the checkpoints of the jobs of the file, and those of all `others`."""
        from ...cluster import Periodic

        lines = workload.line.tolist()
        rows = np.array([self.by_line.get(line, others) for line in lines]).reshape(-1, 3)
        return Periodic(rows[:, 0], rows[:, 1], rows[:, 2], in_walltime=in_walltime)

    def words(self, workload: Workload, *, others: bool) -> str:
        """Return how many jobs have checkpoints of their own, and what the `others` have."""
        own = sum(line in self.by_line for line in workload.line.tolist())
        rest = "the options'" if others else "none"
        left = "" if own == len(workload) else f"; the others have {rest}"
        return f"{self.source}: checkpoints of {own:,} of {len(workload):,} jobs{left}"


def own_checkpoints(request: SiteRequest, path: Path, trace: Trace) -> OwnCheckpoints:
    """Read a file; a job whose own recovery is not given has that of the request."""
    with of_file(path):
        rows = rows_by_job(path, trace, _COLUMNS, optional=1, limits=request.limits)
        by_line = {
            line: _checkpoint(row, number, request.recovery_cost)
            for line, (number, row) in rows.items()
        }
    return OwnCheckpoints(path.name, by_line)


def _checkpoint(row: Mapping[str, str], number: int, recovery: float) -> Checkpoint:
    if row["interval"].lower() == _NONE:
        return Checkpoint(math.inf, 0.0, 0.0)
    interval = _seconds("interval", row["interval"], number)
    if not interval > 0.0:
        raise ValueError(f"line {number}: interval must be > 0 or none, got {row['interval']!r}")
    cost = _seconds("cost", row["cost"], number)
    read_back = row.get("recovery", "")
    return Checkpoint(
        interval, cost, _seconds("recovery", read_back, number) if read_back else recovery
    )


def _seconds(name: str, text: str, number: int) -> float:
    """Return a duration in plain seconds or with units, [s]."""
    try:
        if text.isascii() and "_" not in text:
            plain = float(text)
            if 0.0 <= plain < math.inf:
                return plain
    except ValueError:
        pass
    try:
        return seconds(text)
    except ValueError:
        raise ValueError(
            f"line {number}: {name} must be seconds or a duration with a unit, such as 90 or 30min,"
            f" got {text[:60]!r}"
        ) from None
