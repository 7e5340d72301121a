"""How a log is to be read, where its columns do not say it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["JobLogReading", "LogReading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLogReading:
    """Which column of a table of jobs holds what, and the columns of sacct without its header."""

    columns: tuple[tuple[str, str], ...] = ()
    fields: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading(JobLogReading):
    """What is said of the rows of a failure log; what is None or empty is found out.

    `time_column` to `cause_column` name columns of a table, which `delimiter` separates; `unit` is
    that of plain numbers, `timezone` that of dates. Rows of one node at most `merge_within` [s]
    apart are one outage. `cause` and `states` keep failures, `not_cause` leaves some out, `planned`
    counts planned work as failures.
    """

    time_column: str | None = None
    end_column: str | None = None
    repair_column: str | None = None
    node_column: str | None = None
    kind_column: str | None = None
    cause_column: str | None = None
    delimiter: str | None = None
    timezone: str | None = None
    unit: str | None = None
    date_order: str | None = None
    merge_within: float | None = None
    cause: tuple[str, ...] = ()
    not_cause: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    planned: bool = False
