"""Wrong moments of a job with two levels, each by one fault."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from perfmodel.levels import (
    TwoLevelPattern,
    expected_makespan_two_levels,
    makespan_variance_two_levels,
    optimal_pattern_two_levels,
)
from validation.judge.run import Mutant

from .definitions import FAULTS, moments

__all__ = ["MUTANTS"]


def _mean(*, fault: str, **job: Any) -> float:
    return moments(fault, **job)[0]


def _variance(*, fault: str, **job: Any) -> float:
    return moments(fault, **job)[1]


def _pattern(*, fault: str, **costs: float) -> TwoLevelPattern:
    """Return a pattern by the first order, or the right one with a fault."""
    local, durable = costs["local_cost"], costs["durable_cost"]
    if fault == "first order":
        survived, lost = (s / costs["mtbf"] for s in (costs["survived"], 1.0 - costs["survived"]))
        more = durable - local
        every = max(round(math.sqrt(survived * more / (lost * local))), 1)
        rate = survived / every + lost
        return TwoLevelPattern(math.sqrt(2.0 * (every * local + more) / rate) / every, every)
    if fault == "local recovery ignored":
        costs["local_recovery"] = 0.0
    if fault == "durable cost on top of the local one":
        costs["durable_cost"] += local
    if fault == "kinds of failures exchanged":
        costs["survived"] = 1.0 - costs["survived"]
    best = optimal_pattern_two_levels(**costs)
    if fault == "period for the interval":
        return replace(best, interval=best.interval + local)
    if fault == "local checkpoints counted without the durable one":
        return replace(best, durable_every=max(best.durable_every - 1.0, 1.0))
    return best


PATTERN_FAULTS = (
    "first order",
    "local recovery ignored",
    "durable cost on top of the local one",
    "kinds of failures exchanged",
    "period for the interval",
    "local checkpoints counted without the durable one",
)

MUTANTS = (
    *(Mutant(optimal_pattern_two_levels, f, partial(_pattern, fault=f)) for f in PATTERN_FAULTS),
    *(Mutant(expected_makespan_two_levels, f, partial(_mean, fault=f)) for f in FAULTS),
    *(Mutant(makespan_variance_two_levels, f, partial(_variance, fault=f)) for f in FAULTS),
)
