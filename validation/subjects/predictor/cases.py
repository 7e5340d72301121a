"""Waste and best period with a predictor, against jobs that get true and false predictions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel.interval import optimal_period_predicted, waste_predicted
from perfmodel.interval.predicted_failures import PERIOD_RANGE, WASTE_RANGE
from perfmodel.validity import ValidityWarning
from sim.application import simulate_predicted_makespans
from sim.samplers import Exponential
from validation.judge.chance import mean_and_stderr, z_limit
from validation.judge.compare import approximation_error, compare_number, measure_distance
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..interval.cases import printed_value

__all__ = ["CASES", "EFFORT", "period_within_range", "simulated_waste", "within_range"]

Predict = Callable[..., Any]
FloatArray = npt.NDArray[np.float64]

EFFORT = 0.25  # a replication counts as one failure; a few long jobs have them all
_JOBS = 20
_FACTORS = (0.7, 1.0, 1.2, 1.4)
_MORE = 4  # this many times the failures, because good periods differ little


@lru_cache(maxsize=256)
def simulated_waste(
    period: float,
    seed: int,
    failures: float,
    *,
    mtbf: float,
    checkpoint_cost: float,
    proactive_cost: float,
    recall: float,
    precision: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
) -> FloatArray:
    """Return replications whose mean is the share of the time that is not useful work.

    They are linear in the time of each long job, so that their mean is the ratio of the means.
    """
    segments = max(round(failures / _JOBS * mtbf / period), 1)
    work = segments * (period - checkpoint_cost)
    rate = recall * (1.0 - precision) / (precision * mtbf)
    walls = simulate_predicted_makespans(
        work,
        interval=period - checkpoint_cost,
        uptime=Exponential(mtbf),
        recall=recall,
        false_alarms=Exponential(1.0 / rate) if rate > 0.0 else None,
        proactive_cost=proactive_cost,
        threshold=proactive_cost / precision,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        replications=_JOBS,
        seed=seed,
    )
    mean = float(walls.mean())
    return 1.0 - work / mean + (walls - mean) * work / mean**2


def _waste_of(
    predict: Predict, budget: Budget, *, period: float, **costs: float
) -> tuple[float, FloatArray]:
    """Return the predicted waste and the simulated replications."""
    seen = simulated_waste(period, budget.seed, budget.replications, **costs)
    return float(predict(period, **costs)), seen


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over points at the edge of the stated range."""
    measured = _errors_of_waste if of == "waste" else _excess_at_period
    stated = (WASTE_RANGE if of == "waste" else PERIOD_RANGE).error
    ratios = measured(predict, budget)
    return approximation_error(ratios, np.ones_like(ratios), stated=stated)


def _errors_of_waste(predict: Predict, budget: Budget) -> FloatArray:
    found = []
    for point in EDGE:
        predicted, seen = _waste_of(predict, budget, **point)
        found.append(predicted / float(seen.mean()))
    return np.array(found)


def _excess_at_period(predict: Predict, budget: Budget) -> FloatArray:
    """Return the relative excess of the waste at the period over the least near the right one."""
    found = []
    failures = float(_MORE * budget.replications)
    for costs in COSTS:
        best = float(predict(**costs))
        right = float(optimal_period_predicted(**costs))
        # Candidates lie around the right period, so that a wrong one does not choose its rivals.
        spans = [right * factor for factor in _FACTORS if right * factor > costs["checkpoint_cost"]]
        at = simulated_waste(best, budget.seed, failures, **costs).mean()
        least = min(simulated_waste(span, budget.seed, failures, **costs).mean() for span in spans)
        found.append(float(at / least))
    return np.array(found)


def rare_failures(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Expect the first order to be right within 2 % where failures are rare."""
    predicted, seen = _waste_of(predict, budget, **job)
    return measure_distance(predicted, seen, alpha=budget.alpha, stated=0.02)


def within_range(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge one point: inside the range by its stated error, beyond it by its warning."""
    assert WASTE_RANGE.of is not None
    measure = WASTE_RANGE.of(**{name: np.asarray(value) for name, value in job.items()})
    if not WASTE_RANGE.holds(measure):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ValidityWarning)
            predict(**job)
        return compare_number(float(len(caught)), 1.0, tolerance=0.0)
    predicted, seen = _waste_of(predict, budget, **job)
    return measure_distance(predicted, seen, alpha=budget.alpha, stated=WASTE_RANGE.error)


