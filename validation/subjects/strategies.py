"""Random points that several subjects use: round numbers, so that one can be computed by hand.

Numbers come from the domain of a formula in the catalogue. A domain holds numbers only, so laws
of repairs are drawn here, with round multiples of the mtbf. Both are converted to several units
of time, because the unit must not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import numpy as np

from perfmodel.quantities import QUANTITIES
from perfmodel.registry import FORMULAS

from .laws import Law

__all__ = ["JOB", "TASK", "UNITS", "in_units", "is_time", "jobs", "points_of", "repairs", "times"]

Points = st.SearchStrategy[dict[str, Any]]

UNITS = (1.0, 60.0, 0.01, 3600.0)


def points_of(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, float]]:
    """Draw the arguments of a formula from its domain, round multiples of the mtbf."""
    domain = next(row.domain for row in FORMULAS if row.function is function)
    multiples = {name: st.sampled_from(_round_numbers(*ends)) for name, ends in domain.items()}
    return st.builds(
        lambda unit, point: _in_units(point, unit),
        st.sampled_from(UNITS),
        st.fixed_dictionaries(multiples),
    )


def _round_numbers(low: float, high: float) -> list[float]:
    """Return numbers of one or two digits in [low, high], the simplest first."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    numbers = {
        float(f"{digits}e{power}")
        for power in powers
        for digits in (1, 2, 5, 1.5, 3, 4, 6, 7, 8, 9)
    }
    inside = [number for number in numbers if low <= number <= high]
    return sorted(inside, key=lambda number: (len(f"{number:g}"), abs(np.log(number)), number))


def jobs(function: Callable[..., Any]) -> Points:
    """Draw jobs from the domain of a formula, with and without a final checkpoint."""
    return st.builds(
        lambda point, final: {**point, "final_checkpoint": final},
        points_of(function),
        st.sampled_from((True, False)),
    )


def times(*multiples: float) -> st.SearchStrategy[float]:
    """Draw one of these multiples of the mtbf, the simplest first."""
    return st.sampled_from(multiples)


def repairs(*means: float) -> st.SearchStrategy[Any]:
    """Draw a fixed repair or a law of one, in multiples of the mtbf."""
    return st.one_of(
        st.sampled_from(means),
        st.sampled_from(means).map(lambda mean: Law("Exponential", (mean,))),
        st.sampled_from(means).map(lambda mean: Law("Gamma", (0.5, 2.0 * mean))),
        st.sampled_from(means).map(lambda mean: Law("Gamma", (2.0, 0.5 * mean))),
        st.sampled_from(means).map(
            lambda mean: Law("HyperExponential", ((0.75, 0.25), (0.5 * mean, 2.0 * mean)))
        ),
    )


def in_units(**fields: st.SearchStrategy[Any]) -> Points:
    """Draw the arguments in multiples of the mtbf, then convert them to a unit of time."""
    return st.builds(_in_units, st.fixed_dictionaries(fields), st.sampled_from(UNITS))


def _in_units(point: dict[str, Any], unit: float) -> dict[str, Any]:
    return {name: _scaled(value, unit) if is_time(name) else value for name, value in point.items()}


def is_time(name: str) -> bool:
    """Return whether an argument of this name is a time, which depends on its unit."""
    return name in QUANTITIES and QUANTITIES[name].unit == "time"


def _scaled(value: Any, unit: float) -> Any:
    if not isinstance(value, Law):
        return unit * value
    match value.name, value.parameters:
        case "HyperExponential", (shares, means):
            return Law(value.name, (shares, tuple(unit * mean for mean in means)))
        case _:
            *shapes, scale = value.parameters
            return Law(value.name, (*shapes, unit * scale))


# A task in the process of wsj, and a job in which everything can fail.
TASK = {
    "work": times(1.0, 2.0, 0.2, 0.5, 5.0),
    "mtbf": times(1.0),
    "downtime": repairs(0.1, 0.01, 0.02, 0.2, 0.4),
    "interval": times(1.0, 0.1, 0.02, 0.5, 3.0),
    "checkpoint_cost": times(0.1, 0.001, 0.01, 0.3),
}
JOB = {
    **TASK,
    "downtime": repairs(1.0, 0.1, 0.001, 0.02, 0.3),
    "recovery_cost": times(0.1, 0.001, 0.5, 1.0),
}
