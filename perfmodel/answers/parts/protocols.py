"""Which checkpoint protocol suits a job, and at which MTBF another one does."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from asking.refusals import Field, Refused

from ...validity import ValidityWarning
from ..known.job import Job
from ..requests.job import IntervalRequest

if TYPE_CHECKING:
    from ...protocols import Recommendation


def compared(job: Job, request: IntervalRequest) -> Recommendation:
    """Return the protocols that the request describes, the best first."""
    from ...protocols import recommend

    if len(request.levels) > 1:
        raise Refused(
            "{} takes at most one {}, got {}: without {} there may be several",
            Field("compare"),
            Field("levels"),
            len(request.levels),
            Field("compare"),
        )
    more: dict[str, Any] = {}
    if request.async_latency is not None:
        more["snapshot_cost"] = request.snapshot_cost or job.checkpoint_cost
        more["latency"] = request.async_latency
        more["in_flight"] = request.in_flight
    for level in request.levels:
        more |= {
            "local_cost": level.cost,
            "local_recovery": level.recovery,
            "survived": level.survives,
        }
    if request.predictor is not None:
        more |= {
            "recall": request.predictor.recall,
            "precision": request.predictor.precision,
            "proactive_cost": request.predictor.cost,
            "window": request.predictor.window,
        }
    if job.nodes is not None and job.nodes > 1:
        more["nodes"] = job.nodes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # the error of each is in its answer
        return recommend(job.work, **job.costs, **more)


def plain(found: Recommendation) -> list[dict[str, Any]]:
    """Return one object per protocol, under unit-named keys."""
    return [
        {
            "protocol": plan.protocol,
            "interval_s": plan.interval,
            "segments": int(plan.segments),
            "durable_every": int(plan.durable_every),
            "expected_makespan_s": plan.expected_time,
            "overhead": plan.overhead,
            "efficiency": plan.efficiency,
            "regret": plan.regret,
            "error": plan.error,
            "crossover_mtbf_s": plan.crossover,
        }
        for plan in found.protocols
    ]
