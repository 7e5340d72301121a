"""What a batch script tells an advisor, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from asking.kinds import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    LOG_FILE,
    OUTPUT_FILE,
    Kind,
    one_of,
)
from asking.moments import AHEAD, BACK, SIGNED, Moment
from asking.reading import LogReading
from asking.requests import opt

from .levels import LEVEL, LocalCopy

Event: TypeAlias = Literal[
    "started", "restored", "begun", "done", "durable", "signal", "failed", "ended"
]

FIRST_CALL = "The first call"  # headings of a help
SITE = "Answers for a site"


def _number_or_log(text: str) -> int | Path:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    path: Path = LOG_FILE.read(text)
    return path


def _number_or_path(given: Any) -> int | Path:
    if isinstance(given, int | Path):
        return given
    raise ValueError


COUNT_OR_LOG = Kind("n|file", "a whole number or a log", _number_or_log, _number_or_path)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviseRequest(LogReading):
    """One call; durations in [s], `now` and `end` in [s] on one clock.

    `events` happened just now, in this order; then `step` ended, if it is given. `on_level` is that
    of the checkpoint that begins, or that was read. `cost`, `latency`, `recovery_cost`, `least`,
    `levels` and what is known of failures serve where `state` is not there yet.

    With `sacct` it asks about a site: `failures` is then a log, `nodes` are those of the machine.
    """

    state: Path | None = opt(OUTPUT_FILE, "What is remembered; the first call writes it.")
    step: int | None = opt(EVENTS, "Step that just ended: is a checkpoint due before the next?")
    events: tuple[Event, ...] = opt(
        one_of(*get_args(Event)),
        "What just happened; repeatable.",
        default=(),
        called="--event",
        repeated=True,
    )
    on_level: int | None = opt(
        COUNT, "With {events} begun or restored: on which level; 1 is the cheapest."
    )
    end: Moment | None = opt(
        AHEAD, "When the allocation ends: a date, 2h after {now}, or seconds on its clock."
    )
    now: Moment | None = opt(
        SIGNED,
        "Time of the call: a date, -5min, or seconds on one clock.  [default: the clock, in "
        "seconds since 1970]",
    )
    cost: float | None = opt(DURATION, "For how long a checkpoint stops the job.", group=FIRST_CALL)
    latency: float = opt(
        COST, "First call: from then until it is durable.", default=0.0, group=FIRST_CALL
    )
    recovery_cost: float = opt(COST, "Time to read it back.", default=0.0, group=FIRST_CALL)
    least: float = opt(DURATION, "First call: shortest interval.", default=60.0, group=FIRST_CALL)
    levels: tuple[LocalCopy, ...] = opt(
        LEVEL,
        "First call: a copy that survives a share of the failures, below {cost}; repeatable.",
        default=(),
        called="--level",
        repeated=True,
        group=FIRST_CALL,
    )
    mtbf: float | None = opt(
        DURATION, "First call: a guess of the MTBF of the job.", group=FIRST_CALL
    )
    node_mtbf: float | None = opt(
        DURATION, "First call: of one node; needs {nodes}.", group=FIRST_CALL
    )
    nodes: int | None = opt(
        COUNT,
        "First call: nodes of the job. With {sacct}: of the machine.",
        group=FIRST_CALL,
    )
    failures: int | Path | None = opt(
        COUNT_OR_LOG,
        "First call: failures seen; needs {observed}. With {sacct}: a log that names nodes.",
        group=FIRST_CALL,
    )
    observed: float | None = opt(
        DURATION, "First call: time in which they were seen.", group=FIRST_CALL
    )
    sacct: Path | None = opt(
        LOG_FILE,
        "Jobs of a site, as sacct --allusers --duplicates prints: all of them, of no state.",
        group=SITE,
    )
    since: Moment = opt(
        BACK,
        "With {sacct}: the window begins then and ends {now}: 30d before, or a date.",
        default=timedelta(days=-30),
        group=SITE,
    )
