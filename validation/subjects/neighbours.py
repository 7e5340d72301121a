"""Optima against worse neighbours: what a few simulated jobs can show at any point drawn.

The cases of `interval_cases` find the minimum itself; here a factor of two or three must do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.application import simulate_makespans, simulate_wsj_makespans
from sim.samplers import Exponential

from ..judge.compare import compare_least
from ..judge.trial import Grant
from ..judge.verdict import Verdict

__all__ = ["fewer_and_more", "neighbours", "neighbours_in_wsj"]

Predict = Callable[..., Any]
FloatArray = npt.NDArray[np.float64]


def neighbours(predict: Predict, grant: Grant, *, mtbf: float, checkpoint_cost: float) -> Verdict:
    """Expect simulated jobs that checkpoint twice or half as often to take longer."""
    best = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))

    def walls(interval: float) -> FloatArray:
        return simulate_makespans(
            8.0 * best,
            interval=interval,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=grant.replications,
            seed=grant.seed,
        )

    return compare_least(walls(best), map(walls, (0.5 * best, 2.0 * best)), alpha=grant.alpha)


def neighbours_in_wsj(
    predict: Predict, grant: Grant, *, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Expect the same inside the process of wsj, whose optimum lies elsewhere."""
    best = float(predict(mtbf=mtbf, checkpoint_cost=checkpoint_cost))

    def walls(interval: float) -> FloatArray:
        return simulate_wsj_makespans(
            8.0 * best,
            interval=interval,
            mtbf=mtbf,
            downtime=0.0,
            checkpoint_cost=checkpoint_cost,
            replications=grant.replications,
            seed=grant.seed,
        )

    return compare_least(walls(best), map(walls, (0.5 * best, 2.0 * best)), alpha=grant.alpha)


def fewer_and_more(
    predict: Predict, grant: Grant, *, work: float, mtbf: float, checkpoint_cost: float
) -> Verdict:
    """Expect simulated jobs with a third and with thrice as many segments to take longer."""
    best = float(predict(work, mtbf=mtbf, checkpoint_cost=checkpoint_cost))

    def walls(count: float) -> FloatArray:
        return simulate_makespans(
            work,
            interval=work / count,
            uptime=Exponential(mtbf),
            checkpoint_cost=checkpoint_cost,
            replications=grant.replications,
            seed=grant.seed,
        )

    others = (3.0 * best,) if best < 3.0 else (3.0 * best, best // 3.0)
    return compare_least(walls(best), map(walls, others), alpha=grant.alpha)
