"""The laws of `perfmodel.lifetimes` against draws from the samplers of `sim`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel import lifetimes
from validation.judge.compare import compare_mean, compare_variance
from validation.judge.compare_laws import compare_cdf, compare_quantiles
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

from ..laws import Law, draw

__all__ = ["CASES"]

Predict = Callable[..., Any]

LEVELS = (0.1, 0.5, 0.9, 0.99)


@lru_cache(maxsize=4)
def _draw(law: Law, seed: int, replications: int) -> npt.NDArray[np.float64]:
    return draw(law, seed=seed, replications=replications)


# Tails need millions of draws; they are cached for the mutants, for one law at a time.
@lru_cache(maxsize=1)
def _many(law: Law, seed: int, replications: int) -> npt.NDArray[np.float64]:
    return draw(law, seed=seed, replications=replications)


def mean(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the mean."""
    drawn = _draw(law, budget.seed, budget.replications)
    predicted = predict(*law.parameters).mean
    return compare_mean(predicted, drawn, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the variance; heavy tails resolve it less well than the mean."""
    drawn = _many(law, budget.seed, budget.replications)
    predicted = predict(*law.parameters).variance
    return compare_variance(predicted, drawn, alpha=budget.alpha, tolerance=budget.tolerance)


def distribution(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the whole distribution function, atoms included."""
    drawn = _draw(law, budget.seed, budget.replications)
    cdf = predict(*law.parameters).cdf
    return compare_cdf(cdf, drawn, alpha=budget.alpha, tolerance=budget.tolerance)


def survival(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the survival function, which has its own code for the tail."""
    drawn = _draw(law, budget.seed, budget.replications)
    sf = predict(*law.parameters).sf
    return compare_cdf(lambda t: 1.0 - sf(t), drawn, alpha=budget.alpha, tolerance=budget.tolerance)


def quantiles(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge quantiles in the body and in the tail."""
    drawn = _many(law, budget.seed, budget.replications)
    predicted = predict(*law.parameters).ppf(LEVELS)
    return compare_quantiles(
        predicted, LEVELS, drawn, alpha=budget.alpha, tolerance=budget.tolerance
    )


def transform(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the Laplace transform where it is about one half, by the mean of exp(-s t)."""
    drawn = _draw(law, budget.seed, budget.replications)
    rate = 1.0 / float(np.median(drawn))
    predicted = float(predict(*law.parameters).laplace(rate))
    values = np.exp(-rate * drawn)
    return compare_mean(predicted, values, alpha=budget.alpha, tolerance=budget.tolerance)


def cumulated_hazard(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Expect the cumulative hazard at the draws to be exponential with mean 1."""
    drawn = _draw(law, budget.seed, budget.replications)
    reached = predict(*law.parameters).cumulative_hazard(drawn)
    return compare_cdf(
        lambda h: -np.expm1(-h), reached, alpha=budget.alpha, tolerance=budget.tolerance
    )


def density(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the density by its integral from the lower to the upper quartile of the draws."""
    from scipy.integrate import quad

    drawn = _draw(law, budget.seed, budget.replications)
    low, high = np.quantile(drawn, (0.25, 0.75))
    pdf = predict(*law.parameters).pdf
    predicted = quad(lambda t: float(pdf(t)), low, high)[0]
    # Independent draws: half of those that give the quartiles lie between them by construction.
    fresh = _draw(law, budget.seed + 1, budget.replications)
    return compare_mean(
        predicted, (fresh > low) & (fresh <= high), alpha=budget.alpha, tolerance=budget.tolerance
    )


def integrated_hazard(predict: Predict, budget: Budget, *, law: Law) -> Verdict:
    """Judge the hazard by its integral over the middle of the draws."""
    from scipy.integrate import quad

    drawn = _draw(law, budget.seed, budget.replications)
    low, high = np.quantile(drawn, (0.25, 0.6))
    hazard = predict(*law.parameters).hazard
    predicted = float(np.exp(-quad(lambda t: float(hazard(t)), low, high)[0]))
    fresh = _draw(law, budget.seed + 1, budget.replications)
    return compare_mean(
        predicted, fresh[fresh > low] > high, alpha=budget.alpha, tolerance=budget.tolerance
    )


CONTINUOUS = (
    Law("Exponential", (3.0,)),
    Law("Weibull", (0.7, 5.0)),
    Law("Weibull", (2.5, 5.0)),
    Law("Gamma", (0.5, 7.0)),
    Law("Gamma", (6.0, 0.5)),
    Law("LogNormal", (1.0, 0.6)),
    Law("HyperExponential", ((0.7, 0.3), (1.0, 4.0))),
)
BATHTUB = (Law("Bathtub", (0.45, 1.0, 0.8, 24.0)),)
POINTS = (Law("Deterministic", (4.0,)), Law("Empirical", ((1.0, 1.0, 2.0, 5.0, 13.0),)))

_ALL_JUDGES = (mean, variance, distribution, survival, quantiles, transform)
_MORE_JUDGES = (cumulated_hazard, density, integrated_hazard)
# A variance depends on rare long durations, a high quantile on the sparse tail of the law.
_NAMES = ("Exponential", "Weibull", "Gamma", "LogNormal", "HyperExponential")
_EFFORT = {
    variance: dict(zip(_NAMES, (4.0, 10.0, 7.0, 6.0, 9.0), strict=True)),
    quantiles: dict(zip((*_NAMES, "Bathtub"), (6.0, 11.0, 18.0, 4.0, 6.0, 6.0), strict=True)),
}


def _cases(laws: tuple[Law, ...], judges: tuple[Callable[..., Verdict], ...]) -> tuple[Case, ...]:
    names = dict.fromkeys(law.name for law in laws)
    return tuple(
        Case(
            getattr(lifetimes, name),
            judge,
            tuple({"law": law} for law in laws if law.name == name),
            effort=_EFFORT.get(judge, {}).get(name, 1.0),
        )
        for name in names
        for judge in judges
    )


CASES = (
    *_cases(CONTINUOUS, _ALL_JUDGES + _MORE_JUDGES),
    *_cases(BATHTUB, (mean, variance, distribution, survival, quantiles, transform, *_MORE_JUDGES)),
    *_cases(POINTS, (mean, variance, distribution, survival, transform)),
)
