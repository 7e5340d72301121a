"""Wrong moments of a job with two levels, each by one fault."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from perfmodel.levels import (
    TwoLevelPattern,
    exact_makespan_two_levels,
    expected_makespan_two_levels,
    makespan_variance_two_levels,
    optimal_pattern_two_levels,
)
from validation.judge.run import Mutant

from ..counted_failures import between_nodes
from . import first_order, many
from .definitions import FAULTS, moments

__all__ = ["MUTANTS"]


def _mean(*, fault: str, **job: Any) -> float:
    return moments(fault, **job)[0]


def _variance(*, fault: str, **job: Any) -> float:
    return moments(fault, **job)[1]


def _variance_of_the_rest(*, mtbf: float, interval: float, **job: Any) -> float:
    """Return the variance with a chance that was rounded beside 1 before it was used."""
    right = float(makespan_variance_two_levels(mtbf=mtbf, interval=interval, **job))
    share = interval / mtbf
    return right * (1.0 - (1.0 - share)) / share


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


def _law(*, fault: str, **job: Any) -> Any:
    """Return the law of another job, which a fault makes of the right one."""
    local, durable = job["local_cost"], job["durable_cost"]
    changed = {
        "downtime dropped": {"downtime": 0.0},
        "a local recovery costs a durable one": {"local_recovery": job["durable_recovery"]},
        "every failure survived": {"survived": 1.0},
        "no failure survived": {"survived": 0.0},
        "kinds of failures exchanged": {"survived": 1.0 - job["survived"]},
        "durable cost on top of the local one": {"durable_cost": durable + local},
        "one durable checkpoint too many": {"durable_every": job["durable_every"] - 1},
        "recoveries exchanged": {
            "local_recovery": job["durable_recovery"],
            "durable_recovery": job["local_recovery"],
        },
        "rule of the local copy exchanged": {
            "rule": {"bare": "reinstated", "reinstated": "bare"}.get(job["rule"], "reinstated")
        },
    }
    return exact_makespan_two_levels(**{**job, **changed[fault]})


LAW_FAULTS = (
    "downtime dropped",
    "a local recovery costs a durable one",
    "every failure survived",
    "no failure survived",
    "kinds of failures exchanged",
    "durable cost on top of the local one",
    "one durable checkpoint too many",
    "recoveries exchanged",
    "rule of the local copy exchanged",
)
PATTERN_FAULTS = (
    "first order",
    "local recovery ignored",
    "durable cost on top of the local one",
    "kinds of failures exchanged",
    "period for the interval",
    "local checkpoints counted without the durable one",
)

MUTANTS = (
    *many.MUTANTS,
    *first_order.MUTANTS,
    *(Mutant(optimal_pattern_two_levels, f, partial(_pattern, fault=f)) for f in PATTERN_FAULTS),
    *(Mutant(expected_makespan_two_levels, f, partial(_mean, fault=f)) for f in FAULTS),
    *(Mutant(exact_makespan_two_levels, f, partial(_law, fault=f)) for f in LAW_FAULTS),
    Mutant(
        exact_makespan_two_levels,
        "cusps ignored",
        partial(between_nodes, exact_makespan_two_levels),
    ),
    *(Mutant(makespan_variance_two_levels, f, partial(_variance, fault=f)) for f in FAULTS),
    Mutant(makespan_variance_two_levels, "a chance taken as 1 - its rest", _variance_of_the_rest),
)
