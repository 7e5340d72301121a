"""Jobs whose silent errors show late, against simulated ones and against their definition."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.silent import (
    expected_makespan_detected_late,
    optimal_interval_detected_late,
    waste_detected_late,
)
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean
from validation.judge.compare_minimum import compare_minimiser
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_detected_late_makespans
from ..closed_forms.definitions import exactly
from .definitions import makespan, slope, waste

__all__ = ["CASES", "FULL", "SWEEPS", "mean", "share_lost"]

Predict = Callable[..., Any]

_AWAY = 1e-9


def mean(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = simulate_detected_late_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    found = float(predict(work, **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def share_lost(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the waste: the ratio of two means, to first order in that of the wall time."""
    walls = simulate_detected_late_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    middle = float(walls.mean())
    shares = 1.0 - work / middle + (walls - middle) * work / middle**2
    found = float(predict(work, **job))
    return compare_mean(found, shares, alpha=budget.alpha, tolerance=budget.tolerance)


def simulated_minimum(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge by the interval at which simulated jobs of eight segments take least time per work."""

    def time_per_work(interval: float, index: int) -> FloatArray:
        walls = simulate_detected_late_makespans(
            8.0 * interval,
            interval=interval,
            **costs,
            replications=budget.replications,
            seed=budget.seed + index,
        )
        return walls / interval

    return compare_minimiser(
        float(predict(**costs)),
        time_per_work,
        step=0.3,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def at_the_minimum(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge by the slope of the mean time per work a billionth below and above, at many digits."""
    del budget
    found = float(predict(**costs))
    below, above = (
        float(exactly(slope, {"interval": found * (1.0 + sign * _AWAY), **costs}))
        for sign in (-1.0, 1.0)
    )
    passed = below < 0.0 < above
    note = "" if passed else f"slopes {below:.3g} and {above:.3g} there; {costs}"
    z = 0.0 if passed else np.inf
    return Verdict("exact", found, found, 0.0, z, _AWAY, passed=passed, note=note)


_NAMES = ("work", "interval", "mtbf", "silent_mtbf")
_COSTS = ("checkpoint_cost", "detection_latency", "recovery_cost", "downtime")
# Costs and latencies comparable to the times between errors, where every rule shows.
JOBS = table(
    (*_NAMES, *_COSTS),
    (2.5, 1.0, 3.0, 1.5, 0.4, 0.7, 0.6, 0.8),
    (2.0, 1.0, 1.5, 4.0, 0.5, 1.2, 0.5, 0.3),
)
_HARSH = {
    "mtbf": 3.0,
    "silent_mtbf": 1.5,
    "checkpoint_cost": 0.2,
    "detection_latency": 0.8,
    "recovery_cost": 0.4,
}

SWEEPS = (
    swept(expected_makespan_detected_late, makespan, quick=20),
    swept(waste_detected_late, waste, quick=20),
    Sweep(
        optimal_interval_detected_late,
        at_the_minimum,
        partial(drawn, optimal_interval_detected_late),
        quick=10,
        full=500,
    ),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),  # first, because they reject most mutants
    Case(expected_makespan_detected_late, mean, JOBS, effort=0.17),
    Case(waste_detected_late, share_lost, JOBS[:1], effort=0.17),
)
FULL = (
    Case(optimal_interval_detected_late, simulated_minimum, (_HARSH,), effort=0.8),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
