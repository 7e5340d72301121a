"""The format of a log: as given, or told by its first lines, which a note says."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from ...errors import of_file
from ...options.limits import limited
from ...requests.reading import JobLogReading

__all__ = ["failure_format", "job_format", "job_reading", "told_by"]

_TABLES = ("table", "acme", "helios", "alibaba-gpu")


def told_by(reading: JobLogReading | None) -> str | None:
    """Return the format of the jobs whose columns a user names."""
    if reading is None or not (reading.columns or reading.fields):
        return None
    return "table" if reading.columns else "sacct"


def job_reading(layout: str, reading: JobLogReading | None) -> dict[str, Any]:
    """Return what `read_jobs` takes for a format; refuse what its reader does not know."""
    if reading is None:
        return {}
    if reading.columns and layout not in _TABLES:
        raise click.UsageError(f"--columns must come with a table of jobs, got {layout}")
    if reading.fields is not None and layout != "sacct":
        raise click.UsageError(f"--fields must come with jobs of sacct, got {layout}")
    said: dict[str, Any] = {} if reading.fields is None else {"fields": reading.fields}
    return said | ({"columns": dict(reading.columns)} if reading.columns else {})


def job_format(
    path: Path, given: str | None, notes: list[str], reading: JobLogReading | None = None
) -> str:
    """Return the format of a job log; a pipe, which cannot be read twice, is taken as swf."""
    from sim.traces import job_format_of

    given = given or told_by(reading)
    if given is not None:
        return given
    if not path.is_file():
        notes.append(_of_pipe("swf", "--format"))
        return "swf"
    found = job_format_of(limited(path))
    notes.append(_told(found, "--format"))
    return found


def failure_format(
    path: Path,
    given: str | None,
    notes: list[str],
    *,
    known: Collection[str],
    flag: str = "--failure-format",
    of_pipe: str | None = None,
) -> str:
    """Return the format of a failure log, one of those `known` to the command.

    A pipe cannot be read twice: it has the format `of_pipe`, or must come with its own.
    """
    from sim.traces import failure_format_of, log_kind_of

    if given is not None:
        return given
    if not path.is_file():
        if of_pipe is None:
            raise click.UsageError(f"{path.name} must come with {flag}, got a pipe")
        notes.append(_of_pipe(of_pipe, flag))
        return of_pipe
    with of_file(path):
        found = failure_format_of(limited(path))
    if found not in known:
        raise click.UsageError(
            f"{path.name} must be a failure log in one of the formats {', '.join(known)}, got "
            f"{found} by its first line"
        )
    if found == "csv" and log_kind_of(limited(path)) == "jobs":
        raise click.UsageError(
            f"{path.name} must be a failure log, got one of jobs by its first lines: {flag} csv "
            "reads it all the same"
        )
    notes.append(_told(found, flag))
    return found


def _of_pipe(usual: str, flag: str) -> str:
    return f"read as {usual}, as every pipe: {flag} names another format"


def _told(found: str, flag: str) -> str:
    return f"read as {found}, by its first lines: {flag} names another format"
