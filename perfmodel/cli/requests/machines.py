"""Spare nodes of a machine, and the shares of a job on machines that differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from .fractions import Fractions, probabilities

__all__ = ["Algorithm", "PartitionRequest", "SparesRequest"]

Algorithm: TypeAlias = Literal[
    "bisection", "local", "exhaustive", "speed", "reliability", "speed-reliability"
]
_CONFIDENCES = probabilities("0.95,0.99,0.999")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRequest:
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
class SparesRequest:
    """Nodes that are to be at work, and the `confidence` that spares suffice; times in [s]."""

    nodes: int | None = None
    node_mtbf: float | None = None
    mttr: float | None = None
    confidence: Fractions = _CONFIDENCES
