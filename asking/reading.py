"""How a log is to be read, where its columns do not say it."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import ClassVar

from .kinds import COST, TEXT, WORDS, Kind, one_of
from .refusals import Field
from .requests import Asked, flag, opt, refuse_idle

__all__ = [
    "CSV_LAYOUT",
    "FAILURE_FORMATS",
    "LOGS",
    "JobLogReading",
    "LogReading",
    "refuse_idle_reading",
]

LOGS = "How a log is read"  # heading of a help
# As `sim.traces` knows them; a test compares.
FAILURE_FORMATS = (
    *("csv", "lanl", "sacctmgr", "mira-ras", "bgl-ras", "fta", "metacentrum", "infinitehbd"),
    *("prometheus", "skypilot", "xid"),
)
CSV_LAYOUT = (
    "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates."
)

_ORDERS = ("day-first", "month-first")
_UNITS = ("ns", "us", "ms", "s", "min", "h", "d")
_STATES = "States, events or values of a flag that are failures."


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return what is held by which column, of ``submit=SUBMITTED,nodes=N``."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    if not all(what.strip() and equals and name.strip() for what, equals, name in pairs):
        raise ValueError
    return tuple((what.strip(), name.strip()) for what, _, name in pairs)


_COLUMNS = Kind("columns", "WHAT=NAME,...", _pairs, many=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLogReading(Asked):
    """Which column of a table of jobs holds what, the columns of sacct, and the order of dates."""

    last: ClassVar[tuple[str, ...]] = (LOGS,)

    columns: tuple[tuple[str, str], ...] = opt(
        _COLUMNS,
        "Of a table of jobs: which column holds what, as submit=ASKED,nodes=N.",
        default=(),
        metavar="WHAT=NAME,...",
        repeated=True,
        group=LOGS,
    )
    fields: str | None = opt(
        TEXT,
        "Of sacct's output without its header: its columns, as given to sacct --format.",
        metavar="NAMES",
        group=LOGS,
    )
    date_order: str | None = opt(
        one_of(*_ORDERS),
        "day-first or month-first, of dates such as 1/2/2026.  [default: as days above 12 show]",
        metavar="ORDER",
        group=LOGS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReading(JobLogReading):
    """What is said of the rows of a failure log; what is None or empty is found out.

    `time_column` to `cause_column` name columns of a table, which `delimiter` separates; `unit` is
    that of plain numbers, `timezone` that of dates. Rows of one node at most `merge_within` [s]
    apart are one outage. `cause` and `states` keep failures, `not_cause` leaves some out, `planned`
    counts planned work as failures. All of it needs the field that names the log.
    """

    log_field: ClassVar[str] = "log"
    of_jobs: ClassVar[tuple[str, ...]] = ()  # fields that say how another log is read

    time_column: str | None = opt(
        TEXT, "Column of a failure log with the start of an outage.", metavar="NAME", group=LOGS
    )
    end_column: str | None = opt(TEXT, "Column with its end.", metavar="NAME", group=LOGS)
    repair_column: str | None = opt(
        TEXT, "Column with how long it lasted.", metavar="NAME", group=LOGS
    )
    node_column: str | None = opt(TEXT, "Column with the node.", metavar="NAME", group=LOGS)
    kind_column: str | None = opt(
        TEXT, "Column with what a row says: a state, an event, a flag.", metavar="NAME", group=LOGS
    )
    cause_column: str | None = opt(TEXT, "Column with the cause.", metavar="NAME", group=LOGS)
    delimiter: str | None = opt(
        TEXT, "What separates columns.  [default: found out]", metavar="TEXT", group=LOGS
    )
    timezone: str | None = opt(
        TEXT, "Zone of dates without one, as Europe/Berlin.", metavar="NAME", group=LOGS
    )
    unit: str | None = opt(
        one_of(*_UNITS), "Of plain numbers: s, min, h ...", metavar="UNIT", group=LOGS
    )
    merge_within: float | None = opt(
        COST,
        "Rows of one node at most so far apart are one outage.  "
        "[default: 2s for Slurm, Xid and dates, else 0]",
        group=LOGS,
    )
    cause: tuple[str, ...] = opt(
        WORDS,
        "Keep failures with one of these words in their cause.",
        default=(),
        metavar="WORDS",
        repeated=True,
        group=LOGS,
    )
    not_cause: tuple[str, ...] = opt(
        WORDS,
        "Leave out failures with one of these words in their cause.",
        default=(),
        metavar="WORDS",
        repeated=True,
        group=LOGS,
    )
    planned: bool = flag("Count planned work as failures, too.", group=LOGS)
    states: tuple[str, ...] = opt(
        WORDS, _STATES, default=(), called="--state", metavar="WORDS", repeated=True, group=LOGS
    )

    def check(self) -> None:
        """Refuse a field that was said without the one that it needs."""
        Asked.check(self)
        lead = self.log_field
        refuse_idle_reading(self, unless=self.has(lead), lead=Field(lead), but=self.of_jobs)


_READING = tuple(field.name for field in fields_of(LogReading) if field.name != "said")


def refuse_idle_reading(
    asked: Asked, *, unless: bool, lead: object, but: tuple[str, ...] = ()
) -> None:
    """Refuse what says how a log is read where none is, all `but` what has a meaning there."""
    names = [name for name in _READING if name not in but]
    refuse_idle(asked, *names, unless=unless, lead=lead)
