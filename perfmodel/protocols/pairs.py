"""Pairs of nodes: every process runs on two, so that half as many do the work.

The nodes that are down start anew at each checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..replication import optimal_interval_pairs, waste_of_pairs
from .protocol import Plan, Protocol, beside, least
from .situation import Situation

__all__ = ["Pairs"]


class Pairs(Protocol):
    """Every process on a pair of nodes; its intervals are computing times of a segment."""

    name = "pairs"
    needs = ("nodes",)
    short = known_as = plural = "pairs"
    writes = "Run every process on two nodes, and write checkpoints after every {interval} of work"
    unknown: ClassVar[Mapping[str, str]] = {
        "law": "no law is known of a job on pairs of nodes",
        "energy": "none is known of a job on pairs of nodes",
    }
    formulas = ("optimal_interval_pairs", "waste_of_pairs")

    def plan(self, job: Situation) -> Plan:
        """Return the better of the numbers of segments beside that of a long job."""
        work, machine = _paired(job)
        long = optimal_interval_pairs(**machine)
        return least(work, beside(work / long), lambda interval: self.mean(job, interval))

    def longest(self, job: Situation) -> float:
        """Return the computing time of the whole job on half of the nodes."""
        return _paired(job)[0]

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the mean of equal segments: each checkpoint renews all nodes."""
        work, machine = _paired(job)
        with np.errstate(divide="ignore"):
            return np.asarray(work / (1.0 - waste_of_pairs(interval, **machine)))


def _paired(job: Situation) -> tuple[float, dict[str, Any]]:
    """Return the computing time of the job on half of its nodes, and what they are."""
    assert job.nodes is not None
    pairs = job.nodes // 2.0
    return job.work * job.nodes / pairs, {
        "pairs": int(pairs),
        "node_mtbf": job.mtbf * job.nodes,
        "checkpoint_cost": job.checkpoint_cost,
        "recovery_cost": job.recovery_cost,
        "downtime": job.downtime,
    }
