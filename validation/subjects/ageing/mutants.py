"""Wrong moments and laws of a renewed job, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel import Exponential
from perfmodel.ageing import (
    exact_makespan_ageing,
    expected_makespan_ageing,
    makespan_variance_ageing,
)
from validation.judge.run import Mutant

from . import intervals
from .few_failures import FAULTS, mutant

__all__ = ["MUTANTS"]


def _changed(*, fault: str, function: Any, **job: Any) -> Any:
    """Return the right formula of a wrong job."""
    if fault == "exponential of the same mean":
        job["uptime"] = Exponential(job["uptime"].mean)
    if fault == "downtime dropped":
        job["downtime"] = 0.0
    if fault == "recovery dropped":
        job["recovery_cost"] = 0.0
    if fault == "recovery counted as downtime":  # so that no failure strikes it
        down = job["downtime"]
        job["downtime"] = job["recovery_cost"] + (down if isinstance(down, float) else down.mean)
        job["recovery_cost"] = 0.0
    if fault == "checkpoint dropped":
        job["checkpoint_cost"] = 0.0
    if fault == "recovery before the start":
        job["work"] += job["recovery_cost"]
    if fault == "mean of the downtime only" and not isinstance(job["downtime"], float):
        job["downtime"] = job["downtime"].mean
    if fault in FAULTS:
        return mutant(fault, function, **job)
    return function(**job)


_COMMON = (
    "exponential of the same mean",
    "downtime dropped",
    "recovery dropped",
    "recovery counted as downtime",
    "checkpoint dropped",
    "recovery before the start",
)

_MAKESPANS = tuple(
    Mutant(function, fault, partial(_changed, fault=fault, function=function))
    for function, faults in (
        (expected_makespan_ageing, _COMMON),
        (makespan_variance_ageing, (*_COMMON, "mean of the downtime only")),
        (
            exact_makespan_ageing,
            (*_COMMON, "mean of the downtime only", *FAULTS),
        ),
    )
    for fault in faults
)
MUTANTS = (*_MAKESPANS, *intervals.MUTANTS)