def period_within_range(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge one best period by the excess of its waste over the least nearby, less the noise."""
    assert PERIOD_RANGE.of is not None
    best = float(predict(**costs))
    measure = PERIOD_RANGE.of(**{name: np.asarray(value) for name, value in costs.items()})
    if not PERIOD_RANGE.holds(measure):
        return compare_number(1.0, 1.0, tolerance=0.0)
    failures = float(_MORE * budget.replications)
    at = simulated_waste(best, budget.seed, failures, **costs)
    excess, noise = 0.0, 0.0
    for factor in _FACTORS:
        if factor != 1.0 and best * factor > costs["checkpoint_cost"]:
            other = simulated_waste(best * factor, budget.seed, failures, **costs)
            more, stderr = mean_and_stderr((at - other) / other.mean())
            excess, noise = max((excess, noise), (more, z_limit(budget.alpha) * stderr))
    passed = excess - noise <= PERIOD_RANGE.error
    note = f"{excess:.2%} above the least, stated {PERIOD_RANGE.error:.2%}"
    return Verdict(
        "distance",
        best,
        excess,
        noise / z_limit(budget.alpha),
        0.0,
        noise,
        passed=passed,
        note=note,
    )


_COSTS = ("checkpoint_cost", "proactive_cost", "recovery_cost", "downtime")
_jobs = partial(table, ("period", "recall", "precision", *_COSTS), mtbf=1000.0)

# 0.45 disturbances per period: no predictor and expensive checkpoints; many false alarms; a good
# predictor whose failures strike during checkpoints; long repairs.
EDGE = _jobs(
    (450.0, 0.0, 0.8, 207.0, 46.8, 0.0, 0.0),
    (225.0, 0.0, 1.0, 141.0, 246.0, 0.0, 75.0),
    (418.0, 0.3, 0.8, 2.0, 3.7, 0.0, 0.0),
    (306.0, 0.7, 0.6, 10.0, 5.0, 0.0, 0.0),
    (97.0, 0.9, 0.2, 5.0, 10.0, 0.0, 0.0),
    (360.0, 0.95, 0.8, 20.0, 2.6, 0.0, 0.0),
    (218.0, 0.7, 1.0, 20.0, 10.0, 76.0, 0.0),
)
COSTS = tuple(
    {
        "mtbf": 1000.0,
        "recall": recall,
        "precision": precision,
        "checkpoint_cost": cost,
        "proactive_cost": proactive,
    }
    for recall, precision, cost, proactive in (
        (0.9, 0.6, 4.0, 0.1),
        (0.7, 0.6, 8.0, 4.0),
        (0.5, 0.2, 2.0, 4.0),
    )
)
_RARE = tuple(
    job | {"mtbf": mtbf}
    for job, mtbf in zip(
        _jobs(
            (100.0, 0.9, 0.2, 5.0, 10.0, 0.0, 0.0),
            (60.0, 0.9, 0.2, 5.0, 10.0, 0.0, 0.0),
            (100.0, 0.7, 0.6, 2.0, 4.0, 40.0, 0.0),
            (100.0, 0.5, 0.8, 2.0, 2.0, 0.0, 40.0),
            (150.0, 0.3, 0.5, 1.0, 2.0, 0.0, 0.0),
        ),
        (1e4, 6e3, 5e3, 5e3, 5e3),
        strict=True,
    )
)
_PRINTED = {
    "mtbf": 1000.0,
    "checkpoint_cost": 10.0,
    "proactive_cost": 5.0,
    "recall": 0.7,
    "precision": 0.6,
}

CASES = (
    Case(waste_predicted, rare_failures, _RARE, effort=EFFORT),
    Case(waste_predicted, stated_error, ({"of": "waste"},), effort=EFFORT),
    Case(optimal_period_predicted, stated_error, ({"of": "period"},), effort=EFFORT),
    Case(
        optimal_period_predicted,
        printed_value,
        ({"printed": 257.885, "tolerance": 1e-6, **_PRINTED},),
        chance=False,
    ),
)
