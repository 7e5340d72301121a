"""A failure log whose uptimes and repairs are to be fitted."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from asking.kinds import COUNT, LOG_FILE, TEXT
from asking.moments import BACK, SIGNED, Moment
from asking.reading import CSV_LAYOUT, LOGS, LogReading
from asking.requests import argument, flag, opt

from ..logs.formats import LAYOUT
from .groups import LIFETIMES


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRequest(LogReading):
    """A failure log and the part of it to use; `nodes` is how many there are, failed or not.

    With `lifetimes` the log is a table of them, in `duration_column`; `censored_column` says which
    were cut off.
    """

    log: Path = field(metadata=argument(LOG_FILE))
    format: str | None = opt(
        LAYOUT,
        f"Layout of the LOG, as traces formats lists.  [default: by its first lines] {CSV_LAYOUT}",
        metavar="NAME",
        group=LOGS,
    )
    system: str | None = opt(TEXT, "Use this system only.", metavar="NAME", group=LOGS)
    since: Moment | None = opt(
        BACK,
        "Start of the observation: a date, seconds of LOG, or 30d for its last 30 days.  "
        "[default: first failure]",
        group=LOGS,
    )
    until: Moment | None = opt(
        SIGNED,
        "End of the observation: a date, seconds, +30d after the first failure or -30d before "
        "the last.  [default: last failure]",
        group=LOGS,
    )
    by: Literal["system", "node"] = opt(
        TEXT,
        "What fails: the system as a whole, or each node by itself.",
        default="system",
        metavar="system|node",
    )
    nodes: int | None = opt(
        COUNT, "With {by} node: how many there are, failed or not.  [default: as LOG says]"
    )
    strict: bool = flag("Refuse a log with malformed lines.", group=LOGS)
    lifetimes: bool = flag("LOG is a table of lifetimes, ended or cut off.", group=LIFETIMES)
    duration_column: str | None = opt(
        TEXT,
        "With {lifetimes}: the column with them.",
        metavar="NAME",
        group=LIFETIMES,
        needs="lifetimes",
    )
    censored_column: str | None = opt(
        TEXT,
        "With {lifetimes}: the column that says which were cut off, those with VALUE.",
        metavar="NAME[=VALUE]",
        group=LIFETIMES,
        needs="lifetimes",
    )
