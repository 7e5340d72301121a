"""Pairs of nodes, against simulated cycles and against their definitions at many digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

from perfmodel.interval import optimal_interval
from perfmodel.makespan import waste as waste_alone
from perfmodel.replication import (
    failures_to_interruption,
    mtti_of_pairs,
    optimal_interval_pairs,
    optimal_interval_pairs_first_order,
    pairs_crossover,
    waste_of_pairs,
)
from perfmodel.replication.optimum import FIRST_ORDER_RANGE
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
from ..cached_simulators import simulate_replicated_cycles
from ..interval.cases import printed_value
from .definitions import failures, mtti, waste

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]

_AWAY = 1e-3  # relative distance of the intervals that a best one is compared with
_TIE = 1e-13


def useful_share(predict: Predict, budget: Budget, *, interval: float, **job: Any) -> Verdict:
    """Judge 1 - waste by the work that simulated cycles keep, over their time."""
    cycles = simulate_replicated_cycles(
        interval, **job, replications=budget.replications, seed=budget.seed
    )
    found = 1.0 - float(predict(interval, **job))
    return compare_ratio(
        found, cycles[:, 1], cycles[:, 0], alpha=budget.alpha, tolerance=budget.tolerance
    )


def _interruptions(budget: Budget, pairs: int, node_mtbf: float) -> Any:
    """Return simulated times to interruption."""
    return simulate_replicated_cycles(
        1e9 * node_mtbf,  # no checkpoint comes before an interruption
        checkpoint_cost=0.0,
        restart=False,
        pairs=pairs,
        node_mtbf=node_mtbf,
        replications=budget.replications,
        seed=budget.seed,
    )[:, 0]


def time_to_interruption(
    predict: Predict, budget: Budget, *, pairs: int, node_mtbf: float
) -> Verdict:
    """Judge the mean time until both nodes of a pair are down."""
    times = _interruptions(budget, pairs, node_mtbf)
    found = float(predict(pairs, node_mtbf))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def strikes(predict: Predict, budget: Budget, *, pairs: int) -> Verdict:
    """Judge the mean number of strikes: they come at the rate of all nodes, up or down."""
    times = _interruptions(budget, pairs, 2.0 * pairs)
    found = float(predict(pairs))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def no_other_interval_is_better(predict: Predict, budget: Budget, **machine: Any) -> Verdict:
    """Judge a best interval by the waste a thousandth and some factors away."""
    del budget
    best = float(predict(**machine))
    factors = np.array([0.1, 0.3, 1.0 - _AWAY, 1.0, 1.0 + _AWAY, 3.0, 10.0])
    useful = 1.0 - waste_of_pairs(best * factors, **machine)
    return compare_number(float(np.max(useful) / useful[3]), 1.0, tolerance=_TIE)


def equal_throughput(predict: Predict, budget: Budget, *, nodes: int, **costs: Any) -> Verdict:
    """Judge the crossover by both wastes there: pairs do half the work of as many nodes."""
    del budget
    mu = float(predict(nodes, **costs))
    alone = {k: v for k, v in costs.items() if k != "restart"}
    best = float(optimal_interval(mtbf=mu / nodes, checkpoint_cost=costs["checkpoint_cost"]))
    one = 1.0 - float(waste_alone(best, interval=best, mtbf=mu / nodes, **alone))
    machine = {"pairs": nodes // 2, "node_mtbf": mu, **costs}
    two = 1.0 - float(waste_of_pairs(optimal_interval_pairs(**machine), **machine))
    return compare_number(two / 2.0, one, tolerance=1e-8)


def stated_error(predict: Predict, budget: Budget) -> Verdict:
    """Judge the regret of the first order over its range, for both rules."""
    del budget
    longer = []
    for restart in (True, False):
        for pairs in (1, 3, 30, 1000, 100_000):
            for part in (0.01, 0.3, 1.0):
                cost = part * FIRST_ORDER_RANGE.limit / math.sqrt(pairs)
                job: dict[str, Any] = {"pairs": pairs, "node_mtbf": 1.0, "restart": restart}
                job["checkpoint_cost"] = cost
                spans = (optimal_interval_pairs(**job), float(predict(**job)))
                best, rule = (1.0 - float(waste_of_pairs(span, **job)) for span in spans)
                longer.append(best / rule)
    return approximation_error(longer, 1.0, stated=FIRST_ORDER_RANGE.error)


def _with_a_rule(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(function, fraction)
    if point.get("nodes", 0) % 2:
        point["nodes"] += 1
    return {**point, "restart": fraction() < 0.5}


def _rule(*, pairs: Any, node_mtbf: Any, checkpoint_cost: Any, restart: bool) -> Any:
    """Return the first order of the best interval."""
    if restart:
        return mp.cbrt(3 * checkpoint_cost * node_mtbf**2 / (4 * pairs))
    return mp.sqrt(2 * mtti(pairs, node_mtbf) * checkpoint_cost)


# Segments about as long as the time to an interruption, where every rule shows.
_JOB = {"node_mtbf": 10.0, "checkpoint_cost": 0.6, "recovery_cost": 1.0, "downtime": 0.7}
_JOBS = tuple(
    {"interval": interval, "pairs": pairs, "restart": restart, **_JOB}
    for pairs, interval in ((1, 5.0), (4, 2.0))
    for restart in (True, False)
)
# Where next to nothing is lost, a difference of shares has no digits.
_RARE = tuple(
    {**_JOBS[0], "interval": 1.5, "pairs": pairs, "node_mtbf": 1e5, "checkpoint_cost": 1e-12}
    for pairs in (1, 5)
)
_YEAR = 365.0 * 86400.0
_LARGE = {"pairs": 100_000, "node_mtbf": 5.0 * _YEAR, "checkpoint_cost": 60.0, "tolerance": 2e-5}

SWEEPS = (
    swept(failures_to_interruption, failures, agree=1e-13),
    swept(mtti_of_pairs, mtti, agree=1e-13),
    swept(
        waste_of_pairs,
        waste,
        agree=1e-10,
        quick=8,
        full=100,
        draw=partial(_with_a_rule, waste_of_pairs),
    ),
    Sweep(
        optimal_interval_pairs,
        no_other_interval_is_better,
        partial(_with_a_rule, optimal_interval_pairs),
        quick=5,
        full=300,
    ),
    swept(
        optimal_interval_pairs_first_order,
        _rule,
        draw=partial(_with_a_rule, optimal_interval_pairs_first_order),
    ),
    Sweep(
        pairs_crossover,
        equal_throughput,
        partial(_with_a_rule, pairs_crossover),
        quick=2,
        full=60,
    ),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        failures_to_interruption,
        printed_value,
        tuple(
            {"pairs": b, "printed": printed, "tolerance": 1e-5}
            for b, printed in ((1, 3.0), (10, 6.6755), (1000, 57.0569), (100_000, 561.4998))
        ),
        chance=False,
    ),
    Case(failures_to_interruption, strikes, ({"pairs": 3},), effort=0.2),
    Case(mtti_of_pairs, time_to_interruption, ({"pairs": 3, "node_mtbf": 6.0},), effort=0.2),
    Case(waste_of_pairs, useful_share, _JOBS, effort=0.2),
    Case(waste_of_pairs, SWEEPS[2].judge, _RARE, chance=False),
    Case(
        optimal_interval_pairs,
        no_other_interval_is_better,
        tuple(
            {
                "pairs": 3,
                "node_mtbf": 6.0,
                "checkpoint_cost": 0.2,
                "recovery_cost": 1.0,
                "downtime": 0.3,
                "restart": restart,
            }
            for restart in (True, False)
        ),
        chance=False,
    ),
    Case(
        pairs_crossover,
        equal_throughput,
        ({"nodes": 10, "checkpoint_cost": 1.0, "restart": True},),
        chance=False,
    ),
    Case(optimal_interval_pairs_first_order, stated_error, ({},), chance=False),
    Case(
        optimal_interval_pairs_first_order,
        printed_value,
        (
            {"printed": 22366.0, "restart": True, **_LARGE},
            {"printed": 7288.5, "restart": False, **_LARGE},
        ),
        chance=False,
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
