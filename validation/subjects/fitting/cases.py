"""Estimates from data that `sim` draws with known parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.fitting import LifetimeFit, LifetimeFits, fit_lifetime, mtbf_confidence
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.compare_estimates import compare_coverage, compare_estimate
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]


def estimate(predict: Predict, budget: Budget, *, law: Law, watched: float, part: str) -> Verdict:
    """Judge one parameter, fitted to durations of which the end of observation cuts off many."""
    row = _fitted(predict, law, watched, budget.seed, budget.replications)
    low, high = row.intervals[part]
    return compare_estimate(
        getattr(predictable(law), part),
        row.parameters[part],
        (high - low) / 2.0,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def likelihood(predict: Predict, budget: Budget, *, law: Law, watched: float) -> Verdict:
    """Judge the log-likelihood by densities of ended and tails of censored durations."""
    durations, cut_off = _watch(law, watched, budget.seed, 1000)
    row = predict(durations, censored=cut_off, families=[law.name.lower()]).best
    found = predictable(Law(law.name, tuple(row.parameters.values())))
    seen, cut = found.pdf(durations[~cut_off]), found.sf(durations[cut_off])
    return compare_number(
        row.log_likelihood, float(np.log(seen).sum() + np.log(cut).sum()), tolerance=1e-10
    )


def truncated_likelihood(
    predict: Predict, budget: Budget, *, law: Law, watched: float, latest: float
) -> Verdict:
    """Judge the log-likelihood of durations that were watched from some age on only."""
    durations, cut_off, ages = _watch_late(law, watched, latest, budget.seed, 1000)
    row = predict(durations, censored=cut_off, entered=ages, families=[law.name.lower()]).best
    found = predictable(Law(law.name, tuple(row.parameters.values())))
    seen, cut = found.pdf(durations[~cut_off]), found.sf(durations[cut_off])
    entered = float(np.log(found.sf(ages)).sum())
    return compare_number(
        row.log_likelihood,
        float(np.log(seen).sum() + np.log(cut).sum()) - entered,
        tolerance=1e-10,
    )


def truncated_estimate(
    predict: Predict, budget: Budget, *, law: Law, watched: float, latest: float, part: str
) -> Verdict:
    """Judge one parameter, fitted to durations that were watched from some age on only."""
    durations, cut_off, ages = _watch_late(law, watched, latest, budget.seed, budget.replications)
    row = predict(
        durations,
        censored=cut_off,
        entered=ages,
        families=[law.name.lower()],
        confidence=_ONE_SIGMA,
    ).best
    low, high = row.intervals[part]
    return compare_estimate(
        getattr(predictable(law), part),
        row.parameters[part],
        (high - low) / 2.0,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def corrected(predict: Predict, budget: Budget, *, law: Law, watched: float, size: int) -> Verdict:
    """Judge AICc by its definition, in which the durations that ended are counted."""
    durations, cut_off = _watch(law, watched, budget.seed, size)
    row = predict(durations, censored=cut_off, families=[law.name.lower()]).best
    count, ended = len(row.parameters), size - int(cut_off.sum())
    exact = 2.0 * count - 2.0 * row.log_likelihood
    exact += 2.0 * count * (count + 1.0) / (ended - count - 1.0)
    return compare_number(row.aicc, exact, tolerance=1e-12)


def few_of_many(
    predict: Predict, budget: Budget, *, family: str, shape: float, families: int
) -> Verdict:
    """Judge the fits to a record in which two of ten thousand durations ended."""
    del budget
    durations = np.concatenate([[10.0, 11.0], np.linspace(100.0, 2000.0, 10_000)])
    fits: LifetimeFits = predict(durations, censored=durations > 50.0)
    number = compare_number(float(len(fits)), float(families), tolerance=0.0)
    if number.rejected:
        return number
    return compare_number(fits[family].parameters["shape"], shape, tolerance=2e-4)


def coverage(
    predict: Predict, budget: Budget, *, law: Law, watched: float, size: int, confidence: float
) -> Verdict:
    """Judge how often the interval of the mean holds the true mean, over many small records."""
    truth = predictable(law).mean
    hits = []
    for record in range(budget.replications // 1000):
        durations, cut_off = _watch(law, watched, budget.seed + record, size)
        row = predict(
            durations, censored=cut_off, families=[law.name.lower()], confidence=confidence
        ).best
        low, high = row.mean_interval
        hits.append(low <= truth <= high)
    return compare_coverage(
        confidence, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.01
    )


def lower_end(
    predict: Predict, budget: Budget, *, failures: int, observed_time: float, confidence: float
) -> Verdict:
    """Judge the lower end: at that mtbf, n or fewer failures have the stated probability."""
    low = predict(failures, observed_time, confidence=confidence).lower
    few = low * _count_to(failures + 1, budget.seed, budget.replications) > observed_time
    promised = (1.0 - confidence) / (2.0 if failures else 1.0)
    return compare_mean(promised, few, alpha=budget.alpha, tolerance=budget.tolerance)


def upper_end(
    predict: Predict, budget: Budget, *, failures: int, observed_time: float, confidence: float
) -> Verdict:
    """Judge the upper end: at that mtbf, n or more failures have the stated probability."""
    high = predict(failures, observed_time, confidence=confidence).upper
    many = high * _count_to(failures, budget.seed, budget.replications) <= observed_time
    promised = (1.0 - confidence) / 2.0
    return compare_mean(promised, many, alpha=budget.alpha, tolerance=budget.tolerance)


def printed_end(
    predict: Predict,
    budget: Budget,
    *,
    failures: int,
    observed_time: float,
    end: str,
    printed: float,
    tolerance: float,
) -> Verdict:
    """Compare with an end of the interval published elsewhere."""
    del budget
    found = getattr(predict(failures, observed_time), end)
    return compare_number(float(found), printed, tolerance=tolerance)


# Confidence of an interval that reaches one standard error to each side.
_ONE_SIGMA = 0.6826894921370859


@lru_cache(maxsize=4)
def _watch(
    law: Law, watched: float, seed: int, size: int
) -> tuple[FloatArray, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Return durations that begin evenly over `watched`, and which of them end after it."""
    durations = draw(law, seed=seed, replications=size)
    left = watched * (1.0 - (np.arange(size) + 0.5) / size)
    np.random.default_rng((seed, 1)).shuffle(left)
    return np.minimum(durations, left), durations > left


