"""Checkpoints of single jobs from a file: job, interval, cost, recovery."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from asking.refusals import Refused
from asking.units import seconds

from ..logs.words import of_file
from .requests import SiteRequest

if TYPE_CHECKING:
    from ...cluster import Periodic, Workload
    from ...traces import Trace

__all__ = ["Checkpoint", "OwnCheckpoints", "own_checkpoints"]

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
    column = "job_id" if "job_id" in trace.frame.columns else "job"
    names = [str(name) for name in trace.frame[column].tolist()]
    with of_file(path):
        found = _read(path, frozenset(names), request)
    lines = zip(trace.frame["line"].tolist(), names, strict=True)
    return OwnCheckpoints(path.name, {line: found[name] for line, name in lines if name in found})


def _read(path: Path, known: frozenset[str], request: SiteRequest) -> dict[str, Checkpoint]:
    from ...traces.parsing import Findings, Limited, open_source, split_csv, text_lines

    findings = Findings()
    content = open_source(Limited(path, request.limits), findings)
    rows = [
        (number, [cell.strip() for cell in split_csv(text)])
        for number, line in enumerate(text_lines(content, findings), start=1)
        if (text := line.partition("#")[0]).strip()
    ]
    findings.report(content.name, records=len(rows), rows=len(rows), strict=False)
    header = [cell.lower() for cell in rows[0][1]] if rows else []
    wrong = set(header) - set(_COLUMNS) or set(_COLUMNS[:3]) - set(header)
    if wrong or len(set(header)) != len(header):
        raise Refused(
            "{} must begin with a line job,interval,cost and, where known, recovery, got {!r}",
            *(path.name, ",".join(header)[:60]),
        )
    found: dict[str, Checkpoint] = {}
    lines: dict[str, int] = {}
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            raise ValueError(f"line {number}: must have {len(header)} columns, got {len(cells)}")
        row = dict(zip(header, cells, strict=True))
        job = row["job"]
        job = str(int(job)) if job.isascii() and job.isdigit() and len(job) < 19 else job
        if job not in known:
            raise ValueError(f"line {number}: job must be one of LOG, got {row['job'][:60]!r}")
        if lines.setdefault(job, number) != number:
            raise ValueError(
                f"line {number}: job must be one of its own, got {job!r} as in line {lines[job]}"
            )
        found[job] = _checkpoint(row, number, request.recovery_cost)
    return found


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
