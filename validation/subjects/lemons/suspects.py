"""The test for bad nodes, against drawn counts of failures and against quantiles of other code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy import stats

from perfmodel.lemons import BadNodes, bad_node_power, bad_nodes
from sim.streams import stream
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_COUNTED = 4_000_000  # failures of nodes that are drawn at once


@lru_cache(maxsize=8)
def _counts(seed: int, machines: int, means: tuple[float, ...]) -> FloatArray:
    drawn_ = stream(seed).poisson(means, (machines, len(means)))
    drawn_.flags.writeable = False
    return np.asarray(drawn_)


def _called(
    counts: FloatArray, level: float, mean: float | None
) -> tuple[FloatArray, FloatArray | float]:
    """Return the tail of each count, by machine, and the level that it must keep."""
    nodes = counts.shape[1]
    if mean is not None:
        return np.asarray(stats.poisson.sf(counts - 1, mean)), level / nodes
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(stats.binom.sf(counts - 1, total, 1.0 / nodes)), level / nodes


def found_among_drawn(
    predict: Predict,
    budget: Budget,
    *,
    observed: float,
    nodes: int,
    node_mtbf: float,
    lemon_factor: float,
    lemons: int,
    false_alarm: float,
    baseline: str,
) -> Verdict:
    """Judge the power by drawn machines of which each is tested."""
    mean = observed / node_mtbf
    means = (lemon_factor * mean,) * lemons + (mean,) * (nodes - lemons)
    machines = min(budget.replications, _COUNTED // nodes * budget.more)
    counts = _counts(budget.seed, machines, means)
    tail, level = _called(counts, false_alarm, mean if baseline == "known" else None)
    found = predict(
        observed,
        nodes=nodes,
        node_mtbf=node_mtbf,
        lemon_factor=lemon_factor,
        lemons=lemons,
        false_alarm=false_alarm,
        baseline=baseline,
    )
    seen = (tail[:, :lemons] <= level).mean(axis=1)
    return compare_mean(float(found), seen, alpha=budget.alpha, tolerance=budget.tolerance)


def alarms_of_alike(
    predict: Predict, budget: Budget, *, nodes: int, mean: float, false_alarm: float
) -> Verdict:
    """Judge how often some node of a machine of alike nodes is called bad: at most as promised."""
    least = int(stats.poisson.isf(false_alarm / nodes, mean)) + 1
    exact = -np.expm1(nodes * np.log1p(-stats.poisson.sf(least - 1, mean)))
    counts = _counts(budget.seed, budget.replications, (mean,) * nodes)
    # Machines with the same largest count raise the same alarm.
    largest, back = np.unique(counts.max(axis=1), return_inverse=True)
    machine = np.zeros(nodes)
    alarm = [
        predict(
            np.append(machine[1:], most), observed=mean, node_mtbf=1.0, false_alarm=false_alarm
        ).bad.any()
        for most in largest
    ]
    if exact > false_alarm:
        raise AssertionError("the promise of the test itself is broken")
    seen = np.asarray(alarm, dtype=float)[back]
    return compare_mean(float(exact), seen, alpha=budget.alpha, tolerance=budget.tolerance)


def _power(
    observed: float,
    *,
    nodes: int,
    node_mtbf: float,
    lemon_factor: float,
    lemons: int = 1,
    false_alarm: float = 0.05,
    baseline: str = "estimated",
    fault: str = "",
) -> float:
    """Return the power, from quantiles of each number of failures in turn."""
    mean, level = observed / node_mtbf, false_alarm / nodes
    if fault == "level not shared among nodes":
        level = false_alarm
    if fault == "two-sided":
        level = 0.5 * level
    if fault == "other bad nodes forgotten":
        lemons = 1
    if fault == "baseline taken for known":
        baseline = "known"
    beyond = 1 if fault == "more than the limit, not as many" else 0
    if baseline == "known":
        least = stats.poisson.isf(level, mean) + 1
        return float(stats.poisson.sf(least - 1 + beyond, lemon_factor * mean))
    others = nodes - lemons + lemons * lemon_factor
    total = mean * others
    counts = np.arange(
        max(0, int(total - 11.0 * total**0.5 - 50.0)), int(total + 11.0 * total**0.5 + 50.0)
    )
    if fault == "counts at their mean":
        mean_count = round(total)
        one = stats.binom.isf(level, mean_count, 1.0 / nodes) + 1
        return float(stats.binom.sf(one - 1, mean_count, lemon_factor / others))
    limits = stats.binom.isf(level, counts, 1.0 / nodes) + 1
    found = stats.binom.sf(limits - 1 + beyond, counts, lemon_factor / others)
    return float(stats.poisson.pmf(counts, total) @ found)


def power_by_quantiles(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the power by quantiles of scipy, number of failures by number."""
    del budget
    known = _power(**point)
    found = float(predict(point.pop("observed"), **point))
    if known < 1e-12 and found < 1e-12:
        return compare_number(1.0, 1.0, tolerance=1e-6)
    return compare_number(found, known, tolerance=1e-6)


