"""Wrong margins and wrong work saved."""

from __future__ import annotations

from typing import Any

import numpy as np

from perfmodel.interval import expected_saved_work, optimal_checkpoint_margin
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _chance(law: Any, x: float) -> float:
    return float(law.cdf(x)) if hasattr(law, "cdf") else float(law <= x)


def _nothing_lost(reservation: float, *, margin: float, checkpoint_cost: Any) -> float:
    """Forget that an incomplete checkpoint saves nothing."""
    del checkpoint_cost
    return max(reservation - margin, 0.0)


def _too_late(reservation: float, *, margin: float, checkpoint_cost: Any) -> float:
    """Take the tail for the cdf."""
    return max(reservation - margin, 0.0) * (1.0 - _chance(checkpoint_cost, margin))


def _until_done(reservation: float, *, margin: float, checkpoint_cost: Any) -> float:
    """Count the time of the checkpoint as work."""
    return reservation * _chance(checkpoint_cost, margin)


def _mean_cost(reservation: float, *, checkpoint_cost: Any) -> float:
    """Begin the mean cost before the end."""
    return min(float(getattr(checkpoint_cost, "mean", checkpoint_cost)), reservation)


def _surely(reservation: float, *, checkpoint_cost: Any) -> float:
    """Begin where the checkpoint is complete with 99 %."""
    if not hasattr(checkpoint_cost, "ppf"):
        return min(float(checkpoint_cost), reservation)
    return min(float(checkpoint_cost.ppf(0.99)), reservation)


def _coarse(reservation: float, *, checkpoint_cost: Any) -> float:
    """Look at a hundred margins only."""
    x = np.linspace(0.0, reservation, 101)
    saved = [(reservation - each) * _chance(checkpoint_cost, each) for each in x.tolist()]
    return float(x[int(np.argmax(saved))])


MUTANTS = (
    Mutant(expected_saved_work, "an incomplete checkpoint saves all", _nothing_lost),
    Mutant(expected_saved_work, "tail for cdf", _too_late),
    Mutant(expected_saved_work, "the checkpoint counts as work", _until_done),
    Mutant(optimal_checkpoint_margin, "the mean cost", _mean_cost),
    Mutant(optimal_checkpoint_margin, "99 % of the costs", _surely),
    Mutant(optimal_checkpoint_margin, "a hundred margins", _coarse),
)
