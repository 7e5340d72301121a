"""Jobs saved at the ends of iterations, against simulated ones and at many digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

from perfmodel.makespan import expected_makespan_iterations, optimal_iterations
from perfmodel.registry import ranges_of
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_iterative_makespans
from ..closed_forms.cases import distance
from ..laws import Law, predictable, sampler
from ..random_cost.cases import KINDS, effective, law_of

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]
Number = Any  # mpmath has no types

_AGREE = 1e-9  # a long segment multiplies the last digits of its exponent
_TIE = 1e-12


def mean(
    predict: Predict, budget: Budget, *, iterations: int, iteration_time: Law, **job: Any
) -> Verdict:
    """Judge by the mean makespan of simulated jobs."""
    walls = simulate_iterative_makespans(
        iterations,
        iteration_time=sampler(iteration_time),
        **job,
        replications=budget.replications,
        seed=budget.seed,
    )
    found = float(predict(iterations, iteration_time=predictable(iteration_time), **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def second_road(
    predict: Predict,
    budget: Budget,
    *,
    iterations: int,
    every: int,
    iteration_time: Law,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float,
    downtime: float,
    redone: str,
) -> Verdict:
    """Judge by the means of the segments one after the other, at 40 digits."""
    del budget
    with mp.workdps(40):
        length = effective(iteration_time, mtbf, -1 if redone == "anew" else 1)
        rate = 1 / mp.mpf(mtbf)
        full, left = divmod(iterations, every)
        known = mp.inf
        if length != math.inf:
            parts = full * _segment(every, length, checkpoint_cost, rate)
            parts += _segment(left, length, checkpoint_cost, rate) if left else 0
            known = mp.exp(rate * recovery_cost) * (1 / rate + downtime) * parts
        known = float(known)
    costs = {"checkpoint_cost": checkpoint_cost, "recovery_cost": recovery_cost}
    found = float(
        predict(
            iterations,
            every=every,
            iteration_time=predictable(iteration_time),
            mtbf=mtbf,
            downtime=downtime,
            redone=redone,
            **costs,
        )
    )
    away = 0.0 if found == known else distance(found, known)
    passed = away <= _AGREE
    note = "" if passed else f"off by {away:.3g}: {iteration_time} {redone} {every} {costs}"
    fine, z = (away, 0.0) if passed else (_AGREE, math.inf)
    return Verdict("exact", found, known, 0.0, z, fine, passed=passed, note=note)


def _segment(count: int, length: Number, cost: float, rate: Number) -> Number:
    return mp.expm1(rate * (count * length + cost))


def no_neighbour_is_better(
    predict: Predict,
    budget: Budget,
    *,
    iteration_time: Law,
    mtbf: float,
    checkpoint_cost: float,
    redone: str,
) -> Verdict:
    """Judge by the mean time per iteration with one iteration less and one more, at 40 digits."""
    del budget
    found = float(
        predict(
            iteration_time=predictable(iteration_time),
            mtbf=mtbf,
            checkpoint_cost=checkpoint_cost,
            redone=redone,
        )
    )
    with mp.workdps(40):
        length = effective(iteration_time, mtbf, -1 if redone == "anew" else 1)
        rate = 1 / mp.mpf(mtbf)

        def pace(count: float) -> Number:
            if count < 1 or length == math.inf:
                return mp.inf
            return _segment(int(count), length, checkpoint_cost, rate) / int(count)

        whole = found >= 1.0 and found == math.floor(found)
        passed = whole and pace(found) <= (1 + _TIE) * min(pace(found - 1), pace(found + 1))
    note = "" if passed else f"{found} is not best: {iteration_time} {redone} {checkpoint_cost}"
    z = 0.0 if passed else math.inf
    return Verdict("exact", found, found, 0.0, z, _TIE, passed=passed, note=note)


def _drawn_law(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    ranges = ranges_of(function.__name__)
    mtbf = between("mtbf", (1e-6, 1e6), fraction())
    ratio = between("length", ranges["iteration_time/mtbf"], fraction())
    spread = between("cv", (0.05, ranges["cv of iteration_time"][1]), fraction())
    kind = KINDS[min(int(fraction() * len(KINDS)), len(KINDS) - 1)]
    costs = {
        ratio.removesuffix("/mtbf"): mtbf * between(ratio, ends, fraction())
        for ratio, ends in ranges.items()
        if ratio.endswith("/mtbf") and not ratio.startswith("iteration_time")
    }
    counts = {
        name: round(between(name, ranges[name], fraction()))
        for name in ("iterations", "every")
        if name in ranges
    }
    redone = "anew" if fraction() < 0.5 else "alike"
    law = law_of(kind, float(f"{ratio * mtbf:.6g}"), spread)
    return {"iteration_time": law, "mtbf": mtbf, "redone": redone, **costs, **counts}


def _of_jobs(fraction: Callable[[], float]) -> dict[str, Any]:
    return _drawn_law(expected_makespan_iterations, fraction)


def _of_optima(fraction: Callable[[], float]) -> dict[str, Any]:
    return _drawn_law(optimal_iterations, fraction)


# Iterations, of which a few are as long as the mtbf; a last segment of fewer iterations.
_COSTS = {"mtbf": 4.0, "checkpoint_cost": 0.5, "recovery_cost": 0.3, "downtime": 0.2}
JOBS = table(
    ("iterations", "every", "iteration_time", "redone"),
    (7, 3, Law("Exponential", (0.7,)), "anew"),
    (5, 2, Law("Gamma", (0.5, 1.0)), "alike"),
    (7, 3, Law("LogNormal", (-0.8, 1.0)), "anew"),
    **_COSTS,
)

SWEEPS = (
    Sweep(expected_makespan_iterations, second_road, _of_jobs, quick=8, full=500),
    Sweep(optimal_iterations, no_neighbour_is_better, _of_optima, quick=12, full=500),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(expected_makespan_iterations, mean, JOBS[:1], effort=0.1),
)
FULL = (
    Case(expected_makespan_iterations, mean, JOBS, effort=0.07),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
