"""The format of a log: as given, or told by its first lines, which a note says."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from ...errors import of_file
from ...options.limits import limited

__all__ = ["failure_format", "job_format"]


def job_format(path: Path, given: str | None, notes: list[str]) -> str:
    """Return the format of a job log; a pipe, which cannot be read twice, is taken as swf."""
    from sim.traces import job_format_of

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
