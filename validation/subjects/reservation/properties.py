"""Random reservations over the documented range."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from perfmodel.interval import expected_saved_work, optimal_checkpoint_margin
from validation.judge.search import Property
from validation.ranges.points import between, strategy
from validation.ranges.sweeps import Sweep

from ..laws import Law, predictable
from .cases import most_saved, saved, saved_by_definition

__all__ = ["PROPERTIES", "SWEEPS"]


def _reservation(fraction: Callable[[], float]) -> dict[str, Any]:
    """Draw a reservation and a law of costs, of shapes from 1/2 to 20."""
    mean = between("checkpoint_cost", (1e-3, 1e3), fraction())
    shape = between("shape", (0.5, 20.0), fraction())
    sigma = between("sigma", (0.1, 1.5), fraction())
    laws = (
        Law("Gamma", (shape, mean / shape)),
        Law("LogNormal", (math.log(mean) - sigma**2 / 2.0, sigma)),
        Law("Weibull", (shape, mean)),
    )
    law = laws[min(int(3 * fraction()), 2)]
    whole = mean * between("reservation/checkpoint_cost", (0.1, 1000.0), fraction())
    return {"reservation": whole, "checkpoint_cost": law}


def _with_quantile(fraction: Callable[[], float]) -> dict[str, Any]:
    """Draw a margin within which some checkpoints are complete, and some are not."""
    point = _reservation(fraction)
    law = predictable(point["checkpoint_cost"])
    margin = float(law.ppf(between("probability", (0.05, 0.95), fraction())))
    return {**point, "margin": margin, "reservation": max(point["reservation"], 2.0 * margin)}


def _with_margin(fraction: Callable[[], float]) -> dict[str, Any]:
    point = _reservation(fraction)
    share = between("margin/reservation", (1e-3, 1.0), fraction())
    return {**point, "margin": point["reservation"] * share}


PROPERTIES = (Property(expected_saved_work, saved, strategy(_with_quantile)),)

SWEEPS = (
    Sweep(expected_saved_work, saved_by_definition, _with_margin, quick=20, full=2000),
    Sweep(optimal_checkpoint_margin, most_saved, _reservation, quick=10, full=1000),
)
