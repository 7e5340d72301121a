"""Repairs that failures prolong: sums of their busy periods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.completion import busy_period_mean, busy_period_transform, busy_period_variance
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_variance
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, predictable
from ..wsj.cases import play_wsj

__all__ = ["CASES"]

Predict = Callable[..., Any]
WORK = 4.0  # in multiples of the mtbf: about four busy periods per replication
NO_REWORK = 1e-9


def mean(predict: Predict, budget: Budget, *, mtbf: float, downtime: Any) -> Verdict:
    """Judge the mean busy period by sums of a random number of them (Wald)."""
    predicted = WORK * float(predict(mtbf=mtbf, downtime=predictable(downtime)))
    sums = _busy(budget, mtbf, downtime)
    return compare_mean(predicted, sums, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, *, mtbf: float, downtime: Any) -> Verdict:
    """Judge the variance of the busy period by that of compound Poisson sums."""
    law = predictable(downtime)
    first = float(busy_period_mean(mtbf=mtbf, downtime=law))
    second = float(predict(mtbf=mtbf, downtime=law)) + first**2
    sums = _busy(budget, mtbf, downtime)
    return compare_variance(WORK * second, sums, alpha=budget.alpha, tolerance=budget.tolerance)


def transform(predict: Predict, budget: Budget, *, s: float, mtbf: float, downtime: Any) -> Verdict:
    """Judge the transform at one point by the mean of exp(-s sum)."""
    value = float(predict(s, mtbf=mtbf, downtime=predictable(downtime)))
    sums = _busy(budget, mtbf, downtime)
    predicted = float(np.exp(-WORK * (1.0 - value)))
    return compare_mean(
        predicted, np.exp(-s * sums), alpha=budget.alpha, tolerance=budget.tolerance
    )


def _busy(budget: Budget, mtbf: float, downtime: Any) -> FloatArray:
    """Return sums of the busy periods during `WORK` mtbf of work; rework takes no time."""
    job = {"work": WORK * mtbf, "interval": NO_REWORK * mtbf, "mtbf": mtbf, "downtime": downtime}
    walls = play_wsj(budget.seed, budget.replications, **job)
    return np.asarray(walls - WORK * mtbf)


_REPAIRS: tuple[dict[str, Any], ...] = (
    {"mtbf": 10.0, "downtime": Law("Exponential", (4.0,))},
    {"mtbf": 10.0, "downtime": 3.0},
)

CASES: tuple[Case, ...] = (
    Case(busy_period_mean, mean, _REPAIRS),
    Case(busy_period_variance, variance, _REPAIRS[:1], effort=4.0),
    Case(
        busy_period_transform,
        transform,
        tuple({"s": 0.1, **point} for point in _REPAIRS),
        effort=2.0,
    ),
)
