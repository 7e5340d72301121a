"""Costs that are known from measurements only, against Bayes' theorem and drawn records."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from perfmodel import mean_posterior, optimal_interval
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_number
from validation.judge.compare_estimates import compare_coverage
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable

__all__ = ["CASES", "FULL"]

Predict = Callable[..., Any]


def by_bayes(predict: Predict, budget: Budget, *, samples: int, cv: float, ratio: float) -> Verdict:
    """Judge the law by likelihood times prior, over means above 0 and all deviations."""
    del budget
    record = 1.0 + cv * special.ndtri((np.arange(samples) + 0.5) / samples)
    mean = ratio * float(record.mean())
    error = float(record.std(ddof=1)) / np.sqrt(record.size)
    # Over the deviations it is this power of the squares about a mean.
    parts = [
        _integral(lambda theta: _marginal(theta, record), ends, error, float(record.mean()))
        for ends in ((0.0, mean), (0.0, np.inf))
    ]
    return compare_number(float(predict(record).cdf(mean)), parts[0] / parts[1], tolerance=1e-8)


def coverage(predict: Predict, budget: Budget, *, law: Law, samples: int, stated: float) -> Verdict:
    """Judge how often the limits of an interval hold that of the true mean cost."""
    count = budget.replications // 50
    records = draw(law, seed=budget.seed, replications=count * samples)
    ends = np.array([predict(r).ppf((0.025, 0.975)) for r in records.reshape(count, samples)])
    # The best interval rises with the cost: its limits are those at the limits of the cost.
    low, high = (optimal_interval(mtbf=1000.0, checkpoint_cost=ends[:, end]) for end in (0, 1))
    truth = optimal_interval(mtbf=1000.0, checkpoint_cost=predictable(law).mean)
    hits = (low <= truth) & (truth <= high)
    return compare_coverage(
        0.95, hits, alpha=budget.alpha, tolerance=budget.tolerance, stated=stated
    )


def _marginal(theta: FloatArray, record: FloatArray) -> FloatArray:
    squares = np.sum((record - theta[..., None]) ** 2, axis=-1)
    least = float(np.sum((record - record.mean()) ** 2))
    return np.asarray((squares / least) ** (-0.5 * record.size))


@cache
def _rule() -> tuple[FloatArray, FloatArray]:
    rule: Any = np.polynomial.legendre.leggauss  # without types before numpy 2.2
    nodes, weights = rule(200)
    return nodes, weights


def _integral(
    value: Callable[[FloatArray], FloatArray],
    ends: tuple[float, float],
    error: float,
    centre: float,
) -> float:
    """Return the integral over u, of which the mean is centre + error sinh u."""
    nodes, weights = _rule()
    low = np.arcsinh((ends[0] - centre) / error)
    high = 45.0 if np.isinf(ends[1]) else np.arcsinh((ends[1] - centre) / error)
    # In two parts, since what is far below the centre is far from smooth.
    total = 0.0
    for start, end in ((low, min(max(low, 0.0), high)), (min(max(low, 0.0), high), high)):
        half = 0.5 * (end - start)
        u = start + half * (1.0 + nodes)
        total += half * float(weights @ (value(centre + error * np.sinh(u)) * np.cosh(u)))
    return total * error


BAYES = table(
    ("samples", "cv", "ratio"),
    (5, 0.1, 0.93),
    (5, 0.1, 1.05),
    (2, 1.1, 0.5),
    (2, 1.1, 3.0),
    (3, 0.3, 1.3),
    (100, 0.2, 1.02),
)
# Nearly normal where the coefficient of variation is small.
COVERED = table(
    ("law", "samples", "stated"),
    (Law("Gamma", (400.0, 1.0)), 3, 0.005),
    (Law("Gamma", (4.0, 1.0)), 10, 0.02),
)
ALL_COVERED = (
    *COVERED,
    *table(
        ("law", "samples", "stated"),
        (Law("Gamma", (400.0, 1.0)), 30, 0.005),
        (Law("Gamma", (4.0, 1.0)), 100, 0.01),
        (Law("Exponential", (1.0,)), 10, 0.06),
    ),
)

CASES = (
    Case(mean_posterior, by_bayes, BAYES, chance=False),
    Case(mean_posterior, coverage, COVERED, gate=0.02),
)
FULL = (Case(mean_posterior, coverage, ALL_COVERED),)