def _tails(
    failures: Any,
    *,
    observed: Any = 1.0,
    node_mtbf: float | None = None,
    false_alarm: float = 0.05,
    fault: str = "",
) -> BadNodes:
    """Return the answer of the test, by tails of scipy."""
    counts = np.asarray(failures)
    times = np.broadcast_to(np.asarray(observed, dtype=float), counts.shape)
    total = counts.sum()
    share = times / times.sum()
    if fault == "observed times ignored":
        share = np.full(counts.shape, 1.0 / counts.size)
    at_least = counts if fault == "more, not as many" else counts - 1
    if node_mtbf is None or fault == "node_mtbf ignored":
        expected, tail = total * share, stats.binom.sf(at_least, total, share)
        if fault == "Poisson with the estimated mean":
            tail = stats.poisson.sf(at_least, expected)
    else:
        expected = times / node_mtbf
        tail = stats.poisson.sf(at_least, expected)
    many = 1 if fault == "level not shared among nodes" else counts.size
    probability = np.minimum(many * tail, 1.0)
    return BadNodes(probability <= false_alarm, probability, expected, false_alarm)


def tails_by_scipy(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the probabilities of drawn counts, the least of them, by tails of scipy."""
    rng = stream(budget.seed)
    nodes, mean = point["nodes"], point["observed"] / point["node_mtbf"]
    times = point["observed"] * np.exp(rng.normal(0.0, point["spread"], nodes))
    rates = np.where(rng.random(nodes) < 0.1, 4.0, 1.0) / point["node_mtbf"]
    counts = rng.poisson(rates * times)
    counts[0] += 1 + int(mean)
    given: dict[str, Any] = {"observed": times, "false_alarm": point["false_alarm"]}
    if point["known"]:
        given["node_mtbf"] = point["node_mtbf"]
    found, known = predict(counts, **given), _tails(counts, **given)
    if not (found.bad == (found.probability <= point["false_alarm"])).all():
        return replace(compare_number(1.0, 2.0, tolerance=1e-9), note="bad contradicts probability")
    ratio = found.probability / np.maximum(known.probability, 1e-280)
    ratio = np.where(known.probability < 1e-250, 1.0, ratio)
    ratio *= np.maximum(found.expected, 1e-280) / np.maximum(known.expected, 1e-280)
    return compare_number(float(ratio[np.argmax(np.abs(ratio - 1.0))]), 1.0, tolerance=1e-8)


def _any_power(baseline: str, fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(bad_node_power, fraction)
    nodes = point["nodes"]
    lemons = min(max(1, round(point["lemons"])), nodes)
    return {**point, "nodes": nodes, "lemons": lemons, "baseline": baseline}


def _any_test(fraction: Callable[[], float]) -> dict[str, Any]:
    point = drawn(bad_nodes, fraction)
    point.pop("failures", None)
    known, spread = fraction() < 0.5, 0.8 * fraction()
    return {**point, "known": known, "spread": spread}


_FEW = {"nodes": 12, "node_mtbf": 3.0, "lemon_factor": 4.0, "lemons": 3, "false_alarm": 0.2}

SWEEPS = (
    *(
        Sweep(
            bad_node_power,
            power_by_quantiles,
            partial(_any_power, baseline),
            part=baseline,
            quick=12,
            full=200,
        )
        for baseline in ("known", "estimated")
    ),
    Sweep(bad_nodes, tails_by_scipy, _any_test, quick=30, full=300),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        bad_node_power,
        found_among_drawn,
        (
            {"observed": 6.0, **_FEW, "baseline": "known"},
            {"observed": 6.0, **_FEW, "baseline": "estimated"},
            {
                "observed": 3.0,
                **_FEW,
                "lemon_factor": 10.0,
                "lemons": 1,
                "baseline": "estimated",
            },
        ),
        effort=0.25,
    ),
    Case(
        bad_nodes,
        alarms_of_alike,
        (
            {"nodes": 3, "mean": 2.0, "false_alarm": 0.49},
            {"nodes": 5, "mean": 0.5, "false_alarm": 0.49},
        ),
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
MUTANTS = (
    *(
        Mutant(bad_node_power, fault, partial(_power, fault=fault))
        for fault in (
            "level not shared among nodes",
            "two-sided",
            "other bad nodes forgotten",
            "baseline taken for known",
            "more than the limit, not as many",
            "counts at their mean",
        )
    ),
    *(
        Mutant(bad_nodes, fault, partial(_tails, fault=fault))
        for fault in (
            "level not shared among nodes",
            "observed times ignored",
            "more, not as many",
            "node_mtbf ignored",
            "Poisson with the estimated mean",
        )
    ),
)
