"""The test for a change of a rate, against tails of other code and against drawn counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize, stats

from perfmodel.fitting import RateChange, rate_change
from sim.streams import stream
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]


def _tails(now: int, total: int, share: float) -> tuple[float, float]:
    """Return the probabilities of at most, and of at least, so many now."""
    few = stats.binom.cdf(now, total, share)
    return float(few), float(stats.binom.sf(now - 1, total, share))


def tails_by_scipy(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the probability, and both ends by the tails that they leave, at drawn counts."""
    rng = stream(budget.seed)
    before, now = (int(rng.poisson(point[name])) for name in ("failures_before", "failures"))
    past, present = point["observed_before"], point["observed"]
    found = predict(before, past, now, present, confidence=point["confidence"])
    total, share = before + now, present / (past + present)
    known = min(1.0, 2.0 * min(_tails(now, total, share)))
    ratios = [1.0 if known < 1e-250 else max(float(found.p_value), 1e-300) / known]
    half = 0.5 * (1.0 - point["confidence"])
    for end, sure, side in ((found.lower, 0.0, 1), (found.upper, np.inf, 0)):
        if (now if side else before) == 0:
            ratios.append(1.0 if end == sure else 2.0)
            continue
        odds = float(end) * present / past
        ratios.append(_tails(now, total, odds / (1.0 + odds))[side] / half)
    return compare_number(max(ratios, key=lambda ratio: abs(ratio - 1.0)), 1.0, tolerance=1e-6)


def alarms_without_change(
    predict: Predict,
    budget: Budget,
    *,
    mean: float,
    observed_before: float,
    observed: float,
    level: float,
    factor: float = 1.0,
) -> Verdict:
    """Judge how often a change is seen among drawn counts, `factor` being that of the rate."""
    rng = stream(budget.seed)
    before = rng.poisson(mean * observed_before, budget.replications)
    now = rng.poisson(factor * mean * observed, budget.replications)
    pairs, back = np.unique(np.stack([before, now]), axis=1, return_inverse=True)
    seen = np.asarray(predict(pairs[0], observed_before, pairs[1], observed).p_value) <= level
    reach = int(stats.poisson.isf(1e-13, max(1.0, factor) * mean * max(observed_before, observed)))
    counts = np.arange(reach + 1)
    weight = np.outer(
        stats.poisson.pmf(counts, mean * observed_before),
        stats.poisson.pmf(counts, factor * mean * observed),
    )
    total, share = counts[:, None] + counts, observed / (observed_before + observed)
    few = stats.binom.cdf(counts[None, :], total, share)
    many = stats.binom.sf(counts[None, :] - 1, total, share)
    exact = float(weight[2.0 * np.minimum(few, many) <= level].sum())
    if factor == 1.0 and exact > level:
        raise AssertionError("the promise of the test itself is broken")
    drawn_ = seen[np.ravel(back)].astype(float)
    return compare_mean(exact, drawn_, alpha=budget.alpha, tolerance=budget.tolerance)


def _faulty(
    failures_before: Any,
    observed_before: Any,
    failures: Any,
    observed: Any,
    *,
    confidence: float = 0.95,
    fault: str = "",
) -> RateChange:
    """Return the answer with one fault, by tails and roots of scipy."""
    before, now = np.broadcast_arrays(failures_before, failures)
    scale = 1.0 if fault == "observed times ignored" else observed / observed_before
    share = scale / (1.0 + scale)
    if fault == "times exchanged":
        share = 1.0 - share
    total = before + now
    few = stats.binom.cdf(now, total, share)
    many = stats.binom.sf(now if fault == "more, not as many" else now - 1, total, share)
    sides = 1.0 if fault == "one-sided" else 2.0
    p_value = np.minimum(1.0, sides * np.minimum(few, many))
    if fault == "normal approximation":
        deviation = np.abs(now - total * share) / np.sqrt(
            np.maximum(total, 1) * share * (1 - share)
        )
        p_value = 2.0 * stats.norm.sf(deviation)
    if fault == "rate before taken for known":
        mean = before * scale
        p_value = np.minimum(
            1.0, 2.0 * np.minimum(stats.poisson.cdf(now, mean), stats.poisson.sf(now - 1, mean))
        )
    low, high = _ends(before, now, 0.5 * (1.0 - confidence), scale)
    return RateChange(1.0, low, high, p_value, confidence)


def _ends(before: Any, now: Any, half: float, scale: Any) -> tuple[float, float]:
    if np.ndim(now):
        return 0.0, np.inf
    total = int(before + now)

    def odds(side: int) -> float:
        share = optimize.brentq(
            lambda share: _tails(int(now), total, share)[side] - half, 1e-15, 1.0 - 1e-15
        )
        return float(share / (1.0 - share) / scale)

    return odds(1) if now else 0.0, odds(0) if before else np.inf


def _any_counts(fraction: Callable[[], float]) -> dict[str, Any]:
    return drawn(rate_change, fraction)


SWEEPS = (Sweep(rate_change, tails_by_scipy, _any_counts, quick=50, full=500),)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        rate_change,
        alarms_without_change,
        (
            {"mean": 1.0, "observed_before": 5.0, "observed": 5.0, "level": 0.2},
            {"mean": 1.0, "observed_before": 30.0, "observed": 3.0, "level": 0.1},
            {"mean": 2.0, "observed_before": 5.0, "observed": 9.0, "level": 0.1, "factor": 2.0},
        ),
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
MUTANTS = tuple(
    Mutant(rate_change, fault, partial(_faulty, fault=fault))
    for fault in (
        "observed times ignored",
        "times exchanged",
        "more, not as many",
        "one-sided",
        "normal approximation",
        "rate before taken for known",
    )
)
