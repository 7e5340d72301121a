"""Wrong waste and wrong periods with a predictor, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel.interval import optimal_period_predicted, waste_predicted
from validation.judge.run import Mutant

__all__ = ["MUTANTS", "right_period", "right_waste"]


def right_waste(
    period: float,
    *,
    mtbf: float,
    checkpoint_cost: float,
    proactive_cost: float,
    recall: float,
    precision: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    fault: str = "",
) -> float:
    """Return the waste as a sum over kinds of events, with a fault if one is named."""
    r = 0.0 if fault == "recall ignored" else recall
    p = 1.0 if fault == "false alarms free" else precision
    worth = proactive_cost / (1.0 if fault == "acted upon always" else precision)
    late = max(1.0 - worth / period, 0.0)  # share of the instants at which a job acts
    if fault == "acted upon always":
        late = 1.0
    saving = 0.0 if fault == "proactive checkpoints free" else r / p * late * proactive_cost
    early = r * (1.0 - late) * min(worth, period) / 2.0
    if fault == "early predictions cost nothing":
        early = 0.0
    back = 0.0 if fault == "recovery forgotten" else recovery_cost
    down = 0.0 if fault == "downtime forgotten" else downtime
    lost = (1.0 - r) * period / (1.0 if fault == "whole period lost" else 2.0)
    return checkpoint_cost / period + (lost + saving + early + back + down) / mtbf


def right_period(*, recall: float, fault: str = "", **costs: Any) -> float:
    """Return the best period, found by a search, with a fault if one is named."""
    if fault == "recall ignored":
        recall = 0.0
    if fault == "recall taken for certainty":
        recall = 0.99
    best = float(min(_GRID, key=lambda span: right_waste(span, recall=recall, **costs)))
    if fault == "half of it":
        best /= 2.0
    return best * (1.0 - recall) ** -0.5 if fault == "divided by 1 - r" else best


_GRID = [10.0 * 1.002**step for step in range(3000)]
_WASTE = (
    "recall ignored",
    "false alarms free",
    "proactive checkpoints free",
    "acted upon always",
    "early predictions cost nothing",
    "recovery forgotten",
    "downtime forgotten",
    "whole period lost",
)
_PERIOD = ("recall ignored", "recall taken for certainty", "half of it", "divided by 1 - r")

MUTANTS = (
    *(Mutant(waste_predicted, fault, partial(right_waste, fault=fault)) for fault in _WASTE),
    *(
        Mutant(optimal_period_predicted, fault, partial(right_period, fault=fault))
        for fault in _PERIOD
    ),
)
