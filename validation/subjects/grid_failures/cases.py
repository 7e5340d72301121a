"""The generator of grid failures, judged by its own parameters (`grid`, section 4.1).

`predict` is here the generator of `sim`, or a wrong one; no formula of `perfmodel` is judged.
The count is an identity; gaps and durations are fitted again, and the fit must return their
parameters; bursts must appear as a correlation in time and place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from perfmodel.fitting import fit_lifetime
from perfmodel.lifetimes import Weibull
from sim.cluster import Failures
from sim.cluster.grid import ClusterSpec, FailureModel, Grid, generate_failures
from validation.judge.compare import compare_mean, compare_number
from validation.judge.compare_estimates import compare_estimate
from validation.judge.compare_laws import compare_cdf
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

__all__ = ["CASES", "GRID", "MODEL"]

Predict = Callable[..., Failures]

GRID = Grid((ClusterSpec("fs0", 72, 2), *(ClusterSpec(f"fs{k}", 32, 2) for k in range(1, 5))))
SMALL = Grid((ClusterSpec("only", 8),))
# One failure per machine and 1,000 h: bursts of a minute hardly ever overlap by chance.
MODEL = FailureModel(
    afc=0.001, gap_shape=0.7, repair_shape=0.6, repair_scale=9000.0, burst_size=2.0
)
_HOUR = 3600.0
_ONE_SIGMA = 0.6826894921370859


def count(predict: Predict, budget: Budget, *, hours: float) -> Verdict:
    """Judge F = N D AFC (eq. 1)."""
    drawn = predict(GRID, MODEL, end=hours * _HOUR, seed=budget.seed)
    return compare_number(float(round(200 * hours * 0.001)), len(drawn), tolerance=0.0)


def initial_failures(predict: Predict, budget: Budget, *, begins: tuple[float, ...]) -> Verdict:
    """Judge the machine time lost before the clusters came into service, all at the start."""
    drawn = predict(
        GRID, MODEL, start=50.0, end=500.0 * _HOUR, seed=budget.seed, in_service=list(begins)
    )
    late = sum(n * (at - 50.0) for n, at in zip((72, 32, 32, 32, 32), begins, strict=True))
    return compare_number(late, float(drawn.repair[drawn.time == 50.0].sum()), tolerance=1e-12)


def durations(predict: Predict, budget: Budget) -> Verdict:
    """Judge the whole law of the durations."""
    return compare_cdf(
        Weibull(MODEL.repair_shape, MODEL.repair_scale).cdf,
        _drawn(predict, budget, MODEL).repair,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def recovered_parameter(predict: Predict, budget: Budget, *, name: str) -> Verdict:
    """Judge a parameter by a fit to failures drawn with it."""
    if name == "gap_shape":  # of gaps between single failures, not of those within bursts
        gaps = np.diff(_drawn(predict, budget, _ALONE).time)
        values, parameter = gaps[gaps > 0.0], "shape"
    else:
        values = _drawn(predict, budget, MODEL).repair
        parameter = name.removeprefix("repair_")
    fit = fit_lifetime(values, families=["weibull"], confidence=_ONE_SIGMA).best
    low, high = fit.intervals[parameter]
    return compare_estimate(
        getattr(MODEL, name),
        fit.parameters[parameter],
        (high - low) / 2.0,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def burst_correlation(predict: Predict, budget: Budget) -> Verdict:
    """Judge how often another failure on the same cluster follows a failure at once.

    In bursts of mean size b this holds for all failures but the last: 1 - 1/b.
    """
    drawn = _drawn(predict, budget, MODEL)
    cluster = np.repeat(np.arange(5), [c.machines for c in GRID.clusters])[drawn.node]
    followed = (np.diff(drawn.time) <= MODEL.burst_span) & (np.diff(cluster) == 0)
    claimed = 1.0 - 1.0 / MODEL.burst_size
    # The noise at the predicted share; without any burst the observed noise would be 0.
    return compare_estimate(
        claimed,
        float(followed.mean()),
        float(np.sqrt(claimed * (1.0 - claimed) / followed.size)),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def share_of_the_largest(predict: Predict, budget: Budget) -> Verdict:
    """Judge that failures strike clusters in proportion to their machines."""
    struck = _drawn(predict, budget, _ALONE).node < 72
    return compare_mean(
        72.0 / 200.0,
        struck.astype(np.float64),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def machines_of_a_cluster(predict: Predict, budget: Budget, *, skew: float) -> Verdict:
    """Judge how often two successive failures strike one machine: the sum of squared weights."""
    model = replace(_ALONE, afc=0.025, skew=skew)
    drawn = _drawn(predict, budget, model, SMALL)
    pairs = drawn.node[: len(drawn) // 2 * 2].reshape(-1, 2)
    weights = np.arange(1.0, 9.0) ** -skew
    return compare_mean(
        float(np.sum(weights**2) / np.sum(weights) ** 2),
        (pairs[:, 0] == pairs[:, 1]).astype(np.float64),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


_ALONE = replace(MODEL, burst_size=1.0)


def _drawn(predict: Predict, budget: Budget, model: FailureModel, grid: Grid = GRID) -> Failures:
    # The hours that give one failure per hundred replications.
    return _play(predict, model, grid, budget.replications // 20, budget.seed)


@lru_cache(maxsize=64)  # the mutants are called in turns
def _play(predict: Predict, model: FailureModel, grid: Any, hours: float, seed: int) -> Failures:
    return predict(grid, model, end=hours * _HOUR, seed=seed)


# Gates: each case has some thousand failures; 1 % would take millions.
CASES = (
    Case(generate_failures, count, ({"hours": 1234.0},), chance=False),
    Case(
        generate_failures,
        initial_failures,
        ({"begins": (50.0, 7250.0, 7250.0, 9000.0, 50.5)},),
        chance=False,
    ),
    Case(generate_failures, durations, ({},), gate=0.05),
    Case(
        generate_failures,
        recovered_parameter,
        ({"name": "repair_shape"}, {"name": "repair_scale"}),
        gate=0.15,
    ),
    Case(generate_failures, burst_correlation, ({},), gate=0.1),
    Case(generate_failures, recovered_parameter, ({"name": "gap_shape"},), gate=0.06),
    Case(generate_failures, share_of_the_largest, ({},), gate=0.1),
    Case(generate_failures, machines_of_a_cluster, ({"skew": 0.0}, {"skew": 1.0}), gate=0.25),
)
