"""Asynchronous checkpoints: the job stands still for a copy, which is durable a latency later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..completion import CompletionTime, exact_makespan_async
from ..interval import best_segments, optimal_interval_async
from ..makespan import expected_makespan_async
from .protocol import Losses, Plan, Protocol, beside, least, losses_of
from .situation import Situation

_EACH = 300  # segments up to which every number is tried where snapshots are skipped


class Asynchronous(Protocol):
    """Snapshots that drain while the job goes on."""

    name = "asynchronous"
    needs = ("snapshot_cost", "latency")
    cost = "snapshot_cost"
    short = known_as = "asynchronous"
    plural = "asynchronous writes"
    writes = "Write asynchronous checkpoints after every {interval} of work"
    unknown: ClassVar[Mapping[str, str]] = {
        "losses": "no classes are known of snapshots that slow the job, or that drain for longer "
        "than the interval",
    }
    drawn: ClassVar[tuple[str, str] | None] = ("snapshot_cost", "snapshot")
    formulas = ("optimal_interval_async", "expected_makespan_async", "exact_makespan_async")

    def plan(self, job: Situation) -> Plan:
        """Return the best of the numbers of segments beside those of a long job."""
        snapshot, latency = _drain(job)
        long = float(
            optimal_interval_async(
                mtbf=job.mtbf,
                checkpoint_cost=snapshot,
                latency=latency,
                slowdown=job.slowdown,
                in_flight=job.in_flight,
            )
        )
        overhead = snapshot + job.slowdown * latency
        counts = [
            beside(job.work / long),
            beside(float(best_segments(job.work, mtbf=job.mtbf, checkpoint_cost=overhead))),
            np.ones(1),
        ]
        if job.in_flight == "skip":  # of which a short job may want quite another number
            counts.append(np.arange(1.0, min(2.0 * job.work / long + 20.0, _EACH)))
        return least(job.work, np.concatenate(counts), lambda interval: self.mean(job, interval))

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the exact mean at each interval."""
        return expected_makespan_async(job.work, interval=interval, **_costs(job))

    def law(
        self, job: Situation, interval: float, durable_every: float = 1.0
    ) -> CompletionTime | None:
        """Return the exact law."""
        return exact_makespan_async(job.work, interval=interval, **_costs(job))

    def losses(
        self, job: Situation, interval: float, durable_every: float, delays: dict[str, float]
    ) -> Losses | None:
        """Return the classes of a training run whose snapshots are durable before the next."""
        snapshot, latency = _drain(job)
        if latency > interval + snapshot or job.slowdown > 0.0:
            return None
        return losses_of(job, interval, snapshot, latency, delays)


def _drain(job: Situation) -> tuple[float, float]:
    """Return the cost of a snapshot and its latency, [time]."""
    assert job.snapshot_cost is not None
    assert job.latency is not None
    return job.snapshot_cost, job.latency


def _costs(job: Situation) -> dict[str, Any]:
    snapshot, latency = _drain(job)
    return {
        **job.costs,
        "checkpoint_cost": snapshot,
        "latency": latency,
        "slowdown": job.slowdown,
        "in_flight": job.in_flight,
    }
