"""Spare nodes of a machine, and the shares of a job on machines that differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from .asked import Asked
from .fractions import Fractions, probabilities
from .reading import LogReading

__all__ = ["Algorithm", "NodesRequest", "PartitionRequest", "SparesRequest"]

Algorithm: TypeAlias = Literal[
    "bisection", "local", "exhaustive", "speed", "reliability", "speed-reliability"
]
_CONFIDENCES = probabilities("0.95,0.99,0.999")
_GOODPUTS = probabilities("0.8,0.85,0.9")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRequest(Asked):
    """A job to share out among the machines of a file; durations in [s].

    `interval` and `checkpoint_cost` serve where the file has no such column; `processes` None
    means as many machines as pay.
    """

    machines: Path
    work: float | None = None
    processes: int | None = None
    algorithm: Algorithm = "bisection"
    interval: float | None = None
    checkpoint_cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SparesRequest(LogReading):
    """Spare nodes, or standby blocks of a job; times in [s].

    `nodes` that are to be at work, and the `confidence` that spares suffice. Or `blocks` that a job
    needs, each of which fails by itself, and the `goodput` it is to reach; `interval` None is
    the best, `crews` None one for every block. The job may go on while up to `may_miss` blocks are
    missing; a repair may have two stages; of one job with `work` the mean time is asked as well.
    The MTBF may be known by the `failures` of all nodes or blocks in an `observed` time, or by a
    `log`, from which `mttr` None is the mean repair.
    """

    nodes: int | None = None
    node_mtbf: float | None = None
    mttr: float | None = None
    confidence: Fractions = _CONFIDENCES
    blocks: int | None = None
    standbys: int | None = None
    goodput: Fractions = _GOODPUTS
    block_mtbf: float | None = None
    checkpoint_cost: float | None = None
    recovery_cost: float = 0.0
    interval: float | None = None
    switch_time: float = 0.0
    crews: int | None = None
    standby_hazard: float = 0.0
    stopped_hazard: float = 0.0
    may_miss: int = 0
    resize_time: float = 0.0
    automatic_time: float | None = None
    manual_time: float | None = None
    escalated: float | None = None
    automatic_false: float = 0.0
    manual_false: float = 0.0
    failures: int | None = None
    observed: float | None = None
    log: Path | None = None
    format: str | None = None
    work: float | None = None
    under_repair: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesRequest(Asked):
    """A long job that may use up to `nodes`; durations in [s], what nobody can divide as a share.

    A checkpoint of p nodes takes `checkpoint_cost` and p times `checkpoint_cost_per_node`.
    """

    nodes: int | None = None
    node_mtbf: float | None = None
    sequential_share: float | None = None
    checkpoint_cost: float | None = None
    checkpoint_cost_per_node: float = 0.0
    recovery_cost: float = 0.0
    downtime: float = 0.0
    law: Literal["amdahl", "gustafson"] = "amdahl"
