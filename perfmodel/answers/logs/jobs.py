"""A job log that is described or drawn from: its jobs, its machine, and its clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from asking.reading import JobLogReading
from asking.refusals import Refused
from sim.answers.logs.guessed import job_trace
from sim.answers.logs.reports import DATED_SINCE, machine_size, report_lines, unix_start
from sim.answers.logs.words import why_empty

from .readings import reading_of

if TYPE_CHECKING:
    from sim.traces import Trace


@dataclass(frozen=True, slots=True)
class JobLog:
    """A job log, how many processors its machine has, and the local time of its second 0, [s].

    `processors` and `clock` are None where neither log nor options say so.
    """

    trace: Trace
    processors: int | None
    clock: float | None
    notes: tuple[str, ...]


def read_job_log(
    path: Path,
    layout: str | None,
    *,
    processors: int | None,
    strict: bool = False,
    reading: JobLogReading,
) -> JobLog:
    """Read a job log; refuse one without jobs."""
    notes = list[str]()
    trace = job_trace(path, layout, notes, replace(reading_of(reading), strict=strict))
    if trace.frame.empty:
        raise Refused("{} must hold jobs, got {}", path.name, why_empty(trace.report))
    size = machine_size(trace, notes) if processors is None else processors
    clock = _clock(trace, notes)
    return JobLog(trace, size, clock, (*report_lines(trace.report), *notes))


def _clock(trace: Trace, notes: list[str]) -> float | None:
    """Return the local time of second 0 of a log, as seconds since 1970."""
    if float(trace.frame["submit"].min()) > DATED_SINCE:
        notes.append("hours and weekdays are those of the dates in the log")
        return 0.0
    start = unix_start(trace)
    if start is None:
        notes.append("the log does not say when it began: hours and weekdays are not known")
        return None
    zone = trace.header.get("TimeZoneString", "").strip()
    shift = _offset(zone, start)
    if shift is None:
        known = f"{zone[:40]!r} is not known here" if zone else "it names no time zone"
        notes.append(f"hours and weekdays are those of UTC: {known}")
        return start
    notes.append(f"hours and weekdays are those of {zone}, as they were when the log began")
    return start + shift


def _offset(zone: str, start: float) -> float | None:
    """Return how far a time zone was ahead of UTC, [s]; None where it is not known."""
    from zoneinfo import ZoneInfo

    if not zone:
        return None
    try:
        ahead = datetime.fromtimestamp(start, UTC).astimezone(ZoneInfo(zone)).utcoffset()
    except (KeyError, ValueError, OSError, OverflowError):
        return None
    return None if ahead is None else ahead.total_seconds()
