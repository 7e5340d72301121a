"""Speedups and numbers of nodes, against simulated jobs, definitions and enumeration."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

from perfmodel.interval import optimal_interval
from perfmodel.scaling import expected_speedup, optimal_nodes, optimal_nodes_first_order
from perfmodel.scaling.optimum import FIRST_ORDER_RANGE
from sim.samplers import Exponential
from validation.judge.compare import approximation_error, compare_mean, compare_number
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_makespans
from ..interval.cases import printed_value
from .definitions import speedup

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]

_SEGMENTS = 40  # of a simulated job
_TIE = 1e-13
_MOST = 1_000_000


def simulated_speedup(
    predict: Predict,
    budget: Budget,
    *,
    nodes: int,
    sequential_share: float,
    node_mtbf: float,
    checkpoint_cost: float,
    checkpoint_cost_per_node: float,
    recovery_cost: float,
    downtime: float,
) -> Verdict:
    """Judge the time per work, 1/speedup, by jobs whose work is cut by Amdahl's law."""
    mtbf = node_mtbf / nodes
    cost = checkpoint_cost + nodes * checkpoint_cost_per_node
    interval = float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost))
    work = _SEGMENTS * interval
    walls = simulate_makespans(
        work,
        interval=interval,
        uptime=Exponential(mtbf),
        checkpoint_cost=cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        replications=budget.replications,
        seed=budget.seed,
    )
    alone = work / (sequential_share + (1.0 - sequential_share) / nodes)  # on one node
    found = 1.0 / float(
        predict(
            nodes,
            sequential_share=sequential_share,
            node_mtbf=node_mtbf,
            checkpoint_cost=checkpoint_cost,
            checkpoint_cost_per_node=checkpoint_cost_per_node,
            recovery_cost=recovery_cost,
            downtime=downtime,
        )
    )
    return compare_mean(found, walls / alone, alpha=budget.alpha, tolerance=budget.tolerance)


def no_other_number_is_better(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge a number of nodes by its neighbours and by numbers far away."""
    del budget
    best = float(predict(**job))
    far = np.round(best * np.geomspace(1e-3, 1e3, 61))
    others = np.clip(np.array([best, best - 1.0, best + 1.0, 1.0, _MOST, *far]), 1.0, _MOST)
    found = expected_speedup(others, **job)
    return compare_number(float(np.max(found) / found[0]), 1.0, tolerance=_TIE)


def stated_error(predict: Predict, budget: Budget) -> Verdict:
    """Judge the regret of the first order at the edge of its range, for costs of either kind."""
    del budget
    loss = []
    for share in np.geomspace(1e-6, 0.1, 11):
        ratio = (1.0 - share) / share
        # Costs at which the measure is at its limit, from the rule itself; `part` is that of C.
        for part in (1.0, 0.9, 0.76, 0.5, 0.2, 0.0):
            edge = FIRST_ORDER_RANGE.limit**2
            nodes = ratio * min(
                (2.0 / (part * edge)) ** 0.5 if part else np.inf,
                (0.5 / ((1.0 - part) * edge)) ** 0.5 if part < 1.0 else np.inf,
            )
            costs = {
                "checkpoint_cost": part * edge / nodes,
                "checkpoint_cost_per_node": (1.0 - part) * edge / nodes**2,
            }
            job = {"sequential_share": float(share), "node_mtbf": 1.0, **costs}
            near = max(round(float(predict(**job))), 1)
            best = optimal_nodes(**job)
            if 1 < best < _MOST:
                loss.append(float(expected_speedup(best, **job) / expected_speedup(near, **job)))
    return approximation_error(loss, 1.0, stated=FIRST_ORDER_RANGE.error)


def _with_a_law(function: Callable[..., Any], fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(function, fraction)
    return {**point, "law": "amdahl" if fraction() < 0.5 else "gustafson"}


def _first_order(
    *, sequential_share: Any, node_mtbf: Any, checkpoint_cost: Any, **more: Any
) -> Any:
    """Return the number of nodes for a fixed cost, to first order."""
    del more
    slowed = sequential_share * mp.sqrt(2 * checkpoint_cost / node_mtbf)
    return mp.exp(mp.log(2 * (1 - sequential_share) / slowed) * 2 / 3)


_JOB = {
    "nodes": 8,
    "sequential_share": 0.1,
    "node_mtbf": 80.0,
    "checkpoint_cost": 1.0,
    "checkpoint_cost_per_node": 0.1,
    "recovery_cost": 2.0,
    "downtime": 3.0,
}
_PLAIN = {"sequential_share": 1e-3, "node_mtbf": 10 * 365.0 * 86400.0}

SWEEPS = (
    swept(expected_speedup, speedup, agree=1e-9, draw=partial(_with_a_law, expected_speedup)),
    Sweep(
        optimal_nodes,
        no_other_number_is_better,
        partial(_with_a_law, optimal_nodes),
        quick=20,
        full=1000,
    ),
    swept(optimal_nodes_first_order, _first_order),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(expected_speedup, simulated_speedup, (_JOB,), effort=0.02),
    Case(optimal_nodes_first_order, stated_error, ({},), chance=False),
    Case(
        optimal_nodes_first_order,
        printed_value,
        (
            {"printed": 21_891.0, "tolerance": 1e-4, "checkpoint_cost": 60.0, **_PLAIN},
            {"printed": 1272.6, "tolerance": 1e-4, "checkpoint_cost_per_node": 60.0, **_PLAIN},
        ),
        chance=False,
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
