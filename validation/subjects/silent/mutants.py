"""Wrong means, wastes and intervals with silent errors, each by one fault."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.silent import (
    expected_makespan_silent,
    optimal_interval_silent,
    optimal_interval_silent_first_order,
    waste_silent,
)
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import MEAN_FAULTS, makespan, waste

__all__ = ["MUTANTS"]


INTERVAL_FAULTS = (
    "recovery dropped",
    "verification dropped",
    "failures ignored",
    "silent errors ignored",
    "first order",
)


def _interval(*, fault: str, **costs: Any) -> Any:
    """Return the best interval with a fault."""
    if fault == "first order":
        return optimal_interval_silent_first_order(**costs)
    changed = {
        "recovery dropped": {"recovery_cost": 0.0},
        "verification dropped": {"verification_cost": 0.0},
        "failures ignored": {"mtbf": math.inf},
        "silent errors ignored": {"silent_mtbf": math.inf},
    }
    return optimal_interval_silent(**{**costs, **changed[fault]})


def _whole_loss_of_failures(**costs: Any) -> Any:
    """Return the rule with failures that cost a whole segment, as silent errors do."""
    return optimal_interval_silent_first_order(**{**costs, "mtbf": costs["mtbf"] / 2.0})


def _without_verification(**costs: Any) -> Any:
    return optimal_interval_silent_first_order(**{**costs, "verification_cost": 0.0})


MUTANTS = (
    *mutants(expected_makespan_silent, makespan, *MEAN_FAULTS),
    *mutants(waste_silent, waste, *MEAN_FAULTS),
    *(Mutant(optimal_interval_silent, f, partial(_interval, fault=f)) for f in INTERVAL_FAULTS),
    Mutant(
        optimal_interval_silent_first_order,
        "a failure costs a whole segment",
        _whole_loss_of_failures,
    ),
    Mutant(optimal_interval_silent_first_order, "verification dropped", _without_verification),
)
