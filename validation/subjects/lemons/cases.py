"""Nodes of unequal rates, against machines that are drawn, and against definitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.lemons import (
    effective_mtbf,
    effective_mtbf_gamma,
    expected_failures_lemons,
    node_mtbf_without_worst,
    node_mtbf_without_worst_gamma,
)
from sim.streams import stream
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.search import Property
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn, strategy
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..interval.cases import printed_value
from .definitions import failures_until_cured, first_failure, first_failure_gamma, without_worst

__all__ = ["CASES", "FULL", "PROPERTIES", "SWEEPS"]

Predict = Callable[..., Any]


def _rates(
    rng: np.random.Generator, shape: tuple[int, ...], node_mtbf: float, law: dict[str, float]
) -> FloatArray:
    """Draw rates of nodes, by two rates or by a gamma law."""
    if "cv" in law:
        square = law["cv"] ** 2
        return rng.gamma(1.0 / square, square, shape) / node_mtbf
    share, factor = law["lemon_share"], law["lemon_factor"]
    lemon = rng.random(shape) < share
    return np.where(lemon, factor, 1.0) / (1.0 - share + share * factor) / node_mtbf


def first_failure_of_a_job(
    predict: Predict, budget: Budget, *, nodes: int, node_mtbf: float, **law: float
) -> Verdict:
    """Judge the mean time until the first of some drawn nodes has failed."""
    rng = stream(budget.seed)
    shape = (budget.replications, nodes)
    times = rng.standard_exponential(shape) / _rates(rng, shape, node_mtbf, law)
    found = float(predict(nodes, node_mtbf=node_mtbf, **law))
    return compare_mean(found, times.min(axis=1), alpha=budget.alpha, tolerance=budget.tolerance)


def machine_without_its_worst(
    predict: Predict,
    budget: Budget,
    *,
    removed: int,
    nodes: int,
    observed: float,
    node_mtbf: float,
    **law: float,
) -> Verdict:
    """Judge the mean rate of the nodes that stay on drawn machines."""
    rng = stream(budget.seed)
    machines = max(40 * budget.more, budget.replications // nodes)
    rates = _rates(rng, (machines, nodes), node_mtbf, law)
    # A fraction breaks ties at random.
    counts = rng.poisson(rates * observed) + rng.random(rates.shape)
    kept = np.argpartition(counts, nodes - removed - 1, axis=1)[:, : nodes - removed]
    found = predict(removed, nodes=nodes, observed=observed, node_mtbf=node_mtbf, **law)
    return compare_mean(
        1.0 / float(found),
        np.take_along_axis(rates, kept, axis=1).mean(axis=1),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def failures_of_drawn_nodes(
    predict: Predict,
    budget: Budget,
    *,
    time: float,
    nodes: int,
    node_mtbf: float,
    cured: float,
    **law: float,
) -> Verdict:
    """Judge by drawn nodes, of which each failure may be the last one as a lemon."""
    rng = stream(budget.seed)
    replications = budget.replications // nodes
    rates = _rates(rng, (replications, nodes), node_mtbf, law).ravel()
    lowest, counts, clock = rates.min(), np.zeros(rates.size), np.zeros(rates.size)
    up = np.arange(rates.size)
    while up.size:
        clock[up] += rng.standard_exponential(up.size) / rates[up]
        up = up[clock[up] <= time]
        counts[up] += 1.0
        rates[up] = np.where(rng.random(up.size) < cured, lowest, rates[up])
    found = float(predict(time, nodes=nodes, cured=cured, node_mtbf=node_mtbf, **law))
    return compare_mean(
        found,
        counts.reshape(replications, nodes).sum(axis=1),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def plain_sums(predict: Predict, budget: Budget, *, removed: int, **machine: Any) -> Verdict:
    """Judge by sums over all counts and all numbers of nodes, for a machine of some dozen."""
    del budget
    known = without_worst(removed, **machine)
    return compare_number(float(predict(removed, **machine)), known, tolerance=1e-7)


def rate_elsewhere(
    predict: Predict, budget: Budget, *, removed: int, rate: float, tolerance: float, **machine: Any
) -> Verdict:
    """Judge by the mean rate that another program found."""
    del budget
    return compare_number(1.0 / float(predict(removed, **machine)), rate, tolerance=tolerance)


def _some_dozen(function: Predict, fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(function, fraction)
    nodes = round(2.0 * 30.0 ** fraction())
    removed = min(nodes - 1, round(nodes * point["removed"] / point["nodes"]))
    long = min(point["observed"], 20.0 * point["node_mtbf"])
    return {**point, "nodes": nodes, "removed": removed, "observed": long}


def _any_machine(function: Predict, fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(function, fraction)
    return {**point, "removed": min(point["nodes"] - 1, round(point["removed"]))}


_WORST = (node_mtbf_without_worst, node_mtbf_without_worst_gamma)
_LEMONS = {"node_mtbf": 8.0, "lemon_share": 0.2, "lemon_factor": 6.0}
_CURED = {"node_mtbf": 8.0, "lemon_share": 0.3, "lemon_factor": 10.0}
_BROAD = {"node_mtbf": 8.0, "cv": 1.0}

SWEEPS = (
    *(
        Sweep(function, plain_sums, partial(_some_dozen, function), quick=6, full=300)
        for function in _WORST
    ),
    swept(effective_mtbf, first_failure, quick=8, full=300),
    swept(effective_mtbf_gamma, first_failure_gamma),
    swept(expected_failures_lemons, failures_until_cured, quick=8, full=300),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        effective_mtbf,
        first_failure_of_a_job,
        (
            {"nodes": 4, "node_mtbf": 10.0, "lemon_share": 0.2, "lemon_factor": 8.0},
            {"nodes": 1, "node_mtbf": 3.0, "lemon_share": 0.7, "lemon_factor": 4.0},
        ),
        effort=0.5,
    ),
    Case(
        expected_failures_lemons,
        failures_of_drawn_nodes,
        (
            {**_CURED, "time": 6.0, "nodes": 4, "cured": 0.4},
            {**_CURED, "time": 40.0, "nodes": 1, "cured": 0.9},
        ),
        effort=0.5,
    ),
    Case(
        effective_mtbf_gamma,
        first_failure_of_a_job,
        (
            {"nodes": 8, "node_mtbf": 10.0, "cv": 1.5},
            {"nodes": 3, "node_mtbf": 2.0, "cv": 0.6},
        ),
        effort=0.5,
    ),
    Case(
        effective_mtbf_gamma,
        printed_value,
        (
            {
                "nodes": 8,
                "node_mtbf": 1 / 0.0065,
                "cv": 2.0,
                "printed": 38.46153846,
                "tolerance": 1e-9,
            },
        ),
        chance=False,
    ),
    Case(
        node_mtbf_without_worst,
        machine_without_its_worst,
        (
            {"removed": 2, "nodes": 8, "observed": 16.0, **_LEMONS},
            {"removed": 25, "nodes": 100, "observed": 8.0, **_LEMONS},
        ),
    ),
    Case(
        node_mtbf_without_worst_gamma,
        machine_without_its_worst,
        (
            {"removed": 2, "nodes": 8, "observed": 16.0, **_BROAD},
            {"removed": 25, "nodes": 100, "observed": 8.0, **_BROAD},
        ),
    ),
    *(
        Case(
            function,
            rate_elsewhere,
            ({"nodes": nodes, "node_mtbf": 1 / 0.0065, "tolerance": 1e-10, **machine},),
            chance=False,
        )
        for function, nodes, machine in (
            (
                node_mtbf_without_worst,
                1000,
                {
                    "removed": 150,
                    "observed": 180.0,
                    "lemon_share": 0.15,
                    "lemon_factor": 5.0,
                    "rate": 0.004865645199929228,
                },
            ),
            (
                node_mtbf_without_worst_gamma,
                256,
                {"removed": 26, "observed": 90.0, "cv": 1.0, "rate": 0.005482052975066462},
            ),
        )
    ),
)
PROPERTIES = tuple(
    Property(function, machine_without_its_worst, strategy(partial(_any_machine, function)), 5.0)
    for function in _WORST
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
