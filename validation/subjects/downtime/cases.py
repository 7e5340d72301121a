"""Repairs that failures prolong, laws of the process of wsj, and numbers of spares."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.completion import (
    GAMMA_RANGE,
    busy_period_mean,
    busy_period_transform,
    busy_period_variance,
    gamma_error,
    wsj_compound,
    wsj_makespan,
)
from perfmodel.parallel import spares_needed
from perfmodel.validity import ValidityWarning
from sim.streams import stream
from validation.judge.chance import FloatArray
from validation.judge.compare import (
    approximation_error,
    compare_mean,
    compare_number,
    compare_variance,
)
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable
from ..wsj.cases import play_wsj

__all__ = ["CASES"]

Predict = Callable[..., Any]
WORK = 4.0  # in multiples of the mtbf: about four busy periods per replication
NO_REWORK = 1e-9


def _busy(budget: Budget, mtbf: float, downtime: Any) -> FloatArray:
    """Return sums of the busy periods during `WORK` mtbf of work; rework takes no time."""
    job = {"work": WORK * mtbf, "interval": NO_REWORK * mtbf, "mtbf": mtbf, "downtime": downtime}
    walls = play_wsj(budget.seed, budget.replications, **job)
    return np.asarray(walls - WORK * mtbf)


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


def distribution(predict: Predict, budget: Budget, *, work: float, **task: Any) -> Verdict:
    """Judge the law of the process of wsj by simulated tasks."""
    law = predict(work, **{**task, "downtime": predictable(task["downtime"])})
    walls = play_wsj(budget.seed, budget.replications, work=work, **task)
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over the stated range."""
    del budget, of
    points = [
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


def probability(
    predict: Predict, budget: Budget, *, nodes: int, mtbf: float, repair: Any, confidence: float
) -> Verdict:
    """Expect the spares to suffice at random instants, and one fewer not to."""
    law = predictable(repair)
    mttr = float(getattr(law, "mean", law))
    spares = float(predict(nodes, mtbf, mttr, confidence))
    down = _down_at_instants(budget, nodes, mtbf, mttr, repair)
    enough, fewer = float(np.mean(down <= spares)), float(np.mean(down < spares))
    stderr = float(np.sqrt(confidence * (1.0 - confidence) / down.size))
    nearer = enough if abs(enough - confidence) < abs(fewer - confidence) else fewer
    seen = abs(nearer - confidence) > 4.0 * stderr
    passed = seen and fewer < confidence <= enough
    return Verdict(
        "exact",
        confidence,
        float(nearer),
        stderr,
        float((nearer - confidence) / stderr),
        4.0 * stderr / confidence,
        passed=passed,
        note="" if passed else f"{fewer:.4f} with one fewer, {enough:.4f} with them",
        answered=seen,
    )


def _down_at_instants(
    budget: Budget, nodes: int, mtbf: float, mttr: float, repair: Any
) -> FloatArray:
    """Return the numbers of repairs under way at some instants; spares replace failed nodes."""
    rng = stream(budget.seed)
    count = budget.replications
    gaps = (mtbf / nodes) * rng.standard_exponential(count)
    start = np.cumsum(gaps)
    end = start + draw(repair, seed=budget.seed + 1, replications=count)
    # Instants ten repairs apart, after the first repairs have ended.
    instants = np.linspace(start[count // 10], start[-1], int(count * mtbf / nodes / (10.0 * mttr)))
    started = np.searchsorted(start, instants, side="right")
    ended = np.searchsorted(np.sort(end), instants, side="right")
    return np.asarray(started - ended, dtype=np.float64)


def _distance(predict: Predict, work: float, task: dict[str, Any]) -> float:
    exact, gamma = wsj_compound(work, **task), predict(work, **task)
    times = np.linspace(exact.atom[0], float(exact.ppf(0.9999)), 4001)
    return float(np.max(np.abs(gamma.cdf(times) - exact.cdf(times))))


_REPAIRS: tuple[dict[str, Any], ...] = (
    {"mtbf": 10.0, "downtime": Law("Exponential", (4.0,))},
    {"mtbf": 10.0, "downtime": 3.0},
)
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
_SPARES = {"nodes": 40, "mtbf": 100.0, "repair": Law("LogNormal", (1.0, 1.0)), "confidence": 0.93}

CASES: tuple[Case, ...] = (
    Case(busy_period_mean, mean, _REPAIRS),
    Case(busy_period_variance, variance, _REPAIRS[:1], effort=4.0),
    Case(
        busy_period_transform,
        transform,
        tuple({"s": 0.1, **point} for point in _REPAIRS),
        effort=2.0,
    ),
    Case(wsj_compound, distribution, _TASKS, effort=0.25),
    Case(wsj_makespan, stated_error, ({"of": "cdf"},), chance=False),
    Case(gamma_error, largest_distance, _TASKS[:1], chance=False),
    Case(spares_needed, probability, (_SPARES,), effort=2.0),
)
