"""A job and its machine as a user describes them, each of them in one of several forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from asking.kinds import (
    BANDWIDTH,
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FAILURE_RATE,
    LOG_FILE,
    PRICE,
    SEED,
    SHARE,
    SIZE,
    TEXT,
    one_of,
)
from asking.moments import BACK, SIGNED, Moment
from asking.reading import CSV_LAYOUT, LOGS, LogReading
from asking.requests import again, flag, opt
from asking.units import DURATIONS, Typed

from ..logs.formats import LAYOUT
from .fractions import PERCENTAGES, Fractions, percentages
from .groups import AGEING, CHECKPOINTS, ENERGY, FAILURES, JOB, PROTOCOLS, QUESTION
from .levels import LEVEL, LocalCopy
from .powers import POWERS, Powers
from .predictor import PREDICTOR, Predictor
from .presets import PRESET, PRESETS
from .repairs import REPAIR_LAW, UPTIME_LAW, RepairLaw

# Each form by its leading field: what must and what may come with it.
Forms: TypeAlias = Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
FORMS: Forms = {
    "mtbf": ((), ()),
    "node_mtbf": (("nodes",), ()),
    "failures": (("observed",), ()),
    "failure_rate": (("nodes",), ()),
    "log": ((), ("format", "system", "since", "until", "log_nodes", "bursts", "strict")),
}
COSTS: Forms = {"checkpoint_cost": ((), ()), "checkpoint_size": (("bandwidth",), ())}
_PERCENTILES = percentages("50,90,99")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest(LogReading):
    """A job and the failures of its machine; durations in [s].

    The MTBF must come in one of FORMS, the checkpoint in one of COSTS. `failure_rate` is per
    node-second, `checkpoint_size` in bytes, `bandwidth` in bytes/s, `price` of one node-hour, or
    of one hour of the job without `nodes`. `preset` names what filled in the rest. A
    `log` is of `log_nodes` nodes, failed or not, of which the job uses `nodes`; `bursts` says
    whether each of its bursts counts once ("merge") or every failure ("count").
    """

    mtbf: float | None = opt(
        DURATION, "MTBF of the whole machine (or of your part).", group=FAILURES
    )
    node_mtbf: float | None = opt(DURATION, "MTBF of one node; needs {nodes}.", group=FAILURES)
    failure_rate: Typed | None = opt(
        FAILURE_RATE,
        "Failures per node-time, such as 6.5/1000node-days; needs {nodes}.",
        group=FAILURES,
    )
    nodes: int | None = opt(
        COUNT, "Number of nodes that must all be up; with {log}, those of the job.", group=FAILURES
    )
    failures: int | None = opt(
        EVENTS, "Failures seen (may be 0); needs {observed}.", group=FAILURES
    )
    observed: float | None = opt(
        DURATION, "Time in which the {failures} were seen.", group=FAILURES
    )
    log: Path | None = opt(LOG_FILE, "Failure log.", group=FAILURES)
    format: str | None = opt(
        LAYOUT,
        f"Layout of the {{log}}, as traces formats lists.  [default: by its first lines] "
        f"{CSV_LAYOUT}",
        metavar="NAME",
        group=LOGS,
    )
    system: str | None = opt(TEXT, "System of the {log}.", metavar="NAME", group=LOGS)
    since: Moment | None = opt(
        BACK,
        "Use the {log} from then on: a date, seconds of it, or 30d for its last 30 days.",
        group=LOGS,
    )
    until: Moment | None = opt(
        SIGNED,
        "Use the {log} up to then: a date, seconds of it, +30d after its first failure or -30d "
        "before its last.",
        group=LOGS,
    )
    log_nodes: int | None = opt(
        COUNT,
        "Nodes that the {log} is of, failed or not, for a job on {nodes} of them.  "
        "[default: as it says, else those it names]",
        group=LOGS,
        needs="nodes",
    )
    bursts: str | None = opt(
        one_of("merge", "count"),
        "Count each burst in the {log} once, or every failure of it.  [default: once where "
        "bursts are found that are over before the next checkpoint]",
        metavar="merge|count",
        group=LOGS,
    )
    strict: bool = flag("Refuse a {log} with malformed lines.", group=LOGS)
    checkpoint_cost: float | None = opt(
        DURATION, "Time to write one checkpoint.", group=CHECKPOINTS
    )
    checkpoint_size: Typed | None = opt(SIZE, "Size of one; needs {bandwidth}.", group=CHECKPOINTS)
    bandwidth: Typed | None = opt(
        BANDWIDTH, "Rate at which checkpoints are written.", group=CHECKPOINTS
    )
    recovery_cost: float = opt(
        COST, "Time to read a checkpoint back after a failure.", default=0.0, group=CHECKPOINTS
    )
    downtime: float = opt(
        COST, "Dead time after a failure, before recovery starts.", default=0.0, group=CHECKPOINTS
    )
    work: float = opt(DURATION, "Failure-free run time.", default=7.0 * DURATIONS["d"], group=JOB)
    step_time: float | None = opt(DURATION, "Time of one iteration of the job.", group=JOB)
    price: float | None = opt(PRICE, "Of one node-hour; of one hour without {nodes}.", group=JOB)
    preset: str | None = opt(
        PRESET,
        f"Known job that fills in what is not given: {', '.join(PRESETS)}.",
        metavar="NAME",
        group=JOB,
    )


def rate_of_log() -> Any:
    """Return the field that says which rate a log tells; None: a forecast, where there is one."""
    return opt(
        one_of("forecast", "constant"),
        "Rate of failures to come with {log}: learnt as a forecast, or constant at its mean.  "
        "[default: forecast]",
        metavar="forecast|constant",
        group=LOGS,
        needs="log",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRequest(JobRequest):
    """A recommendation; `async_latency` [s] None means that checkpoints are durable at once.

    Else the copy takes `snapshot_cost` [s], None for as long as the checkpoint. `levels` are copies
    below the checkpoint of the job, which survives all failures. `compare` asks for a table of
    protocols, with `predictor` also of one that heeds predictions. `uptime_law` takes the place of
    the MTBF; with `sequence` the intervals follow the age of the machine. `power` asks for the
    interval of least energy, of a job that goes on at `overlap` times its speed while it
    checkpoints.
    """

    async_latency: float | None = opt(
        COST,
        "Time from a copy of {checkpoint_cost} until it is durable; the job goes on meanwhile.",
        group=PROTOCOLS,
    )
    snapshot_cost: float | None = opt(
        DURATION,
        "Time of that copy, if it is not {checkpoint_cost}.",
        group=PROTOCOLS,
        needs="async_latency",
    )
    in_flight: str = opt(
        one_of("overlap", "single_buffer", "skip"),
        "What a checkpoint does that falls due before the last is durable.",
        default="overlap",
        group=PROTOCOLS,
        needs="async_latency",
    )
    levels: tuple[LocalCopy, ...] = opt(
        LEVEL,
        "A copy that survives a share of the failures, below {checkpoint_cost}; repeatable.",
        default=(),
        called="--level",
        repeated=True,
        group=PROTOCOLS,
    )
    compare: bool = flag("Compare protocols: which is best, by how much.", group=PROTOCOLS)
    predictor: Predictor | None = opt(
        PREDICTOR,
        "With {compare}: failures are predicted, as recall=70%,precision=60%,cost=1min; perhaps "
        "window=10min.",
        group=PROTOCOLS,
        needs="compare",
    )
    uptime_law: RepairLaw | None = opt(
        UPTIME_LAW,
        "Law of uptimes instead of the MTBF, as weibull:mean=2d,shape=0.7; a failure renews all.",
        group=AGEING,
    )
    sequence: bool = flag(
        "With {uptime_law}: also the best intervals by the age of the machine.",
        group=AGEING,
        needs="uptime_law",
    )
    rate: str | None = rate_of_log()
    power: Powers | None = opt(
        POWERS,
        "Powers, as static=8MW,compute=10MW,io=1MW: also the interval of least energy.",
        group=ENERGY,
    )
    overlap: float = opt(
        SHARE,
        "With {power}: speed of the job while it checkpoints, as a share of its own.",
        default=0.0,
        group=ENERGY,
        needs="power",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyRequest(JobRequest):
    """The intervals of least time and of least energy, under `power` that must be given."""

    power: Powers | None = again(
        IntervalRequest, "power", "Powers, as static=8MW,compute=10MW,io=1MW."
    )
    overlap: float = again(
        IntervalRequest,
        "overlap",
        "Speed of the job while it checkpoints, as a share of its own.",
        needs=None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest(JobRequest):
    """The law of the completion time; `interval` [s] None means the recommended one.

    `downtime_law` takes the place of `downtime`.
    """

    downtime_law: RepairLaw | None = opt(
        REPAIR_LAW,
        "Random downtimes: lognormal:mean=2h,cv=4 and the like, or log for those of the {log}.",
        group=QUESTION,
    )
    interval: float | None = opt(
        DURATION,
        "Work between two checkpoints, checkpoint excluded.  [default: the recommended one]",
        group=QUESTION,
    )
    deadline: float | None = opt(
        DURATION, "Time from the start by which to be done.", group=QUESTION
    )
    rate: str | None = rate_of_log()
    percentiles: Fractions = opt(PERCENTAGES, "In percent.", default=_PERCENTILES, group=QUESTION)
    tasks: int = opt(
        COUNT,
        "Equal tasks side by side, each with this work and MTBF; the slowest counts.",
        default=1,
        group=QUESTION,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateRequest(JobRequest):
    """A simulation of the job; `interval` [s] None means the recommended one."""

    interval: float | None = opt(
        DURATION,
        "Work between two checkpoints, checkpoint excluded.  [default: the recommended one]",
        group=QUESTION,
    )
    replications: int = opt(COUNT, "Jobs to play.", default=20_000, group=QUESTION)
    seed: int = opt(SEED, "Seed of the random numbers.", default=0, group=QUESTION)
