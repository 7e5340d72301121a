"""Wrong numbers for pairs of nodes, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel.replication import (
    failures_to_interruption,
    mtti_of_pairs,
    optimal_interval_pairs,
    optimal_interval_pairs_first_order,
    pairs_crossover,
    waste_of_pairs,
)
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import NUMBER_FAULTS, TIME_FAULTS, WASTE_FAULTS, failures, mtti, waste

__all__ = ["MUTANTS"]

_CHANGES: dict[str, Any] = {
    "downtime dropped": lambda job: {**job, "downtime": 0.0},
    "recovery dropped": lambda job: {**job, "recovery_cost": 0.0},
    "other rule of restart": lambda job: {**job, "restart": not job["restart"]},
}


def _first_order(fault: str, **job: Any) -> Any:
    right = optimal_interval_pairs_first_order(**job)
    if fault == "waste of a half segment with restarts":  # 1/2 instead of 2/3
        return right * (4.0 / 3.0) ** (1.0 / 3.0) if job["restart"] else right
    if fault == "period for the interval":
        return right + job["checkpoint_cost"]
    return optimal_interval_pairs_first_order(**{**job, "pairs": 2 * job["pairs"]})


def _changed(function: Any, fault: str, *first: Any, **job: Any) -> Any:
    if fault == "first order":
        names = ("pairs", "node_mtbf", "checkpoint_cost", "restart")
        return optimal_interval_pairs_first_order(**{name: job[name] for name in names})
    if fault == "1 less an efficiency":
        return 1.0 - (1.0 - function(*first, **job))
    if fault == "pairs do all the work":
        return 2.0 * function(*first, **job)
    return function(*first, **_CHANGES[fault](job))


MUTANTS = (
    *mutants(failures_to_interruption, failures, *NUMBER_FAULTS),
    *mutants(mtti_of_pairs, mtti, *TIME_FAULTS),
    *mutants(waste_of_pairs, waste, *WASTE_FAULTS),
    *(
        Mutant(function, fault, partial(_changed, function, fault))
        for function, fault in (
            (waste_of_pairs, "1 less an efficiency"),
            (optimal_interval_pairs, "recovery dropped"),
            (optimal_interval_pairs, "other rule of restart"),
            (optimal_interval_pairs, "first order"),
            (pairs_crossover, "downtime dropped"),
            (pairs_crossover, "recovery dropped"),
            (pairs_crossover, "other rule of restart"),
            (pairs_crossover, "pairs do all the work"),
        )
    ),
    *(
        Mutant(optimal_interval_pairs_first_order, fault, partial(_first_order, fault))
        for fault in (
            "waste of a half segment with restarts",
            "period for the interval",
            "nodes for pairs",
        )
    ),
)
