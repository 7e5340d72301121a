"""Mean makespans of tasks that meet after every phase, against simulated ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfmodel.parallel import expected_makespan_phases
from validation.judge.compare import compare_mean, compare_number
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_phased_makespans

__all__ = ["CASES", "FULL", "mean"]

Predict = Callable[..., Any]


def mean(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean makespan."""
    walls = simulate_phased_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    found = float(predict(work, **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def printed(predict: Predict, budget: Budget, *, known: float, work: float, **job: Any) -> Verdict:
    """Compare with a number computed elsewhere."""
    del budget
    return compare_number(float(predict(work, **job)), known, tolerance=1e-10)


_NAMES = ("work", "phases", "tasks", "interval", "mtbf")
_COSTS = ("checkpoint_cost", "recovery_cost", "downtime")
JOBS = table(
    (*_NAMES, *_COSTS),
    (8.0, 4, 8, 1.0, 5.0, 0.5, 0.6, 0.8),
    (3.0, 3, 1, 1.0, 2.0, 0.2, 0.3, 0.4),
    (4.0, 1, 5, 1.5, 4.0, 0.1, 0.5, 0.2),
)
_VECTOR = table((*_NAMES, *_COSTS), (20.0, 4, 16, 5.0, 50.0, 0.2, 0.3, 0.5), known=35.55193521016)

CASES = (
    Case(expected_makespan_phases, printed, _VECTOR, chance=False),
    Case(expected_makespan_phases, mean, JOBS[:1], effort=0.07),
)
FULL = (Case(expected_makespan_phases, mean, JOBS, effort=0.09),)
