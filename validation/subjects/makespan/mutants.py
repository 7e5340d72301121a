"""Wrong makespans: each drops or changes one assumption of the exact exponential model.

The model is written here again with an option for each fault. A test checks that it is right
without a fault, so that a mutant is rejected because of its fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from perfmodel.makespan import efficiency, expected_makespan, makespan_variance, waste
from validation.judge.run import Mutant

__all__ = ["MUTANTS", "right_mean", "right_variance"]


def _segments(
    work: float, interval: float, cost: float, *, final: bool, fault: str
) -> list[tuple[float, float]]:
    """Return work and checkpoint cost of every segment."""
    if fault == "period taken for the interval":
        interval += cost
    if fault == "interval taken for the period" and interval > cost:
        interval -= cost
    if fault == "final checkpoint always written":
        final = True
    if fault == "final checkpoint never written":
        final = False
    full = int(work / interval * (1.0 + 2.0**-48))
    rest = work - full * interval
    parts = [(interval, cost)] * full
    if rest > 2.0**-48 * work:
        parts.append((interval if fault == "last segment treated as full" else rest, cost))
    if fault == "last segment forgotten" and rest > 2.0**-48 * work and full:
        parts.pop()
    if not final:
        parts[-1] = (parts[-1][0], 0.0)
    return parts


def right_mean(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Any = 0.0,
    final_checkpoint: bool = True,
    fault: str = "",
) -> float:
    """Return the mean makespan, segment by segment, with a fault if one is named."""
    rate, down = 1.0 / mtbf, float(getattr(downtime, "mean", downtime))
    struck = math.exp(rate * recovery_cost)
    recovery = {
        "downtime dropped": (struck - 1.0) * mtbf,
        "recovery dropped": down,
        "recovery never fails": down + recovery_cost,
        "downtime not repeated when recovery fails": down + (struck - 1.0) * mtbf,
        "failures also during downtime": (struck * math.exp(rate * down) - 1.0) * mtbf,
    }.get(fault, struck * (mtbf + down) - mtbf)
    if fault == "mtbf read as time from failure to failure":
        rate = 1.0 / max(mtbf - down, 0.1 * mtbf)
    total = 0.0
    for span, cost in _segments(
        work, interval, checkpoint_cost, final=final_checkpoint, fault=fault
    ):
        busy, safe = span + cost, 0.0
        if fault == "checkpoint not at risk":
            busy, safe = span, cost
        if fault == "checkpoint cost dropped":
            busy = span
        if fault == "first order":
            total += busy + rate * busy * (busy / 2.0 + recovery)
        elif fault == "half the attempt lost":
            total += busy + math.expm1(rate * busy) * (busy / 2.0 + recovery)
        elif fault == "at most one failure a segment":
            lost = 1.0 / rate - busy / math.expm1(rate * busy)
            total += busy - math.expm1(-rate * busy) * (lost + recovery)
        else:
            total += (1.0 / rate + recovery) * math.expm1(rate * busy) + safe
    return total


def right_variance(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Any = 0.0,
    final_checkpoint: bool = True,
    fault: str = "",
) -> float:
    """Return the variance of the makespan, with a fault if one is named."""
    down = 0.0 if fault == "downtime dropped" else float(getattr(downtime, "mean", downtime))
    scatter = 0.0 if fault == "variance of the downtime dropped" else _variance_of(downtime)
    read = 0.0 if fault == "recovery dropped" else recovery_cost
    mean_recovery, recovery = read + down, scatter
    if read > 0.0 and fault != "recovery never fails":
        failures, spread, lost, lost_variance = _attempts(read, mtbf, fault)
        mean_recovery = read + down + failures * (lost + down)
        recovery += failures * (lost_variance + scatter) + spread * (lost + down) ** 2
    if fault == "variance of the recovery dropped":
        recovery = 0.0
    total = 0.0
    parts = _segments(work, interval, checkpoint_cost, final=final_checkpoint, fault=fault)
    for span, cost in parts:
        busy = span if fault == "checkpoint not at risk" else span + cost
        failures, spread, lost, lost_variance = _attempts(busy, mtbf, fault)
        each = lost if fault == "recovery not in the cost of a failure" else lost + mean_recovery
        total += failures * (lost_variance + recovery) + spread * each**2
    if fault == "segments all fail together":
        total *= len(parts)
    return total


def _attempts(busy: float, mtbf: float, fault: str) -> tuple[float, float, float, float]:
    """Return mean and variance of the number of failures before success, and of their cost."""
    success = math.exp(-busy / mtbf)
    mean, variance = 1.0 / success - 1.0, (1.0 - success) / success**2
    lost = mtbf - busy * success / (1.0 - success)
    square = 2.0 * mtbf**2 - (busy**2 + 2.0 * busy * mtbf) * success / (1.0 - success)
    if fault == "number of failures taken for Poisson":
        variance = mean
    if fault == "first order":
        mean = variance = busy / mtbf
    if fault == "uptime not cut off at the segment":
        lost, square = mtbf, 2.0 * mtbf**2
    if fault == "time lost taken for constant":
        square = lost**2
    return mean, variance, lost, square - lost**2


def _variance_of(downtime: Any) -> float:
    return float(getattr(downtime, "variance", 0.0))


MEAN_FAULTS = (
    "downtime dropped",
    "recovery dropped",
    "recovery never fails",
    "downtime not repeated when recovery fails",
    "failures also during downtime",
    "mtbf read as time from failure to failure",
    "first order",
    "half the attempt lost",
    "at most one failure a segment",
    "checkpoint not at risk",
    "checkpoint cost dropped",
    "interval taken for the period",
    "period taken for the interval",
    "last segment treated as full",
    "last segment forgotten",
    "final checkpoint always written",
    "final checkpoint never written",
)
VARIANCE_FAULTS = (
    "downtime dropped",
    "recovery dropped",
    "recovery never fails",
    "recovery not in the cost of a failure",
    "variance of the recovery dropped",
    "variance of the downtime dropped",
    "number of failures taken for Poisson",
    "uptime not cut off at the segment",
    "time lost taken for constant",
    "segments all fail together",
    "first order",
    "checkpoint not at risk",
    "interval taken for the period",
    "period taken for the interval",
    "last segment treated as full",
    "last segment forgotten",
    "final checkpoint always written",
    "final checkpoint never written",
)
SHARE_FAULTS = ("downtime dropped", "first order", "interval taken for the period")


def _median_downtime(work: float, *, downtime: Any = 0.0, **job: Any) -> float:
    if hasattr(downtime, "ppf"):
        downtime = float(downtime.ppf(0.5))
    return right_mean(work, downtime=downtime, **job)


def _remainder_joined(work: float, *, interval: float, checkpoint_cost: float, **job: Any) -> float:
    # Up to 1e-12 of the work: near 1e12 segments this is a segment and more.
    count = max(math.ceil(work / interval * (1.0 - 1e-12)), 1)
    final = job.pop("final_checkpoint", True)
    before = (count - 1.0) * interval
    spans = (interval + checkpoint_cost, work - before + final * checkpoint_cost)
    one, last = (
        float(expected_makespan(span, interval=span, checkpoint_cost=0.0, **job)) for span in spans
    )
    return (count - 1.0) * one + last


def _efficiency(work: float, **job: Any) -> float:
    return work / right_mean(work, **job)


def _waste(work: float, **job: Any) -> float:
    return 1.0 - _efficiency(work, **job)


def _overhead(work: float, **job: Any) -> float:
    return right_mean(work, **job) / work - 1.0


def _with_faults(
    right: Callable[..., Any], base: Callable[..., float], faults: tuple[str, ...]
) -> tuple[Mutant, ...]:
    return tuple(Mutant(right, fault, partial(base, fault=fault)) for fault in faults)


MUTANTS = (
    *_with_faults(expected_makespan, right_mean, MEAN_FAULTS),
    Mutant(expected_makespan, "median of the downtime for its mean", _median_downtime),
    Mutant(expected_makespan, "remainder of 1e-12 joins the last segment", _remainder_joined),
    *_with_faults(makespan_variance, right_variance, VARIANCE_FAULTS),
    *_with_faults(efficiency, _efficiency, SHARE_FAULTS),
    *_with_faults(waste, _waste, SHARE_FAULTS),
    Mutant(waste, "share of the work, not of the makespan", _overhead),
)
