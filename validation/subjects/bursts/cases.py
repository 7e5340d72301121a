"""Bursts, against machines that are struck, and against counts of places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from perfmodel.bursts import effective_mtbf_bursts, pair_mtbf_bursts
from validation.judge.compare import compare_mean, compare_number
from validation.judge.search import Property
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn, strategy
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_burst_interruptions
from .definitions import interruptions, pair_losses

__all__ = ["CASES", "FULL", "PROPERTIES", "SWEEPS"]

Predict = Callable[..., Any]

_PLACEMENTS = ("random", "contiguous", "strided")
_MOST = 60  # nodes of a machine of which each burst is drawn node by node


def until_interrupted(
    predict: Predict, budget: Budget, *, nodes: int, placement: str, **machine: Any
) -> Verdict:
    """Judge by jobs whose nodes are struck by drawn bursts."""
    total = machine["machine_nodes"]
    times = simulate_burst_interruptions(
        tuple(range(0, total, total // nodes)[:nodes] if placement == "strided" else range(nodes)),
        **machine,
        anywhere=placement == "random",
        replications=budget.replications,
        seed=budget.seed,
    )
    found = float(predict(nodes, placement=placement, **machine))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def until_both_are_struck(
    predict: Predict, budget: Budget, *, distance: int, **machine: Any
) -> Verdict:
    """Judge by pairs of nodes that are struck by drawn bursts."""
    times = simulate_burst_interruptions(
        (0, distance),
        **machine,
        all_at_once=True,
        replications=budget.replications,
        seed=budget.seed,
    )
    found = float(predict(distance, **machine))
    return compare_mean(found, times, alpha=budget.alpha, tolerance=budget.tolerance)


def counted_places(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge by all sizes of a burst and all places where it may begin."""
    del budget
    known = interruptions(**point)
    found = float(predict(point.pop("nodes"), **point))
    return compare_number(found, known, tolerance=1e-8)


def counted_pairs(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge by all sizes of a burst and all places where it may begin."""
    del budget
    return _counted_pairs(predict, 1e-8, **point)


def counted_pairs_to_12_digits(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge bursts of hardly more than one node by all sizes and places."""
    del budget
    return _counted_pairs(predict, 1e-12, **point)


def _counted_pairs(predict: Predict, tolerance: float, **point: Any) -> Verdict:
    known = pair_losses(**point)
    found = float(predict(point.pop("distance"), **point))
    return compare_number(found, known, tolerance=tolerance)


def _any_machine(most: float, fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(effective_mtbf_bursts, fraction)
    share = point["nodes"] / point["machine_nodes"]
    total = round(min(point["machine_nodes"], most))
    nodes = min(max(1, round(share * total)), total)
    placement = _PLACEMENTS[min(int(3.0 * fraction()), 2)]
    if placement == "strided":
        total = max(1, total // nodes) * nodes
    return {**point, "nodes": nodes, "machine_nodes": total, "placement": placement}


def _any_pair(most: float, fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(pair_mtbf_bursts, fraction)
    total = round(min(point["machine_nodes"], most))
    share = point["distance"] / point["machine_nodes"]
    distance = min(max(1, round(share * total)), total - 1)
    return {**point, "machine_nodes": total, "distance": distance}


def _often(point: dict[str, Any]) -> dict[str, Any]:
    """Return a machine whose jobs are interrupted after some bursts, not after thousands."""
    alone = point["burst_mtbf"] * min(point["node_mtbf"] / point["burst_mtbf"], 100.0)
    return {**point, "node_mtbf": alone}


_RING = {"machine_nodes": 24, "burst_mtbf": 2.0, "burst_size": 4.0, "node_mtbf": 60.0}

SWEEPS = (
    Sweep(effective_mtbf_bursts, counted_places, partial(_any_machine, 1e4), quick=60, full=1000),
    Sweep(pair_mtbf_bursts, counted_pairs, partial(_any_pair, 1e4), quick=40, full=1000),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        effective_mtbf_bursts,
        until_interrupted,
        (
            {"nodes": 6, "placement": "random", **_RING},
            {"nodes": 6, "placement": "contiguous", **_RING},
            {"nodes": 6, "placement": "strided", **_RING},
            {"nodes": 20, "placement": "contiguous", **_RING, "burst_size": 30.0},
        ),
        effort=0.5,
    ),
    Case(
        pair_mtbf_bursts,
        until_both_are_struck,
        (
            {"distance": 1, "machine_nodes": 12, "burst_mtbf": 2.0, "burst_size": 3.0},
            {"distance": 9, "machine_nodes": 12, "burst_mtbf": 2.0, "burst_size": 9.0},
        ),
        effort=0.5,
    ),
    Case(
        pair_mtbf_bursts,
        counted_pairs_to_12_digits,
        (
            {"distance": 1, "machine_nodes": 12, "burst_mtbf": 2.0, "burst_size": 1.00000001},
            {"distance": 2, "machine_nodes": 12, "burst_mtbf": 2.0, "burst_size": 1.00001},
        ),
        chance=False,
    ),
)
PROPERTIES = (
    Property(
        effective_mtbf_bursts,
        until_interrupted,
        strategy(lambda fraction: _often(_any_machine(_MOST, fraction))),
        0.5,
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
