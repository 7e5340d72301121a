"""Bursts and drifting rates told apart, on records that `sim` draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from perfmodel.fitting import (
    FailureBursts,
    FailurePattern,
    RateDrift,
    failure_clusters,
    failure_pattern,
    mtbf_confidence,
)
from sim.application import simulate_burst_gaps
from validation.judge.chance import FloatArray
from validation.judge.compare_estimates import compare_coverage
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

__all__ = ["CASES", "FULL", "MUTANTS"]

Predict = Callable[..., Any]


def _records(budget: Budget, gaps: int, share: float = 0.0025, **bursts: float) -> FloatArray:
    count = int(min(budget.replications * share, 20_000_000 // gaps))
    drawn = simulate_burst_gaps(count * gaps, burst_mtbf=1.0, **bursts, seed=budget.seed)
    return np.asarray(drawn.reshape(count, gaps))


def false_alarms(
    predict: Predict, budget: Budget, *, gaps: int, of: Literal["bursts", "drift"]
) -> Verdict:
    """Judge how seldom records of a constant rate are told to have bursts, or to drift."""
    calm = [getattr(predict(record), of) is None for record in _records(budget, gaps)]
    return compare_coverage(0.99, calm, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.01)


def told(
    predict: Predict, budget: Budget, *, gaps: int, size: float, spacing: float, change: float
) -> Verdict:
    """Judge how often bursts are told, and a rate that changes by a factor half way, if it does."""
    records = _records(budget, gaps, 0.00105, size=size, spacing=spacing)
    pace = np.repeat([change, 1.0], [gaps // 2, gaps - gaps // 2])
    right = "bursts" if change == 1.0 else "drift" if size == 1.0 else "both"
    hits = [predict(pace * record).kind == right for record in records]
    return compare_coverage(0.97, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.03)


def coverage(predict: Predict, budget: Budget, *, size: float, spacing: float) -> Verdict:
    """Judge how often the limits by the count of bursts hold their mtbf."""
    hits = []
    for record in _records(budget, 1000, 0.0016, size=size, spacing=spacing):
        bursts = predict(record).bursts
        if bursts is None:
            hits.append(False)
            continue
        limits = mtbf_confidence(bursts.count, bursts.count * bursts.mtbf)
        hits.append(bool(limits.lower <= 1.0 <= limits.upper))
    return compare_coverage(0.95, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.02)


def _by_spread(gaps: Any) -> FailurePattern:
    """Take whatever differs more than a constant rate for bursts."""
    found, clusters = failure_pattern(gaps), failure_clusters(gaps)
    if not clusters.clustered:
        return replace(found, bursts=None, drift=None)
    bursts = FailureBursts(
        clusters.effective_mtbf, clusters.failures_per_cluster, 0.0, 0.0, len(gaps)
    )
    return replace(found, bursts=bursts, drift=None)


def _drift_by_spread(gaps: Any) -> FailurePattern:
    found = failure_pattern(gaps)
    if not found.uneven:
        return found
    return replace(found, drift=RateDrift(2, 0.0, (0.0,), (found.mtbf,)))


def _order_of_all(gaps: Any) -> FailurePattern:
    """Seek drift among all gaps, those in bursts as well: neighbours of a kind look like drift."""
    found = failure_pattern(gaps)
    values = np.asarray(gaps, dtype=float)
    ranks = np.argsort(np.argsort(values))
    related = np.corrcoef(ranks[1:], ranks[:-1])[0, 1] * np.sqrt(values.size)
    drift = RateDrift(2, 0.0, (0.0,), (found.mtbf,)) if abs(related) > 1.0 else None
    return replace(found, drift=drift)


def _window_left_in(gaps: Any) -> FailurePattern:
    found = failure_pattern(gaps)
    if found.bursts is None:
        return found
    bursts = replace(found.bursts, mtbf=found.bursts.mtbf + found.bursts.window)
    return replace(found, bursts=bursts)


def _mean_gap(gaps: Any) -> FailurePattern:
    found = failure_pattern(gaps)
    if found.bursts is None:
        return found
    return replace(found, bursts=replace(found.bursts, mtbf=found.mtbf))


def _always_bursts(gaps: Any) -> FailurePattern:
    found = failure_pattern(gaps)
    return replace(found, bursts=found.bursts or FailureBursts(found.mtbf, 1.0, 0.0, 0.0, 1))


_BURSTS = {"gaps": 300, "size": 3.0, "spacing": 0.01, "change": 1.0}
_DRIFT = {"gaps": 300, "size": 1.0, "spacing": 0.0, "change": 4.0}
_BOTH = {"gaps": 900, "size": 3.0, "spacing": 0.003, "change": 4.0}
CASES = (
    Case(
        failure_pattern,
        false_alarms,
        ({"gaps": 50, "of": "bursts"}, {"gaps": 50, "of": "drift"}),
        gate=0.02,
    ),
    Case(failure_pattern, told, (_BURSTS, _DRIFT, _BOTH), gate=0.05),
    Case(failure_pattern, coverage, ({"size": 2.0, "spacing": 0.04},), gate=0.05),
)
FULL = (
    Case(
        failure_pattern,
        false_alarms,
        tuple(
            {"gaps": gaps, "of": of} for gaps in (10, 20, 200, 3000) for of in ("bursts", "drift")
        ),
        gate=0.02,
    ),
    Case(failure_pattern, told, (_BURSTS, _DRIFT, _BOTH), effort=2.0, gate=0.05),
    Case(failure_pattern, coverage, ({"size": 3.0, "spacing": 1e-3},), effort=4.0, gate=0.05),
)
MUTANTS = (
    Mutant(failure_pattern, "whatever is uneven taken for bursts", _by_spread),
    Mutant(failure_pattern, "whatever is uneven taken for drift", _drift_by_spread),
    Mutant(failure_pattern, "drift sought in bursts as well, at 1 deviation", _order_of_all),
    Mutant(failure_pattern, "the window left in the mtbf of bursts", _window_left_in),
    Mutant(failure_pattern, "the mean gap as mtbf of bursts", _mean_gap),
    Mutant(failure_pattern, "bursts in every record", _always_bursts),
)
