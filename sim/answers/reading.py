"""How a log is to be read, where its columns do not say it, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of
from pathlib import Path
from typing import get_args, get_type_hints

from asking.requests import Asked, refuse_idle

from ..traces.parsing.limits import Limits

__all__ = ["JobLogReading", "LogReading", "refuse_idle_reading"]

USUAL = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLogReading(Asked):
    """Which column of a table of jobs holds what, and the columns of sacct without its header.

    With `strict` a malformed line is refused; `limits` say how much a file may hold, and change
    no answer.
    """

    columns: tuple[tuple[str, str], ...] = ()
    fields: str | None = None
    strict: bool = False
    limits: Limits = USUAL

    def __post_init__(self) -> None:
        Asked.__post_init__(self)
        texts = [each.name for each in fields_of(self) if isinstance(getattr(self, each.name), str)]
        kinds = get_type_hints(type(self)) if texts else {}
        for name in texts:
            if Path in (kinds[name], *get_args(kinds[name])):
                object.__setattr__(self, name, Path(getattr(self, name)))


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


_OF_FAILURES = tuple(
    field.name
    for field in fields_of(LogReading)
    if field.name not in {each.name for each in fields_of(JobLogReading)}
)


def refuse_idle_reading(asked: LogReading, *, unless: bool, lead: object) -> None:
    """Refuse what says how a failure log is read where none is."""
    refuse_idle(asked, *_OF_FAILURES, unless=unless, lead=lead)
