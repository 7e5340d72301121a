"""What a reader says of a log: its report line by line, and when the clock of the log starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.traces import Report, Trace

__all__ = ["DATED_SINCE", "report_lines", "unix_start"]

DATED_SINCE = 1e8  # larger times are dates, smaller ones seconds from the start of a log


def report_lines(report: Report) -> list[str]:
    """Return the lines of a report without their indentation."""
    return [line.strip() for line in str(report).split("\n")]


def unix_start(trace: Trace) -> float | None:
    """Return the Unix time of second 0 of a job log, [s], if its header says so."""
    from sim.traces.parsing import leading_whole

    start = leading_whole(trace.header.get("UnixStartTime", ""))
    return None if start is None else float(start)
