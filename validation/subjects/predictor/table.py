"""The risk-based rule beside the optimum for recall and precision: the table of docs/prediction.md.

Run it with ``python -m validation.subjects.predictor.table``; the numbers are in units of the mtbf
/ 1000.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from perfmodel.interval import optimal_period_predicted, waste_predicted
from perfmodel.site import risk_based_interval
from perfmodel.validity import ValidityWarning

from .cases import simulated_waste

__all__ = ["PREDICTORS", "Compared", "compare", "table"]

PREDICTORS = ((0.0, 1.0), (0.3, 0.4), (0.7, 0.6), (0.7, 0.2), (0.9, 0.9))
COSTS = {"mtbf": 1000.0, "checkpoint_cost": 10.0, "proactive_cost": 5.0}
REQUESTS = 0.1  # time between two requests of a job, over the best period
FAILURES, SEED = 20_000.0, 1


@dataclass(frozen=True, slots=True)
class Compared:
    """One predictor: periods by the optimum and by the rule, and the waste at each.

    Parameters
    ----------
    recall, precision : float, [-]
        Recall and precision of the predictor.
    threshold : float, [time]
        Work at risk from which both act on a prediction: C_p/p.
    periods : tuple of float, [time]
        The optimum; the shortest period at which the rule allows every request; the period that
        the rule gives a job with a request every tenth of the optimum.
    predicted, simulated : tuple of float, [-]
        Waste at these periods by `waste_predicted` and by simulation.
    """

    recall: float
    precision: float
    threshold: float
    periods: tuple[float, ...]
    predicted: tuple[float, ...]
    simulated: tuple[float, ...]


def compare(recall: float, precision: float, *, seed: int = SEED) -> Compared:
    """Compare for one predictor; outside its alarms only unpredicted failures can strike."""
    point = {**COSTS, "recall": recall, "precision": precision}
    cost = COSTS["checkpoint_cost"]
    unforeseen = COSTS["mtbf"] / (1.0 - recall)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        best = float(optimal_period_predicted(**point))
        spans = np.linspace(0.3, 1.0, 7001) * best
        granted = risk_based_interval(spans, mtbf=unforeseen, checkpoint_cost=cost)
        every = float(spans[granted == spans].min())
        often = float(risk_based_interval(REQUESTS * best, mtbf=unforeseen, checkpoint_cost=cost))
        periods = (best, every + cost, often + cost)
        predicted = tuple(float(waste_predicted(period, **point)) for period in periods)
    simulated = tuple(
        float(simulated_waste(period, seed, FAILURES, **point).mean()) for period in periods
    )
    return Compared(
        recall, precision, COSTS["proactive_cost"] / precision, periods, predicted, simulated
    )


def table() -> str:
    """Return the table in Markdown."""
    lines = [
        "| recall | precision | act from | best period | waste | every request granted | waste "
        "| asked at a tenth | waste |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *_lines()])


def _lines() -> Iterator[str]:
    for predictor in PREDICTORS:
        row = compare(*predictor)
        cells = [f"{row.recall:g}", f"{row.precision:g}", f"{row.threshold:.1f}"]
        for period, predicted, seen in zip(row.periods, row.predicted, row.simulated, strict=True):
            cells += [f"{period:.0f}", f"{predicted:.4f} ({seen:.4f})"]
        yield "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print(table())
