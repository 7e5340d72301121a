"""The protocols that are compared: what each needs to be told, and its best plan for a job.

All keep the result of the job: each ends with a checkpoint that survives every failure. All cut
the work into equal segments.

* ``single_segment``: no other checkpoint; a failure costs all that was done.
* ``synchronous``: the job stands still for each checkpoint.
* ``asynchronous``: it stands still for a copy, which is durable a latency later.
* ``two_levels``: most checkpoints are local copies that survive a share of the failures.
* ``pairs``: every process runs on two nodes, so that half as many do the work; the nodes that are
  down start anew at each checkpoint.
* ``predicted``: it also writes a checkpoint before predicted failures, or before and in the windows
  that a predictor names; to first order.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import FloatArray
from .._special import in_one_unit
from ..interval import best_segments, optimal_interval_async
from ..levels import expected_makespan_two_levels, optimal_pattern_two_levels
from ..makespan import expected_makespan, expected_makespan_async
from ..makespan.asynchronous import InFlight
from ..replication import optimal_interval_pairs, waste_of_pairs
from .predictions import PredictedJob

__all__ = ["PROTOCOLS", "Plan", "Protocol", "Situation"]

_MANY = 1e15  # segments: from here on, one more is lost in rounding
_PARTS = 2.0**20
_LONG = 1e6  # segments of a job that lasts n times as long if it is n times as long
_EACH = 300  # segments up to which every number is tried where snapshots are skipped
_FEW = 16  # segments up to which every pattern of two levels is tried
_TIMES = (
    *("work", "mtbf", "checkpoint_cost", "recovery_cost", "downtime", "snapshot_cost", "latency"),
    *("local_cost", "local_recovery", "proactive_cost", "window"),
)
_NEAR = 4  # lengths and numbers of patterns on either side that are tried together


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The checked arguments of `recommend`, [time] but for shares and `nodes`."""

    work: float
    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float
    snapshot_cost: float | None
    latency: float | None
    slowdown: float
    in_flight: InFlight
    local_cost: float | None
    survived: float | None
    local_recovery: float
    nodes: float | None
    recall: float | None
    precision: float | None
    proactive_cost: float | None
    window: float

    @property
    def costs(self) -> dict[str, Any]:
        """What every protocol has: the arguments of `expected_makespan` but work and interval."""
        names = ("mtbf", "checkpoint_cost", "recovery_cost", "downtime")
        return {name: getattr(self, name) for name in names}

    def without_overflow(self) -> tuple[float, Situation]:
        """Return a unit in which squares of times are floats, and the same job in it."""
        given = {name: getattr(self, name) for name in _TIMES if getattr(self, name) is not None}
        unit, *times = map(float, in_one_unit(*map(np.asarray, given.values())))
        changed: Any = dict(zip(given, times, strict=True))
        return unit, replace(self, **changed)

    def segments_at(self, cost: str, work: float) -> float:
        """Return how many segments suit this much work with checkpoints of that cost."""
        least = getattr(self, cost)
        return float(best_segments(work, mtbf=self.mtbf, checkpoint_cost=least))


@dataclass(frozen=True, slots=True)
class Plan:
    """The best that one protocol can do; `error` is the stated one of `expected_time`, [-]."""

    interval: float
    segments: float
    expected_time: float
    durable_every: float = 1.0
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Protocol:
    """One row of the table: a name, the arguments that must be given, and how it is planned.

    `cost` is the argument with that of its cheapest checkpoint, which bounds its segments.
    """

    name: str
    needs: tuple[str, ...]
    plan: Callable[[Situation], Plan]
    cost: str | None = "checkpoint_cost"

    def known(self, job: Situation) -> bool:
        """Return whether the job says what this protocol needs."""
        return all(getattr(job, name) is not None for name in self.needs)

    def best(self, job: Situation) -> Plan:
        """Return the best plan; of more segments than are searched, that of a part of the job."""
        parts = 1.0
        while self.cost and job.segments_at(self.cost, job.work / parts) >= _MANY / 10.0:
            parts *= _PARTS
        if parts > 1.0:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = self.plan(replace(job, work=job.work / parts))
            if found.segments > _LONG:
                for each in caught:
                    warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
                count, time = parts * found.segments, parts * found.expected_time
                return replace(found, segments=count, expected_time=time)
        return self.plan(job)


def _single_segment(job: Situation) -> Plan:
    return _least(
        job.work, np.ones(1), lambda w: expected_makespan(job.work, interval=w, **job.costs)
    )


def _synchronous(job: Situation) -> Plan:
    best = best_segments(job.work, mtbf=job.mtbf, checkpoint_cost=job.checkpoint_cost)
    return _least(job.work, best, lambda w: expected_makespan(job.work, interval=w, **job.costs))


def _asynchronous(job: Situation) -> Plan:
    assert job.snapshot_cost is not None
    assert job.latency is not None
    costs = {**job.costs, "checkpoint_cost": job.snapshot_cost}
    drain = {"latency": job.latency, "slowdown": job.slowdown}
    long = float(
        optimal_interval_async(
            mtbf=job.mtbf, checkpoint_cost=job.snapshot_cost, in_flight=job.in_flight, **drain
        )
    )
    overhead = job.snapshot_cost + job.slowdown * job.latency
    counts = [
        _beside(job.work / long),
        _beside(float(best_segments(job.work, mtbf=job.mtbf, checkpoint_cost=overhead))),
        np.ones(1),
    ]
    if job.in_flight == "skip":  # of which a short job may want quite another number
        counts.append(np.arange(1.0, min(2.0 * job.work / long + 20.0, _EACH)))
    return _least(
        job.work,
        np.concatenate(counts),
        lambda w: expected_makespan_async(
            job.work, interval=w, in_flight=job.in_flight, **costs, **drain
        ),
    )


