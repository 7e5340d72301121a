"""What a job gains if its checkpoints are copied quickly and are durable later."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...interval import optimal_interval_async
from ...makespan import expected_makespan_async
from ...makespan.asynchronous import InFlight
from ..known.job import Job

__all__ = ["Drained", "drained"]


@dataclass(frozen=True, slots=True)
class Drained:
    """The best segments with asynchronous checkpoints, equal or in whole steps; in [s]."""

    snapshot_cost_s: float
    latency_s: float
    in_flight: str
    interval_s: float
    steps: int | None
    segments: int
    expected_makespan_s: float
    efficiency: float


def drained(job: Job, copy: float, latency: float, in_flight: InFlight) -> Drained:
    """Return the best of the two whole numbers of segments beside the optimum of a long job.

    Where steps are known, the best of the two whole numbers of steps beside that.
    """
    costs: dict[str, Any] = {**job.costs, "checkpoint_cost": copy}
    long = float(
        optimal_interval_async(
            mtbf=job.mtbf.value,
            checkpoint_cost=copy,
            latency=latency,
            in_flight=in_flight,
        )
    )

    def mean(intervals: Any) -> Any:
        with np.errstate(all="ignore"):
            return expected_makespan_async(
                job.work, interval=intervals, latency=latency, in_flight=in_flight, **costs
            )

    few = max(math.floor(job.work / long), 1)
    counts = np.array([few, few + 1.0], dtype=np.float64)
    segments = float(counts[int(np.argmin(mean(job.work / counts)))])
    interval, steps = job.in_steps(job.work / segments, mean)
    if steps is not None:
        segments = max(math.ceil(job.work / interval * (1.0 - 1e-15)), 1)
    found = float(mean(interval))
    return Drained(
        copy, latency, in_flight, interval, steps, int(segments), found, job.work / found
    )
