"""Wrong makespans with asynchronous checkpoints: each drops or changes one rule.

The model is written here again as a chain of durable snapshots, with an option for each fault. A
test checks that it is right without a fault, so that a mutant is rejected because of its fault.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.completion import exact_makespan, exact_makespan_async
from perfmodel.interval import optimal_interval, optimal_interval_async
from perfmodel.makespan import expected_makespan_async, makespan_variance_async
from validation.judge.run import Mutant

from ..counted_failures import Attempt, between_nodes

__all__ = [
    "MEAN_FAULTS",
    "MUTANTS",
    "VARIANCE_FAULTS",
    "right_interval",
    "right_mean",
    "right_variance",
]

Moments = tuple[float, float]


def _cut(span: float, mtbf: float) -> tuple[float, float, float]:
    """Return P(no failure within `span`), mean and variance of an uptime that is shorter."""
    kept = math.exp(-span / mtbf)
    mean = mtbf - span * kept / (1.0 - kept)
    square = 2.0 * mtbf**2 - (span**2 + 2.0 * span * mtbf) * kept / (1.0 - kept)
    return kept, mean, square - mean**2


def _until(span: float, mtbf: float, cost: Moments) -> Moments:
    """Return moments of the time to stay up for `span`, when each failure costs `cost` more."""
    kept, lost, spread = _cut(span, mtbf)
    count, count_variance = 1.0 / kept - 1.0, (1.0 - kept) / kept / kept
    each = lost + cost[0]
    return span + count * each, count * (spread + cost[1]) + count_variance * each * each


def _repair(mtbf: float, recovery: float, downtime: Any, fault: str) -> Moments:
    """Return moments of the time from a failure to the end of the recovery."""
    down = 0.0 if fault == "downtime dropped" else float(getattr(downtime, "mean", downtime))
    scatter = float(getattr(downtime, "variance", 0.0))
    if fault == "variance of the downtime dropped":
        scatter = 0.0
    if fault == "recovery dropped" or recovery == 0.0:
        return down, scatter
    if fault == "recovery never fails":
        return down + recovery, scatter
    again, more = _until(recovery, mtbf, (down, scatter))
    return down + again, scatter + more


def _after(
    spans: list[float],
    j: int,
    *,
    latency: float,
    cost: float,
    slowdown: float,
    rule: str,
    fault: str,
) -> tuple[float, int]:
    """Return the time from one durable snapshot to the next, and which one that is."""
    computed, until = spans[j], j + 1
    if rule == "skip" and fault != "waits instead of skipping":
        while until < len(spans) and computed * (1.0 + 2.0**-48) < (1.0 - slowdown) * latency:
            computed, until = computed + spans[until], until + 1
    beside = latency if slowdown == 1.0 else min(latency, computed / (1.0 - slowdown))
    if fault == "slowed down while a snapshot drains alone":
        beside = latency
    busy = computed + slowdown * beside
    if fault == "never waits for a drain":
        return busy + cost, until
    if rule == "overlap" and fault != "one buffer instead of two":
        return max(busy + cost, latency), until
    if rule != "overlap" and fault == "two buffers instead of one":
        return max(busy + cost, latency), until
    return max(busy, latency) + cost, until


def _moments(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    latency: float,
    recovery_cost: float = 0.0,
    downtime: Any = 0.0,
    slowdown: float = 0.0,
    in_flight: str = "overlap",
    fault: str = "",
) -> Moments:
    """Return mean and variance of the makespan, with a fault if one is named."""
    count = max(math.ceil(work / interval * (1.0 - 2.0**-48)), 1)
    spans = [interval] * (count - 1) + [work - (count - 1) * interval]
    if fault == "last segment treated as full":
        spans[-1] = interval
    if fault == "slowdown ignored":
        slowdown = 0.0
    repair = _repair(mtbf, recovery_cost, downtime, fault)
    drain, cost = latency, checkpoint_cost
    if fault == "slowdown as a longer copy":  # also of the first after a failure, which it spares
        cost, slowdown = cost + slowdown * latency, 0.0
    if fault == "durable with its copy":
        drain = 0.0
    if fault == "stands still until it is durable":
        cost, drain = cost + latency, 0.0
    cold = [_until(span + cost + drain, mtbf, repair) for span in spans]
    mean, variance = [0.0] * (count + 1), [0.0] * (count + 1)
    for j in range(count - 1, 0, -1):
        span, until = _after(
            spans, j, latency=drain, cost=cost, slowdown=slowdown, rule=in_flight, fault=fault
        )
        kept, lost, spread = _cut(span, mtbf)
        back, next_one = cold[j], j + 1
        if fault == "the snapshot in flight survives":
            back, next_one = (0.0, 0.0), until
        if fault == "nothing lost but since the last copy":
            back = _until(spans[j] + cost, mtbf, repair)
        good = span + mean[until]
        bad = lost + repair[0] + back[0] + mean[next_one]
        if fault == "every snapshot from a cold start":
            kept, good, bad = 0.0, 0.0, cold[j][0] + mean[j + 1]
        mean[j] = kept * good + (1.0 - kept) * bad
        scatter = spread + repair[1] + back[1]
        if fault == "a cold start has no variance":
            scatter = spread + repair[1]
        if fault == "variance of the repair dropped":
            scatter = spread + back[1]
        variance[j] = kept * variance[until] + (1.0 - kept) * (scatter + variance[next_one])
        if fault != "scatter within failures only":
            variance[j] += kept * (1.0 - kept) * (bad - good) * (bad - good)
    undrained = drain if fault == "the job ends with its last copy" else 0.0
    first = (cold[0][0] - undrained, cold[0][1])
    return first[0] + mean[1] * (count > 1), first[1] + variance[1] * (count > 1)


def chain(work: float, *, state: tuple[str, int], **job: Any) -> Attempt:
    """Return what a job without slips tries in a state: `cold` after a failure, or `warm`."""
    interval, cost, drain = job["interval"], job["checkpoint_cost"], job["latency"]
    count = max(math.ceil(work / interval * (1.0 - 2.0**-48)), 1)
    spans = [interval] * (count - 1) + [work - (count - 1) * interval]
    kind, j = state
    if kind == "warm":
        rule, slowdown = job.get("in_flight", "overlap"), job.get("slowdown", 0.0)
        rest: dict[str, Any] = {"latency": drain, "cost": cost, "slowdown": slowdown}
        span, until = _after(spans, j, **rest, rule=rule, fault="")
    else:
        recovery = job.get("recovery_cost", 0.0) if kind == "cold" else 0.0
        span, until = recovery + spans[j] + cost + drain, j + 1
    done = ("warm", until) if until < count else None
    return Attempt(span, done, ((1.0, ("cold", j)),))


def right_mean(work: float, **job: Any) -> float:
    """Return the mean makespan, with a fault if one is named."""
    return _moments(work, **job)[0]


def right_variance(work: float, **job: Any) -> float:
    """Return the variance of the makespan, with a fault if one is named."""
    return _moments(work, **job)[1]


def right_interval(
    *,
    mtbf: float,
    checkpoint_cost: float,
    latency: float,
    slowdown: float = 0.0,
    in_flight: str = "overlap",
    fault: str = "",
) -> float:
    """Return a best interval with a fault; without one it is right where nothing is slowed."""
    cost, drain = checkpoint_cost, (1.0 - slowdown) * latency
    if fault == "latency as a longer copy":
        cost += latency
    elif fault != "slowdown ignored":
        cost += slowdown * latency
    best = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    free = drain - (1.0 - slowdown) * checkpoint_cost * (in_flight == "overlap")
    if fault == "drains may queue":
        free = 0.0
    if fault == "one buffer instead of two":
        free = drain
    if fault == "two buffers instead of one":
        free = drain - (1.0 - slowdown) * checkpoint_cost
    if fault == "no drain may queue, however long":  # as far as beyond the mtbf
        return max(best, free)
    return max(best, min(free, mtbf))


def _other_law(
    work: float,
    *,
    latency: float,
    checkpoint_cost: float,
    slowdown: float = 0.0,
    in_flight: str = "overlap",
    fault: str,
    **job: Any,
) -> Any:
    """Return a law with a fault."""
    rest: dict[str, Any] = {"slowdown": slowdown, "in_flight": in_flight}
    if fault == "durable with its copy":
        return exact_makespan(work, checkpoint_cost=checkpoint_cost, **job)
    if fault == "stands still until it is durable":
        return exact_makespan(work, checkpoint_cost=checkpoint_cost + latency, **job)
    if fault == "buffers exchanged":
        rest["in_flight"] = "overlap" if in_flight == "single_buffer" else "single_buffer"
    if fault == "waits instead of skipping" and in_flight == "skip":
        rest["in_flight"] = "single_buffer"
    if fault == "whole strides also after a failure" and in_flight == "skip":
        strides = math.ceil((1.0 - slowdown) * latency / job["interval"] * (1.0 - 2.0**-48))
        job["interval"] = max(strides, 1) * job["interval"]
    if fault == "slowdown ignored":
        rest["slowdown"] = 0.0
    if fault == "slowdown as a longer copy":
        rest["slowdown"] = 0.0
        checkpoint_cost += slowdown * latency
    if fault == "downtime taken for its mean":
        job["downtime"] = float(getattr(job["downtime"], "mean", job["downtime"]))
    if fault == "downtime dropped":
        job["downtime"] = 0.0
    return exact_makespan_async(
        work, latency=latency, checkpoint_cost=checkpoint_cost, **rest, **job
    )


def _skips_at_most_200(*, in_flight: Any = "overlap", **costs: float) -> float:
    """Return the best interval with a fault: no fewer than a 200th of a drain."""
    best = float(optimal_interval_async(**costs, in_flight=in_flight))
    if in_flight != "skip":
        return best
    return max(best, (1.0 - costs["slowdown"]) * costs["latency"] / 200.0)


LAW_FAULTS = (
    "durable with its copy",
    "stands still until it is durable",
    "buffers exchanged",
    "waits instead of skipping",
    "whole strides also after a failure",
    "slowdown ignored",
    "slowdown as a longer copy",
    "downtime taken for its mean",
    "downtime dropped",
)
INTERVAL_FAULTS = (
    "latency as a longer copy",
    "slowdown ignored",
    "drains may queue",
    "one buffer instead of two",
    "two buffers instead of one",
    "no drain may queue, however long",
    "the shortest interval without a queue, however slow",
)

_BOTH = (
    "durable with its copy",
    "stands still until it is durable",
    "never waits for a drain",
    "one buffer instead of two",
    "two buffers instead of one",
    "waits instead of skipping",
    "every snapshot from a cold start",
    "the snapshot in flight survives",
    "nothing lost but since the last copy",
    "slowdown ignored",
    "slowdown as a longer copy",
    "last segment treated as full",
    "downtime dropped",
    "recovery dropped",
    "recovery never fails",
)
MEAN_FAULTS = (
    *_BOTH,
    "slowed down while a snapshot drains alone",
    "the job ends with its last copy",
)
VARIANCE_FAULTS = (
    *_BOTH,
    "a cold start has no variance",
    "variance of the repair dropped",
    "variance of the downtime dropped",
    "scatter within failures only",
)

MUTANTS = (
    *(
        Mutant(expected_makespan_async, fault, partial(right_mean, fault=fault))
        for fault in MEAN_FAULTS
    ),
    *(
        Mutant(makespan_variance_async, fault, partial(right_variance, fault=fault))
        for fault in VARIANCE_FAULTS
    ),
    *(
        Mutant(optimal_interval_async, fault, partial(right_interval, fault=fault))
        for fault in INTERVAL_FAULTS
    ),
    Mutant(optimal_interval_async, "at most 200 snapshots skipped", _skips_at_most_200),
    *(
        Mutant(exact_makespan_async, fault, partial(_other_law, fault=fault))
        for fault in LAW_FAULTS
    ),
    Mutant(exact_makespan_async, "cusps ignored", partial(between_nodes, exact_makespan_async)),
)
