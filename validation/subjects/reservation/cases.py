"""The work that a last checkpoint saves, against costs drawn by `sim`, and its best margin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from mpmath import mp  # type: ignore[import-untyped]

from perfmodel.interval import expected_saved_work, optimal_checkpoint_margin
from validation.judge.compare import compare_mean, compare_number
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..laws import Law, draw, predictable

__all__ = ["CASES", "most_saved", "saved", "saved_by_definition"]

Predict = Callable[..., Any]


def saved(
    predict: Predict, budget: Budget, *, reservation: float, margin: float, checkpoint_cost: Any
) -> Verdict:
    """Judge the mean work saved."""
    found = float(predict(reservation, margin=margin, checkpoint_cost=predictable(checkpoint_cost)))
    costs = draw(checkpoint_cost, seed=budget.seed, replications=budget.replications)
    kept = np.where(costs <= margin, reservation - margin, 0.0)
    return compare_mean(found, kept, alpha=budget.alpha, tolerance=budget.tolerance)


def saved_by_definition(
    predict: Predict, budget: Budget, *, reservation: float, margin: float, checkpoint_cost: Law
) -> Verdict:
    """Judge the mean work saved by the cdf of the law, as mpmath has it."""
    del budget
    found = predict(reservation, margin=margin, checkpoint_cost=predictable(checkpoint_cost))
    with mp.workdps(40):
        x = mp.mpf(margin)
        one, two = (mp.mpf(each) for each in checkpoint_cost.parameters)
        if checkpoint_cost.name == "Gamma":
            chance = mp.gammainc(one, 0, x / two, regularized=True)
        elif checkpoint_cost.name == "LogNormal":
            chance = mp.ncdf((mp.log(x) - one) / two)
        else:
            chance = -mp.expm1(-((x / two) ** one))
        known = float((mp.mpf(reservation) - x) * chance)
    if known < _NOTHING:
        return compare_number(1.0 + float(found), 1.0, tolerance=1e-15)
    return compare_number(float(found), known, tolerance=1e-10)


_NOTHING = 1e-280


def most_saved(
    predict: Predict, budget: Budget, *, reservation: float, checkpoint_cost: Any
) -> Verdict:
    """Expect that no other margin saves more: of a grid that is fine near it and near both ends."""
    del budget
    law = predictable(checkpoint_cost)
    best = float(predict(reservation, checkpoint_cost=law))
    gaps = np.geomspace(1e-9, 1.0, 4000)
    others = np.concatenate(
        [best * (1.0 - gaps), best * (1.0 + gaps), reservation * gaps, reservation * (1.0 - gaps)]
    )
    others = np.append(others[(others >= 0.0) & (others <= reservation)], best)
    if isinstance(checkpoint_cost, Law):
        chances = law.cdf(others)
    else:
        chances = (others >= law).astype(float)
        others = np.append(others, min(float(law), reservation))
        chances = np.append(chances, float(law <= reservation))
    kept = (reservation - others) * chances
    place = np.flatnonzero(others == best)[0]
    most = float(np.max(kept))
    if not 0.0 <= best <= reservation:
        return compare_number(best, min(max(best, 0.0), reservation), tolerance=0.0)
    return compare_number(1.0 + most, 1.0 + float(kept[place]), tolerance=1e-12 * (1.0 + most))


_NAMES = ("reservation", "margin", "checkpoint_cost")
EXPONENTIAL = Law("Exponential", (1.0,))
GAMMA = Law("Gamma", (4.0, 0.5))
LOGNORMAL = Law("LogNormal", (0.5, 1.0))
ENDS = table(_NAMES, (10.0, 2.0, EXPONENTIAL), (6.0, 2.5, GAMMA), (20.0, 4.0, LOGNORMAL))
_reservations = partial(table, ("reservation", "checkpoint_cost"))
MARGINS = _reservations(
    (10.0, EXPONENTIAL), (6.0, GAMMA), (20.0, LOGNORMAL), (10.0, 3.0), (0.5, EXPONENTIAL)
)

CASES = (
    Case(expected_saved_work, saved, ENDS),
    Case(optimal_checkpoint_margin, most_saved, MARGINS, chance=False),
)
