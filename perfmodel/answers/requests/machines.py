"""Spare nodes of a machine, and the shares of a job on machines that differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from asking.kinds import (
    COST,
    COUNT,
    DURATION,
    EVENTS,
    LOG_FILE,
    SEED,
    SHARE,
    Kind,
    one_of,
)
from asking.reading import LOGS, LogReading
from asking.requests import Asked, argument, opt

from ..logs.formats import LAYOUT
from .fractions import PROBABILITIES, SHARES, Fractions, probabilities
from .groups import FAILURES, SPARES, STANDBYS
from .job import rate_of_log
from .repairs import UPTIME_LAW, RepairLaw

Algorithm: TypeAlias = Literal[
    "bisection", "local", "exhaustive", "random", "speed", "reliability", "speed-reliability"
]
_ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
# Those of wsj, Table 1: the fault-aware one and its rivals.
STRATEGIES: tuple[Algorithm, ...] = (
    "bisection",
    *("random", "speed", "reliability", "speed-reliability"),
)


def _algorithms(text: str) -> tuple[Algorithm, ...]:
    if text == "all":
        return STRATEGIES
    found = [each for name in text.split(",") for each in _ALGORITHMS if each == name.strip()]
    if len(found) != 1 + text.count(","):
        raise ValueError
    return tuple(found)


ALGORITHMS = Kind(
    "name",
    f"all, or one or more of {', '.join(_ALGORITHMS)}",
    _algorithms,
    words=("all", *_ALGORITHMS),
    many=True,
)
_CONFIDENCES = probabilities("0.95,0.99,0.999")
_GOODPUTS = probabilities("0.8,0.85,0.9")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRequest(Asked):
    """A job to share out among the machines of a file; durations in [s].

    `interval` and `checkpoint_cost` serve where the file has no such column; `processes` None
    means as many machines as pay. Schedules are played `simulate` times, with `seed`, by which
    machines are drawn at random, too.
    """

    machines: Path = field(metadata=argument(LOG_FILE))
    work: float | None = opt(DURATION, "Failure-free time of the job on a machine of speed 1.")
    processes: int | None = opt(COUNT, "Machines to use.  [default: as many as pay]")
    algorithm: tuple[Algorithm, ...] = opt(
        ALGORITHMS,
        f"{', '.join(_ALGORITHMS)}; several are compared, all: those of wsj.",
        default=("bisection",),
        metavar="NAME",
        repeated=True,
    )
    interval: float | None = opt(DURATION, "Time between checkpoints, if not in the file.")
    checkpoint_cost: float | None = opt(DURATION, "Time to write one, if not in the file.")
    simulate: int | None = opt(COUNT, "Play each schedule so many times.")
    seed: int = opt(SEED, "Of what is played, and of random machines.", default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SparesRequest(LogReading):
    """Spare nodes, or standby blocks of a job; times in [s].

    `nodes` that are to be at work, and the `confidence` that spares suffice. Or `blocks` that a job
    needs, each of which fails by itself, and the `goodput` it is to reach; `interval` None is
    the best, `crews` None one for every block. The job may go on while up to `may_miss` blocks are
    missing; a repair may have two stages; of one job with `work` the mean time is asked as well.
    The MTBF may be known by the `failures` of all nodes or blocks in an `observed` time, or by a
    `log` of `log_nodes`, None for as many as are asked for, from which `mttr` None is the mean
    repair.
    """

    nodes: int | None = opt(COUNT, "Nodes that must be up.", group=SPARES)
    node_mtbf: float | None = opt(
        DURATION, "MTBF of one node.", group=SPARES, without=("log", "failures")
    )
    mttr: float | None = opt(
        COST, "Mean time to repair or replace one.  [default: of the {log}]", group=SPARES
    )
    confidence: Fractions = opt(
        PROBABILITIES,
        "Probability that the spares suffice at any instant; several with commas.",
        default=_CONFIDENCES,
        group=SPARES,
    )
    rate: str | None = rate_of_log()
    blocks: int | None = opt(
        COUNT, "Blocks of nodes that a job needs: for its goodput.", group=STANDBYS
    )
    standbys: int | None = opt(
        EVENTS, "Blocks beyond those; compute their goodput.", group=STANDBYS
    )
    goodput: Fractions = opt(
        SHARES,
        "Goodputs to find the standbys for, with commas.",
        default=_GOODPUTS,
        group=STANDBYS,
    )
    block_mtbf: float | None = opt(
        DURATION, "MTBF of one block.", group=STANDBYS, without=("log", "failures")
    )
    checkpoint_cost: float | None = opt(COST, "Time to write a checkpoint.", group=STANDBYS)
    recovery_cost: float = opt(COST, "Time to read it back.", default=0.0, group=STANDBYS)
    interval: float | None = opt(
        DURATION, "Work between checkpoints; the best by default.", group=STANDBYS
    )
    switch_time: float = opt(
        COST, "From a failure until a standby has taken over.", default=0.0, group=STANDBYS
    )
    crews: int | None = opt(
        COUNT, "Repairs at the same time; without limit by default.", group=STANDBYS
    )
    standby_hazard: float = opt(
        SHARE,
        "Rate of failures of a standby, over that of a block at work.",
        default=0.0,
        group=STANDBYS,
    )
    stopped_hazard: float = opt(
        SHARE, "The same for the blocks of a job that stands still.", default=0.0, group=STANDBYS
    )
    may_miss: int = opt(
        EVENTS,
        "Blocks that may be missing: the job goes on with fewer, so much slower.",
        default=0,
        group=STANDBYS,
    )
    resize_time: float = opt(
        COST, "Stop if more or fewer blocks go on than before.", default=0.0, group=STANDBYS
    )
    automatic_time: float | None = opt(
        DURATION, "Mean time of a repair's first stage.", group=STANDBYS
    )
    manual_time: float | None = opt(
        DURATION, "Mean time of its second stage, by crews.", group=STANDBYS
    )
    escalated: float | None = opt(
        SHARE, "Share of repairs that go on to the second stage.", group=STANDBYS
    )
    automatic_false: float = opt(
        SHARE,
        "Share of blocks that the first stage gives back as broken as before.",
        default=0.0,
        group=STANDBYS,
    )
    manual_false: float = opt(SHARE, "The same for the second stage.", default=0.0, group=STANDBYS)
    failures: int | None = opt(
        EVENTS,
        "Failures of all of them (may be 0); needs {observed}.",
        group=FAILURES,
        needs="observed",
        without=("log",),
    )
    observed: float | None = opt(
        DURATION,
        "Time in which the {failures} were seen.",
        group=FAILURES,
        needs="failures",
        without=("log",),
    )
    log: Path | None = opt(
        LOG_FILE, "Failure log of all of them, or jobs of sacct.", group=FAILURES
    )
    format: str | None = opt(
        LAYOUT,
        "Layout of the {log}.  [default: by its first lines]",
        metavar="NAME",
        group=LOGS,
        needs="log",
    )
    log_nodes: int | None = opt(
        COUNT,
        "Nodes that the {log} is of, failed or not: each of the {nodes} is taken to fail as one "
        "of them.  [default: as many as {nodes}]",
        group=LOGS,
        needs="log",
    )
    work: float | None = opt(
        DURATION, "Work of one job, for its mean time with {standbys}.", group=STANDBYS
    )
    under_repair: int = opt(
        EVENTS,
        "Standbys under repair when that job begins.",
        default=0,
        group=STANDBYS,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesRequest(Asked):
    """A long job that may use up to `nodes`; durations in [s], what nobody can divide as a share.

    A checkpoint of p nodes takes `checkpoint_cost` and p times `checkpoint_cost_per_node`.
    """

    nodes: int | None = opt(COUNT, "Nodes that there are.")
    node_mtbf: float | None = opt(DURATION, "MTBF of one node.")
    sequential_share: float | None = opt(SHARE, "Share of the work that cannot be divided.")
    checkpoint_cost: float | None = opt(COST, "Time to write a checkpoint, on any nodes.")
    checkpoint_cost_per_node: float = opt(COST, "What each node adds to that.", default=0.0)
    recovery_cost: float = opt(COST, "Time to read a checkpoint back.", default=0.0)
    downtime: float = opt(COST, "Dead time after a failure.", default=0.0)
    law: Literal["amdahl", "gustafson"] = opt(
        one_of("amdahl", "gustafson"),
        "Speedup without failures; by gustafson the work grows with the nodes.",
        default="amdahl",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraRequest(Asked):
    """A parallel job on equal nodes, for one more of which a use is wanted; durations in [s].

    Each node has a share of the work and writes checkpoints of its own; `interval` None is the
    best.
    """

    nodes: int | None = opt(COUNT, "Nodes that the job has, the new one apart.")
    work: float | None = opt(DURATION, "Failure-free time of the whole job on one node.")
    node_mtbf: float | None = opt(DURATION, "MTBF of one node.")
    downtime: float | None = opt(COST, "Time to repair one, always the same.")
    downtime_law: RepairLaw | None = opt(
        UPTIME_LAW, "Law of repairs in place of {downtime}: lognormal:mean=2h,cv=4."
    )
    checkpoint_cost: float | None = opt(COST, "Time of one node to write a checkpoint.")
    interval: float | None = opt(DURATION, "Work between checkpoints; the best by default.")
