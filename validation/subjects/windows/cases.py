"""Waste, best period and segments with predicted windows, against jobs that get them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from perfmodel.prediction import (
    best_window_segments,
    optimal_period_windows,
    waste_windows,
)
from perfmodel.prediction.windows import PERIOD_RANGE, SEGMENTS_RANGE, WASTE_RANGE
from perfmodel.validity import Range, ValidityWarning
from validation.judge.chance import FloatArray, mean_and_stderr, z_limit
from validation.judge.compare import approximation_error, compare_number, measure_distance
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_windowed_makespans
from .definitions import period, segments, waste

__all__ = [
    "CASES",
    "EFFORT",
    "FULL",
    "SWEEPS",
    "period_within_range",
    "segments_within_range",
    "within_range",
]

Predict = Callable[..., Any]

EFFORT = 0.02  # a replication is a job of several failures
_UPTIMES = 4  # mean uptimes in a job: many short jobs, because they are played together
_FACTORS = (0.7, 0.85, 1.0, 1.2, 1.4)


def simulated_waste(
    budget: Budget,
    span: float,
    *,
    mtbf: float,
    checkpoint_cost: float,
    proactive_cost: float,
    recall: float,
    precision: float,
    window: float,
    window_segments: int = 1,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
) -> FloatArray:
    """Return replications whose mean is the share of the time that is not useful work.

    They are linear in the time of each job, so that their mean is the ratio of the means.
    """
    work = max(round(_UPTIMES * mtbf / span), 1) * (span - checkpoint_cost)
    rate = recall * (1.0 - precision) / (precision * mtbf)
    walls = simulate_windowed_makespans(
        work,
        interval=span - checkpoint_cost,
        mtbf=mtbf,
        false_alarm_mtbf=1.0 / rate if rate > 0.0 and window_segments else np.inf,
        recall=recall if window_segments else 0.0,
        window=window,
        window_segments=max(int(window_segments), 1),
        proactive_cost=proactive_cost,
        threshold=proactive_cost / precision,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        replications=budget.replications,
        seed=budget.seed,
    )
    mean = float(walls.mean())
    return 1.0 - work / mean + (walls - mean) * work / mean**2


def _called(predict: Predict, *given: Any, **job: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return float(predict(*given, **job))


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the stated error by the largest one over points at the edge of the stated range."""
    measured, stated, loosest = {
        "waste": (_errors_of_waste, WASTE_RANGE, 2.0),
        # Of one wrong choice, and the excess is small beside its noise.
        "period": (_excess_at_period, PERIOD_RANGE, 3.0),
        "segments": (_excess_of_segments, SEGMENTS_RANGE, 3.0),
    }[of]
    ratios = measured(predict, budget)
    return approximation_error(ratios, np.ones_like(ratios), stated=stated.error, loosest=loosest)


def _errors_of_waste(predict: Predict, budget: Budget) -> FloatArray:
    found = []
    for job in EDGE:
        (span,), rest = _split(job)
        found.append(float(predict(**job)) / float(simulated_waste(budget, span, **rest).mean()))
    return np.array(found)


def _excess_at_period(predict: Predict, budget: Budget) -> FloatArray:
    """Return the relative excess of the waste over that at a longer period."""
    right = _called(optimal_period_windows, **CHEAP)
    at = simulated_waste(budget, _called(predict, **CHEAP), **CHEAP).mean()
    return np.array([at / simulated_waste(budget, 1.2 * right, **CHEAP).mean()])


def _excess_of_segments(predict: Predict, budget: Budget) -> FloatArray:
    """Return the relative excess of the waste over that without acting."""
    at, ignoring = (
        _wasted(budget, count, **DOUBTFUL).mean()
        for count in (round(_called(predict, **DOUBTFUL)), 0)
    )
    return np.array([at / ignoring])


def _wasted(budget: Budget, count: int, **job: Any) -> FloatArray:
    span = _called(optimal_period_windows, **job, window_segments=count)
    return simulated_waste(budget, span, **job, window_segments=count)


def _split(job: dict[str, Any]) -> tuple[tuple[float], dict[str, Any]]:
    return (job["period"],), {name: value for name, value in job.items() if name != "period"}


def rare_failures(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Expect the formula to be right within 4 % where failures are rare."""
    (span,), rest = _split(job)
    seen = simulated_waste(budget, span, **rest)
    return measure_distance(float(predict(**job)), seen, alpha=budget.alpha, stated=0.04)


def within_range(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge one point: inside the range by its stated error, beyond it by its warning."""
    assert WASTE_RANGE.of is not None
    measure = WASTE_RANGE.of(**{name: np.asarray(value) for name, value in job.items()})
    (span,), rest = _split(job)
    if not WASTE_RANGE.holds(measure):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ValidityWarning)
            predict(**job)
        return compare_number(float(len(caught)), 1.0, tolerance=0.0)
    if span <= 2.0 * job["checkpoint_cost"]:
        return compare_number(1.0, 1.0, tolerance=0.0)
    seen = simulated_waste(budget, span, **rest)
    return measure_distance(
        float(predict(**job)), seen, alpha=budget.alpha, stated=WASTE_RANGE.error
    )


