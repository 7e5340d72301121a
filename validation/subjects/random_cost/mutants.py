"""Wrong effective costs, each by one fault."""

from __future__ import annotations

from typing import Any

from perfmodel.makespan import effective_checkpoint_cost
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _average(law: Any, *, mtbf: float, drawn: str) -> float:
    """Return the mean cost, which ignores the spread."""
    del mtbf, drawn
    return float(law.mean)


def _other(law: Any, *, mtbf: float, drawn: str) -> Any:
    """Return the cost of the other way to draw."""
    return effective_checkpoint_cost(
        law, mtbf=mtbf, drawn="segment" if drawn == "attempt" else "attempt"
    )


def _second_order(law: Any, *, mtbf: float, drawn: str) -> float:
    """Return the first two terms in the rate of failures."""
    bent = law.variance / (2.0 * mtbf)
    return float(law.mean + (bent if drawn == "segment" else -bent))


def _always_redrawn(law: Any, *, mtbf: float, drawn: str) -> Any:
    del drawn
    return effective_checkpoint_cost(law, mtbf=mtbf)


MUTANTS = tuple(
    Mutant(effective_checkpoint_cost, fault, wrong)
    for fault, wrong in (
        ("mean cost", _average),
        ("ways to draw swapped", _other),
        ("second order in the failures", _second_order),
        ("drawn for each attempt always", _always_redrawn),
    )
)