def _watch_late(
    law: Law, watched: float, latest: float, seed: int, size: int
) -> tuple[FloatArray, np.ndarray[Any, np.dtype[np.bool_]], FloatArray]:
    """Return durations longer than ages up to `latest`, which were cut off, and the ages."""
    durations = draw(law, seed=seed, replications=size)
    rng = np.random.default_rng((seed, 2))
    ages = latest * rng.random(size)
    met = durations > ages
    left = ages[met] + watched * rng.random(int(met.sum()))
    return np.minimum(durations[met], left), durations[met] > left, ages[met]


# Both parameters come from one fit, which is cached.
@lru_cache(maxsize=8)
def _fitted(predict: Predict, law: Law, watched: float, seed: int, size: int) -> LifetimeFit:
    durations, cut_off = _watch(law, watched, seed, size)
    fits: LifetimeFits = predict(
        durations, censored=cut_off, families=[law.name.lower()], confidence=_ONE_SIGMA
    )
    return fits.best


@lru_cache(maxsize=8)
def _count_to(number: int, seed: int, replications: int) -> FloatArray:
    """Return the time of failure `number`, in mtbfs, in many replications."""
    gaps = draw(Law("Exponential", (1.0,)), seed=seed, replications=replications * number)
    return np.asarray(gaps.reshape(replications, number).sum(axis=1))


_LAWS = (
    (Law("Exponential", (5.0,)), 16.0, ("mean",)),
    (Law("Weibull", (0.7, 5.0)), 16.0, ("shape", "scale")),
    (Law("Gamma", (2.5, 2.0)), 16.0, ("shape", "scale")),
    (Law("LogNormal", (1.5, 0.8)), 16.0, ("mu", "sigma")),
)
ESTIMATES = tuple(
    {"law": law, "watched": watched, "part": part}
    for law, watched, parts in _LAWS
    for part in parts
)
RECORDS = tuple({"law": law, "watched": watched} for law, watched, _ in _LAWS)
COVERED = tuple(
    {"law": law, "watched": watched, "size": 80, "confidence": 0.95}
    for law, watched, _ in _LAWS[:2]
)
# The hazard is a power law there, and its exponent solves an equation in one unknown.
FEW = tuple({"family": family, "shape": 0.221685, "families": 4} for family in ("weibull", "gamma"))
LATE = tuple(
    {"law": law, "watched": watched, "latest": 6.0, "part": "shape"}
    for law, watched, _ in _LAWS[1:2]
)
LATE_RECORDS = tuple(
    {"law": law, "watched": watched, "latest": 6.0} for law, watched, _ in _LAWS[:2]
)
SMALL = tuple({"law": law, "watched": watched, "size": 12} for law, watched, _ in _LAWS[:2])
COUNTS = tuple(
    {"failures": n, "observed_time": 100.0, "confidence": confidence}
    for n, confidence in ((2, 0.4), (1, 0.4))
)
NO_FAILURE = ({"failures": 0, "observed_time": 100.0, "confidence": 0.5},)
# 10 failures in 1000 h, and 0 failures.
PRINTED = tuple(
    {"failures": n, "observed_time": 1000.0, "end": end, "printed": printed, "tolerance": 2e-4}
    for n, end, printed in ((10, "lower", 54.38), (10, "upper", 208.53), (0, "lower", 333.8))
)

CASES = (
    Case(fit_lifetime, likelihood, RECORDS, chance=False),
    Case(fit_lifetime, corrected, SMALL, chance=False),
    Case(fit_lifetime, truncated_likelihood, LATE_RECORDS, chance=False),
    Case(fit_lifetime, few_of_many, FEW, chance=False),
    Case(fit_lifetime, coverage, COVERED[:1], gate=0.05),
    Case(fit_lifetime, estimate, ESTIMATES, effort=1.4),
    Case(mtbf_confidence, lower_end, COUNTS + NO_FAILURE),
    Case(mtbf_confidence, upper_end, COUNTS),
    Case(mtbf_confidence, printed_end, PRINTED, chance=False),
)

# Nine thousand records each, so that the coverage is known to a percentage point.
FULL = (
    Case(fit_lifetime, coverage, COVERED, effort=4.5),
    Case(fit_lifetime, truncated_estimate, LATE, effort=0.25),
)
