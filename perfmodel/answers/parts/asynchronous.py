"""What a job gains if its checkpoints are copied quickly and are durable later."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...makespan.asynchronous import InFlight
from ..known.job import Job


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
    """Return the best segments of the job, or where steps are known the best of both numbers."""
    from ...protocols.asynchronous import Asynchronous
    from ...protocols.situation import Situation

    protocol = Asynchronous()
    asked = Situation(
        work=job.work, snapshot_cost=copy, latency=latency, in_flight=in_flight, **job.costs
    )

    def mean(interval: float) -> float:
        return float(protocol.means(asked, np.asarray(interval)))

    best = protocol.best(asked)
    segments = best.segments
    interval, steps = job.in_steps(best.interval, mean)
    if steps is not None:
        segments = max(math.ceil(job.work / interval * (1.0 - 1e-15)), 1)
    found = mean(interval)
    return Drained(
        copy, latency, in_flight, interval, steps, int(segments), found, job.work / found
    )
