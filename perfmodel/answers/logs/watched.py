"""The jobs and the failures of a site in two windows of time, from its logs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from asking.moments import Moment, moment_on, shown_moment
from asking.reading import LogReading
from asking.refusals import Field, Refused, Said
from asking.units import human_count, human_duration
from sim.answers.logs.failure_log import read_failure_log, rows_in_words
from sim.answers.logs.guessed import failure_format, job_format, job_trace
from sim.answers.logs.reports import DATED_SINCE, report_lines
from sim.answers.logs.words import of_file, why_empty

from ..._checks import BoolArray, FloatArray
from .formats import JOB_LAYOUTS, LAYOUTS
from .readings import reading_of

if TYPE_CHECKING:
    import pandas as pd

    from sim.answers.reading import LogReading as SimReading

_LOST = "NODE_FAIL"
_CHANCE = 0.01  # with which a log that covers a window begins as late in it


@dataclass(frozen=True, slots=True)
class SiteLogs:
    """What the logs of a site say, times in [s] on one clock.

    Parameters
    ----------
    start, end : ndarray, shape (J,), [s]
        Of each job that ran on a known number of nodes.
    nodes : ndarray of int64, shape (J,), [node]
        Of each job.
    struck : ndarray of bool, shape (J,)
        Whether the job ended because a node failed.
    now, since : float, [s]
        End of the present window, and its length; the window before is as long.
    failed_at : ndarray, shape (F,), [s], or None
        Failures of nodes in the failure log, if there is one, up to now.
    failed_node : tuple of str
        The node of each.
    machine : int, [node]
        Nodes of the machine.
    covered : bool
        Whether the logs cover the window before, too, as far as can be told.
    notes : tuple of str
        What was read, left out and taken for granted.
    """

    start: FloatArray
    end: FloatArray
    nodes: npt.NDArray[np.int64]
    struck: BoolArray
    now: float
    since: float
    failed_at: FloatArray | None
    failed_node: tuple[str, ...]
    machine: int
    covered: bool
    notes: tuple[str, ...]


def site_logs(
    sacct: Path,
    failures: Path | None,
    *,
    since: Moment,
    now: Moment | None,
    nodes: int | None,
    reading: LogReading,
) -> SiteLogs:
    """Read both logs; without `now` the present window ends with the last record."""
    notes = list[str]()
    said = reading_of(reading)
    jobs = _jobs(sacct, said, notes)
    start = (jobs["submit"] + jobs["wait"]).to_numpy(dtype=np.float64)
    end = start + jobs["runtime"].to_numpy(dtype=np.float64)
    size = jobs["nodes"].to_numpy(dtype=np.int64)
    at, names = (None, ()) if failures is None else _failures(failures, said, notes)
    last = float(end.max())
    if at is not None and at.size:
        if (at.max() < DATED_SINCE) != (last < DATED_SINCE):
            raise Refused(
                "{} must have its times on the clock of {}, got one of the two without dates",
                failures.name if failures else "LOG",
                sacct.name,
            )
        last = max(last, float(at.max()))
    earliest = float(start.min())
    if now is None:
        now = last
        other = "the window ends with the last record: {} ends it at another time"
        notes.append(Said(other, Field("now")))
    now = moment_on(now, earliest, last)
    begin = moment_on(since, earliest, now)
    recorded = earliest if at is None or not at.size else min(earliest, float(at.min()))
    if isinstance(since, timedelta) and recorded < now:
        begin = max(begin, recorded)  # before that nothing is known of failures
    length = now - begin
    if not length > 0.0:
        raise Refused(
            "{} must be before {}, got {}", Field("since"), Field("now"), shown_moment(since)
        )
    seen = start < now
    if not seen.any():
        raise Refused("{} must be later than the first job of {}", Field("now"), sacct.name)
    if not seen.all():
        after = human_count(int((~seen).sum()), "job")
        notes.append(Said("{} that started after {} left out", after, Field("now")))
    start, end, size = start[seen], end[seen], size[seen]
    if at is not None:
        known = at <= now
        if not known.any():
            raise Refused("{} must be later than the first failure, got {:.0f}", Field("now"), now)
        at, names = at[known], tuple(name for name, kept in zip(names, known, strict=True) if kept)
    begin = now - 2.0 * length
    late = [
        name
        for name, times in ((sacct, start), (failures, at))
        if name is not None and times is not None and _begins_late(times, begin, length)
    ]
    notes.extend(
        f"{name.name} begins too late to cover the window before: no change is named"
        for name in late
    )
    if failures is not None and at is not None:
        notes.extend(_ends_early(failures.name, now - length - float(at.max())))
    if nodes is None:
        nodes = _in_use_at_once(start, end, size)
        most = "at most {:,} nodes ran jobs at once: {} says how many there are"
        notes.append(Said(most, nodes, Field("nodes")))
    elif nodes < size.max():
        raise Refused(
            "{} must be >= the {:,} nodes of the largest job, got {}",
            Field("nodes"),
            int(size.max()),
            nodes,
        )
    lost = (jobs["state"] == _LOST).to_numpy()[seen]
    return SiteLogs(start, end, size, lost, now, length, at, names, nodes, not late, tuple(notes))


def _ends_early(name: str, before: float) -> Iterator[str]:
    """Say that no failure was seen for that long `before` the window [s], if so."""
    if before > 0.0:
        early = "{} ends {} before the window: if it was kept no longer, {} must be where it ends"
        yield Said(early, name, human_duration(before), Field("now"))


def _begins_late(times: FloatArray, begin: float, length: float) -> bool:
    """Whether the first record lies later in a window than by chance, if all were recorded."""
    gap = (float(times.min()) - begin) / length
    if gap <= 0.0:
        return False
    count = int(np.count_nonzero(times < begin + length))
    return count == 0 or (1.0 - gap) ** count < _CHANCE


def _jobs(path: Path, reading: SimReading, notes: list[str]) -> pd.DataFrame:
    with of_file(path):
        layout = job_format(path, None, [], reading)
    if layout not in JOB_LAYOUTS:
        layout = "sacct"  # whose refusal says what is missing
    trace = job_trace(path, layout, notes, reading)
    frame = trace.frame
    kept = frame[(frame["nodes"] > 0) & (frame["runtime"] >= 0.0) & (frame["wait"] >= 0.0)]
    if kept.empty:
        why = (
            why_empty(trace.report) if frame.empty else f"{human_count(len(frame), 'job')} without"
        )
        raise Refused("{} must hold jobs with NNodes and Start, got {}", path.name, why)
    notes.extend(report_lines(trace.report))
    if len(kept) < len(frame):
        notes.append(
            f"{human_count(len(frame) - len(kept), 'job')} left out: nodes, start or length unknown"
        )
    return kept


def _failures(
    path: Path, reading: SimReading, notes: list[str]
) -> tuple[FloatArray, tuple[str, ...]]:
    layout = failure_format(
        path, None, notes, known=LAYOUTS, limits=reading.limits, name="failures"
    )
    if layout in JOB_LAYOUTS:
        raise Refused("{} must be a failure log, got jobs of {}", path.name, layout)
    log = read_failure_log(path, layout, reading)
    frame = log.failures
    if frame.empty:
        what = "counts" if log.counted else why_empty(log.report)
        raise Refused("{} must hold failures, got {}", path.name, what)
    read, *rest = report_lines(log.report)
    notes.extend([f"{read}; {rows_in_words(log)}", *rest, f"understood: {log.understood}"])
    return frame["time"].to_numpy(dtype=np.float64), tuple(frame["node"].astype(str))


def _in_use_at_once(start: FloatArray, end: FloatArray, size: npt.NDArray[np.int64]) -> int:
    times = np.concatenate([start, end])
    # A job that ends leaves its nodes to one that starts at that instant.
    order = np.lexsort((np.repeat([1, 0], start.size), times))
    return int(np.cumsum(np.concatenate([size, -size])[order]).max())
