"""The jobs of a log on one machine: to be replayed, recovered or promised deadlines."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal, TypeAlias

from ..._units import HOUR, MINUTE
from ..reading import LogReading
from ..studies.request import ALONE, StudyRequest

__all__ = [
    "Allocation",
    "BurstWithin",
    "Checkpoints",
    "DialectName",
    "Estimates",
    "EventOrder",
    "Forecaster",
    "JobsRequest",
    "LowerBands",
    "MissingWalltime",
    "OnFailure",
    "Oversize",
    "PromisesRequest",
    "Reboots",
    "RecoveryRequest",
    "ReplayRequest",
    "SchedulerName",
    "SiteRequest",
    "Strikes",
    "Ties",
    "names_code",
]

Allocation: TypeAlias = Literal["least-blocking", "printed", "released"]
BurstWithin: TypeAlias = Literal["node", "rack", "machine"]
Checkpoints: TypeAlias = Literal["risk", "all", "none"]
DialectName: TypeAlias = Literal["pyss", "predictsim", "cqsim", "accasim"]
Estimates: TypeAlias = Literal["walltime", "runtime"]
EventOrder: TypeAlias = Literal["batch", "ends-first", "submissions-first"]
Forecaster: TypeAlias = Literal["detectability", "calibrated", "stated", "rate"]
LowerBands: TypeAlias = Literal["wait", "backfill"]
MissingWalltime: TypeAlias = Literal["runtime", "factor", "drop", "refuse"]
OnFailure: TypeAlias = Literal["original", "new", "drop"]
Oversize: TypeAlias = Literal["refuse", "skip"]
Reboots: TypeAlias = Literal["midplanes", "partition"]
SchedulerName: TypeAlias = Literal["separate-drains", "january-2009", "june-2009", "head"]
Strikes: TypeAlias = Literal["nodes", "jobs"]
Ties: TypeAlias = Literal["position", "job"]


def names_code(policy: str) -> bool:
    """Return whether a policy is code of a user, and none of ours.

    Parameters
    ----------
    policy : str
        A name, or ``package.module:Name``.

    Returns
    -------
    bool
    """
    return ":" in policy


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsRequest(LogReading):
    """The jobs of a log, failures that strike them, and a forecaster of the failures.

    A format that is None is told by the first lines of its file. With a `study` the jobs are
    replayed with many seeds, or for several values side by side.
    """

    log: Path
    job_format: str | None = None
    processors: int | None = None
    oversize: Oversize = "refuse"
    failures: Path | None = None
    failure_format: str | None = None
    node_names: Path | None = None
    failures_from_start: bool = False
    sensitivity: float = 0.6
    specificity: float = 0.6
    seed: int = 0
    study: StudyRequest = ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRequest(JobsRequest):
    """Jobs, a machine with its failures and checkpoints, and a policy; durations in [s].

    None stands for a default that depends on the log or on the machine: `processors` are those
    of the header of the log, `processors_per_node` 4 on a Blue Gene and else 1, `policy` easy,
    `order` that of submission, `utility` wfp3, `scheduler` separate-drains,
    `reboots` midplanes, `missing_walltime` runtime, `allocation` least-blocking or, with
    `fault_aware`, released. Failures are read from `failures` or drawn where `mtbf` is given.
    """

    machine: str | None = None
    processors_per_node: int | None = None
    missing_walltime: MissingWalltime | None = None
    walltime_factor: float | None = None
    ties: Ties = "position"
    since: float | None = None
    before: float | None = None
    scale_gaps: float | None = None
    log_start: int | None = None
    mtbf: float | None = None
    weibull_shape: float = 1.0
    new_nodes: bool = False
    stationary: bool = False
    burst_size: float = 1.0
    burst_span: float = MINUTE
    burst_within: BurstWithin = "machine"
    rack_size: int | None = None
    lemon_share: float = 0.0
    lemon_factor: float = 10.0
    maintenance: Path | None = None
    mttr: float = 20.0 * MINUTE
    on_failure: OnFailure | None = None
    checkpoint_interval: float | None = None
    checkpoint_cost: float | None = None
    recovery_cost: float = 0.0
    job_checkpoints: Path | None = None
    checkpoints_in_walltime: bool = False
    policy: str | None = None
    order: str | None = None
    dialect: DialectName | None = None
    utility: str | None = None
    utility_expr: str | None = None
    threshold: float | None = None
    scheduler: SchedulerName | None = None
    reboots: Reboots | None = None
    compare: tuple[str, ...] = ()
    allocation: Allocation | None = None
    fault_aware: bool = False
    alpha: float | None = None
    beta: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest(SiteRequest):
    """A replay, or one for each of the policies or utilities to `compare`."""

    event_order: EventOrder = "batch"
    estimates: Estimates = "walltime"
    no_kill: bool = False
    strikes: Strikes = "nodes"
    by_class: bool = False
    use_over_time: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryRequest(SiteRequest):
    """Replays with the recovery options of each of the `cases`.

    With `credits`, the price of each option in [credit / node h], users pay for what they ask for;
    an `allowance` of None is the median of the prices, a `deposit_limit` of None is none.
    """

    mttr: float = HOUR
    checkpoint_interval: float | None = 50.0 * MINUTE
    checkpoint_cost: float | None = 5.0 * MINUTE
    cases: tuple[str, ...] = (
        *("ff", "mr", "even", "normal"),
        *("all-b", "all-c", "all-d", "all-e"),
    )
    lower_bands: LowerBands = "wait"
    credits: tuple[tuple[str, float], ...] | None = None
    allowance: float | None = None
    deposit_limit: float | None = None
    overdraft_limit: float = 0.0

    def with_failures(self) -> RecoveryRequest:
        """Draw failures every 10 h where the request names none."""
        if self.mtbf is None and self.failures is None:
            return replace(self, mtbf=10.0 * HOUR)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class PromisesRequest(JobsRequest):
    """Promised deadlines for every pair of `accuracy` and `confidence`; durations in [s].

    `accuracy` None means 0 to 1 in steps of 0.1, `node_mtbf` as the nodes fail, `downtime` the
    repairs of the failure log, else 2 min.
    """

    jobs: int = 10_000
    accuracy: tuple[float, ...] | None = None
    confidence: tuple[float, ...] = (0.1, 0.5, 0.9)
    within_accuracy: bool = False
    forecaster: Forecaster = "detectability"
    recall: float = 0.7
    precision: float = 0.5
    node_mtbf: float | None = None
    failures_per_year: float | None = None
    downtime: float | None = None
    checkpoint_interval: float = HOUR
    checkpoint_cost: float = 12.0 * MINUTE
    checkpoints: Checkpoints = "risk"

    @property
    def repair(self) -> float:
        """Time to repair a node where no log knows it, [s]."""
        return 2.0 * MINUTE if self.downtime is None else self.downtime

    def site(self) -> SiteRequest:
        """Return the jobs on a plain machine whose nodes have one processor."""
        shared = {field.name: getattr(self, field.name) for field in fields(JobsRequest)}
        return SiteRequest(
            **shared,
            processors_per_node=1,
            mttr=self.repair,
            checkpoint_interval=self.checkpoint_interval,
            checkpoint_cost=self.checkpoint_cost,
        )
