"""The format of a log: as given, or told by its first lines, which a note says."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Refused, Said

from ..reading import JobReading
from .words import of_file

if TYPE_CHECKING:
    from ...traces.parsing import Limits, Trace

_TABLES = ("table", "acme", "helios", "alibaba-gpu")


def told_by(reading: JobReading) -> str | None:
    """Return the format of the jobs whose columns a user names."""
    if not (reading.columns or reading.fields):
        return None
    return "table" if reading.columns else "sacct"


def job_reading(layout: str, reading: JobReading) -> dict[str, Any]:
    """Return what `read_jobs` takes for a format; refuse what its reader does not know."""
    if reading.columns and layout not in _TABLES:
        raise Refused("{} must come with a table of jobs, got {}", Field("columns"), layout)
    if reading.fields is not None and layout != "sacct":
        raise Refused("{} must come with jobs of sacct, got {}", Field("fields"), layout)
    said: dict[str, Any] = {} if reading.fields is None else {"fields": reading.fields}
    if reading.date_order is not None and layout in (*_TABLES, "sacct"):
        said["date_order"] = reading.date_order
    elif reading.date_order is not None and getattr(reading, "failures", None) is None:
        words = "{} must come with jobs of sacct or a table of jobs, got {}"
        raise Refused(words, Field("date_order"), layout)
    return said | ({"columns": dict(reading.columns)} if reading.columns else {})


def job_format(path: Path, given: str | None, notes: list[str], reading: JobReading) -> str:
    """Return the format of a job log; a pipe, which cannot be read twice, is taken as swf."""
    from ...traces import Limited, job_format_of

    given = given or told_by(reading)
    if given is not None:
        return given
    if not path.is_file():
        notes.append(_of_pipe("swf", "job_format"))
        return "swf"
    found = job_format_of(Limited(path, reading.limits))
    notes.append(_told(found, "job_format"))
    return found


def failure_format(
    path: Path,
    given: str | None,
    notes: list[str],
    *,
    known: Collection[str],
    limits: Limits,
    name: str = "failure_format",
    of_pipe: str | None = None,
) -> str:
    """Return the format of a failure log, one of those `known` to the command.

    A pipe cannot be read twice: it has the format `of_pipe`, or must come with its own.
    """
    from ...traces import Limited, failure_format_of, job_format_of, log_kind_of

    if given is not None:
        return given
    if not path.is_file():
        if of_pipe is None:
            raise Refused("{} must come with {}, got a pipe", path.name, Field(name))
        notes.append(_of_pipe(of_pipe, name))
        return of_pipe
    with of_file(path):
        found = failure_format_of(Limited(path, limits))
    if found not in known:
        raise Refused(
            "{} must be a failure log in one of the formats {}, got {} by its first line",
            path.name,
            ", ".join(known),
            found,
        )
    if found == "csv" and log_kind_of(Limited(path, limits)) == "jobs":
        if "table" in known and job_format_of(Limited(path, limits)) == "table":
            raise Refused(
                "{} must be a failure log, got one of jobs that name no node or no end: {} "
                "state=NAME,nodes=NAME says which columns tell how they ended, and on how many",
                path.name,
                Field("columns"),
            )
        if not _is_of_failures(path, limits, "csv"):
            raise Refused(
                "{} must be a failure log, got jobs, which perfmodel replay reads", path.name
            )
        raise Refused(
            "{} must be a failure log, got one of jobs by its first lines: {} csv reads it "
            "all the same",
            path.name,
            Field(name),
        )
    notes.append(_told(found, name))
    return found


def _of_pipe(usual: str, name: str) -> str:
    return Said("read as {}, as every pipe: {} names another format", usual, Field(name))


def _told(found: str, name: str) -> str:
    return Said("read as {}, by its first lines: {} names another format", found, Field(name))


def job_trace(path: Path, given: str | None, notes: list[str], reading: JobReading) -> Trace:
    """Read a job log in the way that a request asks for; a refusal names the file."""
    from ...traces import Limited, read_jobs

    with of_file(path):
        layout = job_format(path, given, notes, reading)
        said = job_reading(layout, reading)
        trace = read_jobs(Limited(path, reading.limits), layout, strict=reading.strict, **said)
    if trace.frame.empty and path.is_file() and _is_of_failures(path, reading.limits, None):
        raise Refused("{} must hold jobs, got failures, which perfmodel fit reads", path.name)
    return trace


def _is_of_failures(path: Path, limits: Limits, layout: str | None) -> bool:
    """Whether a file can be read as a failure log of a layout, None for that of its first lines."""
    from ...traces import Limited, failure_log

    try:
        return not failure_log(Limited(path, limits), layout).failures.empty
    except ValueError:
        return False
