"""Jobs on spot machines, against simulated ones and against their definition at many digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from perfmodel.spot import (
    deadline_probability_spot,
    expected_cost_safety_net,
    spot_probability_safety_net,
)
from sim.samplers import Exponential
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import case

from ..by_definition import swept
from ..cached_simulators import simulate_spot_jobs
from .definitions import alone, cost, on_spot

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]


def _played(
    budget: Budget, work: float, spot_life: float, spot_gap: float, **job: Any
) -> FloatArray:
    return simulate_spot_jobs(
        work,
        spot_life=Exponential(spot_life),
        spot_gap=Exponential(spot_gap),
        **job,
        replications=budget.replications,
        seed=budget.seed,
    )


def money(
    predict: Predict, budget: Budget, *, spot_price: float, on_demand_price: float, **job: Any
) -> Verdict:
    """Judge by the mean cost of simulated jobs, which all meet the deadline."""
    played = _played(budget, **job)
    paid = spot_price * played[:, 1] + on_demand_price * played[:, 2]
    # A job that were late would count as dear as the whole sample.
    paid = paid + np.where(played[:, 0] <= job["deadline"] * (1.0 + 1e-12), 0.0, paid.sum())
    found = float(predict(**job, spot_price=spot_price, on_demand_price=on_demand_price))
    return compare_mean(found, paid, alpha=budget.alpha, tolerance=budget.tolerance)


def never_on_demand(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge by the share of simulated jobs that end on a spot machine."""
    cheap = (_played(budget, **job)[:, 2] == 0.0).astype(float)
    found = float(predict(**job))
    return compare_mean(found, cheap, alpha=budget.alpha, tolerance=budget.tolerance)


def in_time(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge by the share of simulated jobs without a fall-back that meet the deadline."""
    ends = _played(budget, **job, fall_back=False)[:, 0]
    found = float(predict(**job))
    return compare_mean(
        found,
        (ends <= job["deadline"]).astype(float),
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


# Several losses, and starts that count.
JOBS = table(
    ("work", "deadline", "spot_life", "spot_gap", "start_time"),
    (24.0, 36.0, 10.0, 2.0, 0.5),
    (10.0, 16.0, 3.0, 1.0, 0.4),
)
_PRICED = tuple({**job, "spot_price": 1.2, "on_demand_price": 4.0} for job in JOBS)

SWEEPS = (
    swept(expected_cost_safety_net, cost, quick=8, full=300),
    swept(spot_probability_safety_net, on_spot, quick=8, full=300, agree=1e-10),
    swept(deadline_probability_spot, alone, quick=8, full=300, agree=1e-10),
)
CASES = (
    Case(expected_cost_safety_net, money, _PRICED, effort=0.2),
    Case(spot_probability_safety_net, never_on_demand, JOBS[:1], effort=0.3),
    Case(deadline_probability_spot, in_time, JOBS[:1], effort=0.3),
    *(case(sweep) for sweep in SWEEPS),
)
FULL = (
    Case(spot_probability_safety_net, never_on_demand, JOBS, effort=1.0),
    Case(deadline_probability_spot, in_time, JOBS, effort=1.0),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