def _excess(
    at: FloatArray, others: list[FloatArray], budget: Budget, found: float, stated: float
) -> Verdict:
    """Judge by how much a waste is above the least of others, less the noise."""
    excess, noise = 0.0, 0.0
    for other in others:
        more, stderr = mean_and_stderr((at - other) / other.mean())
        excess, noise = max((excess, noise), (more, z_limit(budget.alpha) * stderr))
    passed = excess - noise <= stated
    note = f"{excess:.2%} above the least, stated {stated:.2%}"
    z = noise / z_limit(budget.alpha)
    return Verdict("distance", found, excess, z, 0.0, noise, passed=passed, note=note)


def best_period(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge a period by the waste of simulated jobs at it and at periods around the right one."""
    found, right = _called(predict, **job), _called(optimal_period_windows, **job)
    at = simulated_waste(budget, found, **job)
    others = [simulated_waste(budget, right * factor, **job) for factor in _FACTORS]
    return _excess(at, others, budget, found, PERIOD_RANGE.error)


def best_segments(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge a number of segments by simulated jobs with it, with others, and without windows."""
    found, right = round(_called(predict, **job)), round(_called(best_window_segments, **job))

    tried = {0, max(right - 1, 1), right + 1} - {right}
    roomy = [count for count in tried if count * job["proactive_cost"] < job["window"]]
    others = [_wasted(budget, count, **job) for count in roomy]
    return _excess(
        _wasted(budget, found, **job), others, budget, float(found), SEGMENTS_RANGE.error
    )


def period_within_range(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge one best period where its error is stated."""
    return _where(PERIOD_RANGE, best_period, predict, budget, **job)


def segments_within_range(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge one number of segments where its error is stated."""
    return _where(SEGMENTS_RANGE, best_segments, predict, budget, **job)


def _where(
    stated: Range, judge: Callable[..., Verdict], predict: Predict, budget: Budget, **job: Any
) -> Verdict:
    assert stated.of is not None
    measure = stated.of(**{name: np.asarray(value) for name, value in job.items()})
    if not stated.holds(measure):
        return compare_number(1.0, 1.0, tolerance=0.0)
    return judge(predict, budget, **job)


def quietly(sweep: Sweep) -> Sweep:
    """Return the sweep without the warnings: beyond the range the formula is defined as well."""

    def second_road(predict: Predict, budget: Budget, **point: Any) -> Verdict:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            return sweep.judge(predict, budget, **point)

    return replace(sweep, judge=second_road)


_NAMES = ("period", "recall", "precision", "checkpoint_cost", "proactive_cost")
_jobs = partial(
    table,
    (*_NAMES, "window", "window_segments", "recovery_cost", "downtime"),
    mtbf=1000.0,
)
# 0.45 disturbances per period and window: expensive checkpoints, long windows, long repairs.
EDGE = _jobs(
    (449.0, 0.0, 0.8, 207.0, 46.8, 1.0, 1, 0.0, 0.0),
    (136.0, 0.91, 0.86, 1.66, 0.22, 138.0, 22, 0.0, 0.0),
    (218.0, 0.7, 1.0, 20.0, 10.0, 20.0, 1, 50.0, 0.0),
)
_RARE = tuple(
    job | {"mtbf": mtbf}
    for job, mtbf in zip(
        _jobs(
            (100.0, 0.9, 0.2, 5.0, 10.0, 60.0, 1, 0.0, 0.0),
            (60.0, 0.7, 0.6, 2.0, 4.0, 80.0, 3, 20.0, 10.0),
            (100.0, 0.5, 0.8, 1.0, 1.0, 40.0, 0, 0.0, 40.0),
        ),
        (1e4, 5e3, 5e3),
        strict=True,
    )
)
_COSTS = partial(
    table,
    ("recall", "precision", "checkpoint_cost", "proactive_cost", "window"),
    mtbf=1000.0,
)
# A long period, because few failures are not predicted; and windows hardly worth acting upon.
CHEAP = _COSTS((0.9, 0.6, 3.8, 0.1, 2.0))[0]
DOUBTFUL = _COSTS((0.6, 0.3, 2.0, 4.0, 90.0))[0]
# The first predictor is better ignored.
PREDICTORS = _COSTS((0.32, 0.42, 5.0, 9.8, 195.0), (0.7, 0.6, 4.0, 2.0, 60.0))

SWEEPS = tuple(
    map(
        quietly,
        (
            swept(waste_windows, waste, quick=20),
            swept(optimal_period_windows, period, quick=20),
            swept(best_window_segments, segments, quick=20),
        ),
    )
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),  # first, because they reject most mutants
    Case(waste_windows, rare_failures, _RARE, effort=EFFORT),
    Case(waste_windows, stated_error, ({"of": "waste"},), effort=EFFORT),
    Case(optimal_period_windows, stated_error, ({"of": "period"},), effort=2.0 * EFFORT),
    Case(best_window_segments, SWEEPS[2].judge, PREDICTORS, chance=False),
    Case(best_window_segments, stated_error, ({"of": "segments"},), effort=2.0 * EFFORT),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
