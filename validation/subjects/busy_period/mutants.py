"""Wrong moments and transforms of busy periods."""

from __future__ import annotations

from typing import Any

import numpy as np

from perfmodel.completion import busy_period_mean, busy_period_transform, busy_period_variance
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _not_at_risk(*, mtbf: float, downtime: Any) -> float:
    del mtbf
    return _moments(downtime)[0]


def _load_twice(*, mtbf: float, downtime: Any) -> float:
    mean, _ = _moments(downtime)
    return mean / (1.0 - mean / mtbf) ** 2


def _square_of_load(*, mtbf: float, downtime: Any) -> float:
    mean, variance = _moments(downtime)
    load = mean / mtbf
    return (variance + mean**2) / (1.0 - load) ** 2 - (mean / (1.0 - load)) ** 2


def _one_repair(s: float, *, mtbf: float, downtime: Any) -> float:
    del mtbf
    law = downtime if hasattr(downtime, "laplace") else None
    return float(law.laplace(s)) if law is not None else float(np.exp(-s * downtime))


def _moments(downtime: Any) -> tuple[float, float]:
    return float(getattr(downtime, "mean", downtime)), float(getattr(downtime, "variance", 0.0))


MUTANTS: tuple[Mutant, ...] = (
    Mutant(busy_period_mean, "no failures during repair", _not_at_risk),
    Mutant(busy_period_mean, "the load taken twice", _load_twice),
    Mutant(busy_period_variance, "the load squared, not cubed", _square_of_load),
    Mutant(busy_period_transform, "no failures during repair", _one_repair),
)
