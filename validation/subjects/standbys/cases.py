"""Jobs with standby blocks, against simulated ones and against a Markov renewal process."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.interval import optimal_interval
from perfmodel.standbys import (
    degraded_goodput,
    mean_stop,
    spares_for,
    spares_goodput,
    two_stage_goodput,
)
from sim.application import TwoStageRepair
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.trial import Budget, Case, Point, table
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_standby_makespans
from . import one_job
from .definitions import long_run
from .fewer_blocks import degraded

__all__ = ["CASES", "FEWER", "FULL", "POOLS", "SWEEPS", "goodput", "stop"]

Predict = Callable[..., Any]

_AGREE = 1e-8  # relative; the matrices of the definition are not computed without subtractions
_NOTHING = 1e-270
_HARDLY_ANYTHING = 1e-150  # the wait overflows, and is as rare as it may be
_CHECKPOINTS = ("interval", "checkpoint_cost", "recovery_cost")


def played(budget: Budget, *, segments: int, **job: Any) -> FloatArray:
    """Return the time per work of jobs that have forgotten how they began."""
    work = segments * job["interval"]
    walls = simulate_standby_makespans(
        work,
        **job,
        warm_up=0.5 * work,
        replications=max(budget.replications // segments, 100),
        seed=budget.seed,
    )
    return np.asarray(walls / work)


def goodput(predict: Predict, budget: Budget, *, segments: int, **job: Any) -> Verdict:
    """Judge the goodput by the time that work takes."""
    times = played(budget, segments=segments, **job)
    found = 1.0 / float(predict(**job))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def stop(predict: Predict, budget: Budget, *, segments: int, **job: Any) -> Verdict:
    """Judge the mean stop by the time that work takes: every failure costs one."""
    times = played(budget, segments=segments, **job)
    rate = job["blocks"] / job["block_mtbf"]
    pool = {name: value for name, value in job.items() if name not in _CHECKPOINTS}
    period = job["interval"] + job["checkpoint_cost"]
    failures = math.exp(rate * job["recovery_cost"]) * math.expm1(rate * period) / job["interval"]
    found = failures * (1.0 / rate + float(predict(**pool)))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def staged(
    predict: Predict,
    budget: Budget,
    *,
    segments: int,
    automatic_time: float,
    manual_time: float,
    escalated: float,
    automatic_false: float,
    manual_false: float,
    **job: Any,
) -> Verdict:
    """Judge the goodput with repairs of two stages by the time that work takes."""
    names = ("automatic_time", "manual_time", "escalated", "automatic_false", "manual_false")
    stages = (automatic_time, manual_time, escalated, automatic_false, manual_false)
    times = played(budget, segments=segments, mttr=TwoStageRepair(*stages), **job)
    found = 1.0 / float(predict(**dict(zip(names, stages, strict=True)), **job))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def from_the_process(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge goodput or mean stop by the process that follows every segment."""
    del budget
    known = long_run(**job)
    if "interval" not in job:
        return _compare(1.0 / float(predict(**job)), 1.0 / known.stop)
    return _compare(float(predict(**job)), known.goodput)


