"""A failure log, and a job that begins where it ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from asking.kinds import COST, COUNT, DURATION, LOG_FILE, SEED
from asking.moments import Moment
from asking.reading import LOGS, LogReading
from asking.requests import again, argument, flag, opt

from .fit import FitRequest
from .groups import CHECKPOINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRequest(LogReading):
    """Failures to come by those of a log, and their effect on a job; durations in [s].

    The job runs on `nodes` of the `log_nodes` of the log, None for all. `interval` None means the
    one that lets it get on most over all rates to come; `deadline` None asks for percentiles alone.
    Futures are drawn by `seed`.
    """

    log: Path = field(metadata=argument(LOG_FILE))
    format: str | None = again(
        FitRequest, "format", "Layout of the LOG.  [default: by its first lines]"
    )
    system: str | None = again(FitRequest, "system")
    since: Moment | None = again(FitRequest, "since")
    until: Moment | None = again(
        FitRequest,
        "until",
        "End of the observation, where the job begins: a date, seconds, +30d after the first "
        "failure or -30d before the last.  [default: last failure]",
    )
    strict: bool = again(FitRequest, "strict")
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
