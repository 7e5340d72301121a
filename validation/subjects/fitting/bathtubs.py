"""Bathtubs fitted to lives that `sim` draws with known parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from perfmodel.fitting import LifetimeFit, fit_bathtub
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_number
from validation.judge.compare_estimates import compare_coverage, compare_estimate
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable

__all__ = ["CASES", "FULL", "MUTANTS"]

BoolArray: TypeAlias = npt.NDArray[np.bool_]
Predict = Callable[..., Any]

_ONE_SIGMA = 0.6826894921370859
_GIVEN_BACK = 60.0  # the latest time at which a machine is given back


def likelihood(predict: Predict, budget: Budget, *, law: Law, lives: int) -> Verdict:
    """Judge the log-likelihood by densities of machines taken away and tails of others."""
    durations, back = _watched(law, budget.seed, lives)
    row = predict(durations, censored=back, longest=predictable(law).end)
    found = predictable(Law(law.name, tuple(row.parameters.values())))
    own = float(np.log(found.pdf(durations[~back])).sum() + np.log(found.sf(durations[back])).sum())
    return compare_number(row.log_likelihood, own, tolerance=1e-9)


def estimate(predict: Predict, budget: Budget, *, law: Law, lives: int, part: str) -> Verdict:
    """Judge one parameter, where many machines are given back early."""
    row = _fitted(predict, law, budget.seed, lives)
    low, high = row.intervals[part]
    return compare_estimate(
        getattr(predictable(law), part),
        row.parameters[part],
        (high - low) / 2.0,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def coverage(predict: Predict, budget: Budget, *, law: Law, lives: int) -> Verdict:
    """Judge how often the interval of the mean holds the true mean, over many small records."""
    truth = predictable(law)
    hits = []
    for record in range(budget.replications // 1000):
        durations, back = _watched(law, budget.seed + record, lives)
        low, high = predict(durations, censored=back, longest=truth.end).mean_interval
        hits.append(low <= truth.mean <= high)
    return compare_coverage(0.95, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=0.02)


def _watched(law: Law, seed: int, size: int) -> tuple[FloatArray, BoolArray]:
    """Return lives, and which machines were given back before they were taken away."""
    lives = draw(law, seed=seed, replications=size)
    back = _GIVEN_BACK * np.random.default_rng((seed, 3)).random(size)
    return np.minimum(lives, back), np.asarray(lives > back, dtype=np.bool_)


@lru_cache(maxsize=4)
def _fitted(predict: Predict, law: Law, seed: int, size: int) -> LifetimeFit:
    durations, back = _watched(law, seed, size)
    end = predictable(law).end
    found: LifetimeFit = predict(durations, censored=back, longest=end, confidence=_ONE_SIGMA)
    return found


_BATHTUB = Law("Bathtub", (0.45, 1.0, 0.8, 24.0))
_RECORDS = tuple({"law": _BATHTUB, "lives": lives} for lives in (150, 1000))
_PARTS = ("share", "early", "late", "turn")
_ESTIMATES, _MORE = (
    tuple({"law": _BATHTUB, "lives": lives, "part": part} for part in _PARTS)
    for lives in (100_000, 1_000_000)
)

CASES = (
    Case(fit_bathtub, likelihood, _RECORDS, chance=False),
    Case(fit_bathtub, estimate, _ESTIMATES, gate=0.05),
)
FULL = (
    Case(fit_bathtub, coverage, _RECORDS[:1], effort=4.5, gate=0.02),
    Case(fit_bathtub, estimate, _MORE),
)


def _cut_counted_as_seen(durations: Any, *, censored: Any, **options: Any) -> LifetimeFit:
    del censored
    return fit_bathtub(durations, **options)


def _cut_dropped(durations: Any, *, censored: Any, **options: Any) -> LifetimeFit:
    return fit_bathtub(durations[~censored], **options)


def _ends_later(durations: Any, **options: Any) -> LifetimeFit:
    return fit_bathtub(durations, **{**options, "longest": 1.2 * options["longest"]})


def _late_and_early_swapped(durations: Any, **options: Any) -> LifetimeFit:
    right = fit_bathtub(durations, **options)
    names = right.parameters
    swapped = {**names, "early": names["late"], "late": names["early"]}
    return replace(right, parameters=swapped)


MUTANTS = (
    Mutant(fit_bathtub, "machines given back counted as taken away", _cut_counted_as_seen),
    Mutant(fit_bathtub, "machines given back dropped", _cut_dropped),
    Mutant(fit_bathtub, "an end far beyond the longest life", _ends_later),
    Mutant(fit_bathtub, "first and second rise swapped", _late_and_early_swapped),
)
