"""Failure logs as `sim.traces` reads them, with what a request says of their rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from asking.units import human_count

from ..reading import LogReading
from .words import of_file

if TYPE_CHECKING:
    from ...traces import FailureLog


def read_failure_log(
    path: Path,
    layout: str,
    reading: LogReading,
    *,
    system: Any = None,
) -> FailureLog:
    """Read a failure log in the way that a request asks for; a refusal names the file."""
    from ...traces import Columns, Limited, failure_log

    with of_file(path):
        columns = Columns(
            time=reading.time_column,
            end=reading.end_column,
            repair=reading.repair_column,
            node=reading.node_column,
            kind=reading.kind_column,
            cause=reading.cause_column,
            unit=reading.unit,
            timezone=reading.timezone,
            state=reading.states,
            date_order=reading.date_order,
        )
        return failure_log(
            Limited(path, reading.limits),
            layout,
            columns=columns,
            delimiter=reading.delimiter,
            merge_within=reading.merge_within,
            cause=reading.cause,
            not_cause=reading.not_cause,
            planned=reading.planned,
            system=system,
            strict=reading.strict,
        )


def rows_in_words(log: FailureLog) -> str:
    """Return how many rows there are, and what became of them, if they were not all used."""
    rows = log.rows
    said = [human_count(rows["records"], "row")]
    merged = f"merged into those of their node at most {log.within:g} s before"
    words = {"used": "used", "merged": merged, "filtered": "left out", "dropped": "not readable"}
    if rows["used"] < rows["records"]:
        said += [f"{rows[name]:,} {words[name]}" for name in words if rows[name]]
    return ", ".join(said)
