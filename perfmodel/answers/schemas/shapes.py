"""The JSON of answers, key by key; what is a dataclass of numbers there stands as its class.

A key that ends with ``_s`` is in seconds, with ``_j`` in joules, with ``_w`` in watts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from ...forecasts import PastPromises
from ...planning import Plan
from ..logs.causes import Cause
from ..parts.advice import Mistake, Rule
from ..parts.ageing import Aged
from ..parts.asynchronous import Drained
from ..parts.energy import Choice, Energies, Point
from ..parts.levels import Layered
from ..parts.suspects import Suspect
from ..parts.training import Change, Memory
from ..parts.watched import Watched
from ..questions.extra import NodeUse
from ..questions.nodes import NodeCount
from ..questions.partition import MachineShare, Strategy
from ..questions.played_schedules import Played
from ..questions.simulate import Comparison
from ..requests.machines import Algorithm

Share = Annotated[float, (("minimum", 0), ("maximum", 1))]
Confidence = Annotated[float, "of the limits"]


class Turned(TypedDict):
    """An input at which the second offer is as good as the best; of both where `of` is null.

    `now` and `value` are in seconds, bytes, bytes/s, watts, failures per node-second or money.
    """

    key: str
    of: str | None
    now: float
    value: float


class Bursts(TypedDict):
    """Failures that come together; `size` is their mean number."""

    mtbf_s: float
    size: float
    window_s: float
    span_s: float
    count: int


class Drift(TypedDict):
    """Stretches of time in which the rate of failures stays the same."""

    failures: int
    p_value: float
    starts_s: list[float]
    mtbfs_s: list[float]


class Pattern(TypedDict):
    """Whether failures come in bursts or their rate drifts; null where too few say nothing."""

    failure_pattern: str | None
    interval_mtbf_s: float | None
    bursts: Bursts | None
    drift: Drift | None


class StateHours(TypedDict):
    """Node hours of jobs that ended in one state."""

    state: str
    jobs: int
    node_hours: float
    share: Share


class Foreseen(TypedDict):
    """Which law it is, why there is no forecast, and the failures to come."""

    law: Literal["forecast", "posterior"]
    no_forecast: str | None
    mtbf_to_come_s: float
    failures_in_a_cluster: float


class NotForeseen(TypedDict):
    """That a constant rate counts, and why, where a log was given."""

    law: NotRequired[Literal["constant"]]
    no_forecast: NotRequired[str]


class MaybeForeseen(TypedDict):
    """The same of an answer that may be of a constant rate: none of it where that was asked for."""

    law: NotRequired[Literal["forecast", "posterior", "constant"]]
    no_forecast: NotRequired[str | None]
    mtbf_to_come_s: NotRequired[float]
    failures_in_a_cluster: NotRequired[float]


class Problem(TypedDict):
    """One thing wrong in a log, and what was done about it."""

    line: int
    rule: str
    reason: str
    effect: str


class LogRead(TypedDict):
    """What was read of a log; lines as ranges such as 2-5."""

    understood: str | None
    node_hours_by_state: list[StateHours] | None
    rows: Mapping[str, int | str] | None
    log: list[str]
    problems: list[Problem]


class Job(TypedDict):
    """The job as it was understood; more keys of a log where there is one, else `log` is null."""

    mtbf_s: float
    mtbf_low_s: float | None
    mtbf_high_s: float | None
    mtbf_basis: str
    failures: int | None
    checkpoint_cost_s: float
    recovery_cost_s: float
    downtime_s: float
    work_s: float
    step_time_s: float | None
    nodes: int | None
    price_per_node_hour: float | None
    price_per_hour: float | None
    failure_pattern: NotRequired[str | None]
    interval_mtbf_s: NotRequired[float | None]
    bursts: NotRequired[Bursts | None]
    drift: NotRequired[Drift | None]
    bursts_counted: NotRequired[Literal["once", "every failure"] | None]
    understood: NotRequired[str | None]
    node_hours_by_state: NotRequired[list[StateHours] | None]
    rows: NotRequired[Mapping[str, int | str] | None]
    problems: NotRequired[list[Problem]]
    log: list[str] | None


class Protocol(TypedDict):
    """A checkpoint protocol at its best for the job."""

    protocol: str
    interval_s: float
    segments: int
    durable_every: int
    expected_makespan_s: float
    overhead: float
    efficiency: float
    regret: float
    error: float
    crossover_mtbf_s: float | None


class Recommended(TypedDict):
    """An interval, between those at the limits of the MTBF, and the mean time with it."""

    recommended_interval_s: float
    recommended_period_s: float
    recommended_interval_low_s: float | None
    recommended_interval_high_s: float | None
    recommended_steps: int | None
    best_segments: int | None
    expected_makespan_s: float | None


class ConstantInterval(Recommended):
    """The interval for the mean rate so far."""

    useful_share: Share


class Interval(Job, Recommended, MaybeForeseen):
    """The interval to recommend, and what else was asked for; rules are at a constant rate.

    Under a law of uptimes `exponential` is what would be recommended if they were so.
    """

    useful_share: NotRequired[Share]
    constant_rate: NotRequired[ConstantInterval]
    mtbf_confidence: Confidence | None
    rules: list[Rule]
    mtbf_mistakes: list[Mistake]
    asynchronous: NotRequired[Drained]
    levels: NotRequired[Layered]
    protocols: NotRequired[list[Protocol]]
    protocols_left_out: NotRequired[Mapping[str, str]]
    energy: NotRequired[Energies]
    ageing: NotRequired[Aged]
    exponential: NotRequired[Recommended]


class TimesOfLaw(TypedDict):
    """A law of the time until a job is done; percentiles by their name in percent."""

    mean_s: float
    std_s: float
    percentiles_s: Mapping[str, float]
    probability_by_deadline: Share | None


class TimesOfLog(TimesOfLaw):
    """The job at many starts in its log."""

    starts: int


class InputRead(TypedDict):
    """A file that was read; the checksum is null where it was a pipe."""

    name: str
    sha256: str | None


class Printed(TypedDict):
    """What a command line adds: its version, its options as understood, and the files it read."""

    version: NotRequired[str]
    seed: NotRequired[int | None]
    options: NotRequired[Mapping[str, Any]]
    inputs: NotRequired[list[InputRead]]
    notes: NotRequired[list[str]]


class Completion(Job, MaybeForeseen, Printed):
    """How long a job takes; `atom` is the least time, [s], and its probability at a constant rate.

    A mean that drawn futures do not tell is null.
    """

    error_of_probabilities: NotRequired[Share]
    past: NotRequired[PastPromises]
    constant_rate: NotRequired[TimesOfLaw]
    mean_s: float | None
    std_s: float | None
    percentiles_s: Mapping[str, float]
    deadline_s: float | None
    probability_by_deadline: Share | None
    atom: list[float]
    gaps_of_the_log: TimesOfLog | None
    mtbf_uncertain: TimesOfLaw | None
    tasks: int
    downtime_law: str | None
    downtime_std_s: float
    interval_s: float
    period_s: float


class RecordedGaps(TypedDict):
    """What jobs took that started at many instants of a log."""

    mean_s: float
    std_s: float
    starts: int


class Simulate(Job, NotForeseen, Printed):
    """Jobs that were played, beside what was predicted of them."""

    interval_s: float
    period_s: float
    replications: int
    comparisons: list[Comparison]
    verdict: str
    gaps_of_the_log: RecordedGaps | None


Cell = Annotated[Mapping[str, str | float | bool], (("required", ["remark"]),)]


class Sweep(TypedDict):
    """What the numbers depend on, and a row a cell: parameters, numbers, why there are none."""

    about: Mapping[str, str]
    cells: list[Cell]


class ConstantGoodput(TypedDict):
    """The goodput at the mean rate so far."""

    goodput: Share
    goodput_low: Share | None
    goodput_high: Share | None
    interval_s: float


class Measured(TypedDict):
    """What failures cost the jobs of a log, as shares of the node hours of all of them."""

    struck: Share
    wasted_progress: Share
    waiting: float | None
    jobs: int
    restarted: int


class Goodput(Job, MaybeForeseen):
    """Goodput and losses by class, shares of the time that add up to 1."""

    past: NotRequired[PastPromises]
    constant_rate: NotRequired[ConstantGoodput]

    goodput: Share
    losses: Mapping[str, float]
    goodput_low: Share | None
    goodput_high: Share | None
    ettr_first_order: float
    interval_s: float
    interval_steps: int | None
    tokens_per_day: float | None
    lost_to: Mapping[str, float]
    changes: list[Change]
    memory: Memory | None
    measured: Measured | None


class Energy(Job, NotForeseen):
    """Time and energy at the best interval for each, and the curve of trade-offs between."""

    static_w: float
    compute_w: float
    io_w: float
    down_w: float
    overlap: Share
    least_time: Choice
    least_energy: Choice
    curve: list[Point]


class PastSpares(TypedDict):
    """Share of past months in which as many spares as were to suffice would have."""

    probability: Share
    months: int
    sufficed: Share | None
    sufficed_constant: Share | None


class Spares(MaybeForeseen):
    """Spare nodes by the probability that they suffice."""

    past: NotRequired[PastSpares]
    constant_rate: NotRequired[Mapping[str, int]]
    nodes: int
    node_mtbf_s: float
    mttr_s: float
    mean_nodes_down: float
    spares: Mapping[str, int]
    mtbf_basis: NotRequired[str]
    mtbf_confidence: NotRequired[Confidence]
    node_mtbf_low_s: NotRequired[float]
    node_mtbf_high_s: NotRequired[float | None]
    spares_low: NotRequired[Mapping[str, int]]
    spares_high: NotRequired[Mapping[str, int]]


class Needed(TypedDict):
    """Standby blocks for a goodput, null where none suffice."""

    standbys: int | None
    goodput: Share | None
    more_than: NotRequired[int]


class OnBlocks(TypedDict):
    """A job on blocks of nodes with standbys."""

    blocks: int
    job_mtbf_s: float
    mean_blocks_down: float
    interval_s: float
    most_goodput: NotRequired[Share | None]
    standbys: NotRequired[int]
    mean_stop_s: NotRequired[float | None]
    goodput: NotRequired[Share | None]
    may_miss: NotRequired[int]
    waiting_goodput: NotRequired[Share | None]
    work_s: NotRequired[float]
    mean_makespan_s: NotRequired[float | None]
    needed: NotRequired[Mapping[str, Needed]]


class Blocks(OnBlocks, NotForeseen):
    """The same at both limits of an MTBF that was counted."""

    mtbf_basis: NotRequired[str | None]
    mtbf_confidence: NotRequired[Confidence]
    at_mtbf_low: NotRequired[OnBlocks]
    at_mtbf_high: NotRequired[OnBlocks]


class Nodes(TypedDict):
    """The best number of nodes, null where the job ends on none, and others beside it."""

    best_nodes: int | None
    counts: list[NodeCount]


class Extra(TypedDict):
    """The uses of one more node, the first without it, and the best of them."""

    nodes: int
    work_s: float
    interval_s: float
    best: str
    notes: list[str]
    uses: list[NodeUse]


class Partition(TypedDict):
    """The machines to use, and their shares of the work."""

    work_s: float
    algorithm: Algorithm
    machines_available: int
    processes: int
    expected_time_s: float
    std_s: float
    objective_s: float
    subtask_time_s: float
    sets_evaluated: int
    plain_bisection_processes: int | None
    plain_bisection_missed: bool | None
    notes: list[str]
    machines: list[MachineShare]
    played: NotRequired[Played]


class Strategies(TypedDict):
    """What several rules make of the same work, and which takes least on average."""

    work_s: float
    machines_available: int
    notes: list[str]
    best: Algorithm
    strategies: list[Strategy]


class Law(TypedDict):
    """A family fitted to durations, with limits of what was fitted, and its distance from them."""

    family: str
    parameters: Mapping[str, float]
    intervals: Mapping[str, list[float]]
    mean_s: float
    mean_low_s: float
    mean_high_s: float
    log_likelihood: float
    aic: float
    aicc: float | None
    ks_distance: float
    distance: float
    distance_limit: float
    fits: bool


class Fit(Pattern, LogRead):
    """What a failure log says of uptimes and repairs."""

    by: Literal["system", "node"]
    mtbf_s: float
    mtbf_low_s: float | None
    mtbf_high_s: float | None
    confidence: Confidence
    failures: int
    nodes: int | None
    nodes_named: int | None
    observed_s: float
    mttr_s: float | None
    mttr_low_s: float | None
    mttr_high_s: float | None
    count: int
    uptime_family: str | None
    uptime_fitting: list[str] | None
    uptime_quantiles_s: Mapping[str, float] | None
    uptime_recorded_mean_s: float | None
    uptime_fits: list[Law]
    uptime_doubts: list[str]
    repair_family: str | None
    repair_fitting: list[str] | None
    repair_quantiles_s: Mapping[str, float] | None
    repair_recorded_mean_s: float | None
    repair_fits: list[Law]
    repair_doubts: list[str]
    gap_rank_correlation: float | None
    gap_rank_correlation_limit: float | None
    clustered: bool | None
    bad_nodes: list[Suspect] | None
    gap_scv: float | None
    gap_scv_limit: float | None
    gaps_overdispersed: bool | None
    effective_mtbf_s: float | None
    causes: list[Cause]


class Foretold(TypedDict):
    """A time by which the job is done with a probability."""

    probability: Share
    forecast_s: float | None
    constant_rate_s: float | None


class Forecast(LogRead, Foreseen):
    """Failures to come by those of a log, and what they do to a job."""

    work_s: float
    nodes: int | None
    interval_s: float
    mtbf_so_far_s: float
    percentiles: list[Foretold]
    mean_s: float | None
    error_of_probabilities: Share
    deadline_s: float | None
    probability_by_deadline: Share | None
    probability_by_deadline_constant_rate: Share | None
    past: PastPromises
    futures: int | None
    seed: int


# Question -> each shape that its answer may have.
ANSWERS: Mapping[str, tuple[type, ...]] = {
    "interval": (Interval,),
    "completion": (Completion,),
    "simulate": (Simulate,),
    "goodput": (Goodput,),
    "energy": (Energy,),
    "spares": (Spares, Blocks),
    "nodes": (Nodes,),
    "extra": (Extra,),
    "partition": (Partition, Strategies),
    "fit": (Fit,),
    "forecast": (Forecast,),
    "plan": (Plan,),
    "site": (Watched,),
    "sweep": (Sweep,),
}
