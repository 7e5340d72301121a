"""Random chains over the documented range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfmodel.chains import (
    expected_makespan_chain,
    makespan_variance_chain,
    optimal_checkpoints_chain,
)
from validation.judge.search import Property
from validation.ranges.points import between, strategy
from validation.ranges.sweeps import Sweep

from .cases import by_enumeration, mean, summed_mean, summed_variance, variance

__all__ = ["PROPERTIES", "SWEEPS"]

_ENDS = (1e-3, 1.0)  # of every time, in multiples of the mtbf


def _chain(fraction: Callable[[], float]) -> dict[str, Any]:
    """Draw a chain of at most eight tasks."""
    count = 1 + min(int(8 * fraction()), 7)
    mtbf = between("mtbf", (1e-3, 1e3), fraction())

    def times(name: str) -> tuple[float, ...]:
        return tuple(mtbf * between(f"{name}/mtbf", _ENDS, fraction()) for _ in range(count))

    return {
        "works": times("works"),
        "checkpoint_after": tuple(fraction() < 0.5 for _ in range(count)),
        "mtbf": mtbf,
        "checkpoint_costs": times("checkpoint_costs"),
        "recovery_costs": times("recovery_costs"),
        "input_recovery": mtbf * between("input_recovery/mtbf", _ENDS, fraction()),
        "downtime": mtbf * between("downtime/mtbf", _ENDS, fraction()),
    }


PROPERTIES = (
    Property(expected_makespan_chain, mean, strategy(_chain), 0.25),
    Property(makespan_variance_chain, variance, strategy(_chain)),
)

SWEEPS = tuple(
    Sweep(function, judge, _chain, quick=quick, full=full)
    for function, judge, quick, full in (
        (expected_makespan_chain, summed_mean, 10, 1000),
        (makespan_variance_chain, summed_variance, 10, 1000),
        (optimal_checkpoints_chain, by_enumeration, 2, 100),
    )
)
