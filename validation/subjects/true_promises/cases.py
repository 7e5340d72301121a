"""Probabilities stated for windows of time, judged by the windows that no failure struck.

`predict` makes a forecaster. Failures are independent; windows on some of the nodes follow each
other without overlap, so that no failure breaks two promises.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sim.cluster import CalibratedForecaster, Failures
from sim.cluster.forecasts import RiskForecaster
from sim.samplers import Deterministic, Exponential
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict

__all__ = ["CASES", "calibrated_forecaster"]

Predict = Callable[..., RiskForecaster]

_NODES, _MTBF, _WINDOW = 8, 300.0, 40.0
_GATE = 0.2  # the rarest bin holds some hundred promises


def calibrated_forecaster(*, recall: float, precision: float, seed: int) -> RiskForecaster:
    """Return the forecaster, which knows the rate of the failures."""
    return CalibratedForecaster(recall, precision, 1.0 / _MTBF, seed)


def promises_kept(
    predict: Predict, budget: Budget, *, recall: float, precision: float, low: float, high: float
) -> Verdict:
    """Judge the share kept of the promises from `low` to `high` by the mean of what they say."""
    windows = budget.replications // 6
    promised, kept = _promises(predict, windows, recall, precision, budget.seed)
    inside = (promised >= low) & (promised < high)
    said = promised[inside]
    mean = float(said.mean()) if said.size else 0.5 * (low + high)
    # Their difference has less spread than what was kept alone.
    sample = mean + kept[inside] - said if said.size > 1 else np.zeros(2)
    return compare_mean(mean, sample, alpha=budget.alpha, tolerance=budget.tolerance)


@lru_cache(maxsize=8)  # every bin, of each mutant in turn
def _promises(
    predict: Predict, windows: int, recall: float, precision: float, seed: int
) -> npt.NDArray[np.float64]:
    failures = Failures.sampled(
        nodes=_NODES,
        uptime=Exponential(_MTBF),
        repair=Deterministic(0.0),
        end=_WINDOW * windows,
        seed=seed,
    )
    forecaster = predict(recall=recall, precision=precision, seed=seed)
    outlook = forecaster.outlook(failures, _NODES)
    rng, rows = np.random.default_rng(seed), []
    for start, end in pairwise(np.arange(0.0, failures.time[-1], _WINDOW)):
        nodes = rng.permutation(_NODES)[: rng.integers(1, 5)]
        first, last = np.searchsorted(failures.time, (start, end), side="right")
        struck = np.isin(failures.node[first:last], nodes).any()
        rows.append((1.0 - outlook.risk(nodes, float(start), float(end)), not struck))
    return np.array(rows, dtype=np.float64).T


_BINS = ((0.8, 0.9), (0.9, 1.01), (0.6, 0.8), (0.4, 0.6), (0.2, 0.4), (0.0, 0.2))

CASES = (
    Case(
        calibrated_forecaster,
        promises_kept,
        tuple(
            {"recall": recall, "precision": precision, "low": low, "high": high}
            for recall, precision in ((0.7, 0.5), (0.9, 0.7))
            for low, high in _BINS
        ),
        gate=_GATE,
    ),
)
