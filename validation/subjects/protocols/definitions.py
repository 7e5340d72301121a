"""The least mean time of each protocol, by trying numbers of equal segments.

The means themselves are judged elsewhere, against simulated jobs. Here every number of segments is
tried up to twice the best of a scan, and of patterns of two levels many around the best of a scan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from perfmodel.levels import expected_makespan_two_levels
from perfmodel.makespan import expected_makespan, expected_makespan_async
from perfmodel.replication import waste_of_pairs
from validation.judge.chance import FloatArray

__all__ = ["EXACT", "SIMPLE", "least_times"]

Job = Mapping[str, Any]

_COMMON = ("mtbf", "checkpoint_cost", "recovery_cost", "downtime")
_SCAN = np.unique(np.round(np.geomspace(1.0, 1e10, 250)))
_AROUND = 1500  # numbers of segments tried beside the best of the scan
_SIDE = 12  # numbers beside the best pattern that are tried together
_ROUNDS = 40


def least_times(job: Job) -> dict[str, float]:
    """Return the least mean time of each protocol that the job describes, by name."""
    with np.errstate(all="ignore"):
        return {name: least(job) for name, least in EXACT.items() if _NEEDS[name] <= job.keys()}


def _costs(job: Job) -> dict[str, Any]:
    return {name: job[name] for name in _COMMON if name in job}


def _least(mean: Callable[[FloatArray], FloatArray], scan: FloatArray = _SCAN) -> float:
    best = float(scan[np.nanargmin(mean(scan))])
    for width in (0.12, 0.012, 0.0012):  # of the neighbours in the scan, then of those here
        finer = np.unique(np.maximum(np.round(best * np.linspace(1 - width, 1 + width, 41)), 1.0))
        best = float(finer[np.nanargmin(mean(finer))])
    near = np.arange(max(1.0, best - _AROUND // 2), best + _AROUND // 2)
    near = near[(near > 0.8 * best - 9.0) & (near < 1.25 * best + 9.0)]
    return float(np.nanmin(mean(np.concatenate([near, scan]))))


def _single_segment(job: Job) -> float:
    return float(expected_makespan(job["work"], interval=job["work"], **_costs(job)))


def _synchronous(job: Job) -> float:
    work = job["work"]
    return _least(lambda k: expected_makespan(work, interval=work / k, **_costs(job)))


def _asynchronous(job: Job) -> float:
    work, drain = job["work"], {"latency": job["latency"], "slowdown": job.get("slowdown", 0.0)}
    rule = job.get("in_flight", "overlap")
    costs = {**_costs(job), "checkpoint_cost": job["snapshot_cost"]}

    def mean(k: FloatArray) -> FloatArray:
        each = expected_makespan_async(work, interval=work / k, in_flight=rule, **costs, **drain)
        return np.asarray(each)

    if rule == "skip":  # each segment is followed
        return float(np.min(mean(np.arange(1.0, 250.0))))
    return _least(mean)


def _two_levels(job: Job) -> float:
    work = job["work"]
    rest = {"durable_cost": job["checkpoint_cost"], "downtime": job.get("downtime", 0.0)}
    rest["durable_recovery"] = job.get("recovery_cost", 0.0)
    rest["local_recovery"] = job.get("local_recovery", 0.0)
    rest |= {name: job[name] for name in ("mtbf", "survived", "local_cost")}

    def mean(k: FloatArray, m: FloatArray) -> FloatArray:
        return expected_makespan_two_levels(work, interval=work / k, durable_every=m, **rest)

    def best_of(k: FloatArray, m: FloatArray) -> tuple[float, float, float]:
        k, m = (part.ravel() for part in np.meshgrid(*(np.unique(np.round(x)) for x in (k, m))))
        k, m = k[(m >= 1.0) & (m <= k)], m[(m >= 1.0) & (m <= k)]
        times = mean(k, m)
        at = int(np.nanargmin(times))
        return float(times[at]), float(k[at]), float(m[at])

    # To first order this many segments, were there local checkpoints alone; ten times as many.
    most = 10.0 * work / np.sqrt(2.0 * job["local_cost"] * job["mtbf"])
    scan = np.geomspace(1.0, max(most, 1e6), 80)
    best, segments, every = best_of(scan, scan)
    for width in (0.3, 0.1, 0.03):
        near = np.linspace(1.0 - width, 1.0 + width, 25)
        counts = np.maximum(every + np.arange(-3.0, 4.0), 1.0)
        found = best_of(segments * near, np.concatenate([every * near, counts]))
        best, segments, every = min((best, segments, every), found)
    # Patterns of a like length, with a like number of them, the last of them shorter or not.
    side = np.arange(-_SIDE, _SIDE + 1.0)
    for _ in range(_ROUNDS):
        spread = np.unique(np.concatenate([side, np.round(side / _SIDE * 0.2 * every)]))
        m = np.maximum(every + spread, 1.0)
        patterns = np.maximum(np.ceil(segments / every) + side, 1.0)[:, None, None]
        k = np.maximum(patterns * m[:, None] - np.arange(3.0), 1.0)
        m = np.minimum(np.broadcast_to(m[:, None], k.shape), k)
        times = mean(k, m)
        at = int(np.nanargmin(times))
        if not times.flat[at] < best:
            break
        best, segments, every = float(times.flat[at]), float(k.flat[at]), float(m.flat[at])
    return best


def _pairs(job: Job) -> float:
    pairs = job["nodes"] // 2
    work = job["work"] * job["nodes"] / pairs
    machine = {"pairs": pairs, "node_mtbf": job["mtbf"] * job["nodes"]}
    costs = {name: value for name, value in _costs(job).items() if name != "mtbf"}
    return _least(lambda k: work / (1.0 - waste_of_pairs(work / k, **machine, **costs)))


# From simple to elaborate.
SIMPLE = ("single_segment", "synchronous", "asynchronous", "two_levels", "pairs", "predicted")
EXACT: dict[str, Callable[[Job], float]] = {
    "single_segment": _single_segment,
    "synchronous": _synchronous,
    "asynchronous": _asynchronous,
    "two_levels": _two_levels,
    "pairs": _pairs,
}
_NEEDS = {
    "single_segment": frozenset[str](),
    "synchronous": frozenset[str](),
    "asynchronous": frozenset(("snapshot_cost", "latency")),
    "two_levels": frozenset(("local_cost", "survived")),
    "pairs": frozenset(("nodes",)),
}
