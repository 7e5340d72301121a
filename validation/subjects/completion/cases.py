"""Whole distributions of completion times against simulated ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfmodel.completion import exact_makespan
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, predictable
from ..makespan.cases import play

__all__ = ["CASES"]

Predict = Callable[..., Any]

HARSH = {
    "work": 10.0,
    "interval": 4.0,
    "mtbf": 5.0,
    "checkpoint_cost": 1.0,
    "recovery_cost": 2.0,
    "downtime": 3.0,
}
REPAIRS = {**HARSH, "work": 8.0, "downtime": Law("LogNormal", (0.5, 1.2)), "recovery_cost": 0.5}
NO_LAST = {**HARSH, "downtime": Law("Exponential", (2.0,)), "final_checkpoint": False}


def distribution(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the whole cdf of the makespan by simulated jobs."""
    walls = play(budget.seed, budget.replications, **job)
    law = predict(**{**job, "downtime": predictable(job["downtime"])})
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


CASES: tuple[Case, ...] = (
    Case(exact_makespan, distribution, (HARSH, NO_LAST, REPAIRS), effort=0.5),
)
