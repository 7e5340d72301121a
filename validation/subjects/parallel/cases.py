"""The slowest of many tasks against simulated parallel jobs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from perfmodel.completion import exact_makespan
from perfmodel.parallel import optimal_interval_parallel, slowest, slowest_of
from sim.application import Machine
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_least, compare_order
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_parallel_makespans
from ..counted_failures import judged_at_cusps, of_mtbf, segments_in_turn
from ..laws import Law, predictable, sampler

__all__ = ["CASES"]

Predict = Callable[..., Any]
Task = dict[str, Any]


def distribution_of_equal_tasks(
    predict: Predict, budget: Budget, *, tasks: int, work: float, **task: Any
) -> Verdict:
    """Judge the cdf of the slowest of equal tasks."""
    walls = _play([work] * tasks, [task] * tasks, budget)
    law = predict(_law(work, **task), tasks)
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def distribution_of_unequal_tasks(
    predict: Predict, budget: Budget, *, works: tuple[float, ...], tasks: tuple[Task, ...]
) -> Verdict:
    """Judge the cdf of the slowest of tasks that are all different."""
    walls = _play(list(works), list(tasks), budget)
    law = predict([_law(work, **task) for work, task in zip(works, tasks, strict=True)])
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def equal_at_cusps(predict: Predict, budget: Budget, *, tasks: int, **job: Any) -> Verdict:
    """Judge the slowest of equal tasks by closed forms, while few failures can be over."""
    return _at_cusps(predict(exact_makespan(**job), tasks), budget, tasks, job)


def alike_at_cusps(predict: Predict, budget: Budget, *, tasks: int, **job: Any) -> Verdict:
    """Judge the same of tasks of which each has a law of its own, as it happens the same."""
    return _at_cusps(predict([exact_makespan(**job) for _ in range(tasks)]), budget, tasks, job)


def _at_cusps(law: Any, budget: Budget, tasks: int, job: Task) -> Verdict:
    return judged_at_cusps(
        law,
        budget,
        chain=segments_in_turn(job),
        first=(0, 0),
        downtime=job["downtime"],
        known=of_mtbf(job["mtbf"]),
        tasks=tasks,
    )


def neighbours(
    predict: Predict,
    budget: Budget,
    *,
    tasks: int,
    work: float,
    mtbf: float,
    checkpoint_cost: float,
    quantile: float | None = None,
) -> Verdict:
    """Expect the slowest task to end later with half, or 1.5 times, the number of checkpoints.

    Means are compared. With a `quantile`, the shares that are done by the simulated quantile at the
    predicted interval are compared, in independent replications.
    """
    job = {"work": work, "mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    option = {} if quantile is None else {"quantile": quantile}
    best = float(predict(tasks, **job, **option))

    def walls(interval: float, which: int = 0) -> FloatArray:
        task = {"interval": interval, "mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
        return _play([work] * tasks, [task] * tasks, replace(budget, seed=budget.seed + which))

    segments = round(work / best)
    others = [n for n in (max(1, segments * 5 // 8), segments * 8 // 5 + 1) if n != segments]
    least = walls(best)
    if quantile is None:
        return compare_least(least, (walls(work / n) for n in others), alpha=budget.alpha)
    by = float(np.quantile(walls(best, 1), quantile))
    orders = (compare_order(walls(work / n) <= by, least <= by, alpha=budget.alpha) for n in others)
    return min(orders, key=lambda verdict: verdict.z)


def _law(work: float, *, speed: float = 1.0, **task: Any) -> Any:
    task["downtime"] = predictable(task.get("downtime", 0.0))
    return exact_makespan(work / speed, **task)


def _play(works: list[float], tasks: list[Task], budget: Budget) -> FloatArray:
    machines = tuple(
        Machine(**{**task, "downtime": sampler(task.get("downtime", 0.0))}) for task in tasks
    )
    return simulate_parallel_makespans(
        tuple(works), machines, replications=budget.replications, seed=budget.seed
    )


QUICK = {"interval": 2.0, "mtbf": 8.0, "checkpoint_cost": 0.5, "recovery_cost": 1.0}
EQUAL: tuple[dict[str, Any], ...] = (
    {"tasks": 3, "work": 6.0, "downtime": Law("Exponential", (2.0,)), **QUICK},
    {"tasks": 24, "work": 4.0, "downtime": 1.0, **QUICK},
)
UNEQUAL = (
    {
        "works": (8.0, 6.0, 12.0),
        "tasks": (
            {"downtime": 3.0, **QUICK},
            {"downtime": Law("Exponential", (2.0,)), **QUICK, "mtbf": 5.0},
            {"downtime": 1.0, **QUICK, "speed": 2.0, "mtbf": 20.0},
        ),
    },
    {
        "works": tuple(6.0 + 0.5 * k for k in range(12)),
        "tasks": tuple(
            {"downtime": 0.5 + 0.25 * k, **QUICK, "mtbf": 5.0 + 4.0 * k} for k in range(12)
        ),
    },
)
# Of lengths that share a measure, so that cusps meet, and of any.
CUSPS = table(
    ("tasks", "work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime"),
    (16, 7.0, 2.0, 30.0, 0.5, 1.0, 3.0),
    (3, 7.3, 3.1, 8.0, 0.41, 0.83, 4.7),
)
OPTIMA = (
    {"tasks": 64, "work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2},
    {"tasks": 8, "work": 40.0, "mtbf": 20.0, "checkpoint_cost": 0.5},
    {"tasks": 1, "work": 120.0, "mtbf": 100.0, "checkpoint_cost": 0.2, "quantile": 0.99},
    # Two segments are better than one and than three, and one than three.
    {"tasks": 2, "work": 14.0, "mtbf": 100.0, "checkpoint_cost": 0.7},
)

CASES: tuple[Case, ...] = (
    Case(slowest_of, distribution_of_equal_tasks, EQUAL, effort=0.25),
    Case(slowest, distribution_of_unequal_tasks, UNEQUAL, effort=0.25),
    Case(slowest_of, equal_at_cusps, CUSPS, chance=False),
    Case(slowest, alike_at_cusps, CUSPS, chance=False),
    # A quantile depends on the interval less sharply than the mean.
    Case(optimal_interval_parallel, neighbours, OPTIMA[2:3], effort=0.05),
    Case(optimal_interval_parallel, neighbours, OPTIMA[:2], effort=0.025),
    Case(optimal_interval_parallel, neighbours, OPTIMA[3:]),
)
