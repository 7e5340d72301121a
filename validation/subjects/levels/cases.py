"""Two levels of checkpoints, against simulated jobs and against the transform at 400 digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from perfmodel.levels import (
    exact_makespan_two_levels,
    expected_makespan_two_levels,
    makespan_variance_two_levels,
    optimal_pattern_two_levels,
)
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number, compare_variance
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_two_level_makespans
from ..counted_failures import Attempt, judged_at_cusps, of_mtbf
from . import first_order, many
from .definitions import moments

__all__ = ["CASES", "FULL", "JOBS", "SWEEPS", "mean", "variance", "whole_law"]

Predict = Callable[..., Any]

_RULES = ("reinstated", "bare", "staged")
_AGREE = 1e-12  # relative; both formulas must keep their digits
_LARGEST = 1e290  # beyond this inf is right: a factor may overflow


def play(seed: int, replications: int, *, mtbf: float, **job: Any) -> FloatArray:
    """Return simulated makespans of the job of one point."""
    return simulate_two_level_makespans(
        job.pop("work"), uptime=Exponential(mtbf), **job, replications=replications, seed=seed
    )


def mean(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = play(budget.seed, budget.replications, **job)
    found = float(predict(**job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the variance of the wall time."""
    walls = play(budget.seed, budget.replications, **job)
    found = float(predict(**job))
    return compare_variance(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def whole_law(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the cdf of the wall time."""
    walls = play(budget.seed, budget.replications, **job)
    return compare_cdf(predict(**job).cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def at_cusps(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the law and its error by closed forms, while few failures can be over."""
    return judged_at_cusps(
        predict(**job),
        budget,
        chain=lambda state: _tried(state, **job),
        first=("run", 0),
        downtime=job["downtime"],
        known=of_mtbf(job["mtbf"]),
    )


def _tried(state: tuple[str, Any], **job: Any) -> Attempt:
    """Return what is tried in a state, and what follows.

    A segment is tried with a local copy, or "alone" after a bare recovery; "staging" is what a
    staged checkpoint takes once it is a local one. Recoveries name what they lead to.
    """
    kind, aim = state
    if kind == "durable":
        kept = "alone" if job["rule"] == "bare" else "run"
        return Attempt(job["durable_recovery"], (kept, aim), ((1.0, state),))
    then, segment = aim if kind == "local" else state
    every = job["durable_every"]
    begin = segment - 1 if then == "staging" else segment
    fallen = ("durable", begin - begin % every)
    survived = 0.0 if then == "alone" else job["survived"]
    struck = ((survived, ("local", (then, segment))), (1.0 - survived, fallen))
    if kind == "local":
        return Attempt(job["local_recovery"], aim, struck)
    count = math.ceil(job["work"] / job["interval"] * (1.0 - 2.0**-48))
    if kind == "staging":
        rest = job["durable_cost"] - job["local_cost"]
        return Attempt(rest, ("run", segment) if segment < count else None, struck)
    last = segment == count - 1
    work = job["work"] - segment * job["interval"] if last else job["interval"]
    if not (last or (segment + 1) % every == 0):
        return Attempt(work + job["local_cost"], ("run", segment + 1), struck)
    if job["rule"] == "staged":
        return Attempt(work + job["local_cost"], ("staging", segment + 1), struck)
    return Attempt(work + job["durable_cost"], None if last else ("run", segment + 1), struck)


def from_the_transform(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge either moment by the derivatives of the transform, segment by segment."""
    del budget
    place = job.pop("moment")
    found, known = float(predict(**job)), moments(**job)[place]
    if not known < _LARGEST and found > _LARGEST:
        return compare_number(1.0, 1.0, tolerance=0.0)
    return compare_number(found, known, tolerance=_AGREE)


def _point(
    function: Callable[..., Any], moment: int, fraction: Callable[[], float]
) -> dict[str, Any]:
    point: dict[str, Any] = drawn(function, fraction)
    rule = _RULES[min(int(3.0 * fraction()), 2)]
    if rule == "staged":
        point["durable_cost"] = max(point["durable_cost"], point["local_cost"])
    return {**point, "rule": rule, "moment": moment}


def relative_makespan(interval: float, every: float, **costs: float) -> float:
    """Return the logarithm of the mean makespan per work, but for a factor common to all."""
    mtbf, lost = costs["mtbf"], 1.0 - costs["survived"]
    theta = lost / (lost + costs["survived"] * np.exp(-costs["local_recovery"] / mtbf))
    local, durable = (
        np.log1p(theta * np.expm1((interval + costs[name]) / mtbf))
        for name in ("local_cost", "durable_cost")
    )
    before = (every - 1.0) * local if every > 1.0 else 0.0
    return float(np.log(np.expm1(before + durable) / (every * interval)))


def least_of_all(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge the best pattern by the least makespan over intervals and counts around it."""
    del budget
    best = predict(**costs)
    found = relative_makespan(best.interval, best.durable_every, **costs)
    least = found
    counts = best.durable_every * np.array([0.1, 0.5, 0.8, 0.9, 1.1, 1.25, 2.0, 10.0])
    near = best.durable_every + np.arange(-2.0, 3.0)
    with np.errstate(over="ignore"):
        for every in {1.0, *near, *np.round(counts)}:
            if every < 1.0:
                continue
            other = minimize_scalar(
                lambda x, every=every: relative_makespan(math.exp(x), every, **costs),
                bracket=(math.log(best.interval) - 0.3, math.log(best.interval) + 0.3),
                options={"xtol": 1e-9},
            )
            least = min(least, float(other.fun))
    return compare_number(math.exp(found - least), 1.0, tolerance=1e-12)


_NAMES = (
    *("work", "interval", "durable_every", "mtbf", "survived"),
    *("local_cost", "durable_cost", "local_recovery", "durable_recovery", "downtime", "rule"),
)
# Costs comparable to the mtbf; short jobs, because each replication plays all of one.
JOBS: tuple[Point, ...] = table(
    _NAMES,
    (3.7, 1.0, 3, 3.0, 0.7, 0.2, 0.9, 0.8, 1.2, 0.6, "reinstated"),
    (4.0, 1.0, 2, 4.0, 0.8, 0.3, 0.5, 0.5, 0.9, 0.4, "bare"),
    (4.0, 1.0, 2, 4.0, 0.8, 0.3, 1.5, 0.5, 0.9, 0.4, "staged"),
)

_MOMENTS = tuple(
    Sweep(function, from_the_transform, partial(_point, function, moment), quick=6, full=300)
    for moment, function in enumerate((expected_makespan_two_levels, makespan_variance_two_levels))
)
_PATTERNS = Sweep(
    optimal_pattern_two_levels,
    least_of_all,
    partial(drawn, optimal_pattern_two_levels),
    quick=5,
    full=300,
)
SWEEPS = (*_MOMENTS, _PATTERNS, *many.SWEEPS, *first_order.SWEEPS)
_ATLAS = {
    "mtbf": 1.0 / 8.299e-6,
    "survived": 7.78 / 8.299,
    "local_cost": 9.0,
    "durable_cost": 438.0,
    "local_recovery": 9.0,
}
_SHORT = {**_ATLAS, "mtbf": 2000.0, "local_recovery": 600.0, "survived": 0.7}
# Failures so rare that their probability is all but lost beside 1.
_RARE = tuple(
    {**JOBS[0], "mtbf": mtbf, "rule": rule, "moment": 1}
    for mtbf in (1e4, 1e9)
    for rule in _RULES[:2]
)

# Of lengths that share a measure, so that cusps meet, and of any, by each rule.
_CUSPS = tuple(
    {**job, "rule": rule}
    for rule in _RULES
    for job in table(
        _NAMES[:-1],
        (3.5, 1.0, 3, 3.0, 0.75, 0.25, 1.0, 0.75, 1.25, 2.0),
        (3.7, 1.03, 2, 5.0, 0.6, 0.21, 0.93, 0.31, 1.27, 2.9),
    )
)

CASES = (
    Case(optimal_pattern_two_levels, least_of_all, (_ATLAS, _SHORT), chance=False),
    Case(expected_makespan_two_levels, mean, JOBS, effort=0.5),
    Case(makespan_variance_two_levels, variance, JOBS[:1], effort=1.0),
    Case(makespan_variance_two_levels, from_the_transform, _RARE, chance=False),
    Case(exact_makespan_two_levels, whole_law, JOBS, effort=0.25),
    Case(exact_makespan_two_levels, at_cusps, _CUSPS, chance=False),
    *many.CASES,
    *first_order.CASES,
    *(case(sweep) for sweep in SWEEPS),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
