"""Images in memory, against simulated cycles and groups, and against sums at many digits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.buddies import (
    optimal_interval_buddies,
    share_lost_with_buddies,
    waste_of_buddies,
    waste_of_buddies_first_order,
)
from perfmodel.buddies.images import FIRST_ORDER_RANGE
from validation.judge.compare import (
    approximation_error,
    compare_mean,
    compare_number,
    compare_ratio,
)
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_buddy_cycles, simulate_failures_to_loss
from ..interval.cases import printed_value
from .definitions import first_order, share, waste

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]

_PROTOCOLS = ("double", "double_blocking", "triple")
_AWAY = 1e-3  # relative distance of the intervals that a best one is compared with


def useful_share(predict: Predict, budget: Budget, *, interval: float, **job: Any) -> Verdict:
    """Judge 1 - waste by the work that simulated cycles keep, over their time."""
    cycles = simulate_buddy_cycles(
        interval, **job, replications=budget.replications, seed=budget.seed
    )
    found = 1.0 - float(predict(interval, **job))
    return compare_ratio(
        found, cycles[:, 1], cycles[:, 0], alpha=budget.alpha, tolerance=budget.tolerance
    )


def failures_to_loss(predict: Predict, budget: Budget, **group: Any) -> Verdict:
    """Judge 1 over the share by the number of failures that simulated groups see up to a loss."""
    seen = simulate_failures_to_loss(**group, replications=budget.replications, seed=budget.seed)
    found = 1.0 / float(predict(**group))
    return compare_mean(found, seen, alpha=budget.alpha, tolerance=budget.tolerance)


def no_other_interval_is_better(predict: Predict, budget: Budget, **machine: Any) -> Verdict:
    """Judge a best interval by the waste a thousandth and some factors away."""
    del budget
    best = float(predict(**machine))
    factors = np.array([0.1, 0.3, 1.0 - _AWAY, 1.0, 1.0 + _AWAY, 3.0, 10.0])
    useful = 1.0 - waste_of_buddies(best * factors, **machine)
    return compare_number(float(np.max(useful) / useful[3]), 1.0, tolerance=1e-13)


def stated_error(predict: Predict, budget: Budget) -> Verdict:
    """Judge the error of the first order over its range, for all protocols."""
    del budget
    found, known = [], []
    parts = (0.02, 0.3, 1.0)
    grid = itertools.product(_PROTOCOLS, parts, parts, (0.0, 0.3, 1.0), (0.0, 0.5, 20.0), parts)
    for protocol, work, transfer, lost, factor, local in grid:
        for down in (0.0, 1.0):
            copies = 2.0 if protocol == "triple" else 1.0
            sending = copies * transfer * (1.0 + factor * (1.0 - lost))
            unit = FIRST_ORDER_RANGE.limit / (work + transfer + sending + local + down)
            job: dict[str, Any] = {
                "mtbf": 1.0,
                "transfer_time": unit * transfer,
                "overhead": unit * transfer * lost,
                "overlap_factor": factor,
                "local_cost": unit * local,
                "downtime": unit * down,
                "protocol": protocol,
            }
            found.append(float(predict(unit * work, **job)))
            known.append(float(waste_of_buddies(unit * work, **job)))
    return approximation_error(found, known, stated=FIRST_ORDER_RANGE.error)


def _with_protocol(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(function, fraction)
    point["overhead"] = min(point["overhead"], point["transfer_time"])  # rounding
    return {**point, "protocol": _PROTOCOLS[min(int(3.0 * fraction()), 2)]}


def _with_group(fraction: Callable[[], float]) -> dict[str, Any]:
    return {**drawn(share_lost_with_buddies, fraction), "group": 2 + (fraction() < 0.5)}


# Costs comparable to the mtbf, where every rule shows; intervals longer and shorter than sending.
_JOB = {
    "mtbf": 10.0,
    "transfer_time": 1.0,
    "overhead": 0.4,
    "overlap_factor": 2.0,
    "local_cost": 0.7,
    "downtime": 1.5,
}
_JOBS = tuple(
    {"interval": interval, "protocol": protocol, **_JOB}
    for interval in (4.0, 0.9)
    for protocol in _PROTOCOLS
)
_GROUPS = (
    {"node_mtbf": 10.0, "risk": 4.0, "together": 0.1, "group": 3},
    {"node_mtbf": 10.0, "risk": 4.0, "together": 0.05, "group": 2},
)
# Published with an overhead of 2 and of 0.5 s; the period less what the job loses in it.
_PRINTED = {"mtbf": 3600.0, "transfer_time": 4.0, "overlap_factor": 10.0, "tolerance": 1.5e-4}
_DOUBLE = {**_PRINTED, "local_cost": 2.0, "protocol": "double"}
_TRIPLE = {**_PRINTED, "local_cost": 0.0, "protocol": "triple"}

SWEEPS = (
    swept(
        waste_of_buddies,
        waste,
        agree=1e-10,
        quick=10,
        draw=partial(_with_protocol, waste_of_buddies),
    ),
    swept(
        waste_of_buddies_first_order,
        first_order,
        agree=1e-10,
        quick=10,
        draw=partial(_with_protocol, waste_of_buddies_first_order),
    ),
    Sweep(
        optimal_interval_buddies,
        no_other_interval_is_better,
        partial(_with_protocol, optimal_interval_buddies),
        quick=20,
        full=1000,
    ),
    swept(share_lost_with_buddies, share, quick=10, draw=_with_group),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(waste_of_buddies, useful_share, _JOBS, effort=0.2),
    Case(share_lost_with_buddies, failures_to_loss, _GROUPS, effort=0.1),
    Case(waste_of_buddies_first_order, stated_error, ({},), chance=False),
    Case(
        waste_of_buddies_first_order,
        printed_value,
        (
            {"interval": 165.04, "overhead": 2.0, "printed": 0.05418, **_DOUBLE},
            {"interval": 165.04, "overhead": 2.0, "printed": 0.05418, **_TRIPLE},
            {"interval": 130.86, "overhead": 0.5, "printed": 0.04864, **_DOUBLE},
            {"interval": 83.34, "overhead": 0.5, "printed": 0.03523, **_TRIPLE},
        ),
        chance=False,
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
