"""Wrong speedups and numbers of nodes, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel.scaling import expected_speedup, optimal_nodes, optimal_nodes_first_order
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import FAULTS, speedup

__all__ = ["MUTANTS"]


def _number(fault: str, **job: Any) -> Any:
    if fault == "one more":
        return optimal_nodes(**job) + 1
    if fault == "other law":
        law = "gustafson" if job["law"] == "amdahl" else "amdahl"
        return optimal_nodes(**{**job, "law": law})
    return optimal_nodes(**{**job, fault.removesuffix(" dropped"): 0.0})


def _first_order(fault: str, **job: Any) -> Any:
    right = optimal_nodes_first_order(**job)
    return 2.0 * right if fault == "twice as many" else right * 2.0 ** (-2.0 / 3.0)


MUTANTS = (
    *mutants(expected_speedup, speedup, *FAULTS),
    *(
        Mutant(optimal_nodes, fault, partial(_number, fault))
        for fault in (
            "one more",
            "other law",
            "recovery_cost dropped",
            "downtime dropped",
            "checkpoint_cost dropped",
            "checkpoint_cost_per_node dropped",
        )
    ),
    *(
        Mutant(optimal_nodes_first_order, fault, partial(_first_order, fault))
        for fault in ("twice as many", "half a segment not counted")
    ),
)
