"""A formula at points of its whole documented range, against a definition of it at many digits.

The definition is a function of the arguments of the formula, in mpmath, written without regard to
speed or cancellation. A fault is a keyword of it, so that mutants are definitions with a fault.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from perfmodel.registry import FORMULAS
from validation.judge.run import Mutant
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep

from .closed_forms.cases import distance
from .closed_forms.definitions import exactly
from .whole_laws.points import call_of

__all__ = ["mutants", "swept"]

Definition = Callable[..., Any]
Predict = Callable[..., Any]


@lru_cache(maxsize=4096)
def _known(definition: Definition, point: tuple[tuple[str, Any], ...], fault: str = "") -> Any:
    wanted = partial(definition, fault=fault) if fault else definition
    return exactly(wanted, dict(point))


def swept(
    function: Predict,
    definition: Definition,
    *,
    agree: float = 1e-11,
    quick: int = 20,
    full: int = 1000,
    draw: Callable[..., dict[str, Any]] | None = None,
) -> Sweep:
    """Return the sweep that compares `function` with its definition, to a relative `agree`."""

    def second_road(predict: Predict, budget: Budget, **point: Any) -> Verdict:
        del budget
        known = _known(definition, tuple(point.items()))
        found = float(_called(function, predict, point))
        away = distance(found, known)
        passed = away <= agree
        note = "" if passed else f"off by {away:.3g} relative; {call_of(function.__name__, point)}"
        fine, z = (away, 0.0) if passed else (agree, math.inf)
        return Verdict("exact", found, float(known), 0.0, z, fine, passed=passed, note=note)

    chosen = partial(drawn, function) if draw is None else draw
    return Sweep(function, second_road, chosen, quick=quick, full=full)


def mutants(function: Predict, definition: Definition, *faults: str) -> tuple[Mutant, ...]:
    """Return a mutant for each fault of the definition."""

    def wrong(fault: str, *first: Any, **rest: Any) -> float:
        point = inspect.signature(function).bind(*first, **rest).arguments
        return float(_known(definition, tuple(point.items()), fault))

    def make(fault: str) -> Mutant:
        return Mutant(function, fault, partial(wrong, fault))

    assert any(row.function is function for row in FORMULAS)
    return tuple(make(fault) for fault in faults)


def _called(function: Predict, predict: Predict, point: dict[str, Any]) -> Any:
    """Call with those arguments by position that the formula takes so."""
    first = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name in point
    ]
    rest = {name: value for name, value in point.items() if name not in first}
    return predict(*(point[name] for name in first), **rest)