def _two_levels(job: Situation) -> Plan:
    assert job.local_cost is not None
    assert job.survived is not None
    levels: dict[str, Any] = {
        "mtbf": job.mtbf,
        "survived": job.survived,
        "local_cost": job.local_cost,
        "durable_cost": job.checkpoint_cost,
        "local_recovery": job.local_recovery,
    }
    long = optimal_pattern_two_levels(**levels)

    def mean(counts: FloatArray, every: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return np.asarray(
                expected_makespan_two_levels(
                    job.work,
                    interval=job.work / counts,
                    durable_every=every,
                    durable_recovery=job.recovery_cost,
                    downtime=job.downtime,
                    **levels,
                )
            )

    most = float(np.clip(np.round(job.work / long.interval), 1.0, _MANY))
    every = min(long.durable_every, most)
    alone = float(best_segments(job.work, mtbf=job.mtbf, checkpoint_cost=job.checkpoint_cost))
    # Also patterns of one length: as many as a long job would have, or one fewer or more.
    patterns = np.maximum(np.round(most / every) + np.array([-1.0, 0.0, 1.0]), 1.0)
    each = np.maximum(np.round(most / patterns), 1.0)
    few, some = np.tril_indices(_FEW)  # all pairs of few segments
    counts = np.array([min(alone, _MANY), most, most, *(patterns * each), *(few + 1.0)])
    lengths = np.array([1.0, every, most, *each, *(some + 1.0)])
    start = int(np.argmin(mean(counts, lengths)))
    count, every, time = _descend(mean, float(counts[start]), float(lengths[start]))
    return Plan(job.work / count, count, time, durable_every=every)


def _descend(
    mean: Callable[[FloatArray, FloatArray], FloatArray], count: float, every: float
) -> tuple[float, float, float]:
    """Return segments, checkpoints per durable one and the mean, where no move is better.

    A move changes one of both numbers, or the length or the number of patterns, by any power of 2.
    """
    time = float(mean(np.asarray(count), np.asarray(every)))
    while True:
        far = 2.0 ** np.arange(math.frexp(count)[1])
        step = np.concatenate([-far, far])
        patterns, none = math.ceil(count / every), np.zeros_like(step)
        near = np.arange(-_NEAR, _NEAR + 1.0)
        k = [
            count + step,
            count + none,
            patterns * (every + step),
            (patterns + step) * every,
            ((patterns + near)[:, None] * (every + near)).ravel(),
        ]
        m = [
            every + none,
            every + step,
            every + step,
            every + none,
            np.tile(every + near, near.size),
        ]
        counts = np.clip(np.concatenate(k), 1.0, _MANY)
        lengths = np.clip(np.concatenate(m), 1.0, counts)
        times = mean(counts, lengths)
        best = int(np.argmin(times))
        if not times[best] < time * (1.0 - 1e-14):
            return count, every, time
        count, every, time = float(counts[best]), float(lengths[best]), float(times[best])


def _pairs(job: Situation) -> Plan:
    assert job.nodes is not None
    pairs = job.nodes // 2.0
    work = job.work * job.nodes / pairs
    machine: dict[str, Any] = {
        "pairs": int(pairs),
        "node_mtbf": job.mtbf * job.nodes,
        "checkpoint_cost": job.checkpoint_cost,
        "recovery_cost": job.recovery_cost,
        "downtime": job.downtime,
    }
    long = optimal_interval_pairs(**machine)

    def mean(interval: FloatArray) -> FloatArray:
        # Each checkpoint renews all nodes: equal segments take what they do in a long job.
        with np.errstate(divide="ignore"):
            return np.asarray(work / (1.0 - waste_of_pairs(interval, **machine)))

    return _least(work, _beside(work / long), mean)


def _predicted(job: Situation) -> Plan:
    assert job.recall is not None
    assert job.precision is not None
    assert job.proactive_cost is not None
    predicted = PredictedJob(
        work=job.work,
        recall=job.recall,
        precision=job.precision,
        proactive_cost=job.proactive_cost,
        window=job.window,
        **job.costs,
    )
    long = predicted.best_interval()
    counts = _beside(job.work / long if long > 0.0 else np.inf)
    best = _least(job.work, counts, predicted.expected_time)
    return replace(best, error=predicted.error(best.interval))


def _beside(count: float) -> FloatArray:
    """Return the two whole numbers beside this one, at least 1; at most what a float counts."""
    few = max(math.floor(min(count, _MANY)), 1)
    return np.array([few, few + 1.0])


def _least(work: float, counts: FloatArray, mean: Callable[[FloatArray], FloatArray]) -> Plan:
    """Return the plan of the least mean among numbers of equal segments, the fewest of equals."""
    several = np.unique(np.clip(counts, 1.0, _MANY))
    with np.errstate(all="ignore"):
        times = mean(work / several)
    best = int(np.argmin(times))
    return Plan(float(work / several[best]), float(several[best]), float(times[best]))


PROTOCOLS = (
    Protocol("single_segment", (), _single_segment, None),
    Protocol("synchronous", (), _synchronous),
    Protocol("asynchronous", ("snapshot_cost", "latency"), _asynchronous, "snapshot_cost"),
    Protocol("two_levels", ("local_cost", "survived"), _two_levels, "local_cost"),
    Protocol("pairs", ("nodes",), _pairs),
    Protocol("predicted", ("recall", "precision", "proactive_cost"), _predicted),
)
