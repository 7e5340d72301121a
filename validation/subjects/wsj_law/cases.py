"""The laws of the process of wsj, exact and by a Gamma law, and the error of the second."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.completion import gamma_error, wsj_compound, wsj_makespan
from perfmodel.completion.wsj import GAMMA_RANGE
from perfmodel.validity import ValidityWarning
from validation.judge.compare import approximation_error, compare_number
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..implicit_forms.cases import gamma_law_of_the_task
from ..laws import Law, predictable
from ..wsj.cases import play_wsj

__all__ = ["CASES"]

Predict = Callable[..., Any]


def distribution(predict: Predict, budget: Budget, *, work: float, **task: Any) -> Verdict:
    """Judge the law of the process of wsj by simulated tasks."""
    law = predict(work, **{name: predictable(value) for name, value in task.items()})
    walls = play_wsj(budget.seed, budget.replications, work=work, **task)
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over the stated range."""
    del budget, of
    points = [
        (10.4, {"downtime": 0.01, "interval": 1e-4}),  # steps, and hardly any rework
        (10.0, {"downtime": 1.0, "interval": 0.5}),
        (30.0, {"downtime": predictable(Law("LogNormal", (-0.8, 1.27))), "interval": 10.0}),
        (100.0, {"downtime": predictable(Law("Exponential", (1.0,))), "interval": 10.0}),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # a mutant may leave the range
        errors = [1.0 + _distance(predict, work, {"mtbf": 10.0, **task}) for work, task in points]
    return approximation_error(errors, np.ones(len(errors)), stated=GAMMA_RANGE.error)


def largest_distance(predict: Predict, budget: Budget, *, work: float, **task: Any) -> Verdict:
    """Compare the reported error with the largest distance of the two laws on a grid."""
    del budget
    task["downtime"] = predictable(task["downtime"])
    reported = float(predict(work, **task))
    return compare_number(reported, _distance(wsj_makespan, work, task), tolerance=0.01)


def _distance(predict: Predict, work: float, task: dict[str, Any]) -> float:
    exact, gamma = wsj_compound(work, **task), predict(work, **task)
    times = np.linspace(exact.atom[0], float(exact.ppf(0.9999)), 4001)
    return float(np.max(np.abs(gamma.cdf(times) - exact.cdf(times))))


_TASKS: tuple[dict[str, Any], ...] = (
    {
        "work": 20.0,
        "mtbf": 10.0,
        "downtime": Law("Exponential", (3.0,)),
        "interval": 8.0,
        "checkpoint_cost": 1.0,
    },
    {"work": 6.0, "mtbf": 10.0, "downtime": 2.0, "interval": 4.0, "checkpoint_cost": 0.5},
)

# A recovery cost of its own: smooth, jumps and a law, jumps alone.
_OWN = tuple(
    {**_TASKS[1], "downtime": down, "recovery_cost": cost}
    for down, cost in (
        (Law("Exponential", (2.0,)), Law("LogNormal", (0.5, 1.0))),
        (2.0, Law("Gamma", (0.5, 6.0))),
        (2.0, 3.0),
    )
)

# Of 800 repairs one or two decide the variance: the Gamma law is 0.35 off.
_WIDE = {
    "work": 116_000.0,
    "mtbf": 144.0,
    "downtime": Law("LogNormal", (0.919951, 2.57902)),
    "interval": 4850.0,
    "checkpoint_cost": 2.72,
}

CASES: tuple[Case, ...] = (
    Case(wsj_compound, distribution, _TASKS, effort=0.25),
    Case(wsj_compound, distribution, _OWN, effort=0.25),
    Case(wsj_makespan, stated_error, ({"of": "cdf"},), chance=False),
    Case(wsj_makespan, gamma_law_of_the_task, (_WIDE,), chance=False),
    Case(gamma_error, largest_distance, _TASKS[:1], chance=False),
)
