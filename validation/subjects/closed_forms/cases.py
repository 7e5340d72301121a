"""Closed forms at points of their whole documented range, against definitions at 60 digits."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from perfmodel.registry import FORMULAS
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..whole_laws.points import call_of
from .definitions import ROADS, exactly

__all__ = ["CASES", "FULL", "SWEEPS", "asked", "distance", "second_road"]

Predict = Callable[..., Any]

_AGREE = 1e-11  # relative; every closed form must keep its digits
_OF_JOBS = 1e-10  # a remainder of 4e-15 may or may not count as a segment
_JOBS = frozenset(
    (
        "expected_makespan",
        "expected_makespan_async",
        "makespan_variance_async",
        "makespan_variance",
        "efficiency",
        "waste",
        "expected_failures",
        "expected_lost_time",
        "expected_failure_slowdown",
    )
)
_ABSOLUTE = {"busy_period_transform": 1e-13}  # documented with an absolute accuracy
_LARGEST, _LEAST = 1e290, 1e-290  # beyond these, inf and 0 are right: a factor may overflow
_SLOW = {"busy_period_transform": 100, "optimal_interval_wsj": 300}


def second_road(predict: Predict, budget: Budget, *, formula: str, **point: Any) -> Verdict:
    """Judge a closed form at one point by its definition."""
    del budget
    road = ROADS[formula]
    known = exactly(road, point)
    note = ""
    try:
        found = float(asked(predict, formula, point))
    except (ArithmeticError, ValueError, RuntimeError) as error:
        found, note = math.nan, f"raised {type(error).__name__}: {error}"
    away = min(
        distance(found, value) for value in (known if isinstance(known, tuple) else (known,))
    )
    nearest = known[0] if isinstance(known, tuple) else known
    if abs(found - nearest) <= _ABSOLUTE.get(formula, 0.0):
        away = 0.0
    agree = _OF_JOBS if formula in _JOBS else _AGREE
    passed = away <= agree
    if not passed:
        note = f"{note or f'off by {away:.3g} relative'}; {call_of(formula, point)}"
    return Verdict(
        "exact",
        found,
        float(nearest),
        0.0,
        0.0 if passed else math.inf,
        away if passed else agree,
        passed=passed,
        note=note,
    )


def asked(predict: Predict, formula: str, point: dict[str, Any]) -> Any:
    """Return the value of `predict`; a mutant may have other names for the first arguments."""
    function = next(row.function for row in FORMULAS if row.name == formula)
    first = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name in point
    ]
    rest = {name: value for name, value in point.items() if name not in first}
    return predict(*(point[name] for name in first), **rest)


def distance(found: float, known: Any) -> float:
    """Return the relative distance, 0 if both are beyond the range of a float."""
    if abs(known) > _LARGEST:
        return 0.0 if abs(found) > 0.9 * _LARGEST else math.inf
    if abs(known) < _LEAST:
        return 0.0 if abs(found) <= 2.0 * _LEAST else math.inf
    return float(abs((found - known) / known)) if math.isfinite(found) else math.inf


def _point(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    return {"formula": function.__name__, **drawn(function, fraction)}


SWEEPS = tuple(
    Sweep(
        row.function,
        second_road,
        partial(_point, row.function),
        quick=50,
        full=_SLOW.get(row.name, 1000),
    )
    for row in FORMULAS
    if row.name in ROADS
)
CASES = tuple(case(sweep) for sweep in SWEEPS)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
