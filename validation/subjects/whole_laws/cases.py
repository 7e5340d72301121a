"""Whole laws by their properties, at random points over the whole documented range.

No simulation resolves a fault of 1e-9; what every law of a completion time must show does. The
points are drawn anew with every seed, and each law is asked around its own seams.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from perfmodel.completion import CompletionTime, exact_makespan, wsj_compound
from perfmodel.lifetimes import LogNormal, Weibull
from perfmodel.parallel import slowest, slowest_of
from perfmodel.registry import ranges_of
from validation.judge.compare import compare_number
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import Sweep, case

from ..laws import Law, predictable
from . import points
from .checks import Finding, FloatArray, Reference, findings, integrals
from .digits import sf_of_job
from .points import FRACTIONS, KINDS, call_of
from .reference import excess_of_job, excess_of_task

__all__ = [
    "CASES",
    "CROWDS",
    "DIGITS",
    "FULL",
    "OF_TEN",
    "OF_UNEQUAL",
    "STAIRS",
    "SWEEPS",
    "TELLING",
    "law_at_30_digits",
    "law_of_the_job",
]

Predict = Callable[..., Any]
Fraction = Callable[[], float]

_EPSILON = 2.0**-52
_COARSE = 0.01  # a law that states a larger error is not held to anything


@dataclass(frozen=True, slots=True)
class Trialled:
    """A law to check: how to build it in any unit of time, and the numbers that the checks need."""

    build: Callable[[float], CompletionTime]
    longest: float
    reach: float
    reference: Reference | None
    call: str
    closed: bool = True


def law_of_the_job(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the law of one job by its properties."""
    return _judged(_of_job(predict, job), budget)


