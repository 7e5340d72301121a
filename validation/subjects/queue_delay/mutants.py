"""Wrong delays of failed jobs under load, each by one fault."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.site import expected_head_delay, expected_rear_delay, expected_resubmission_delay
from validation.judge.run import Mutant

__all__ = ["MUTANTS", "right_head", "right_rear", "right_resubmission"]


def _waits(places: int, load: float) -> float:
    """Return the probability that a newcomer waits, from the probabilities of all states."""
    offered = places * load
    weights = [offered**k / math.factorial(k) for k in range(places)]
    full = offered**places / math.factorial(places) / (1.0 - load)
    return full / (sum(weights) + full)


def right_head(
    service_time: float, *, places: int, load: float, downtime: float, fault: str = ""
) -> float:
    """Return the delay at the head, with a fault if one is named."""
    if fault == "waits for the repair":
        return downtime
    others = places if fault == "its own place counts as well" else places - 1
    first = downtime
    if others and fault != "nobody else ends":
        first = -math.expm1(-others * downtime / service_time) * service_time / others
    if fault == "some other always ends first":
        first = service_time / max(others, 1)
    met = 1.0 if fault == "all places always taken" else _waits(places, load) / load
    return (_waits(places, load) if fault == "met as by a newcomer" else met) * first


def right_rear(
    service_time: float, *, load: float, downtime: float, scv: float = 1.0, fault: str = ""
) -> float:
    """Return the delay at the rear, with a fault if one is named."""
    spread = 1.0 if fault == "exponential whatever the law" else scv
    waiting = load * service_time * (1.0 + spread) / (2.0 * (1.0 - load))
    if fault == "nobody waits":
        waiting = 0.0
    if fault == "the repair takes no time":
        downtime = 0.0
    if fault == "newcomers do not overtake":
        return downtime + waiting
    if fault == "newcomers of the repair only":
        return downtime * (1.0 + load) + waiting
    return (downtime + waiting) / (1.0 - load)


def right_resubmission(
    remaining: float, *, service_time: float, places: int, load: float, fault: str = ""
) -> float:
    """Return the delay by resubmission, with a fault if one is named."""
    wait = _waits(places, load) * service_time / (places * (1.0 - load))
    if fault == "nobody waits":
        wait = 0.0
    if fault == "one place":
        wait = load * service_time / (1.0 - load)
    if fault == "sent at once":
        remaining = 0.0
    if fault == "found as by who leaves all others running":
        wait /= load
    return remaining + wait


_FAULTS: dict[Any, tuple[Any, tuple[str, ...]]] = {
    expected_head_delay: (
        right_head,
        (
            "waits for the repair",
            "its own place counts as well",
            "nobody else ends",
            "some other always ends first",
            "all places always taken",
            "met as by a newcomer",
        ),
    ),
    expected_rear_delay: (
        right_rear,
        (
            "exponential whatever the law",
            "nobody waits",
            "the repair takes no time",
            "newcomers do not overtake",
            "newcomers of the repair only",
        ),
    ),
    expected_resubmission_delay: (
        right_resubmission,
        (
            "nobody waits",
            "one place",
            "sent at once",
            "found as by who leaves all others running",
        ),
    ),
}

MUTANTS = tuple(
    Mutant(function, fault, partial(twin, fault=fault))
    for function, (twin, faults) in _FAULTS.items()
    for fault in faults
)
