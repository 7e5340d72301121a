"""The JSON of replays, key by key; what is a dataclass of numbers there stands as its class.

A key that ends with ``_s`` is in seconds, with ``_h`` in hours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, TypedDict

from ...cluster.grid.use import ClusterUse
from ...metrics.promises import Bin
from ..deadlines.quote import Offer

__all__ = ["ANSWERS"]

Share = Annotated[float, (("minimum", 0), ("maximum", 1))]
Factor = str | float | None


class Input(TypedDict):
    """A file that was read; the checksum is null where it was a pipe."""

    name: str
    sha256: str | None


class Rests(TypedDict):
    """What the numbers rest on; a command line adds the version, the options and the files."""

    seed: int
    notes: list[str]
    version: NotRequired[str]
    options: NotRequired[Mapping[str, Any]]
    inputs: NotRequired[list[Input]]


class Spread(TypedDict):
    """Percentiles of waits and slowdowns, by their name in percent."""

    wait_percentiles_s: Mapping[str, float]
    bounded_slowdown_percentiles: Mapping[str, float]


class Recorded(Spread):
    """What the log itself says of its jobs."""

    jobs: int
    mean_wait_s: float
    mean_response_s: float
    mean_bounded_slowdown: float
    utilization: float


class RecordedOnGrid(Recorded):
    """The same of the jobs of a grid."""

    mean_slowdown: float


class OfClass(TypedDict):
    """The means of the jobs of a size and length."""

    size: str
    length: str
    jobs: float
    mean_wait_s: float
    mean_response_s: float
    mean_bounded_slowdown: float


class Asked(TypedDict):
    """What is there where it was asked for."""

    by_class: NotRequired[list[OfClass]]
    use_over_time: NotRequired[Mapping[str, list[float]]]


class Played(Spread, Asked):
    """The numbers of the replay of a policy, or on a Blue Gene of a utility."""

    utility: NotRequired[str]
    policy: str
    engine: str
    jobs: int
    completed: int
    killed: int
    cut_by_checkpoints: int
    unsuccessful: int
    failures: int
    mean_wait_s: float
    mean_response_s: float
    mean_slowdown: float
    mean_bounded_slowdown: float
    failure_slowdown: float
    utilization: float
    makespan_s: float
    job_failure_rate: float
    service_unit_loss: float
    capacity_loss: float
    useful_node_h: float
    lost_node_h: float
    checkpoint_node_h: float
    recovery_node_h: float
    down_node_h: float
    idle_node_h: float
    capacity_node_h: float
    cut_node_h: NotRequired[float]
    dropped: Mapping[str, int]
    repaired: Mapping[str, int]
    failures_drawn: int | None
    mean_wait_by_scale_s: NotRequired[list[float]]
    mean_slowdown_by_length: NotRequired[list[float]]
    engine_s: NotRequired[float]


class OnePolicy(Played, Rests):
    """A replay of the jobs of a log."""

    recorded: NotRequired[Recorded]


class Policies(Rests):
    """Replays of the jobs of a log under several policies or utilities."""

    results: list[Played]
    recorded: NotRequired[Recorded]


class Case(TypedDict):
    """The numbers of a case of recovery options; credits where users pay."""

    case: str
    failure_slowdown: float
    mean_response_s: float
    failure_slowdown_by_option: Mapping[str, float]
    failed_jobs: int
    failures_drawn: int | None
    jobs: int
    failures: int
    unsuccessful: int
    mean_wait_s: float
    mean_bounded_slowdown: float
    utilization: float
    job_failure_rate: float
    service_unit_loss: float
    makespan_s: float
    dropped: Mapping[str, int]
    engine: str
    users: NotRequired[int]
    downgraded_jobs: NotRequired[int]
    credits_charged: NotRequired[float]
    credits_forfeited: NotRequired[float]
    credits_waived: NotRequired[float]
    engine_s: NotRequired[float]


class Cases(Rests):
    """Replays of the jobs of a log, one for each case."""

    results: list[Case]


class Promised(TypedDict):
    """The numbers of a pair of accuracy and confidence; no accuracy where it has no meaning."""

    accuracy: Share | None
    confidence: Share
    qos: float
    utilization: float
    lost_work_node_s: float
    kept: Share
    mean_promised: Share
    brier: float
    mean_wait_s: float
    failures: int
    failures_drawn: int | None
    checkpoint_node_s: float
    makespan_s: float
    jobs: int
    calibration: list[Bin]
    engine: str
    engine_s: NotRequired[float]


class Promises(Rests):
    """Replays of the jobs of a log, one for each pair of accuracy and confidence."""

    results: list[Promised]


class Quote(Rests):
    """The deadlines that one more job is offered, and the jobs submitted until then."""

    at_s: float
    jobs_before: int
    offers: list[Offer]


class OfGrid(Spread, Asked):
    """The means over the seeds of the replays of a policy in a scenario, with their deviations."""

    scenario: str
    policy: str
    seeds: int
    engine: str
    mean_slowdown: float
    mean_response_s: float
    mean_wait_s: float
    completed: float
    killed: float
    killed_at_walltime: float
    cancelled: float
    unfinished: float
    mean_killed_length_s: float
    utilization: float
    kills: float
    by_cluster: Mapping[str, ClusterUse]
    killed_share: NotRequired[Mapping[str, float]]
    sd: NotRequired[Mapping[str, float]]
    scheduler_s: NotRequired[float]


class Grid(Rests):
    """Replays of the jobs of a log on several clusters."""

    jobs: int
    clusters: int
    processors: int
    failures: int
    requirements: str
    results: list[OfGrid]
    recorded: NotRequired[RecordedOnGrid]


class Mean(TypedDict):
    """A mean over seeds, with half of its 95 % interval."""

    mean: float
    half_width: float
    seeds: int


class Cell(TypedDict):
    """The means of what was played with many seeds, and differences to what it is compared with."""

    engine: NotRequired[str]
    metrics: Mapping[str, Mean]
    difference_to: NotRequired[Mapping[str, Factor]]
    differences: NotRequired[Mapping[str, Mean]]


class PlayedCell(Cell):
    """Means of a policy, and of one of the values that are compared."""

    policy: NotRequired[str]
    utility: NotRequired[str]
    mtbf_s: NotRequired[float]
    checkpoint_interval_s: NotRequired[float]
    scale_gaps: NotRequired[float]
    on_failure: NotRequired[str]


class CaseCell(Cell):
    """Means of a case."""

    case: str


class PromisedCell(Cell):
    """Means of a pair of accuracy and confidence."""

    accuracy: Share | None
    confidence: Share


class GridCell(Cell):
    """Means of a policy in a scenario."""

    scenario: str
    policy: str


class Study(Rests):
    """Many replays; `complete` is false where they were interrupted."""

    seeds: int
    complete: bool


class ReplayStudy(Study):
    """Replays with many seeds, or for several values."""

    results: list[PlayedCell]


class RecoveryStudy(Study):
    """Cases with many seeds."""

    results: list[CaseCell]


class PromisesStudy(Study):
    """Pairs of accuracy and confidence with many seeds."""

    results: list[PromisedCell]


class GridStudy(Study):
    """Scenarios and policies with many seeds."""

    results: list[GridCell]


# Question -> each shape that its answer may have.
ANSWERS: Mapping[str, tuple[type, ...]] = {
    "replay": (OnePolicy, Policies, ReplayStudy),
    "recovery": (Cases, RecoveryStudy),
    "promises": (Promises, PromisesStudy),
    "quote": (Quote,),
    "grid": (Grid, GridStudy),
}
