"""Wrong numbers for images in memory, each by one fault."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.buddies import (
    optimal_interval_buddies,
    share_lost_with_buddies,
    waste_of_buddies,
    waste_of_buddies_first_order,
)
from perfmodel.interval import optimal_interval
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import (
    FIRST_ORDER_FAULTS,
    LOSS_FAULTS,
    WASTE_FAULTS,
    first_order,
    share,
    waste,
)

__all__ = ["MUTANTS"]

_INTERVAL_FAULTS = (
    "first order",
    "period for the interval",
    "images need not arrive in time",
    "overhead of one buddy",
    "transfer for the cost",
)


def _interval(fault: str, **machine: Any) -> Any:
    """Return another interval than the best one."""
    best = float(optimal_interval_buddies(**machine))
    mu, transfer, lost = machine["mtbf"], machine["transfer_time"], machine["overhead"]
    buddies = 1 + (machine["protocol"] == "triple")
    cost = machine["local_cost"] + buddies * lost
    if fault == "first order":
        sending = transfer + machine["overlap_factor"] * (transfer - lost)
        first = math.sqrt(2.0 * cost * max(mu - transfer - sending, 0.0)) - cost
        return first if first > 0.0 else best
    if fault == "period for the interval":
        return best + cost
    if fault == "overhead of one buddy":
        cost = machine["local_cost"] + lost
    if fault == "transfer for the cost":
        cost = machine["local_cost"] + buddies * transfer
    found = float(optimal_interval(mtbf=mu, checkpoint_cost=cost))
    return found if fault == "images need not arrive in time" else max(found, 0.5 * best)


MUTANTS = (
    *mutants(waste_of_buddies, waste, *WASTE_FAULTS),
    *mutants(waste_of_buddies_first_order, first_order, *FIRST_ORDER_FAULTS),
    *mutants(share_lost_with_buddies, share, *LOSS_FAULTS),
    *(
        Mutant(optimal_interval_buddies, fault, partial(_interval, fault))
        for fault in _INTERVAL_FAULTS
    ),
)
