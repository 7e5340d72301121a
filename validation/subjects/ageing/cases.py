"""Jobs whose uptimes have any law, against simulated jobs and against 60 digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import sim.application
from perfmodel.ageing import (
    exact_makespan_ageing,
    expected_makespan_ageing,
    makespan_variance_ageing,
)
from perfmodel.registry import ranges_of
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number, compare_variance
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_makespans
from ..laws import Law, predictable, sampler
from . import intervals
from .definitions import moments
from .few_failures import at_cusps, at_whole_times
from .uptimes import drawn_uptime

__all__ = ["CASES", "FULL", "JOBS", "SWEEPS", "law", "mean", "variance"]

Predict = Callable[..., Any]

_AGREE = 1e-10  # relative


def play(
    seed: int, replications: int, *, uptime: Law, downtime: float | Law, **job: Any
) -> FloatArray:
    """Return simulated makespans of the job of one point."""
    # A recorded law has no hash to be remembered by.
    simulate = (
        sim.application.simulate_makespans if uptime.name == "Empirical" else simulate_makespans
    )
    return simulate(
        job.pop("work"),
        uptime=sampler(uptime),
        downtime=sampler(downtime),
        **job,
        replications=replications,
        seed=seed,
    )


def _found(predict: Predict, *, uptime: Law, downtime: float | Law, **job: Any) -> Any:
    return predict(uptime=predictable(uptime), downtime=predictable(downtime), **job)


def mean(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = play(budget.seed, budget.replications, **job)
    found = float(_found(predict, **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the variance of the wall time."""
    walls = play(budget.seed, budget.replications, **job)
    found = float(_found(predict, **job))
    return compare_variance(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def law(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the whole distribution of the wall time, which may be as far off as it states."""
    walls = play(budget.seed, budget.replications, **job)
    found = _found(predict, **job)
    return compare_cdf(
        found.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance, stated=found.error
    )


def from_whole_times(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge either moment by equations of the whole time at 60 digits."""
    del budget
    place = job.pop("moment")
    found = float(_found(predict, **job))
    return compare_number(found, moments(**job)[place], tolerance=_AGREE)


def drawn_job(function: Callable[..., Any], most: float, fraction: Callable[[], float]) -> Point:
    """Draw a job in units of the mean uptime; at most so many segments."""
    ranges = {
        name: between(name, ends, fraction()) for name, ends in ranges_of(function.__name__).items()
    }
    interval = ranges["interval/uptime"]
    uptime = drawn_uptime(ranges["cv of uptime"], fraction())
    return {
        "uptime": uptime,
        "interval": interval,
        "work": interval * min(ranges["work/interval"], most),
        "checkpoint_cost": interval * ranges["checkpoint_cost/interval"],
        "recovery_cost": interval * ranges["recovery_cost/interval"],
        "downtime": ranges["downtime/uptime"],
        "final_checkpoint": fraction() < 0.7,
    }


def _point(
    function: Callable[..., Any], moment: int, most: float, fraction: Callable[[], float]
) -> Point:
    return {**drawn_job(function, most, fraction), "moment": moment}


_NAMES = ("work", "interval", "uptime", "checkpoint_cost", "recovery_cost", "downtime")
_WEIBULL, _LONG = Law("Weibull", (0.6, 3.0)), Law("LogNormal", (0.6, 1.2))
_BATHTUB = Law("Bathtub", (0.45, 0.5, 0.4, 6.0))
_RECORD = Law("Empirical", (tuple(0.37 * k**1.5 for k in range(1, 12)),))
# Costs comparable to the uptimes; the last segments are shorter than the others.
JOBS: tuple[Point, ...] = table(
    _NAMES,
    (3.7, 1.0, _WEIBULL, 0.2, 0.5, 0.6),
    (5.0, 2.0, _BATHTUB, 0.3, 0.4, Law("Gamma", (2.0, 0.3))),
    (4.0, 1.0, _LONG, 0.3, 0.9, 0.4),
    (4.0, 1.0, _RECORD, 0.31, 0.2, 0.5),
)

# Jobs that nobody chose, and one whose uptimes begin with an infinite density.
_RANDOM = Random(1)
DRAWN: tuple[Point, ...] = (
    *(drawn_job(exact_makespan_ageing, 20.0, _RANDOM.random) for _ in range(6)),
    {
        "uptime": Law("Gamma", (0.112, 8.94)),
        "interval": 0.0136,
        "work": 0.0224,
        "checkpoint_cost": 1.8e-4,
        "recovery_cost": 1.4e-4,
        "downtime": 0.049,
    },
)

# Where uptimes begin steeply, or have atoms, so does the law after each downtime.
CUSPS: tuple[Point, ...] = table(
    (*_NAMES, "promised"),
    (4.0, 1.0, Law("Empirical", ((0.5, 1.5, 2.75, 3.0, 6.0),)), 0.25, 0.5, 0.75, 1e-6),
    (150.0, 71.65, Law("Weibull", (0.3705, 115.7)), 9.178, 2.84, 9.59, 1e-6),
    (11.0, 5.655, Law("Gamma", (0.1111, 3510.0)), 0.2669, 0.02256, 31.392, 1e-4),
    (2.2, 1.2, Law("Gamma", (0.5, 3.0)), 0.2, 0.5, Law("Empirical", ((0.6, 0.9),)), 1e-6),
    (4.0, 1.0, _LONG, 0.3, 0.9, 0.4, 1e-6),
)


def _of_whole_times(records: int) -> Point:
    """Draw a job of recorded uptimes of mean 1000, that is struck often; all times are whole."""
    law = predictable(drawn_uptime(0.3 * 5.0 ** _RANDOM.random(), _RANDOM.random()))
    samples = law.ppf([_RANDOM.random() for _ in range(records)])
    period = 1000.0 * max(samples) * 0.05 * 8.0 ** _RANDOM.random()  # of which one can be passed
    return {
        "uptime": Law("Empirical", (tuple(float(round(1000.0 * x)) for x in samples),)),
        "interval": float(round(period)),
        "work": float(round(period * (0.5 + 5.5 * _RANDOM.random()))),
        "checkpoint_cost": float(round(0.1 * period)),
        "recovery_cost": float(round(period * _RANDOM.random())),
        "downtime": float(round(10.0 * 50.0 ** _RANDOM.random())),
        "final_checkpoint": _RANDOM.random() < 0.7,
        "promised": 1e-4,
    }


WHOLE = tuple(_of_whole_times(records) for records in (2, 8, 8, 30, 30, 100))

_VARIED = (JOBS[0], {**JOBS[0], "downtime": Law("Gamma", (2.0, 0.6))})

_MOMENTS = tuple(
    Sweep(function, from_whole_times, partial(_point, function, moment, 200.0), quick=1, full=60)
    for moment, function in enumerate((expected_makespan_ageing, makespan_variance_ageing))
)

CASES = (
    Case(expected_makespan_ageing, mean, JOBS, effort=0.2),
    Case(makespan_variance_ageing, variance, _VARIED, effort=2.2),
    Case(exact_makespan_ageing, law, (*JOBS[:3], *DRAWN), effort=0.3),
    Case(exact_makespan_ageing, at_cusps, CUSPS, chance=False),
    Case(exact_makespan_ageing, at_whole_times, WHOLE, chance=False),
    *(case(sweep) for sweep in _MOMENTS),
    *intervals.CASES,
)
FULL = (*(case(sweep, full=True) for sweep in _MOMENTS), *intervals.FULL)
SWEEPS = (*_MOMENTS, *intervals.SWEEPS)