def from_all_phases(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the goodput on fewer blocks by the process in all its phases."""
    del budget
    return _compare(float(predict(**job)), degraded(**job))


def _compare(found: float, known: float) -> Verdict:
    """Compare two shares; of a job that stands still for ever, one is as good as nothing."""
    if known < _NOTHING:
        return compare_number(float(found < _HARDLY_ANYTHING), 1.0, tolerance=0.0)
    return compare_number(found, known, tolerance=_AGREE)


def least_that_is_enough(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge a number of standbys by the goodput with it and with one fewer."""
    del budget
    wanted = job.pop("goodput")
    job.setdefault("interval", _best(job))
    try:
        found = float(predict(wanted, **job))
    except ValueError as refusal:
        if "at most 500 standbys" not in str(refusal):
            raise
        reached = long_run(standbys=500.0, **job).goodput
        return compare_number(float(reached < wanted), 1.0, tolerance=0.0)
    if math.isinf(found):  # then hundreds are not enough, either
        found = 200.0
        reached = long_run(standbys=found, **job).goodput < wanted
        return compare_number(float(reached), 1.0, tolerance=0.0)
    enough = long_run(standbys=found, **job).goodput >= wanted * (1.0 - _AGREE)
    fewer = found == 0.0 or long_run(standbys=found - 1.0, **job).goodput < wanted * (1.0 + _AGREE)
    return compare_number(float(enough and fewer), 1.0, tolerance=0.0)


def _best(job: dict[str, Any]) -> float:
    """Return the best interval: of any repair the same."""
    mtbf = job["block_mtbf"] / job["blocks"]
    return float(optimal_interval(mtbf=mtbf, checkpoint_cost=job["checkpoint_cost"]))


def _point(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    point: dict[str, Any] = drawn(function, fraction)
    if fraction() < 0.5:
        point["crews"] = math.inf
    return point


_NAMES = (
    *("blocks", "standbys", "block_mtbf", "mttr", "crews", "standby_hazard", "stopped_hazard"),
    *("switch_time", "recovery_cost", "checkpoint_cost", "interval", "segments"),
)
POOLS: tuple[Point, ...] = table(
    _NAMES,
    (32, 4, 300.0, 15.0, 3.0, 1.0, 1.0, 0.5, 0.2, 0.05, 1.0, 150),
    (16, 2, 200.0, 20.0, math.inf, 0.0, 0.0, 0.0, 0.2, 0.1, 1.5, 150),
    (8, 1, 100.0, 12.0, 2.0, 0.3, 0.5, 0.1, 0.2, 0.1, 1.5, 150),
)
FEWER: tuple[Point, ...] = (
    {**POOLS[2], "may_miss": 2, "resize_time": 0.5},
    {**POOLS[1], "standbys": 1, "may_miss": 1, "resize_time": 0.2, "stopped_hazard": 1.0},
)
STAGED: tuple[Point, ...] = (
    {
        **{name: POOLS[2][name] for name in POOLS[2] if name not in {"mttr", "stopped_hazard"}},
        "standbys": 3,
        "automatic_time": 2.0,
        "manual_time": 20.0,
        "escalated": 0.4,
        "automatic_false": 0.3,
        "manual_false": 0.1,
        "switch_time": 0.5,
    },
)
_HOUR = 3600.0
# Servers of eight accelerators; processors. Within a percent of what no standbys can improve.
_SERVERS = {
    "blocks": 2048,
    "block_mtbf": 17000.0 * _HOUR,
    "mttr": 24.0 * _HOUR,
    "checkpoint_cost": 60.0,
    "recovery_cost": 300.0,
    "switch_time": 300.0,
    "standby_hazard": 1.0,
}
_NODES = {**_SERVERS, "blocks": 4096, "block_mtbf": 43800.0 * _HOUR, "mttr": 48.0 * _HOUR}
_WANTED: tuple[Point, ...] = (
    {**_SERVERS, "goodput": 0.85},
    {**_SERVERS, "goodput": 0.7, "crews": 3.0},
    {**_SERVERS, "goodput": 0.93},
    {**_NODES, "goodput": 0.9, "stopped_hazard": 1.0},
)

SWEEPS = (
    *(
        Sweep(f, from_the_process, partial(_point, f), quick=4, full=300)
        for f in (mean_stop, spares_goodput)
    ),
    Sweep(degraded_goodput, from_all_phases, partial(_point, degraded_goodput), quick=2, full=200),
    Sweep(spares_for, least_that_is_enough, partial(_point, spares_for), quick=3, full=200),
    *one_job.SWEEPS,
)
CASES = (
    Case(mean_stop, stop, POOLS[:1], effort=2.0),
    Case(spares_goodput, goodput, POOLS, effort=2.0),
    Case(degraded_goodput, goodput, FEWER, effort=2.0),
    Case(two_stage_goodput, staged, STAGED, effort=2.0),
    Case(spares_for, least_that_is_enough, _WANTED, chance=False),
    *one_job.CASES,
    *(case(sweep) for sweep in SWEEPS),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
