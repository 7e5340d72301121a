"""Checkpoint intervals against numerical minimisers, simulated jobs and printed values.

An optimal interval is right if no other is better, so it is compared with its neighbours: with
the stationary point of the mean, found at 60 digits, and with jobs of `sim` that checkpoint
somewhat more and less often. A rule of thumb is judged by its stated error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt

from perfmodel.interval import (
    best_segments,
    optimal_interval,
    optimal_interval_closed_form,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
    regret,
)
from perfmodel.registry import FORMULAS
from sim.samplers import Exponential
from validation.judge.compare import (
    approximation_error,
    compare_least,
    compare_number,
    compare_ratio,
)
from validation.judge.compare_minimum import compare_minimiser
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_makespans, simulate_wsj_makespans

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]
FloatArray = npt.NDArray[np.float64]

SEGMENTS_OF_A_JOB = 64


def numerical_minimum(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge by the interval of least mean time per work, found by a numerical minimiser."""
    del budget
    c = mpmath.mpf(checkpoint_cost) / mpmath.mpf(mtbf)
    best = _stationary(lambda x: mpmath.expm1(x + c) / x, start=_start(c))
    predicted = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return compare_number(predicted, mtbf * best, tolerance=1e-12)


def numerical_minimum_of_eq_12(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge by the interval with the least mean of wsj eq. (12)."""
    del budget
    c = mpmath.mpf(checkpoint_cost) / mpmath.mpf(mtbf)
    best = _stationary(lambda x: c / x + 1 - x / mpmath.expm1(x), start=mpmath.sqrt(2 * c))
    predicted = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return compare_number(predicted, mtbf * best, tolerance=1e-9)


def simulated_minimum(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float, step: float
) -> Verdict:
    """Judge by the interval at which simulated jobs take the least time per work."""

    def time_per_work(interval: float, index: int) -> FloatArray:
        work = SEGMENTS_OF_A_JOB * interval
        walls = simulate_makespans(
            work,
            interval=interval,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=budget.seed + index,
        )
        return walls / work

    predicted = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return compare_minimiser(
        predicted, time_per_work, step=step, alpha=budget.alpha, tolerance=budget.tolerance
    )


def simulated_minimum_in_wsj(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float, step: float
) -> Verdict:
    """Judge by the interval at which simulated tasks in the process of wsj take the least time."""

    def walls(interval: float, index: int) -> FloatArray:
        return simulate_wsj_makespans(
            10.0 * mtbf,
            interval=interval,
            mtbf=mtbf,
            downtime=0.0,
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=budget.seed + index,
        )

    predicted = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return compare_minimiser(
        predicted, walls, step=step, alpha=budget.alpha, tolerance=budget.tolerance
    )


def enumeration(
    predict: Predict, budget: Budget, *, work: float, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge by the best of all numbers of equal segments that could be optimal."""
    del budget
    predicted = float(predict(work, mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    counts = np.arange(1.0, 4.0 * work / np.sqrt(mtbf * min(checkpoint_cost, mtbf)) + 10.0)
    means = counts * np.expm1((work / counts + checkpoint_cost) / mtbf)
    return compare_number(predicted, float(counts[np.argmin(means)]), tolerance=0.0)


def walls_by_count(
    budget: Budget, *, work: float, mtbf: float, checkpoint_cost: float
) -> Callable[[float], FloatArray]:
    """Return the function from a number of segments to simulated makespans."""

    def walls(count: float) -> FloatArray:
        return simulate_makespans(
            work,
            interval=work / count,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=budget.seed,
        )

    return walls


def one_fewer_and_one_more(
    predict: Predict, budget: Budget, *, work: float, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Expect simulated jobs with one segment less and with one more to take longer."""
    best = float(predict(work, mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    walls = walls_by_count(budget, work=work, mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    others = (best + 1.0,) if best < 2.0 else (best + 1.0, best - 1.0)
    return compare_least(walls(best), map(walls, others), alpha=budget.alpha)


def simulated_excess(
    predict: Predict,
    budget: Budget,
    *,
    factor: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float,
    downtime: float,
) -> Verdict:
    """Judge the regret of `factor` times the best interval by simulated jobs at both intervals."""
    best = float(optimal_interval(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    costs: dict[str, Any] = {
        "checkpoint_cost": checkpoint_cost,
        "recovery_cost": recovery_cost,
        "downtime": downtime,
    }

    def walls(interval: float, seed: int) -> FloatArray:
        return simulate_makespans(
            8.0 * best,
            interval=interval,
            uptime=Exponential(mtbf),
            replications=budget.replications,
            seed=seed,
            **costs,
        )

    least = walls(best, budget.seed)
    excess = walls(factor * best, budget.seed + 1) - least
    predicted = float(predict(factor * best, mtbf=mtbf, **costs))
    return compare_ratio(predicted, excess, least, alpha=budget.alpha, tolerance=budget.tolerance)


def excess_of_a_finite_job(
    predict: Predict,
    budget: Budget,
    *,
    work: float,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
) -> Verdict:
    """Judge the regret in a finite job, whose last segment may be shorter, by simulated jobs."""
    predicted = float(predict(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost, work=work))
    counts = np.arange(1.0, 100.0)
    means = counts * np.expm1((work / counts + checkpoint_cost) / mtbf)
    whole = float(counts[np.argmin(means)])

    def walls(span: float, seed: int) -> FloatArray:
        return simulate_makespans(
            work,
            interval=span,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=budget.replications,
            seed=seed,
        )

    least = walls(work / whole, budget.seed)
    excess = walls(interval, budget.seed + 1) - least
    return compare_ratio(predicted, excess, least, alpha=budget.alpha, tolerance=budget.tolerance)


def stated_error(predict: Predict, budget: Budget, *, formula: str, recovery: bool) -> Verdict:
    """Judge the stated error by the largest one against the exact formula over the range."""
    del budget
    row = next(row for row in FORMULAS if row.name == formula)
    assert row.range is not None
    reach = row.range.limit * np.append(0.0, np.geomspace(1e-9, 1.0, 400))[1:]
    mtbf = 100.0
    if recovery:
        # The range bounds the sum of both costs: try several ways to divide it.
        share = np.linspace(0.01, 1.0, 100)[:, None]
        costs = {"checkpoint_cost": mtbf * reach * share}
        approximate = predict(mtbf=mtbf, recovery_cost=mtbf * reach * (1.0 - share), **costs)
    else:
        costs = {"checkpoint_cost": mtbf * reach}
        approximate = predict(mtbf=mtbf, **costs)
    if row.range.as_regret:
        longer = 1.0 + regret(approximate, mtbf=mtbf, **costs)
        return approximation_error(longer, 1.0, stated=row.range.error)
    exact = optimal_interval(mtbf=mtbf, **costs)
    return approximation_error(approximate, exact, stated=row.range.error)


def printed_value(
    predict: Predict, budget: Budget, *, printed: float, tolerance: float, **arguments: float
) -> Verdict:
    """Compare with a number published or computed elsewhere."""
    del budget
    return compare_number(float(predict(**arguments)), printed, tolerance=tolerance)


def root_at_60_digits(
    predict: Predict, budget: Budget, *, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Judge the difference of root and checkpoint cost at 60 digits, because it cancels."""
    del budget
    with mpmath.workdps(60):
        m, c = mpmath.mpf(mtbf), mpmath.mpf(checkpoint_cost)
        known = float(mpmath.sqrt(2 * c * m + c**2) - c)
    predicted = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))
    return compare_number(predicted, known, tolerance=1e-14)


def _stationary(mean: Callable[[Any], Any], start: Any) -> float:
    """Return the stationary point of a smooth function near `start`, from its values alone."""
    with mpmath.workdps(60):
        root = mpmath.findroot(lambda x: mpmath.diff(mean, x), (start, start * 1.01), tol=1e-60)
        return float(root)


def _start(c: Any) -> Any:
    # A scan is enough to start near the minimum of the mean per work.
    with mpmath.workdps(60):
        scan = [mpmath.sqrt(c) * mpmath.mpf(2) ** (mpmath.mpf(k) / 4) for k in range(-40, 8)]
        return min(scan, key=lambda x: mpmath.expm1(x + c) / x)


def _pair(checkpoint_cost: float, mtbf: float) -> dict[str, float]:
    return {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}


def digits_of_a_small_excess(
    predict: Predict,
    budget: Budget,
    *,
    work: float,
    beyond: float,
    mtbf: float,
    checkpoint_cost: float,
) -> Verdict:
    """Judge the regret of an interval a little above the best, by both means at 60 digits."""
    del budget
    counts = np.arange(1.0, 100.0)
    best = float(counts[np.argmin(counts * np.expm1((work / counts + checkpoint_cost) / mtbf))])
    interval = work / best * (1.0 + beyond)
    with mpmath.workdps(60):
        total, span, cost = mpmath.mpf(work), mpmath.mpf(interval), mpmath.mpf(checkpoint_cost)
        last = total - (best - 1) * span
        longer = (best - 1) * mpmath.expm1((span + cost) / mtbf) + mpmath.expm1(
            (last + cost) / mtbf
        )
        excess = longer / (best * mpmath.expm1((total / best + cost) / mtbf)) - 1
    found = float(predict(interval, mtbf=mtbf, checkpoint_cost=checkpoint_cost, work=work))
    return compare_number(found, float(excess), tolerance=1e-6)


RATIOS = tuple(_pair(c, 100.0) for c in (500.0, 100.0, 10.0, 1.0, 1e-4, 1e-12))
# With this step five points still follow the mean, with an error below 0.06 %.
SIMULATED, HARSH, IN_WSJ = (
    tuple({**_pair(c, 100.0), "step": step} for c, step in pairs)
    for pairs in (
        ((20.0, 0.25), (5.0, 0.3), (0.5, 0.4)),
        ((200.0, 0.15), (50.0, 0.2)),
        ((30.0, 0.25), (5.0, 0.4)),
    )
)
# The roots x of C/mtbf = g(x).
ROOTS = ((0.01, 0.1449646676), (0.1, 0.4883901611), (0.5, 1.3032535474))
SEGMENTS = tuple(
    {"work": work, "mtbf": 10.0, "checkpoint_cost": c}
    for work, c in (
        (12.0, 3.0),
        (20.0, 2.0),
        (5.0, 4.0),
        (3.2, 0.3),
        (2.9, 0.3),
        (100.0, 0.3),
        (7.8, 1.0),
    )
)
EXCESSES = tuple(
    {
        "factor": factor,
        "mtbf": 20.0,
        "checkpoint_cost": c,
        "recovery_cost": 3.0,
        "downtime": 20.0,
    }
    for factor, c in ((4.0, 2.0), (0.125, 2.0), (0.25, 10.0))
)
FINITE = (
    {"work": 30.0, "interval": 20.0, "mtbf": 10.0, "checkpoint_cost": 3.0},
    {"work": 30.0, "interval": 2.0, "mtbf": 10.0, "checkpoint_cost": 3.0},
)
NEARLY = tuple(
    {"work": 100.0, "beyond": beyond, "mtbf": 10.0, "checkpoint_cost": 0.3}
    for beyond in (1e-8, 1e-4)
)
# Daly's values for C = 5 min and R = 10 min, recomputed; and rules that are a square root.
DALY = tuple(
    {"printed": printed, "tolerance": 1e-4, **_pair(5.0, mtbf)}
    for printed, mtbf in ((116.69, 1440.0), (56.71, 360.0), (9.141, 15.0))
)
YOUNG = ({"printed": 100.0, "tolerance": 1e-12, **_pair(5.0, 1000.0)},)
DALY_FIRST = ({"printed": 95.0, "tolerance": 1e-12, **_pair(5.0, 990.0), "recovery_cost": 10.0},)

CASES = (
    Case(optimal_interval, numerical_minimum, RATIOS, chance=False),
    Case(optimal_interval, simulated_minimum, SIMULATED, effort=0.2),
    Case(
        optimal_interval_young,
        stated_error,
        ({"formula": "optimal_interval_young", "recovery": False},),
        chance=False,
    ),
    Case(optimal_interval_young, printed_value, YOUNG, chance=False),
    Case(
        optimal_interval_daly,
        stated_error,
        ({"formula": "optimal_interval_daly", "recovery": False},),
        chance=False,
    ),
    Case(optimal_interval_daly, printed_value, DALY, chance=False),
    Case(
        optimal_interval_daly_first_order,
        stated_error,
        ({"formula": "optimal_interval_daly_first_order", "recovery": True},),
        chance=False,
    ),
    Case(optimal_interval_daly_first_order, printed_value, DALY_FIRST, chance=False),
    Case(
        optimal_interval_closed_form,
        stated_error,
        ({"formula": "optimal_interval_closed_form", "recovery": False},),
        chance=False,
    ),
    Case(
        optimal_interval_closed_form,
        root_at_60_digits,
        (_pair(1e8, 100.0), *RATIOS),
        chance=False,
    ),
    Case(
        optimal_interval_wsj,
        numerical_minimum_of_eq_12,
        tuple(_pair(c, 512.0) for c in (300.0, 51.2, 0.2, 1e-6)),
        chance=False,
    ),
    Case(
        optimal_interval_wsj,
        printed_value,
        tuple({"printed": x, "tolerance": 1e-9, **_pair(c, 1.0)} for c, x in ROOTS),
        chance=False,
    ),
    Case(optimal_interval_wsj, simulated_minimum_in_wsj, IN_WSJ, effort=0.75),
    Case(best_segments, enumeration, SEGMENTS, chance=False),
    Case(best_segments, one_fewer_and_one_more, SEGMENTS[:3]),
    Case(regret, digits_of_a_small_excess, NEARLY, chance=False),
    Case(regret, simulated_excess, EXCESSES, effort=2.0),
    Case(regret, excess_of_a_finite_job, FINITE, effort=2.0),
)

# About twenty failures per segment: five such jobs take a minute.
FULL = (Case(optimal_interval, simulated_minimum, HARSH, effort=0.05),)
