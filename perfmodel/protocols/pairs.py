"""Pairs of nodes: every process runs on two, so that half as many do the work.

The nodes that are down start anew at each checkpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..replication import optimal_interval_pairs, waste_of_pairs
from ..replication.pairs import shares_of_pairs
from .protocol import Losses, Plan, Protocol, beside, least
from .situation import Situation


class Pairs(Protocol):
    """Every process on a pair of nodes; its intervals are computing times of a segment."""

    name = "pairs"
    needs = ("nodes",)
    short = known_as = "pairs"
    plural = "pairs of nodes"
    writes = "Run every process on two nodes, and write checkpoints every {interval} of computing"
    lost_to = "checkpoints, failures and work that is done twice"
    alone = True
    shares = None
    unknown: ClassVar[Mapping[str, str]] = {
        "spares": "none is known of pairs of nodes",
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

    def step(self, job: Situation) -> float | None:
        """Return the time of a step on half of the nodes."""
        return None if job.step_time is None else job.step_time * (_paired(job)[0] / job.work)

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the mean of equal segments: each checkpoint renews all nodes."""
        work, machine = _paired(job)
        with np.errstate(divide="ignore"):
            return np.asarray(work / (1.0 - waste_of_pairs(interval, **machine)))

    def losses(
        self, job: Situation, interval: float, durable_every: float, delays: dict[str, float]
    ) -> Losses | None:
        """Return the classes of a training run, and the computing that is done twice."""
        work, machine = _paired(job)
        restore, warm_up = delays["restore"], delays["warm_up"]
        del machine["recovery_cost"]
        shares = shares_of_pairs(interval, restore=restore, warm_up=warm_up, **machine)
        once = job.work / work
        stops = {name: delays[name] for name in ("detection", "queue", "rescheduling")}
        each = shares["downtime"] / job.downtime if job.downtime > 0.0 else 0.0
        return {
            "goodput": once * shares["computing"],
            "redundancy": (1.0 - once) * shares["computing"],
            "checkpoint_save": shares["checkpoint"],
            "wasted_progress": shares["undone"],
            **{name: each * delay for name, delay in stops.items()},
            "checkpoint_restore": shares["recovery"],
            "warm_up": shares["warm_up"],
        }


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
