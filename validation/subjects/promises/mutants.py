"""Wrong promises and wrong rules for checkpoints, each by one fault."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from perfmodel.site import (
    checkpoint_gain,
    longest_promise,
    promised_probability,
    risk_based_interval,
)
from validation.judge.run import Mutant

__all__ = ["MUTANTS", "right_gain", "right_interval", "right_longest", "right_promise"]


def right_promise(duration: float, *, nodes: int, node_mtbf: float, fault: str = "") -> float:
    """Return the probability that no node fails, with a fault if one is named."""
    count = 1 if fault == "one node taken for all" else nodes
    if fault == "first order":
        return 1.0 - count * duration / node_mtbf
    one = math.exp(-duration / node_mtbf)
    if fault == "broken only when all nodes fail":
        return 1.0 - (1.0 - one) ** count
    return 1.0 - one**count if fault == "probability of failure promised" else one**count


def right_longest(probability: float, *, nodes: int, node_mtbf: float, fault: str = "") -> float:
    """Return the longest duration, with a fault if one is named."""
    if fault == "first order":
        return (1.0 - probability) * node_mtbf / nodes
    count = 1 if fault == "one node taken for all" else nodes
    asked = 1.0 - probability if fault == "probability of failure asked for" else probability
    return -math.log(asked) * node_mtbf / count


def right_gain(
    failure_probability: float, *, unsaved: float, checkpoint_cost: float, fault: str = ""
) -> float:
    """Return the mean cost that a checkpoint saves, with a fault if one is named."""
    p = 1.0 if fault == "failure taken for certain" else failure_probability
    paid = {
        "next checkpoint paid as well": 2.0 * checkpoint_cost,
        "paid only when nothing fails": (1.0 - p) * checkpoint_cost,
        "cost forgotten": 0.0,
    }.get(fault, checkpoint_cost)
    return p * unsaved - paid


def right_interval(
    interval: float, *, mtbf: float, checkpoint_cost: float, fault: str = ""
) -> float:
    """Return the work between checkpoints, found by trying each request, with a fault if named."""
    ahead = {
        "risk until the next request only": interval,
        "risk without the next checkpoint": interval + checkpoint_cost,
    }.get(fault, interval + 2.0 * checkpoint_cost)
    if fault == "Young instead of the rule":
        return math.sqrt(2.0 * mtbf * checkpoint_cost)
    skipped = 1
    while True:
        seen = skipped * interval + checkpoint_cost if fault == "risk of all unsaved" else ahead
        chance = seen / mtbf if fault == "first order" else -math.expm1(-seen / mtbf)
        if chance * skipped * interval >= checkpoint_cost:
            break
        skipped += 1
    return (skipped - 1 if fault == "granted one request early" else skipped) * interval


_TWINS: dict[Callable[..., Any], Callable[..., float]] = {
    promised_probability: right_promise,
    longest_promise: right_longest,
    checkpoint_gain: right_gain,
    risk_based_interval: right_interval,
}
_FAULTS: dict[Callable[..., Any], tuple[str, ...]] = {
    promised_probability: (
        "one node taken for all",
        "first order",
        "broken only when all nodes fail",
        "probability of failure promised",
    ),
    longest_promise: (
        "one node taken for all",
        "first order",
        "probability of failure asked for",
    ),
    checkpoint_gain: (
        "failure taken for certain",
        "next checkpoint paid as well",
        "paid only when nothing fails",
        "cost forgotten",
    ),
    risk_based_interval: (
        "risk until the next request only",
        "risk without the next checkpoint",
        "risk of all unsaved",
        "first order",
        "Young instead of the rule",
        "granted one request early",
    ),
}

MUTANTS = tuple(
    Mutant(function, fault, partial(_TWINS[function], fault=fault))
    for function, faults in _FAULTS.items()
    for fault in faults
)
