"""Random points for checkpoint intervals, each judged by a few simulated jobs.

The cases find the minimum itself; here intervals that differ by a factor of two or three are
compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.interval import (
    best_segments,
    optimal_interval,
    optimal_interval_wsj,
    regret,
)
from perfmodel.registry import FORMULAS, evaluate_formula
from sim.application import simulate_makespans, simulate_wsj_makespans
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_least, compare_ratio
from validation.judge.search import Property
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

from ..implicit_forms import cases as implicit_forms_cases
from ..strategies import points_of
from .cases import enumeration, walls_by_count

__all__ = ["PROPERTIES"]

Predict = Callable[..., Any]


def neighbours(predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float) -> Verdict:
    """Expect simulated jobs that checkpoint twice or half as often to take longer."""
    best = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))

    def walls(interval: float) -> FloatArray:
        return simulate_makespans(
            8.0 * best,
            interval=interval,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=budget.seed,
        )

    return compare_least(walls(best), map(walls, (0.5 * best, 2.0 * best)), alpha=budget.alpha)


def with_fallback(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge an approximation with its exact fallback, then simulated jobs with the result."""
    verdict = implicit_forms_cases.with_fallback(predict, budget, formula=predict.__name__, **costs)
    if not verdict.passed:
        return verdict
    exact = {name: value for name, value in costs.items() if name != "recovery_cost"}
    chosen = float(evaluate_formula(predict, **costs).value)
    return neighbours(lambda **_: chosen, budget, **exact)


def neighbours_in_wsj(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge the optimum of wsj by its neighbours; if it is inf, by jobs without checkpoints."""
    best = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    finite = bool(np.isfinite(best))
    work = 8.0 * best if finite else 64.0 * mtbf

    def walls(interval: float) -> FloatArray:
        return simulate_wsj_makespans(
            work,
            interval=interval,
            mtbf=mtbf,
            downtime=0.0,
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=budget.seed,
        )

    others = (0.5 * best, 2.0 * best) if finite else (0.5 * mtbf, 1.0 * mtbf, 2.0 * mtbf)
    return compare_least(walls(best if finite else work), map(walls, others), alpha=budget.alpha)


def number_of_segments(
    predict: Predict, budget: Budget, *, work: float, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge the number of segments by enumeration, then by jobs with a third and thrice as many."""
    costs = {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    counted = enumeration(predict, budget, work=work, **costs)
    if not counted.passed:
        return counted
    best = float(predict(work, **costs))
    walls = walls_by_count(budget, work=work, **costs)
    others = (3.0 * best,) if best < 3.0 else (3.0 * best, best // 3.0)
    return compare_least(walls(best), map(walls, others), alpha=budget.alpha)


def excess_per_work(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge 1 + regret by the simulated time per work at the interval and at the best one."""
    span = costs["interval"]
    rest = {name: value for name, value in costs.items() if name != "interval"}
    best = float(optimal_interval(**rest))

    def pace(interval_used: float, seed: int) -> FloatArray:
        walls = simulate_makespans(
            8.0 * interval_used,
            interval=interval_used,
            uptime=Exponential(rest["mtbf"]),
            checkpoint_cost=rest["checkpoint_cost"],
            replications=budget.replications,
            seed=seed,
        )
        return walls / (8.0 * interval_used)

    return compare_ratio(
        1.0 + float(predict(span, **rest)),
        pace(span, budget.seed),
        pace(best, budget.seed + 1),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def clear_of_the_tie(point: dict[str, float]) -> bool:
    """Return whether checkpoints help, or not, clearly enough for a simulation to show it."""
    # If no checkpoint and the best interval are nearly as good, no simulation separates them.
    return not 0.6 < point["checkpoint_cost"] / point["mtbf"] < 0.85


PROPERTIES = (
    Property(optimal_interval, neighbours, points_of(optimal_interval)),
    *(
        Property(row.function, with_fallback, points_of(row.function))
        for row in FORMULAS
        if row.fallback is optimal_interval
    ),
    Property(
        optimal_interval_wsj,
        neighbours_in_wsj,
        points_of(optimal_interval_wsj).filter(clear_of_the_tie),
    ),
    Property(best_segments, number_of_segments, points_of(best_segments)),
    Property(regret, excess_per_work, points_of(regret)),
)
