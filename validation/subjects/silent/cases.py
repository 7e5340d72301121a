"""Jobs with silent errors, against simulated ones and against their definition at many digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.silent import (
    expected_makespan_silent,
    optimal_interval_silent,
    optimal_interval_silent_first_order,
    waste_silent,
)
from perfmodel.silent.optimum import FIRST_ORDER_RANGE
from validation.judge.chance import FloatArray
from validation.judge.compare import approximation_error, compare_mean
from validation.judge.compare_minimum import compare_minimiser
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_silent_makespans
from ..closed_forms.definitions import exactly
from ..interval.cases import printed_value
from .definitions import makespan, slope, waste

__all__ = ["CASES", "FULL", "SWEEPS", "mean", "share_lost"]

Predict = Callable[..., Any]

_AWAY = 1e-9


def mean(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = simulate_silent_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    found = float(predict(work, **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def share_lost(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the waste: the ratio of two means, to first order in that of the wall time."""
    walls = simulate_silent_makespans(
        work, **job, replications=budget.replications, seed=budget.seed
    )
    middle = float(walls.mean())
    shares = 1.0 - work / middle + (walls - middle) * work / middle**2
    found = float(predict(work, **job))
    return compare_mean(found, shares, alpha=budget.alpha, tolerance=budget.tolerance)


def simulated_minimum(predict: Predict, budget: Budget, **costs: float) -> Verdict:
    """Judge by the interval at which simulated jobs of one segment take least time per work."""

    def time_per_work(interval: float, index: int) -> FloatArray:
        walls = simulate_silent_makespans(
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


def stated_error(predict: Predict, budget: Budget) -> Verdict:
    """Judge the regret of the first order over its range: shares of costs and kinds of errors."""
    del budget
    shares = np.array([[1.0, 0, 0], [0, 1.0, 0], [0.5, 0.5, 0], [0.2, 0.2, 0.6], [0.3, 0, 0.7]])
    costs = FIRST_ORDER_RANGE.limit * shares.T[:, :, None, None] * np.geomspace(1e-6, 1.0, 20)
    rare = np.geomspace(1e-9, 1e9, 25)[:, None]  # failures per silent error
    given = {
        "mtbf": 1.0 + 1.0 / rare,
        "silent_mtbf": 1.0 + rare,
        "checkpoint_cost": costs[0],
        "verification_cost": costs[1],
        "recovery_cost": costs[2],
    }

    def pace(interval: FloatArray) -> FloatArray:
        return expected_makespan_silent(interval, interval=interval, **given) / interval

    longer = pace(predict(**given)) / pace(optimal_interval_silent(**given))
    return approximation_error(longer, 1.0, stated=FIRST_ORDER_RANGE.error)


_NAMES = ("work", "interval", "mtbf", "silent_mtbf")
_COSTS = ("checkpoint_cost", "verification_cost", "recovery_cost", "downtime")
# Costs comparable to the times between errors, where every rule shows.
JOBS = table(
    (*_NAMES, *_COSTS),
    (2.5, 1.0, 3.0, 1.5, 0.4, 0.3, 0.6, 0.8),
    (2.0, 1.0, 1.5, 4.0, 0.5, 0.2, 0.5, 0.3),
)
_CIELO = {
    "mtbf": 1.0 / 5.19e-7,
    "silent_mtbf": 1.0 / 7.78e-6,
    "checkpoint_cost": 439.0,
    "verification_cost": 9.1,
}
_HARSH = {
    "mtbf": 3.0,
    "silent_mtbf": 1.5,
    "checkpoint_cost": 0.2,
    "verification_cost": 0.1,
    "recovery_cost": 0.4,
}

SWEEPS = (
    swept(expected_makespan_silent, makespan, quick=20),
    swept(waste_silent, waste, quick=20),
    Sweep(
        optimal_interval_silent,
        at_the_minimum,
        partial(drawn, optimal_interval_silent),
        quick=10,
        full=500,
    ),
    swept(
        optimal_interval_silent_first_order,
        lambda *, mtbf, silent_mtbf, checkpoint_cost, verification_cost, recovery_cost=0: (
            ((checkpoint_cost + verification_cost) / (1 / silent_mtbf + 1 / (2 * mtbf))) ** 0.5
        ),
    ),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),  # first, because they reject most mutants
    Case(expected_makespan_silent, mean, JOBS, effort=0.17),
    Case(waste_silent, share_lost, JOBS[:1], effort=0.17),
    Case(optimal_interval_silent_first_order, stated_error, ({},), chance=False),
    Case(
        optimal_interval_silent_first_order,
        printed_value,
        ({"printed": 7465.74, "tolerance": 1e-6, **_CIELO},),
        chance=False,
    ),
)
FULL = (
    Case(optimal_interval_silent, simulated_minimum, (_HARSH,), effort=0.25),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
