"""What a reader says of a log: its report line by line, its machine, when its clock starts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from asking.refusals import Field, Refused

if TYPE_CHECKING:
    from ...traces import Report, Trace

DATED_SINCE = 1e8  # larger times are dates, smaller ones seconds from the start of a log


def report_lines(report: Report) -> list[str]:
    """Return the lines of a report without their indentation."""
    return [line.strip() for line in str(report).split("\n")]


def refuse_without_submit(path: Path, trace: Trace) -> None:
    """Refuse jobs without the time of their submission, where that is what counts.

    Parameters
    ----------
    path : Path
        The log, by its name.
    trace : Trace
        What was read of it.

    Returns
    -------
    None
        If jobs have it.

    Raises
    ------
    Refused
        If they have their starts alone.
    """
    if trace.report.counts.get("submit-is-start"):
        raise Refused(
            "{} must hold Submit, when jobs were submitted, got their starts alone: sacct "
            "prints it with --format=Submit,..., and {} submit=NAME names another",
            path.name,
            Field("columns"),
        )


def unix_start(trace: Trace) -> float | None:
    """Return the Unix time of second 0 of a job log, [s], if its header says so."""
    from ...traces.parsing import leading_whole

    start = leading_whole(trace.header.get("UnixStartTime", ""))
    return None if start is None else float(start)


def machine_size(trace: Trace, notes: list[str]) -> int | None:
    """Return how many processors the header of a job log says there are, if it does."""
    from ...traces.parsing import leading_whole

    for field in ("MaxProcs", "MaxNodes"):
        said = trace.header.get(field, "")
        number = leading_whole(said)
        if number is not None and number > 0:
            return number
        if said:
            notes.append(f"the header's {field} is {said[:40]!r}, not a number from 1 on: ignored")
    return None
