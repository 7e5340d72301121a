"""Formulas defined by a search, a sum or a bound, at points of their documented range.

Numbers of segments and of spares are compared with their definitions, confidence limits with the
tail probabilities of their definition, approximations with the exact formulas.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np
from scipy import special

from perfmodel import interval
from perfmodel.completion import exact_makespan, gamma_error, wsj_compound, wsj_makespan
from perfmodel.completion.wsj import GAMMA_RANGE
from perfmodel.fitting import mtbf_confidence
from perfmodel.interval import best_segments
from perfmodel.parallel import optimal_interval_parallel, slowest_of, spares_needed
from perfmodel.registry import FORMULAS, evaluate_formula
from perfmodel.validity import ValidityWarning
from validation.judge.compare import compare_number
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..laws import Law, predictable
from ..whole_laws import points
from ..whole_laws.checks import FloatArray
from ..whole_laws.points import FRACTIONS, KINDS, call_of

__all__ = ["CASES", "FULL", "SWEEPS", "with_fallback"]

Predict = Callable[..., Any]
Fraction = Callable[[], float]

_TIE = 1e-12  # relative; a smaller difference of two means counts as none
_TAIL = 1e-6  # relative; sums of a million terms lose some digits


def no_other_number_is_better(
    predict: Predict,
    budget: Budget,
    *,
    work: float,
    mtbf: float,
    checkpoint_cost: float,
    **last: bool,
) -> Verdict:
    """Judge the number of segments by its neighbours and by numbers far away, at 60 digits."""
    del budget
    found = float(predict(work, mtbf=mtbf, checkpoint_cost=checkpoint_cost, **last))
    with mp.workdps(60):
        x, c = mp.mpf(work) / mtbf, mp.mpf(checkpoint_cost) / mtbf
        end = c if last.get("final_checkpoint", True) else mp.mpf(0)

        def mean(count: float) -> Any:
            k = mp.mpf(count)
            return (k - 1) * mp.expm1(x / k + c) + mp.expm1(x / k + end)

        others = {
            1.0,
            2.0,
            found - 1.0,
            found + 1.0,
            *np.round(found * np.geomspace(0.01, 100, 41)),
        }
        least = min(mean(count) for count in others if count >= 1.0)
        excess = float(mean(found) / least - 1) if math.isfinite(found) else math.inf
    point = {"work": work, "mtbf": mtbf, "checkpoint_cost": checkpoint_cost, **last}
    return _verdict(excess, _TIE, "best_segments", point)


def no_other_interval_is_better(
    predict: Predict,
    budget: Budget,
    *,
    tasks: int,
    work: float,
    mtbf: float,
    checkpoint_cost: float,
) -> Verdict:
    """Judge the interval of parallel tasks by the mean of the slowest at other numbers."""
    del budget
    costs: dict[str, Any] = {"mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    found = round(work / float(predict(tasks, work=work, **costs)))

    def mean(segments: int) -> float:
        law = exact_makespan(work, interval=work / segments, **costs)
        return float(slowest_of(law, tasks).mean)

    others = {1, found - 1, found + 1, round(0.6 * found), round(1.7 * found)} - {found}
    least = min(mean(segments) for segments in others if segments >= 1)
    point = {"tasks": tasks, "work": work, **costs}
    return _verdict(mean(found) / least - 1.0, 1e-6, "optimal_interval_parallel", point)


def enough_and_one_fewer_not(
    predict: Predict,
    budget: Budget,
    *,
    nodes: int,
    mtbf: float,
    mttr: float,
    confidence: float,
    law: str,
) -> Verdict:
    """Judge the number of spares by sums of the probabilities of its definition."""
    del budget
    found = float(predict(nodes, mtbf, mttr, confidence, law=law))

    def missing(count: float) -> float:
        """Return by how much this number falls short, in multiples of the smaller tail."""
        if law == "poisson":
            within, beyond = _poisson(nodes * mttr / mtbf, count)
        else:
            within, beyond = _binomial(nodes, mttr / (mtbf + mttr), count)
        if confidence < 0.5:
            return 1.0 - within / confidence
        return beyond / (1.0 - confidence) - 1.0

    missed = max(missing(found), -missing(found - 1.0))
    point = {"nodes": nodes, "mtbf": mtbf, "mttr": mttr, "confidence": confidence, "law": law}
    return _verdict(missed, _TAIL, "spares_needed", point)


def promised_tails(
    predict: Predict, budget: Budget, *, failures: int, observed_time: float, confidence: float
) -> Verdict:
    """Judge both ends of an mtbf by the probability of at most, and of at least, n failures."""
    del budget
    found = predict(failures, observed_time, confidence=confidence)
    sides = 2.0 if failures else 1.0
    share = (1.0 - confidence) / sides
    few, _ = _poisson(observed_time / float(found.lower), float(failures))
    missed = abs(few / share - 1.0)
    if failures:
        _, many = _poisson(observed_time / float(found.upper), failures - 1.0)
        missed = max(missed, abs(many / share - 1.0))
    elif float(found.upper) != math.inf:
        missed = math.inf
    point = {"failures": failures, "observed_time": observed_time, "confidence": confidence}
    return _verdict(missed, _TAIL, "mtbf_confidence", point)


def with_fallback(predict: Predict, budget: Budget, *, formula: str, **costs: float) -> Verdict:
    """Judge an approximation by its stated error in its range, and its exact fallback beyond."""
    del budget
    row = next(row for row in FORMULAS if row.name == formula)
    assert row.range is not None
    assert row.range.of is not None
    assert row.fallback is not None
    known = signature(row.fallback).parameters
    exact = {name: value for name, value in costs.items() if name in known}
    best = float(row.fallback(**exact))
    inside = bool(row.range.holds(row.range.of(**{k: np.asarray(v) for k, v in costs.items()})))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        found = evaluate_formula(row.function, **costs)
        chosen = float(predict(**costs)) if inside else float(found.value)
    fallback = compare_number(float(found.fell_back), float(not inside), tolerance=0.0)
    if inside and row.range.as_regret:
        longer = 1.0 + float(interval.regret(chosen, **exact))
        close = compare_number(longer, 1.0, tolerance=row.range.error)
    else:
        close = compare_number(chosen, best, tolerance=row.range.error if inside else 0.0)
    same = compare_number(float(found.value), chosen, tolerance=0.0)
    for verdict in (fallback, close, same):
        if not verdict.passed:
            return verdict
    # The resolution of an approximation is its stated error.
    return compare_number(1.0, 1.0, tolerance=0.0)


def gamma_law_of_the_task(predict: Predict, budget: Budget, **task: Any) -> Verdict:
    """Judge the Gamma law by the exact one: mean, variance and, unless it warns, the distance."""
    del budget
    arguments = {**task, "downtime": predictable(task["downtime"])}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ValidityWarning)
        law = predict(**arguments)
    exact = wsj_compound(**arguments)
    for mine, his in ((law.mean, exact.mean), (law.std, exact.std)):
        if not abs(mine / his - 1.0) <= 1e-9:
            return _verdict(abs(mine / his - 1.0), 1e-9, "wsj_makespan", task)
    if warned:
        return _verdict(0.0, 1e-9, "wsj_makespan", task)
    limit = GAMMA_RANGE.error
    away = _apart(law, exact)[0] - exact.error
    return _verdict(away, limit, "wsj_makespan", task, resolution=exact.error)


def distance_of_the_task(predict: Predict, budget: Budget, **task: Any) -> Verdict:
    """Judge the reported distance by bounds from a grid, dense around both laws.

    The least is the largest distance on it. Since both cdfs rise, the most is that of one at
    the end of a step of the grid from the other at its beginning.
    """
    del budget
    arguments = {**task, "downtime": predictable(task["downtime"])}
    reported = float(predict(**arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        gamma, exact = wsj_makespan(**arguments), wsj_compound(**arguments)
    least, most = _apart(gamma, exact)
    away = max(least - reported - 2.0 * exact.error, reported - most - 2.0 * exact.error, 0.0)
    return _verdict(away, 1e-5 + 4.0 * exact.error, "gamma_error", task)


def _apart(gamma: Any, exact: Any) -> tuple[float, float]:
    """Return the largest distance on the grid, and the most that it can be between its times."""
    t = np.sort(_times(exact))
    one, other = np.append(gamma.cdf(t), 1.0), np.append(exact.cdf(t), 1.0)
    most = max(np.max(one[1:] - other[:-1]), np.max(other[1:] - one[:-1]))
    return float(np.max(np.abs(one - other))), float(most)


def _times(exact: Any) -> FloatArray:
    start = exact.atom[0]
    lost = exact.mean - start
    spread = exact.std
    return np.concatenate(
        [
            start + lost * np.geomspace(1e-9, 50.0, 4000),
            start + np.maximum(lost + spread * np.linspace(-8.0, 8.0, 2000), 0.0),
            np.append(start, exact.seams[exact.seams > start]),
        ]
    )


def _poisson(mean: float, count: float) -> tuple[float, float]:
    """Return P(X <= count) and P(X > count) of a Poisson variable X."""
    if mean == 0.0 or count < 0.0:
        return (1.0, 0.0) if count >= 0.0 else (0.0, 1.0)
    return _tails(
        mean, count, math.inf, lambda k: k * math.log(mean) - mean - special.gammaln(k + 1.0)
    )


def _binomial(nodes: int, down: float, count: float) -> tuple[float, float]:
    """Return P(X <= count) and P(X > count) of a binomial variable X."""
    if count < 0.0 or count >= nodes:
        return (0.0, 1.0) if count < 0.0 else (1.0, 0.0)

    def logarithm(k: FloatArray) -> FloatArray:
        ways = special.gammaln(nodes + 1.0) - special.gammaln(k + 1.0)
        ways = ways - special.gammaln(nodes - k + 1.0)
        return np.asarray(ways + k * math.log(down) + (nodes - k) * math.log1p(-down))

    return _tails(nodes * down, count, nodes, logarithm)


def _tails(
    mean: float, count: float, most: float, logarithm: Callable[[FloatArray], FloatArray]
) -> tuple[float, float]:
    """Return P(X <= count) and P(X > count), of which the smaller is summed by its terms."""
    # A million terms lose 1e-9 of their sum; of one less the sum, that would be all of a tail.
    reach = 60.0 + 12.0 * math.sqrt(max(mean, count))
    if count < mean:
        terms = np.arange(max(0.0, math.floor(count - reach)), count + 1.0)
    else:
        terms = np.arange(count + 1.0, min(most, count + reach) + 1.0)
    tail = float(np.exp(logarithm(terms)).sum())
    return (tail, 1.0 - tail) if count < mean else (1.0 - tail, tail)


def _verdict(
    found: float, allowed: float, formula: str, point: Point, *, resolution: float | None = None
) -> Verdict:
    passed = found <= allowed
    note = "" if passed else f"{found:.3g}, allowed {allowed:.3g}; {call_of(formula, point)}"
    fine = allowed if resolution is None else resolution
    z = 0.0 if passed else math.inf
    return Verdict("exact", 0.0, found, 0.0, z, fine, passed=passed, note=note)


def _with_either_law(fraction: Fraction) -> Point:
    law = "poisson" if fraction() < 0.6 else "binomial"
    return {**drawn(spares_needed, fraction), "law": law}


def _named(function: Callable[..., Any], fraction: Fraction) -> Point:
    return {"formula": function.__name__, **drawn(function, fraction)}


def _any_task(kind: str, fraction: Fraction) -> Point:
    return points.task(kind, [fraction() for _ in range(FRACTIONS)])


# A regret is that of one job; subjects of other jobs judge theirs.
_APPROXIMATIONS = tuple(
    row.function
    for row in FORMULAS
    if row.fallback is interval.optimal_interval
    or (row.range is not None and row.fallback is not None and not row.range.as_regret)
)

SWEEPS = (
    Sweep(best_segments, no_other_number_is_better, partial(drawn, best_segments), quick=50),
    Sweep(
        optimal_interval_parallel,
        no_other_interval_is_better,
        partial(drawn, optimal_interval_parallel),
        quick=2,
        full=100,
    ),
    Sweep(spares_needed, enough_and_one_fewer_not, _with_either_law, quick=50),
    Sweep(mtbf_confidence, promised_tails, partial(drawn, mtbf_confidence), quick=50),
    *(
        Sweep(function, with_fallback, partial(_named, function), quick=50)
        for function in _APPROXIMATIONS
    ),
    *(
        Sweep(wsj_makespan, gamma_law_of_the_task, partial(_any_task, kind), kind, 2, 40)
        for kind in KINDS
    ),
    *(
        Sweep(gamma_error, distance_of_the_task, partial(_any_task, kind), kind, 1, 20)
        for kind in KINDS
    ),
)
# A constant repair, whose steps lie between the times of a fixed grid.
_STEPS = {
    "work": 3.89e6,
    "mtbf": 3.56e5,
    "downtime": Law("Empirical", ((18_000.0,),)),
    "interval": 97.2,
    "checkpoint_cost": 0.0,
}

CASES = (
    Case(gamma_error, distance_of_the_task, (_STEPS,), chance=False),
    *(case(sweep) for sweep in SWEEPS),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
