"""The jobs of a log on one machine: to be replayed, recovered or promised deadlines."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, get_args

from asking.kinds import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    FROM_ONE,
    LOG_FILE,
    NAMES,
    POSITIVE,
    SEED,
    SHAPE,
    SHARE,
    TEXT,
    WEIGHT,
    one_of,
)
from asking.moments import SIGNED, Moment
from asking.reading import CSV_LAYOUT, FAILURE_FORMATS, LOGS
from asking.refusals import Field, Said
from asking.requests import Lead, above, again, any_of, argument, equal_to, flag, opt

from ..._units import HOUR, MINUTE
from ..kinds import DIALECTS, FORMATS, FRACTIONS, JOB_FORMAT, PRICES, UTILITY_AT
from ..reading import LogReading
from ..studies.request import OF_STUDIES, STUDIES, StudyRequest, of_studies

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
    "QuoteRequest",
    "Reboots",
    "RecoveryRequest",
    "ReplayRequest",
    "SchedulerName",
    "SiteRequest",
    "Strikes",
    "Ties",
    "names_code",
]

Allocation: TypeAlias = Literal["least-blocking", "printed", "neighbours", "june-2009", "released"]
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

# Headings of a help; what stands under none is what the question itself is about.
MACHINE = "The machine"
JOBS = "The jobs"
POLICY = "The policy"
PARTITIONS = "Partitions of a Blue Gene"
FAILURES = "Failures"
FORECASTER = "The forecaster"
CHECKPOINTS = "Checkpoints"
CREDITS = "Users who pay"
FAILING = any_of("mtbf", "failures")
_FORECASTS = Lead(
    any_of("fault_aware").words,
    lambda site: site.fault_aware or site.allocation not in (None, "least-blocking"),
)
_OWN_CASE = Lead(
    Said("{} own", Field("cases")),
    lambda request: not request.says("cases") or "own" in map(str.strip, request.cases),
)
_BEFORE = Said("{} leaves out jobs submitted later", Field("before"))


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

    log_field: ClassVar[str] = "failures"
    of_jobs: ClassVar[tuple[str, ...]] = ("columns", "fields", "date_order")
    last: ClassVar[tuple[str, ...]] = (STUDIES, LOGS)

    log: Path = field(metadata=argument(LOG_FILE))
    job_format: str | None = opt(
        JOB_FORMAT,
        f"Format of LOG: {', '.join(FORMATS)}, or a dialect of swf: {', '.join(DIALECTS)}.  "
        "[default: by its first lines] perfmodel traces formats shows a sample of each.",
        called="--format",
        metavar="NAME",
    )
    seed: int = opt(SEED, "Seed of the random numbers.", default=0, without=("seeds",))
    processors: int | None = opt(
        COUNT, "Processors of a plain machine.  [default: the log's header]", group=MACHINE
    )
    oversize: Oversize = opt(
        one_of(*get_args(Oversize)),
        "What to do with jobs larger than the machine.",
        default="refuse",
        group=JOBS,
    )
    failures: Path | None = opt(LOG_FILE, "A failure log.", group=FAILURES)
    failure_format: str | None = opt(
        one_of(*FAILURE_FORMATS, adds="failure format"),
        f"Format of {{failures}}: {', '.join(FAILURE_FORMATS)}. {CSV_LAYOUT}  "
        "[default: by its first lines]",
        metavar="NAME",
        group=FAILURES,
        needs="failures",
    )
    node_names: Path | None = opt(
        LOG_FILE,
        "Names of the nodes in {failures}, one a line, in the order of the machine."
        "  [default: node N is the name that ends in N]",
        group=FAILURES,
        needs="failures",
    )
    failures_from_start: bool = flag(
        "Shift the failure log so that it begins with the jobs.", group=FAILURES, needs="failures"
    )
    sensitivity: float = opt(
        SHARE, "Risk stated for a place that will fail.", default=0.6, group=FORECASTER
    )
    specificity: float = opt(
        SHARE, "1 minus the risk stated for any other place.", default=0.6, group=FORECASTER
    )
    study: StudyRequest = of_studies("Seeds: 7, 1:200 or 1,5,9; a mean of each.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRequest(JobsRequest):
    """Jobs, a machine with its failures and checkpoints, and a policy; durations in [s].

    None stands for a default that depends on the log or on the machine: `processors` are those
    of the header of the log, `processors_per_node` 4 on a Blue Gene and else 1, `policy` easy,
    `order` that of submission, `utility` wfp3, `scheduler` separate-drains,
    `reboots` midplanes, `missing_walltime` runtime, `allocation` least-blocking or, with
    `fault_aware`, released. Failures are read from `failures` or drawn where `mtbf` is given.
    """

    clocks: ClassVar[tuple[str, ...]] = ("log_start", "failures_from_start")  # what sets them

    policy: str | None = opt(
        TEXT,
        "fcfs, easy, conservative or conservative-compress, or your own: package.module:Name.",
        without=("compare",),
    )
    processors: int | None = again(JobsRequest, "processors", without=("machine",))
    failures: Path | None = again(JobsRequest, "failures", without=("mtbf",))
    sensitivity: float = again(JobsRequest, "sensitivity", needs=_FORECASTS)
    specificity: float = again(JobsRequest, "specificity", needs=_FORECASTS)
    compare: tuple[str, ...] = opt(
        NAMES,
        "Several policies or utilities, such as fcfs,wfp3,unicef.",
        default=(),
        metavar="TEXT",
    )
    machine: str | None = opt(
        TEXT,
        "intrepid, intrepid:XML, bluegene:RxC (rows x racks) or flat:N (N processors).",
        group=MACHINE,
    )
    processors_per_node: int | None = opt(
        COUNT,
        "Jobs take whole nodes of so many.  [default: 4 on a Blue Gene, else 1]",
        group=MACHINE,
    )
    missing_walltime: MissingWalltime | None = opt(
        one_of(*get_args(MissingWalltime)),
        "Walltime of a job that has none, or drop it, or refuse the log.  [default: runtime]",
        group=JOBS,
    )
    walltime_factor: float | None = opt(
        POSITIVE, "Missing walltimes: this times the runtime.", group=JOBS
    )
    ties: Ties = opt(
        one_of(*get_args(Ties)),
        "Which of the jobs submitted at one instant is first: by place in LOG or by number.",
        default="position",
        group=JOBS,
    )
    since: Moment | None = opt(
        SIGNED,
        "Leave out jobs submitted before then: a date, seconds of LOG, +7d after the first or "
        "-7d before the last.",
        group=JOBS,
    )
    before: Moment | None = opt(
        SIGNED, "Leave out jobs submitted from then on, said as {since} is.", group=JOBS
    )
    scale_gaps: float | None = opt(POSITIVE, "Multiply the gaps between submissions.", group=JOBS)
    mtbf: float | None = opt(DURATION, "Draw failures: MTBF of the whole machine.", group=FAILURES)
    weibull_shape: float = opt(
        SHAPE,
        "Shape of the times between failures of a node; below 1 failures come in clusters.",
        default=1.0,
        group=FAILURES,
        needs="mtbf",
    )
    new_nodes: bool = flag(
        "With {mtbf}: every node starts new, not at the age of one long in use.",
        group=FAILURES,
        needs="mtbf",
    )
    stationary: bool = flag(
        "With {mtbf}: some nodes are out at first, as many as usually; else all are up.",
        group=FAILURES,
        needs="mtbf",
        without=("new_nodes",),
    )
    burst_size: float = opt(
        FROM_ONE,
        "Mean number of failures in a burst, geometric. The MTBF stays that of all failures "
        "together: bursts come so many times more rarely.",
        default=1.0,
        group=FAILURES,
        needs="mtbf",
    )
    burst_span: float = opt(
        COST,
        "All failures of a burst come within this time after its first.",
        default=MINUTE,
        group=FAILURES,
        needs=above("burst_size", 1),
    )
    burst_within: BurstWithin = opt(
        one_of(*get_args(BurstWithin)),
        "What a burst strikes after its first node: that node again, any of its rack, or any of "
        "the machine.",
        default="machine",
        group=FAILURES,
        needs=above("burst_size", 1),
    )
    rack_size: int | None = opt(
        COUNT,
        "Nodes of a rack, numbered one after the other.  [default: the 2 midplanes of a rack on "
        "a Blue Gene]",
        group=FAILURES,
        needs=equal_to("burst_within", "rack"),
    )
    lemon_share: float = opt(
        SHARE,
        "Share of the nodes, drawn by {seed}, that fail more often than the others; the MTBF of "
        "the machine is kept.",
        default=0.0,
        group=FAILURES,
        needs="mtbf",
    )
    lemon_factor: float = opt(
        POSITIVE,
        "How many times as often those of {lemon_share} fail.",
        default=10.0,
        group=FAILURES,
        needs=above("lemon_share", 0),
    )
    mttr: float = opt(
        COST, "Time of a repair or reboot.", default=20.0 * MINUTE, group=FAILURES, needs=FAILING
    )
    on_failure: OnFailure | None = opt(
        one_of(*get_args(OnFailure)),
        "Resubmit at the old place or as new, or drop.  [default: new on a Blue Gene]",
        group=FAILURES,
        needs=any_of("mtbf", "failures", "maintenance"),
    )
    maintenance: Path | None = opt(
        LOG_FILE,
        "CSV of windows in which nodes are out: start, end (seconds of LOG or dates), kind, and "
        "nodes (such as 0-15 32; empty for all). kind planned: no job is started that would "
        "reach into it, on a plain machine; outage: strikes what runs there.",
        group=FAILURES,
    )
    log_start: int | None = opt(
        EVENTS,
        "Unix time of second 0 of LOG.  [default: its header's]",
        group=FAILURES,
        needs=any_of("failures", "maintenance", "since", "before"),
    )
    checkpoint_interval: float | None = opt(
        DURATION, "Work between two checkpoints.", group=CHECKPOINTS
    )
    checkpoint_cost: float | None = opt(COST, "To write one checkpoint.", group=CHECKPOINTS)
    recovery_cost: float = opt(
        COST,
        "To read one back.",
        default=0.0,
        group=CHECKPOINTS,
        needs=any_of("checkpoint_interval", "job_checkpoints"),
    )
    job_checkpoints: Path | None = opt(
        LOG_FILE,
        "Checkpoints of single jobs: CSV of job, interval (or none), cost, recovery.",
        group=CHECKPOINTS,
    )
    checkpoints_in_walltime: bool = flag(
        "Checkpoints and recoveries count against the walltime of a job.",
        group=CHECKPOINTS,
        needs=any_of("checkpoint_interval", "job_checkpoints"),
    )
    order: str | None = opt(
        TEXT,
        'Order of the queue on a plain machine, highest first: such as "-walltime" or '
        '"(wait/walltime)**3*nodes".',
        group=POLICY,
    )
    dialect: DialectName | None = opt(
        one_of(*get_args(DialectName)),
        "Play by the rules of another simulator: its event order, limits and policies.",
        group=POLICY,
    )
    utility: str | None = opt(
        TEXT, "fcfs, fat, wfp1, wfp3, fcsj or unicef.  [default: wfp3]", group=POLICY
    )
    utility_expr: str | None = opt(
        TEXT,
        'Such as "(wait/walltime)**3*nodes" or "wait + 1e6*(project == 12)".',
        group=POLICY,
    )
    utility_at: tuple[tuple[float, str], ...] = opt(
        UTILITY_AT,
        "Another {utility} or {utility_expr} from a time after second 0 of LOG on; several times.",
        default=(),
        metavar="TIME=UTILITY",
        repeated=True,
        group=POLICY,
    )
    threshold: float | None = opt(
        SHARE, "Skip jobs below this share of the top score.  [default: 0]", group=POLICY
    )
    scheduler: SchedulerName | None = opt(
        one_of(*get_args(SchedulerName)),
        "Of a Blue Gene: who drains partitions and who is backfilled, in a version of Cobalt.  "
        "[default: separate-drains]",
        group=PARTITIONS,
    )
    reboots: Reboots | None = opt(
        one_of(*get_args(Reboots)),
        "What a failure under a job of a Blue Gene takes out: its midplanes or only its "
        "partition.  [default: midplanes]",
        group=PARTITIONS,
        needs=any_of("mtbf", "failures", "maintenance"),
    )
    allocation: Allocation | None = opt(
        one_of(*get_args(Allocation)),
        "Partition that blocks fewest others, or also by a forecaster: as printed in the paper; "
        "with parents at risk by their neighbours alone; or as its simulator counted in June 2009, "
        "or as released in July.  [default: least-blocking, with {fault_aware} released]",
        group=PARTITIONS,
    )
    fault_aware: bool = flag("Choose partitions by a forecaster.", group=PARTITIONS)
    alpha: float | None = opt(
        WEIGHT,
        "Of {allocation}, but for released: weight of blocking.  [default: 1]",
        group=PARTITIONS,
    )
    beta: float | None = opt(
        WEIGHT,
        "Of {allocation}, but for released: weight of risk.  [default: 1]",
        group=PARTITIONS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest(SiteRequest):
    """A replay, or one for each of the policies or utilities to `compare`."""

    compared: ClassVar[tuple[str, ...]] = (
        *("mtbf", "checkpoint_interval", "scale_gaps", "on_failure"),
    )

    strict: bool = flag("Refuse a log with a malformed line.")
    by_class: bool = flag("Also means by size and running time of the jobs.", without=(OF_STUDIES,))
    use_over_time: float | None = opt(
        DURATION, "Also use and queue, as means over periods this long.", without=(OF_STUDIES,)
    )
    event_order: EventOrder = opt(
        one_of(*get_args(EventOrder)),
        "Which events come first at one instant.",
        default="batch",
        group=POLICY,
    )
    estimates: Estimates = opt(
        one_of(*get_args(Estimates)),
        "Running times that the policy plans with.",
        default="walltime",
        group=POLICY,
    )
    no_kill: bool = flag(
        "Let jobs run past their walltime.", group=JOBS, without=("checkpoints_in_walltime",)
    )
    strikes: Strikes = opt(
        one_of(*get_args(Strikes)),
        "What a failure strikes: its node, or nothing unless a job runs there.",
        default="nodes",
        group=FAILURES,
        needs=FAILING,
    )
    study: StudyRequest = of_studies(
        "Seeds of {mtbf}, such as 7, 1:200 or 1,5,9: a table of means over them.", remedy=_BEFORE
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryRequest(SiteRequest):
    """Replays with the recovery options of each of the `cases`.

    The case own has the option that a file of `job_options` tells of each job, A where it tells
    none, as nothing comes back by itself unless its user asks for it; with the file alone it is
    played beside ff and mr.
    With `credits`, the price of each option in [credit / node h], users pay for what they ask for;
    an `allowance` of None is the median of the prices, a `deposit_limit` of None is none.
    """

    cases: tuple[str, ...] = opt(
        NAMES,
        "Cases to compare.",
        default=(
            *("ff", "mr", "even", "normal"),
            *("all-b", "all-c", "all-d", "all-e"),
        ),
        called="--case",
        metavar="TEXT",
    )
    job_options: Path | None = opt(
        LOG_FILE,
        "Option of single jobs, for the case own: CSV of job, option (A to F); others have A.",
        needs=_OWN_CASE,
    )
    lower_bands: LowerBands = opt(
        one_of(*get_args(LowerBands)),
        "What jobs of a lower band may do while a higher one has any.",
        default="wait",
    )
    seed: int = again(SiteRequest, "seed", "Seed of the failures and of the options drawn.")
    policy: str | None = again(
        SiteRequest,
        "policy",
        "Of a plain machine: fcfs, easy or conservative.  [default: easy]",
        group=POLICY,
    )
    utility: str | None = again(
        SiteRequest, "utility", "Of a Blue Gene: fcfs, fat, wfp1, ...  [default: wfp3]"
    )
    credits: tuple[tuple[str, float], ...] | None = opt(
        PRICES,
        "Users pay for their options: credits per node hour, such as A=0,B=1,C=2,D=3,E=4; a job "
        "gets the best option not above its own that its user can afford.",
        group=CREDITS,
    )
    allowance: float | None = opt(
        WEIGHT,
        "Credits per node hour that come with every job.  [default: the median price]",
        group=CREDITS,
        needs="credits",
    )
    deposit_limit: float | None = opt(
        WEIGHT,
        "Most credits that a user can save.  [default: no limit]",
        group=CREDITS,
        needs="credits",
    )
    overdraft_limit: float = opt(
        WEIGHT, "Most credits that a user can owe.", default=0.0, group=CREDITS, needs="credits"
    )
    mtbf: float | None = again(
        SiteRequest, "mtbf", "Draw failures: MTBF of the whole machine.  [default: 10h]"
    )
    mttr: float = again(SiteRequest, "mttr", "Time to repair a node.", default=HOUR)
    failures: Path | None = again(SiteRequest, "failures", "A failure log, instead of {mtbf}.")
    checkpoint_interval: float | None = again(
        SiteRequest, "checkpoint_interval", default=50.0 * MINUTE
    )
    checkpoint_cost: float | None = again(SiteRequest, "checkpoint_cost", default=5.0 * MINUTE)
    study: StudyRequest = of_studies(
        "Seeds of failures and options, such as 1:200: a table of means over them."
    )

    def with_failures(self) -> RecoveryRequest:
        """Draw failures every 10 h where the request names none."""
        if self.mtbf is None and self.failures is None:
            return replace(self, mtbf=10.0 * HOUR)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlainSiteRequest(SiteRequest):
    """A site of which a question of promises says no more than it has fields for."""

    clocks: ClassVar[tuple[str, ...]] = ("failures_from_start",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromisesRequest(JobsRequest):
    """Promised deadlines for every pair of `accuracy` and `confidence`; durations in [s].

    `accuracy` None means 0 to 1 in steps of 0.1, `node_mtbf` as the nodes fail, `downtime` the
    repairs of the failure log, else 2 min.
    """

    seed: int = again(JobsRequest, "seed", "Seed of failures and predictor.")
    jobs: int = opt(COUNT, "Use so many of the first jobs of LOG.", default=10_000)
    processors: int | None = again(
        JobsRequest,
        "processors",
        "Processors of the machine.  [default: the log's header]",
        group="",
    )
    oversize: Oversize = again(JobsRequest, "oversize", group="")
    accuracy: tuple[float, ...] | None = opt(
        FRACTIONS,
        "Accuracy of the predictor: 0:1:0.1 or 0.3,0.7.  [default: 0:1:0.1]",
        group=FORECASTER,
        needs=equal_to("forecaster", "detectability"),
    )
    confidence: tuple[float, ...] = opt(
        FRACTIONS, "Probability of success that users ask for.", default=(0.1, 0.5, 0.9)
    )
    within_accuracy: bool = flag(
        "Users ask for nothing where {confidence} is above the accuracy, as in the paper's plots."
    )
    forecaster: Forecaster = opt(
        one_of(*get_args(Forecaster)),
        "The predictor: of given accuracy, of true probabilities, of sensitivity and "
        "specificity, or only a rate.",
        default="detectability",
        group=FORECASTER,
    )
    recall: float = opt(
        SHARE,
        "With {forecaster} calibrated: share of the failures that are announced.",
        default=0.7,
        group=FORECASTER,
        needs=equal_to("forecaster", "calibrated"),
    )
    precision: float = opt(
        SHARE,
        "Share of the announced that come.",
        default=0.5,
        group=FORECASTER,
        needs=equal_to("forecaster", "calibrated"),
    )
    sensitivity: float = again(
        JobsRequest,
        "sensitivity",
        "With {forecaster} stated: risk stated for a node that will fail.",
        needs=equal_to("forecaster", "stated"),
    )
    specificity: float = again(
        JobsRequest,
        "specificity",
        "1 minus the risk stated for any other node.",
        needs=equal_to("forecaster", "stated"),
    )
    node_mtbf: float | None = opt(
        DURATION,
        "With {forecaster} rate or calibrated: MTBF of a node.  [default: as nodes fail]",
        group=FORECASTER,
        needs=equal_to("forecaster", "rate", "calibrated"),
    )
    failures: Path | None = again(
        JobsRequest, "failures", "A failure log.  [default: drawn]", without=("failures_per_year",)
    )
    failures_per_year: float | None = opt(
        POSITIVE, "Failures of the machine, drawn in bursts.  [default: 1021]", group=FAILURES
    )
    downtime: float | None = opt(
        COST,
        "Downtime of a node after a failure.  [default: a log's own repairs, else 2min]",
        group=FAILURES,
    )
    checkpoint_interval: float = again(SiteRequest, "checkpoint_interval", default=HOUR)
    checkpoint_cost: float = again(SiteRequest, "checkpoint_cost", default=12.0 * MINUTE)
    checkpoints: Checkpoints = opt(
        one_of(*get_args(Checkpoints)),
        "Which checkpoints are written: by risk, all or none.",
        default="risk",
        group=CHECKPOINTS,
    )
    study: StudyRequest = of_studies(
        "Seeds of failures and predictor, such as 1:200: a table of means over them."
    )

    @property
    def repair(self) -> float:
        """Time to repair a node where no log knows it, [s]."""
        return 2.0 * MINUTE if self.downtime is None else self.downtime

    def site(self) -> SiteRequest:
        """Return the jobs on a plain machine whose nodes have one processor."""
        shared = {field.name: getattr(self, field.name) for field in fields(JobsRequest)}
        return _PlainSiteRequest(
            **shared,
            processors_per_node=1,
            mttr=self.repair,
            checkpoint_interval=self.checkpoint_interval,
            checkpoint_cost=self.checkpoint_cost,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteRequest(PromisesRequest):
    """The deadlines that one more job is offered while the jobs of a log hold theirs; in [s].

    It is submitted `at` a time after the first submission of the log, None is that of the last.
    `accuracy` and `confidence` have one value: of the predictor, and of what others ask for.
    """

    nodes: int | None = opt(COUNT, "Nodes that the job needs.")
    runtime: float | None = opt(DURATION, "How long it executes.")
    at: float | None = opt(
        COST, "When it is submitted, after the first job of LOG.  [default: as the last]"
    )
    accuracy: tuple[float, ...] | None = again(
        PromisesRequest, "accuracy", "Accuracy of the predictor.", default=(0.7,)
    )
    confidence: tuple[float, ...] = again(
        PromisesRequest,
        "confidence",
        "Probability of success that the others ask for.",
        default=(0.9,),
    )
