"""What a job gains if its checkpoints are copied quickly and are durable later."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...interval import optimal_interval_async
from ...makespan import expected_makespan_async
from ...makespan.asynchronous import InFlight
from ..setups.job import Job

__all__ = ["Drained", "drained"]


@dataclass(frozen=True, slots=True)
class Drained:
    """The best equal segments with asynchronous checkpoints; durations in [s]."""

    snapshot_cost_s: float
    latency_s: float
    in_flight: str
    interval_s: float
    segments: int
    expected_makespan_s: float
    efficiency: float


def drained(job: Job, copy: float, latency: float, in_flight: InFlight) -> Drained:
    """Return the best of the two whole numbers of segments beside the optimum of a long job."""
    costs: dict[str, Any] = {**job.costs, "checkpoint_cost": copy}
    long = float(
        optimal_interval_async(
            mtbf=job.mtbf.value,
            checkpoint_cost=copy,
            latency=latency,
            in_flight=in_flight,
        )
    )
    few = max(math.floor(job.work / long), 1)
    counts = np.array([few, few + 1.0], dtype=np.float64)
    with np.errstate(all="ignore"):
        means = expected_makespan_async(
            job.work, interval=job.work / counts, latency=latency, in_flight=in_flight, **costs
        )
    best = int(np.argmin(means))
    return Drained(
        copy,
        latency,
        in_flight,
        job.work / float(counts[best]),
        int(counts[best]),
        float(means[best]),
        job.work / float(means[best]),
    )
