"""Wrong means, wastes and intervals where silent errors show late, each by one fault."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.interval import optimal_interval
from perfmodel.silent import (
    expected_makespan_detected_late,
    optimal_interval_detected_late,
    waste_detected_late,
)
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import MEAN_FAULTS, makespan, waste

__all__ = ["MUTANTS"]


def _changed(changes: dict[str, float], **costs: Any) -> Any:
    return optimal_interval_detected_late(**{**costs, **changes})


def _every_error_stops(*, mtbf: Any, silent_mtbf: Any, checkpoint_cost: Any, **_: Any) -> Any:
    """Return the interval with silent errors taken for failures."""
    both = 1.0 / (1.0 / mtbf + 1.0 / silent_mtbf)
    return optimal_interval(mtbf=both, checkpoint_cost=checkpoint_cost)


_INTERVAL_FAULTS = {
    "recovery dropped": {"recovery_cost": 0.0},
    "latency dropped": {"detection_latency": 0.0},
    "failures ignored": {"mtbf": math.inf},
    "silent errors ignored": {"silent_mtbf": math.inf},
}

MUTANTS = (
    *mutants(expected_makespan_detected_late, makespan, *MEAN_FAULTS),
    *mutants(waste_detected_late, waste, *MEAN_FAULTS),
    *(
        Mutant(optimal_interval_detected_late, fault, partial(_changed, changes))
        for fault, changes in _INTERVAL_FAULTS.items()
    ),
    Mutant(optimal_interval_detected_late, "errors taken for failures", _every_error_stops),
)
