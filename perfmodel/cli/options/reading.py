"""Options that say how a failure log is read: the same wherever one is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from ...answers.requests.reading import OF_JOBS as OF_JOB_LOGS
from ...answers.requests.reading import READING, JobLogReading, LogReading
from .filling import option, refuse_idle
from .types import COST, F, OneOf

__all__ = [
    "OF_JOBS",
    "job_log_reading",
    "log_reading",
    "log_reading_beside_a_state",
    "refuse_idle_reading",
]

_ORDERS = ("day-first", "month-first")
_UNITS = ("ns", "us", "ms", "s", "min", "h", "d")
OF_JOBS = tuple(f"--{name}" for name in OF_JOB_LOGS)


def _listed(context: click.Context, option: click.Parameter, value: Any) -> tuple[str, ...]:
    """Return the words of an option that may hold several, and may be given again."""
    del context, option
    texts = (value,) if isinstance(value, str) else value
    return tuple(word.strip() for text in texts for word in text.split(",") if word.strip())


def _pairs(
    context: click.Context, option: click.Parameter, value: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return what is held by which column, of ``submit=SUBMITTED,nodes=N``."""
    del context, option
    said = ",".join(value)
    pairs = [pair.partition("=") for pair in said.split(",") if pair.strip()]
    for what, equals, name in pairs:
        if not (what.strip() and equals and name.strip()):
            raise click.UsageError(f"--columns must be WHAT=NAME,..., got {said!r}")
    return tuple((what.strip(), name.strip()) for what, _, name in pairs)


_OF_JOBS = (
    option(
        JobLogReading,
        "--columns",
        multiple=True,
        metavar="WHAT=NAME,...",
        callback=_pairs,
        help="Of a table of jobs: which column holds what, as submit=ASKED,nodes=N.",
    ),
    option(
        JobLogReading,
        "--fields",
        metavar="NAMES",
        help="Of sacct's output without its header: its columns, as given to sacct --format.",
    ),
)
_option = partial(option, LogReading)
_several = partial(_option, multiple=True, metavar="WORDS", callback=_listed)
_column = partial(_option, metavar="NAME")
_OPTIONS = (
    _column("--time-column", help="Column of a failure log with the start of an outage."),
    _column("--end-column", help="Column with its end."),
    _column("--repair-column", help="Column with how long it lasted."),
    _column("--node-column", help="Column with the node."),
    _column("--kind-column", help="Column with what a row says: a state, an event, a flag."),
    _column("--cause-column", help="Column with the cause."),
    _option("--delimiter", metavar="TEXT", help="What separates columns.  [default: found out]"),
    _option("--timezone", metavar="NAME", help="Zone of dates without one, as Europe/Berlin."),
    _option("--unit", type=OneOf(_UNITS), metavar="UNIT", help="Of plain numbers: s, min, h ..."),
    _option(
        "--date-order",
        type=OneOf(_ORDERS),
        metavar="ORDER",
        help="day-first or month-first, of dates such as 1/2/2026.  [default: as days above 12 "
        "show]",
    ),
    _option(
        "--merge-within",
        type=COST,
        help="Rows of one node at most so far apart are one outage.  "
        "[default: 2s for Slurm and for dates, else 0]",
    ),
    _several("--cause", help="Keep failures with one of these words in their cause."),
    _several("--not-cause", help="Leave out failures with one of these words in their cause."),
    _option("--planned", is_flag=True, help="Count planned work as failures, too."),
)
_STATES = "States, events or values of a flag that are failures."


def log_reading(command: F) -> F:
    """Add the options, in the order in which the help shows them."""
    return _added(command, *_OF_JOBS, *_OPTIONS, _several("--state", "states", help=_STATES))


def log_reading_beside_a_state(command: F) -> F:
    """Add the options to a command whose --state is another thing."""
    states = _several("--failure-state", "states", help=_STATES)
    return _added(command, *_OF_JOBS, *_OPTIONS, states)


def job_log_reading(command: F) -> F:
    """Add the options of job logs alone."""
    return _added(command, *_OF_JOBS)


def _added(command: F, *options: Callable[[F], F]) -> F:
    for add in reversed(options):
        command = add(command)
    return command


def refuse_idle_reading(*, unless: bool, lead: str, but: tuple[str, ...] = ()) -> None:
    """Refuse the options where no failure log is read, all `but` those with a meaning there."""
    flags = [f"--{name.replace('_', '-')}".replace("states", "state") for name in READING]
    refuse_idle(*(flag for flag in flags if flag not in but), unless=unless, lead=lead)
