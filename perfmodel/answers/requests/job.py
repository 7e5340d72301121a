"""A job and its machine as a user describes them, each of them in one of several forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from ...units import DURATIONS, Typed
from .fractions import Fractions, percentages
from .levels import LocalCopy
from .powers import Powers
from .predictor import Predictor
from .reading import LogReading
from .repairs import RepairLaw

__all__ = [
    "COSTS",
    "FORMS",
    "CompletionRequest",
    "Forms",
    "Instant",
    "IntervalRequest",
    "JobRequest",
    "SimulateRequest",
]

# A date of a log's own clock, or seconds from its origin.
Instant: TypeAlias = datetime | float

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

    mtbf: float | None = None
    node_mtbf: float | None = None
    failure_rate: Typed | None = None
    nodes: int | None = None
    failures: int | None = None
    observed: float | None = None
    log: Path | None = None
    format: str | None = None
    system: str | None = None
    since: Instant | None = None
    until: Instant | None = None
    log_nodes: int | None = None
    bursts: str | None = None
    strict: bool = False
    checkpoint_cost: float | None = None
    checkpoint_size: Typed | None = None
    bandwidth: Typed | None = None
    recovery_cost: float = 0.0
    downtime: float = 0.0
    work: float = 7.0 * DURATIONS["d"]
    step_time: float | None = None
    price: float | None = None
    preset: str | None = None


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

    async_latency: float | None = None
    snapshot_cost: float | None = None
    in_flight: str = "overlap"
    levels: tuple[LocalCopy, ...] = ()
    compare: bool = False
    predictor: Predictor | None = None
    uptime_law: RepairLaw | None = None
    sequence: bool = False
    power: Powers | None = None
    overlap: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest(JobRequest):
    """The law of the completion time; `interval` [s] None means the recommended one.

    `downtime_law` takes the place of `downtime`.
    """

    downtime_law: RepairLaw | None = None
    interval: float | None = None
    deadline: float | None = None
    percentiles: Fractions = _PERCENTILES
    tasks: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateRequest(JobRequest):
    """A simulation of the job; `interval` [s] None means the recommended one."""

    interval: float | None = None
    replications: int = 20_000
    seed: int = 0
