"""Plans of whole jobs, against simulated jobs that follow them and against other plans."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.ageing import (
    AgeingPlan,
    expected_makespan_ageing,
    optimal_intervals_ageing,
    optimal_plan_ageing,
)
from perfmodel.lifetimes import Lifetime
from perfmodel.registry import ranges_of
from sim.application import simulate_planned_makespans
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..laws import Law, predictable, sampler
from .uptimes import drawn_uptime

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_NEAR = 2e-4  # for a grid that does not hold the equal intervals


@lru_cache(maxsize=8)
def _right(work: float, **job: Any) -> AgeingPlan:
    """Return the right plan, which several judges and mutants ask for."""
    return optimal_plan_ageing(work, **job)


def _found(predict: Predict, *, uptime: Law, **job: Any) -> AgeingPlan:
    known = _right if predict is optimal_plan_ageing else predict
    plan: AgeingPlan = known(job.pop("work"), uptime=predictable(uptime), **job)
    return plan


def played(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the mean by simulated jobs that follow the plan."""
    plan = _found(predict, **point)
    walls = simulate_planned_makespans(
        plan.intervals,
        plan.after_failure,
        uptime=sampler(point["uptime"]),
        checkpoint_cost=point["checkpoint_cost"],
        recovery_cost=point["recovery_cost"],
        downtime=point["downtime"],
        replications=budget.replications // 10,
        seed=budget.seed,
    )
    return compare_mean(plan.mean, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def mean_of_the_plan(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the mean by equations of the plan, state by state from the end of the work."""
    del budget
    plan = _found(predict, **point)
    return compare_number(plan.mean, _mean_of(plan, point), tolerance=1e-10)


def no_equal_intervals_are_better(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the plan by the best equal intervals, and by the long-run sequence."""
    del budget
    plan = _found(predict, **point)
    own = _mean_of(plan, point)
    law, cost, work = predictable(point["uptime"]), point["checkpoint_cost"], point["work"]
    young = math.sqrt(2.0 * cost * law.mean)
    counts = np.unique(np.ceil(work / young * np.geomspace(0.2, 5.0, 40)))
    costs = {name: point[name] for name in ("recovery_cost", "downtime")}
    others = expected_makespan_ageing(
        work, interval=work / counts, uptime=law, checkpoint_cost=cost, **costs
    )
    least = float(np.min(others))
    return compare_number(max(own / least, 1.0), 1.0, tolerance=_NEAR)


def _mean_of(plan: AgeingPlan, point: Point) -> float:
    return _mean(plan, **{**point, "uptime": predictable(point["uptime"])})


def _mean(plan: AgeingPlan, *, work: float, uptime: Lifetime, **costs: float) -> float:
    """Return the mean of the plan: uptime by uptime, with what each leaves to do."""
    law = uptime
    cost, recovery, down = (
        costs[name] for name in ("checkpoint_cost", "recovery_cost", "downtime")
    )
    value: dict[int, float] = {}

    def of(intervals: FloatArray, begins: float, left: int) -> float:
        ends = begins + np.cumsum(intervals + cost)
        fails = np.diff(law.cdf(ends), prepend=0.0)
        cells = left - np.append(0, np.rint(np.cumsum(intervals)[:-1] / plan.cell)).astype(int)
        # The time up to the end of the uptime, or of the work.
        total = float(law.partial_moment(ends[-1]) + ends[-1] * law.sf(ends[-1]))
        total += down * float(fails.sum())
        known = sum(
            float(chance) * value[int(cell)]
            for chance, cell in zip(fails, cells, strict=True)
            if int(cell) in value
        )
        again = sum(
            float(chance) for chance, cell in zip(fails, cells, strict=True) if int(cell) == left
        )
        if left in value:
            return total + known
        return (total + known) / (1.0 - again)

    count = round(work / plan.cell)
    for left in range(1, count + 1):
        value[left] = of(plan.after_failure(left * plan.cell), recovery, left)
    return of(plan.intervals, 0.0, count)


def _point(fraction: Callable[[], float]) -> Point:
    known = {
        name: between(name, ends, fraction())
        for name, ends in ranges_of("optimal_plan_ageing").items()
    }
    # More intervals than the longest job may have are no job.
    young = math.sqrt(2.0 * known["checkpoint_cost/uptime"])
    return {
        "work": min(known["work/uptime"], 199.0 * young),
        "uptime": drawn_uptime(known["cv of uptime"], fraction()),
        "checkpoint_cost": known["checkpoint_cost/uptime"],
        "recovery_cost": known["recovery_cost/uptime"],
        "downtime": known["downtime/uptime"],
    }


SWEEPS = (
    Sweep(optimal_plan_ageing, mean_of_the_plan, _point, quick=1, full=40),
    Sweep(optimal_plan_ageing, no_equal_intervals_are_better, _point, quick=1, full=40),
)
_JOBS = table(
    ("work", "uptime", "checkpoint_cost", "recovery_cost", "downtime"),
    (12.0, Law("Weibull", (0.5, 3.0)), 0.4, 0.6, 0.5),
    (15.0, Law("Bathtub", (0.45, 0.5, 0.4, 6.0)), 0.2, 0.3, 0.25),
)
# A few cells to an interval: what is left must be told apart far finer than it changes in one.
# Checkpoints of a fraction of a cell, many of them early: no work must be free at the last ages.
_LONG = table(
    ("work", "uptime", "checkpoint_cost", "recovery_cost", "downtime"),
    (20.0, Law("LogNormal", (-0.46, 0.96)), 0.009, 0.003, 0.001),
    (2.1, Law("Gamma", (0.28, 220.0)), 0.00087, 0.0, 0.0),
)
CASES = (
    Case(optimal_plan_ageing, mean_of_the_plan, _JOBS, chance=False),
    Case(optimal_plan_ageing, no_equal_intervals_are_better, (*_JOBS, *_LONG), chance=False),
    Case(optimal_plan_ageing, played, _JOBS),
    *(case(sweep) for sweep in SWEEPS),
)
FULL = (
    Case(optimal_plan_ageing, played, _JOBS, effort=4.0),
    *(case(sweep, full=True) for sweep in SWEEPS),
)


def _changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Predict:
    """Return the plan of another job, with its mean."""

    def wrong(work: float, **job: Any) -> AgeingPlan:
        return optimal_plan_ageing(work, **{**job, **change(job)})

    return wrong


def _of_intervals(right: AgeingPlan, cells: Any, job: dict[str, Any]) -> AgeingPlan:
    """Return the plan that always starts with these intervals and repeats the last; its mean."""
    ends = np.cumsum(np.append(cells, np.full(len(right.after), cells[-1])))

    def cut(left: int) -> Any:
        return np.diff(np.append(ends[ends < left], left), prepend=0)

    after = (right.after[0], *(cut(left) for left in range(1, len(right.after))))
    plan = replace(right, after=after, intervals=right.cell * after[-1].astype(float))
    return replace(plan, mean=_mean(plan, **job))


def _long_run(work: float, **job: Any) -> AgeingPlan:
    """Plan for ever, whatever work is left; the last interval is cut."""
    right = _right(work, **job)
    costs = {name: job[name] for name in ("uptime", "checkpoint_cost", "recovery_cost")}
    cells = np.maximum(np.rint(optimal_intervals_ageing(**costs) / right.cell), 1.0).astype(int)
    return _of_intervals(right, cells, {**job, "work": work})


def _young(work: float, **job: Any) -> AgeingPlan:
    right = _right(work, **job)
    interval = math.sqrt(2.0 * job["checkpoint_cost"] * job["uptime"].mean)
    cells = np.array([max(round(interval / right.cell), 1)])
    return _of_intervals(right, cells, {**job, "work": work})


def _kept_after_failures(work: float, **job: Any) -> AgeingPlan:
    """Go on with the plan of the start after a failure."""
    right = _right(work, **job)
    ends = np.rint(np.cumsum(right.intervals) / right.cell).astype(int)

    def cut(left: int) -> Any:
        return np.diff(np.append(ends[ends < left], left), prepend=0)

    after = (right.after[0], *(cut(left) for left in range(1, len(right.after))))
    return replace(right, after=after)


def _every_other_left_out(work: float, **job: Any) -> AgeingPlan:
    """Leave out checkpoints, as a plan does that takes them for dearer than they are."""
    right = _right(work, **job)
    after = tuple(np.add.reduceat(cells, np.arange(0, cells.size, 2)) for cells in right.after[1:])
    plan = replace(
        right, after=(right.after[0], *after), intervals=right.cell * after[-1].astype(float)
    )
    return replace(plan, mean=_mean(plan, work=work, **job))


MUTANTS = (
    Mutant(optimal_plan_ageing, "every other checkpoint left out", _every_other_left_out),
    Mutant(optimal_plan_ageing, "downtime dropped", _changed(lambda job: {"downtime": 0.0})),
    Mutant(optimal_plan_ageing, "recovery dropped", _changed(lambda job: {"recovery_cost": 0.0})),
    Mutant(
        optimal_plan_ageing,
        "recovery counted as downtime",
        _changed(
            lambda job: {
                "recovery_cost": 0.0,
                "downtime": job["downtime"] + job["recovery_cost"],
            }
        ),
    ),
    Mutant(
        optimal_plan_ageing,
        "checkpoints thought to cost a tenth",
        _changed(lambda job: {"checkpoint_cost": 0.1 * job["checkpoint_cost"]}),
    ),
    Mutant(optimal_plan_ageing, "the plan of an endless job", _long_run),
    Mutant(optimal_plan_ageing, "intervals by Young's rule", _young),
    Mutant(optimal_plan_ageing, "the plan of the start kept after failures", _kept_after_failures),
)
