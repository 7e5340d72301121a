"""Jobs with asynchronous checkpoints, against the job of `sim` that drains its snapshots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from perfmodel.completion import exact_makespan_async
from perfmodel.interval import optimal_interval_async
from perfmodel.makespan import expected_makespan_async, makespan_variance_async
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number, compare_variance
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_async_makespans
from ..closed_forms.definitions import exactly
from ..closed_forms.definitions import expected_makespan_async as mean_from_the_model
from ..counted_failures import judged_at_cusps, of_mtbf
from ..laws import Law, predictable, sampler
from .mutants import chain, right_mean

__all__ = ["ALL", "INTERVALS", "ask", "least_cost", "mean", "play", "variance", "whole_law"]

Predict = Callable[..., Any]

_EFFORT = 0.25  # costs near the mtbf show a wrong mean in few replications


def play(budget: Budget, **job: Any) -> FloatArray:
    """Return simulated makespans of the job of one point."""
    return simulate_async_makespans(
        job.pop("work"),
        uptime=Exponential(job.pop("mtbf")),
        downtime=sampler(job.pop("downtime")),
        replications=budget.replications,
        seed=budget.seed,
        **job,
    )


def ask(predict: Predict, **job: Any) -> float:
    """Return the value of `predict` for the job of one point."""
    job["downtime"] = predictable(job["downtime"])
    return float(predict(job.pop("work"), **job))


def mean(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = play(budget, **job)
    return compare_mean(ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the variance of the wall time."""
    walls = play(budget, **job)
    return compare_variance(
        ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def whole_law(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the cdf of the wall time."""
    walls = play(budget, **job)
    law = predict(**{**job, "downtime": predictable(job["downtime"])})
    return compare_cdf(law.cdf, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def at_cusps(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the law and its error by closed forms, while few failures can be over."""
    return judged_at_cusps(
        predict(**job),
        budget,
        chain=lambda state: chain(state=state, **job),
        first=("new", 0),
        downtime=job["downtime"],
        known=of_mtbf(job["mtbf"]),
    )


def least_cost(predict: Predict, budget: Budget, **costs: Any) -> Verdict:
    """Expect no other interval to cost less per unit of work, by the definition of the mean."""
    del budget
    best = float(predict(**costs))
    if best == 0.0:  # free, and durable at once
        return compare_number(costs["checkpoint_cost"] + costs["latency"], 0.0, tolerance=0.0)
    others = [_cost(best * factor, **costs) for factor in _FACTORS]
    others += [_cost(costs["mtbf"] * factor, **costs) for factor in _FACTORS[::4]]
    excess = float(_cost(best, **costs) / min(others)) - 1.0
    return compare_number(1.0 + max(excess, 0.0), 1.0, tolerance=1e-10)


def _cost(interval: float, **costs: Any) -> Any:
    """Return the mean time per unit of work in a long job: that of one segment more."""
    one, two = (
        exactly(mean_from_the_model, {"work": n * interval, "interval": interval, **costs})
        for n in (1.0, 2.0)
    )
    return (two - one) / interval


_BELOW = (0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.99999)
_ABOVE = (1.00001, 1.001, 1.01, 1.02, 1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0)
_FACTORS = (*_BELOW, *_ABOVE)


def least_cost_of_skipping(predict: Predict, budget: Budget, **costs: Any) -> Verdict:
    """Expect no other interval to cost less when snapshots are skipped, by the chain of a job."""
    del budget
    best = float(predict(**costs, in_flight="skip"))
    alone = (1.0 - costs["slowdown"]) * costs["latency"]
    others = [_skipping_cost(best * factor, **costs) for factor in _FACTORS[4:-3]]
    others += [_skipping_cost(alone / n, **costs) for n in (1.0, 2.0, 3.0, 4.0, 5.0)]
    excess = _skipping_cost(best, **costs) / min(others) - 1.0
    return compare_number(1.0 + max(excess, 0.0), 1.0, tolerance=1e-6)


def _skipping_cost(interval: float, **costs: Any) -> float:
    """Return the mean time per unit of work far from the ends of a job."""
    few, many = (
        right_mean(n * interval, interval=interval, in_flight="skip", **costs) for n in (150, 300)
    )
    return (many - few) / (150.0 * interval)


_NAMES = ("work", "interval", "mtbf", "checkpoint_cost", "latency", "recovery_cost", "downtime")
_jobs = partial(table, _NAMES)

# Latencies shorter than a segment, between its work and its period, and longer, by each rule.
SHORT = _jobs((5.0, 2.0, 8.0, 0.6, 1.5, 2.0, 1.0))
MIDDLE = _jobs((5.0, 2.0, 8.0, 0.6, 2.4, 1.0, 6.0))
LONG = _jobs((4.5, 1.0, 8.0, 0.5, 3.3, 1.0, 2.0))
SLOW = _jobs((4.0, 2.0, 8.0, 2.5, 5.5, 0.5, 0.5))  # a drain outlasts computing, but not the copy
RANDOM = _jobs((4.0, 2.0, 8.0, 0.5, 1.5, 1.0, Law("Gamma", (2.0, 2.0))))
ALL = tuple(
    {**job, "slowdown": slowdown, "in_flight": rule}
    for jobs, slowdown, rule in (
        (SHORT, 0.0, "overlap"),
        (MIDDLE, 0.0, "overlap"),
        (MIDDLE, 0.0, "single_buffer"),
        (LONG, 0.0, "overlap"),
        (LONG, 0.0, "skip"),
        (LONG, 0.4, "skip"),
        (SLOW, 0.4, "overlap"),
        (RANDOM, 0.5, "overlap"),
    )
    for job in jobs
)

# Of lengths that share a measure, so that cusps meet, by each rule; a drain longer than a segment.
CUSPS = tuple(
    {**job, "slowdown": slowdown, "in_flight": rule}
    for (job,), slowdown, rule in (
        (_jobs((4.5, 1.0, 8.0, 0.5, 2.5, 1.0, 3.0)), 0.0, "overlap"),
        (_jobs((4.5, 1.0, 8.0, 0.5, 1.75, 1.0, 3.0)), 0.5, "single_buffer"),
        (_jobs((4.5, 1.0, 8.0, 0.5, 3.3, 1.0, 2.9)), 0.4, "skip"),
    )
)

_COSTS = partial(table, ("mtbf", "checkpoint_cost", "latency", "slowdown"))
_WAITS = _COSTS(
    (10.0, 0.3, 1.0, 0.0),
    (10.0, 0.3, 4.0, 0.0),
    (10.0, 0.3, 40.0, 0.0),
    (10.0, 0.3, 1.5, 0.5),
    (10.0, 1.0, 8.0, 0.5),
    (10.0, 0.5, 8.0, 0.9),
    (1e4, 1e-3, 3e-3, 0.0),
)
INTERVALS = tuple(
    {**costs, "in_flight": rule} for costs in _WAITS for rule in ("overlap", "single_buffer")
)
_SKIPS = _COSTS(
    (10.0, 0.3, 1.0, 0.0), (10.0, 0.1, 5.0, 0.0), (10.0, 1.0, 20.0, 0.2), (10.0, 0.3, 3000.0, 0.0)
)

CASES = (
    Case(expected_makespan_async, mean, ALL, effort=_EFFORT),
    Case(makespan_variance_async, variance, (*ALL[2:4], ALL[5], ALL[7]), effort=3.0),
    Case(exact_makespan_async, whole_law, (ALL[0], *ALL[2:6], ALL[7]), effort=0.25),
    Case(exact_makespan_async, at_cusps, CUSPS, chance=False),
    Case(optimal_interval_async, least_cost, INTERVALS, chance=False),
    Case(optimal_interval_async, least_cost_of_skipping, _SKIPS, chance=False),
)