def law_at_30_digits(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge sf in the body and in the tail by an inversion at 30 digits, where there is time."""
    rng = np.random.default_rng(budget.seed)
    law = predict(**_predictable(job))
    start, lost = law.atom[0], law.mean - law.atom[0]
    worst = math.nan
    for reach in (-4.0, 0.0):
        t = lost * math.exp(rng.uniform(reach, reach + 2.5))
        known, unsure = sf_of_job(t, **job) if 0.0 < t < 1e250 else (math.nan, math.nan)
        if math.isnan(unsure):
            continue
        # The start is added and taken away again: sf may be that of a time one rounding away.
        near = law.sf(start + t * (1.0 + 4.0 * _EPSILON * (1.0 + start / t) * np.array([-1, 0, 1])))
        away = float(np.min(np.abs(near - known), initial=math.inf)) - unsure
        away = 0.0 if near[2] <= known <= near[0] else away
        if away > law.error:
            note = f"{away:.3g} off at {t!r} after the start; {call_of('exact_makespan', job)}"
            return _verdict(away, law.error, note, passed=False)
        worst = away if math.isnan(worst) else max(worst, away)
    if math.isnan(worst) or law.error > _COARSE:
        return _verdict(0.0, law.error, "takes too long at 30 digits", answered=False)
    return _verdict(worst, law.error, "")


def law_of_the_task(predict: Predict, budget: Budget, **task: Any) -> Verdict:
    """Judge the law of one task in the process of wsj by its properties."""
    trialled = Trialled(
        lambda unit: predict(**_predictable(points.scaled(task, unit))),
        task["interval"],
        _reach(task, at_risk=True),
        excess_of_task(**task).sf,
        call_of("wsj_compound", task),
    )
    return _judged(trialled, budget)


def law_of_the_slowest(predict: Predict, budget: Budget, *, count: int, **job: Any) -> Verdict:
    """Judge the law of the slowest of equal tasks by its properties."""
    one = _of_job(exact_makespan, job)

    def reference(t: float) -> tuple[float, float]:
        assert one.reference is not None
        known, unsure = one.reference(t)
        return _power(known, count), count * unsure

    trialled = Trialled(
        lambda unit: predict(one.build(unit), count),
        one.longest,
        one.reach,
        reference,
        f"slowest_of({one.call}, {count})",
        closed=False,
    )
    return _judged(trialled, budget)


def square_of_the_slowest(predict: Predict, budget: Budget, *, count: int, **job: Any) -> Verdict:
    """Judge the second moment where the far tail of one task is a part of it.

    Of m tasks it is m times that of one, less what more than one late task would count twice.
    That falls as the square of the tail, so that no far tail is asked for.
    """
    del budget
    one = exact_makespan(**_predictable(job))
    start, lost = one.atom[0], one.mean - one.atom[0]
    many = predict(one, count)

    def twice(x: FloatArray) -> FloatArray:
        p = np.asarray(one.sf(start + lost * x))
        rare = 0.5 * count * (count - 1.0) * p * p * (1.0 - (count - 2.0) * p / 3.0)
        with np.errstate(divide="ignore"):
            often = count * p + np.expm1(count * np.log1p(-p))
        return np.where(count * p < 1e-4, rare, often)

    edges = np.append(0.0, np.geomspace(1e-6, (float(one.isf(1e-11)) - start) / lost, 200))
    square = count * (1.0 + (one.std / lost) ** 2) - float(integrals(twice, edges)[0][1])
    found = (many.std / lost) ** 2 + ((many.mean - start) / lost) ** 2
    return compare_number(found, square, tolerance=1e-4)


def law_of_the_last(predict: Predict, budget: Budget, *, jobs: tuple[Point, ...]) -> Verdict:
    """Judge the law of the slowest of tasks that are all different by its properties."""
    parts = [_of_job(exact_makespan, job) for job in jobs]
    trialled = Trialled(
        lambda unit: predict([part.build(unit) for part in parts]),
        max(part.longest for part in parts),
        max(part.reach for part in parts),
        None,
        f"slowest([{', '.join(part.call for part in parts)}])",
        closed=False,
    )
    return _judged(trialled, budget)


def _of_job(predict: Predict, job: Point) -> Trialled:
    return Trialled(
        lambda unit: predict(**_predictable(points.scaled(job, unit))),
        job["interval"] + job["checkpoint_cost"] + job["recovery_cost"],
        _reach(job, at_risk=job["downtime_at_risk"]),
        excess_of_job(**job).sf,
        call_of("exact_makespan", job),
    )


def _reach(point: Point, *, at_risk: bool) -> float:
    """Return a time that downtimes hardly ever exceed."""
    down = predictable(point["downtime"])
    if isinstance(point["downtime"], Law):
        longest, mean = float(down.ppf(1.0 - 1e-13)), float(down.mean)
    else:
        longest = mean = float(down)
    return 10.0 * longest / (1.0 - mean / point["mtbf"]) ** 2 if at_risk else 10.0 * longest


def _power(sf: float, count: float) -> float:
    """Return 1 - (1 - sf)^count."""
    return 1.0 if sf >= 1.0 else float(-math.expm1(count * math.log1p(-max(sf, 0.0))))


def _predictable(point: Point) -> Point:
    return {**point, "downtime": predictable(point["downtime"])}


def _judged(trialled: Trialled, budget: Budget) -> Verdict:
    """Examine a law until it lacks a property."""
    error = math.nan
    for finding in _examined(trialled, np.random.default_rng(budget.seed)):
        if finding.broken:
            note = f"{finding}; {trialled.call}"
            return _verdict(finding.found, finding.allowed, note, passed=False)
        if finding.check == "error stated":
            error = finding.found
    if not error <= _COARSE:
        return _verdict(0.0, error, f"an error of {error:.2g} is stated", answered=False)
    return _verdict(0.0, error, "")


def _examined(trialled: Trialled, rng: np.random.Generator) -> Iterator[Finding]:
    """Yield the findings on one law; an exception or a warning is one as well."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        try:
            yield from findings(
                trialled.build(1.0),
                trialled.build,
                rng,
                longest=trialled.longest,
                reach=trialled.reach,
                closed=trialled.closed,
                reference=trialled.reference,
            )
        except (
            ArithmeticError,
            LookupError,
            ValueError,
            TypeError,
            RuntimeError,
            Warning,
        ) as error:
            yield Finding(f"raised {type(error).__name__} ({error})", math.inf, 0.0, math.nan)


def _verdict(
    found: float, allowed: float, note: str, *, passed: bool = True, answered: bool = True
) -> Verdict:
    passed = passed and answered
    z = 0.0 if passed else math.inf
    return Verdict(
        "exact", 0.0, found, 0.0, z, allowed, passed=passed, note=note, answered=answered
    )


def _fractions(fraction: Fraction) -> list[float]:
    return [fraction() for _ in range(FRACTIONS)]


def _any_job(kind: str, at_risk: bool, fraction: Fraction) -> Point:
    return points.job(kind, _fractions(fraction), at_risk=at_risk)


def _any_task(kind: str, fraction: Fraction) -> Point:
    return points.task(kind, _fractions(fraction))


def _any_crowd(kind: str, fraction: Fraction) -> Point:
    most = ranges_of("slowest_of")["count"][1]
    count, at_risk = round(most ** fraction()), fraction() < 0.5
    return {"count": count, **_any_job(kind, at_risk, fraction)}


def _any_company(kind: str, fraction: Fraction) -> Point:
    count = 2 + int(2.99 * fraction())
    jobs = points.tasks_of(kind, [_fractions(fraction) for _ in range(count)])
    return {"jobs": tuple(jobs)}


def _that(law: Law | float, work: float, interval: float, mtbf: float, *costs: float) -> Point:
    return {
        "work": work,
        "interval": interval,
        "mtbf": mtbf,
        "checkpoint_cost": costs[0],
        "recovery_cost": costs[1],
        "downtime": law,
        "downtime_at_risk": False,
    }


def _lognormal(mean: float, cv: float) -> Law:
    law = LogNormal.from_mean(mean, cv=cv)
    return Law("LogNormal", (law.mu, law.sigma))


def _weibull(mean: float, cv: float) -> Law:
    law = Weibull.from_mean(mean, cv=cv)
    return Law("Weibull", (law.shape, law.scale))


# Random jobs may not ask as much as these. The slow ones come last.
TELLING: dict[str, Point] = {
    "repairs as long as hundreds of segments": _that(
        _lognormal(300.0, 0.1), 3000.0, 1.0, 1000.0, 0.0, 0.0
    ),
    "rare success": _that(Law("Exponential", (1.0,)), 5000.0, 5000.0, 200.0, 3.0, 0.0),
    "rare success after rare recoveries": _that(
        Law("Exponential", (0.1,)), 27.5, 27.5, 1.0, 0.0, 62.0
    ),
    "times near the largest float": _that(Law("Exponential", (1.0,)), 1.0, 1.0, 1.0, 0.0, 665.0),
    "broad repairs beside long recoveries": _that(
        Law("Weibull", (0.5, 1.2)), 4.0, 6.0, 180.0, 0.0, 52.0
    ),
    "broad repairs of a short job": _that(_lognormal(1000.0, 1.0), 10.0, 1.0, 2.0, 0.1, 0.1),
    "the far tail of broad repairs": _that(_lognormal(2.0, 10.0), 200.0, 5.0, 50.0, 0.25, 0.0),
    "close values": _that(
        Law("Empirical", ((300.0, 310.0, 325.0, 325.2, 333.3),)), 3000.0, 1.0, 1000.0, 0.0, 0.0
    ),
    "repairs nearly alike": _that(
        Law("Empirical", ((2.198, 2.1995, 2.2, 2.201, 2.2035),)), 127.0, 8e-4, 0.11, 1e-3, 8e-3
    ),
    "long after the atom of narrow repairs": _that(
        _weibull(24.0, 0.36), 1000.0, 0.1, 200.0, 0.005, 0.02
    ),
    "one lattice": {
        **_that(Law("Empirical", ((3.0, 4.0),)), 30_000.0, 0.03, 30.0, 0.005, 0.0),
        "downtime_at_risk": True,
    },
    "recoveries in step beside long equal repairs": {
        **_that(Law("Empirical", ((0.21,),)), 105.0, 6e-4, 1.0, 6e-7, 0.0077),
        "downtime_at_risk": True,
    },
    "recoveries in step beside short equal repairs": {
        **_that(Law("Empirical", ((0.0698,),)), 300.0, 6e-4, 1.0, 1e-6, 0.02),
        "downtime_at_risk": True,
    },
    "repairs in step after a thousand failures": {
        **_that(Law("Empirical", ((858_000.0,),)), 1.15e9, 29_300.0, 1e6, 119.0, 134.0),
        "downtime_at_risk": True,
    },
    "segments of 1e-10 mtbf": {
        **_that(Law("Gamma", (4.38, 1.0)), 1e7, 1e-3, 1e7, 0.0, 0.0),
        "downtime_at_risk": True,
    },
    "a million segments that nearly never end": {
        **_that(Law("Weibull", (0.167204, 0.272152)), 4.48e9, 3000.0, 199.0, 0.874, 47.0),
        "downtime_at_risk": True,
    },
}
OF_TEN = {"count": 10, **TELLING["times near the largest float"]}

# One task that nearly never succeeds beside one whose repairs have a heavy tail.
OF_UNEQUAL = {
    "jobs": (
        _that(Law("Exponential", (1.0,)), 1.0, 1.0, 1.0, 0.0, 663.0),
        _that(Law("Weibull", (2.3, 1.0)), 3.0, 1.0, 1.0, 0.01, 0.3),
    )
}

# Falls of the sf that end shortly after its seams, in tails that matter to many.
STAIRS = {
    "count": 1144,
    **_that(2230.0, 1970.0, 0.366, 3660.0, 0.0, 0.0),
    "downtime_at_risk": True,
}

# What one task does beyond sf = 1e-12 is a part of the deviation of all.
CROWDS = tuple(
    {"count": count, **_that(_lognormal(2.0, 30.0), 200.0, 5.0, 50.0, 0.25, 0.0)}
    for count in (10_000, 2)
)

SWEEPS = (
    *(
        Sweep(
            exact_makespan,
            law_of_the_job,
            partial(_any_job, kind, at_risk),
            f"{kind} at risk" if at_risk else kind,
            quick=3,
            full=120,
        )
        for at_risk in (False, True)
        for kind in KINDS
    ),
    *(
        Sweep(wsj_compound, law_of_the_task, partial(_any_task, kind), kind, quick=1, full=50)
        for kind in KINDS
    ),
    *(
        Sweep(
            slowest_of,
            law_of_the_slowest,
            partial(_any_crowd, kind),
            kind,
            quick=2 if kind == "Empirical" else 1,
            full=50,
            # A million times a small error is an error.
            unanswered=0.5 if kind == "Empirical" else 0.3,
        )
        for kind in KINDS
    ),
    *(
        Sweep(slowest, law_of_the_last, partial(_any_company, kind), kind, quick=1, full=20)
        for kind in ("LogNormal", "Deterministic", "Exponential")
    ),
)

# Only in the full run: seconds to a minute each, most where repairs have no closed transform.
DIGITS = tuple(
    Sweep(
        exact_makespan,
        law_at_30_digits,
        partial(_any_job, kind, at_risk),
        f"{kind} at risk" if at_risk else kind,
        # Most records take too long; those that do are told at once.
        full={"LogNormal": 6, "Weibull": 6, "Empirical": 60}.get(kind, 20),
        unanswered=0.95,  # a third and more are answered: by chance no sweep is without
    )
    for at_risk in (False, True)
    for kind in KINDS
)

CASES = (
    Case(exact_makespan, law_of_the_job, tuple(TELLING.values()), chance=False),
    Case(slowest_of, square_of_the_slowest, CROWDS, chance=False),
    Case(slowest_of, law_of_the_slowest, (OF_TEN, STAIRS), chance=False),
    Case(slowest, law_of_the_last, (OF_UNEQUAL,), chance=False),
    *(case(sweep) for sweep in SWEEPS),
)
FULL = tuple(case(sweep, full=True) for sweep in (*SWEEPS, *DIGITS))
