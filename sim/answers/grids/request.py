"""The jobs of a log on several clusters."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, get_args

from asking.kinds import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    LOG_FILE,
    NAMES,
    POSITIVE,
    TEXT,
    one_of,
)
from asking.reading import CSV_LAYOUT, LOGS
from asking.refusals import Field, Said
from asking.requests import Lead, again, any_of, argument, equal_to, flag, opt

from ..._units import MINUTE
from ..kinds import UNIX_TIME, WEIGHTS
from ..reading import JobLogReading
from ..replays.requests import (
    FAILURES,
    JOBS,
    POLICY,
    Estimates,
    EventOrder,
    MissingWalltime,
    OnFailure,
    ReplayRequest,
)
from ..studies.request import OF_STUDIES, STUDIES, StudyRequest, of_studies

__all__ = ["FailureFormat", "GridRequest"]

FailureFormat: TypeAlias = Literal["metacentrum", "csv", "fta", "lanl"]
_REBUILT = equal_to("requirements", "reconstruct")
_PLACED = Lead(
    Said("{}, {}", _REBUILT.words, any_of("scale_runtimes", "from_first_use").words),
    lambda grid: grid.scale_runtimes or grid.from_first_use or _REBUILT.holds(grid),
)
_DRAWN = any_of("mtbf", "failures_like")
_IN_BURSTS = Lead(
    Said("{} above 1 or {}", Field("burst_size"), Field("failures_like")),
    lambda grid: grid.burst_size > 1.0 or grid.failures_like is not None,
)
_PLANNED = Lead(
    Said("{} walltime or {}", Field("estimates"), Field("kill")),
    lambda grid: grid.kill or grid.estimates == "walltime",
)
_SEARCHES = Lead(
    Said("{} ls", Field("policies")),
    lambda grid: "ls" in (grid.policies or ("ls",)) and grid.order is None,
)
REQUIREMENTS = "What jobs require of clusters"  # heading of a help


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRequest(JobLogReading):
    """Jobs, clusters, their failures and what the jobs require of them; durations in [s].

    None, or an empty tuple, stands for a default that depends on the files: formats follow the
    first lines of files, `missing_walltime` is runtime, `scenarios` are all that apply, `policies`
    fcfs, easy, cons and, unless runtimes are scaled or an `order` is given, ls. Failures are read
    from `failures` or drawn where `mtbf` is given; `requirements` is the name of a file,
    ``reconstruct`` or ``log``. Walltimes count with `kill` or as `estimates` only.
    """

    last: ClassVar[tuple[str, ...]] = (STUDIES, LOGS)

    log: Path = field(metadata=argument(LOG_FILE))
    job_format: str | None = again(
        ReplayRequest, "job_format", "Format of LOG, as for replay.  [default: by its first lines]"
    )
    machines: Path = opt(LOG_FILE, "Clusters: TOML, or MetaCentrum's.", default=MISSING)
    policies: tuple[str, ...] = opt(
        NAMES,
        "Policies to compare; fcfs-lb (random) is another.  [default: fcfs,easy,cons,ls; without "
        "ls where {order} is given]",
        default=(),
        metavar="TEXT",
    )
    scenarios: tuple[str, ...] = opt(
        NAMES,
        "Scenarios to compare.  [default: all of BASIC,EXT-FAIL,EXT-REQ,EXT-ALL that apply]",
        default=(),
        metavar="TEXT",
    )
    runs: int = opt(
        COUNT,
        "Runs of each random policy, ls and fcfs-lb, without {seeds}.",
        default=10,
        without=(OF_STUDIES,),
    )
    seed: int = again(ReplayRequest, "seed", "The first of the runs; also the seed of {mtbf}.")
    by_class: bool = again(ReplayRequest, "by_class")
    use_over_time: float | None = again(
        ReplayRequest,
        "use_over_time",
        "Also use and queue, as means over periods this long; of a random policy the first run.",
    )
    strict: bool = again(ReplayRequest, "strict", "Refuse files with a malformed line.")
    jobs: int | None = opt(COUNT, "Use so many of the first jobs of LOG.", group=JOBS)
    estimates: Estimates = again(
        ReplayRequest,
        "estimates",
        "Running times that the policies plan with.",
        default="runtime",
        group=JOBS,
    )
    kill: bool = flag(
        "End jobs at their walltime, or let them run past it.  [default: no-kill]",
        called="--kill/--no-kill",
        group=JOBS,
    )
    missing_walltime: MissingWalltime | None = again(
        ReplayRequest, "missing_walltime", needs=_PLANNED
    )
    walltime_factor: float | None = again(ReplayRequest, "walltime_factor", needs=_PLANNED)
    scale_runtimes: bool = flag(
        "Let a job run longer or shorter by the speed of its cluster in LOG over that of another.",
        group=JOBS,
    )
    requirements: str | None = opt(
        TEXT,
        "A CSV file, 'reconstruct' (from history), or 'log' (mwf, gwf).",
        group=REQUIREMENTS,
    )
    reconstruct_by: tuple[str, ...] = opt(
        NAMES,
        "What makes jobs alike.  [default: executable, or user,queue where unknown]",
        default=(),
        metavar="TEXT",
        group=REQUIREMENTS,
        needs=_REBUILT,
    )
    partitions: str | None = opt(
        TEXT,
        "Where the partitions of LOG were: 1=a,2=b.  [default: by name, or order if as many]",
        metavar="PAIRS",
        group=REQUIREMENTS,
        needs=_PLACED,
        without=("partition_map",),
    )
    partition_map: Path | None = opt(
        LOG_FILE,
        "The same as a CSV file: partition (or queue) and cluster.",
        group=REQUIREMENTS,
        needs=_PLACED,
    )
    failures: Path | None = again(
        ReplayRequest,
        "failures",
        "A log of machine failures.",
        without=("mtbf", "failures_like"),
    )
    failure_format: FailureFormat | None = again(
        ReplayRequest,
        "failure_format",
        f"Format of {{failures}}; {CSV_LAYOUT} "
        "Here also cluster, and node from 0 in it.  [default: by its first lines]",
        kind=one_of(*get_args(FailureFormat)),
        needs=any_of("failures", "failures_like"),
        metavar=None,
    )
    unknown_repair: float = opt(
        COST,
        "Repair time where the log has none.",
        default=20.0 * MINUTE,
        group=FAILURES,
        needs="failures",
    )
    mtbf: float | None = again(
        ReplayRequest,
        "mtbf",
        "Draw failures: MTBF of all machines together.",
        without=("failures_like",),
    )
    failures_like: Path | None = opt(
        LOG_FILE,
        "Draw failures with the rate per machine, the bursts and the repairs of this log.",
        group=FAILURES,
    )
    like_machines: int | None = opt(
        COUNT,
        "Machines that {failures_like} watches.  [default: those that it names]",
        needs="failures_like",
        group=FAILURES,
    )
    from_first_use: bool = flag(
        "Drawn failures: a cluster is out until the first job of LOG that ran on it.",
        group=FAILURES,
        needs=_DRAWN,
    )
    weibull_shape: float = again(
        ReplayRequest,
        "weibull_shape",
        "Shape of the times between bursts of failures.",
        kind=POSITIVE,
    )
    burst_size: float = again(
        ReplayRequest,
        "burst_size",
        "Mean number of failures in a burst, all on one cluster.",
        kind=POSITIVE,
    )
    burst_span: float = again(ReplayRequest, "burst_span", needs=_IN_BURSTS)
    lemon_share: float = again(
        ReplayRequest,
        "lemon_share",
        "Share of the machines, drawn by {seed}, that fail more often than the others; the "
        "MTBF of all is kept.",
        needs=_DRAWN,
    )
    lemon_factor: float = again(
        ReplayRequest,
        "lemon_factor",
        "How many times as often those of {lemon_share} fail, other than inside a burst.",
    )
    mttr: float = again(ReplayRequest, "mttr", "Mean time to repair a machine.", needs="mtbf")
    maintenance: Path | None = again(
        ReplayRequest,
        "maintenance",
        "CSV of outages: start, end (seconds of LOG or dates), kind (outage), and nodes "
        "(such as 0-15 32, over all clusters in their order; empty for all).",
    )
    origin: float | None = opt(
        UNIX_TIME,
        "Unix time of second 0 of LOG, if it does not say.",
        group=FAILURES,
        needs=any_of("failures", "maintenance"),
    )
    on_failure: OnFailure = again(
        ReplayRequest,
        "on_failure",
        "Give killed jobs up, or resubmit them.",
        default="drop",
        needs=None,
    )
    keep_stranded: bool = flag(
        "Do not cancel jobs for which too few machines are up.", group=FAILURES
    )
    order: str | None = again(
        ReplayRequest,
        "order",
        'Order of the queue, highest first: such as "-walltime" or "(wait/walltime)**3*nodes".',
    )
    search_period: float = opt(
        DURATION,
        "Of ls: simulated time between two searches.",
        default=5.0 * MINUTE,
        group=POLICY,
        needs=_SEARCHES,
    )
    search_rounds: int = opt(
        EVENTS,
        "Of ls: moves tried in a search, per waiting job.",
        default=2,
        group=POLICY,
        needs=_SEARCHES,
    )
    search_budget: int = opt(
        COUNT,
        "Of ls: reservations that one search may make, for the paper's 2 s of the clock.",
        default=20_000,
        group=POLICY,
        needs=_SEARCHES,
    )
    search_weights: tuple[float, float, float] = opt(
        WEIGHTS,
        "Of ls: what a gain in slowdown, in wait and in response counts.",
        default=(1.0, 1.0, 1.0),
        metavar="NUMBERS",
        group=POLICY,
        needs=_SEARCHES,
    )
    event_order: EventOrder = again(ReplayRequest, "event_order")
    study: StudyRequest = of_studies(
        "Seeds of {mtbf} and of random policies, such as 1:200: a table of means over them."
    )
