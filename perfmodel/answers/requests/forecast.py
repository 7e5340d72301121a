"""A failure log, and a job that begins where it ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from asking.kinds import COST, COUNT, DURATION, LOG_FILE, SEED, TEXT
from asking.moments import BACK, SIGNED, Moment
from asking.reading import LOGS, LogReading
from asking.requests import argument, flag, opt

from ..logs.formats import LAYOUT
from .groups import CHECKPOINTS

__all__ = ["ForecastRequest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRequest(LogReading):
    """Failures to come by those of a log, and their effect on a job; durations in [s].

    The job runs on `nodes` of the `log_nodes` of the log, None for all. `interval` None means the
    one that lets it get on most over all rates to come; `deadline` None asks for percentiles alone.
    Futures are drawn by `seed`.
    """

    log: Path = field(metadata=argument(LOG_FILE))
    format: str | None = opt(
        LAYOUT, "Layout of the LOG.  [default: by its first lines]", metavar="NAME", group=LOGS
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
        "End of the observation, where the job begins: a date, seconds, +30d after the first "
        "failure or -30d before the last.  [default: last failure]",
        group=LOGS,
    )
    strict: bool = flag("Refuse a log with malformed lines.", group=LOGS)
    work: float | None = opt(DURATION, "Failure-free run time of the job.")
    nodes: int | None = opt(
        COUNT, "Nodes of the job, of those of the LOG.  [default: the whole machine]"
    )
    log_nodes: int | None = opt(
        COUNT,
        "Nodes that the LOG is of, failed or not.  [default: as it says, else those it names]",
        group=LOGS,
        needs="nodes",
    )
    deadline: float | None = opt(DURATION, "Time from the start by which to be done.")
    checkpoint_cost: float | None = opt(
        DURATION, "Time to write one checkpoint.", group=CHECKPOINTS
    )
    recovery_cost: float = opt(
        COST, "Time to read it back after a failure.", default=0.0, group=CHECKPOINTS
    )
    downtime: float = opt(
        COST, "Dead time after a failure, before that.", default=0.0, group=CHECKPOINTS
    )
    wait_for_repair: bool = flag(
        "After each failure wait for a repair, too, drawn among those of the LOG that have ended.",
        group=CHECKPOINTS,
    )
    interval: float | None = opt(
        DURATION,
        "Work between two checkpoints.  [default: the best over all rates to come]",
        group=CHECKPOINTS,
    )
    futures: int = opt(COUNT, "Futures to draw.", default=4000)
    seed: int = opt(SEED, "Seed of the random numbers.", default=0)
