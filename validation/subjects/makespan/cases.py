"""The exact exponential model against the checkpointed job of `sim`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel.makespan import efficiency, expected_makespan, makespan_variance, waste
from sim.samplers import Exponential
from validation.judge.compare import (
    compare_mean,
    compare_number,
    compare_ratio,
    compare_variance,
)
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_makespans
from ..closed_forms.definitions import exactly
from ..closed_forms.definitions import expected_makespan as mean_from_the_model
from ..laws import Law, predictable, sampler

__all__ = ["CASES", "play"]

Predict = Callable[..., Any]


def play(seed: int, replications: int, **job: Any) -> npt.NDArray[np.float64]:
    """Return simulated makespans of the job of one point."""
    work, mtbf, downtime = job.pop("work"), job.pop("mtbf"), job.pop("downtime")
    return simulate_makespans(
        work,
        uptime=Exponential(mtbf),
        downtime=sampler(downtime),
        replications=replications,
        seed=seed,
        **job,
    )


def mean(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean wall time."""
    walls = play(budget.seed, budget.replications, **job)
    return compare_mean(ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the variance of the wall time."""
    walls = play(budget.seed, budget.replications, **job)
    return compare_variance(
        ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def useful_share(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the efficiency by the work of many runs over their wall time."""
    walls = play(budget.seed, budget.replications, **job)
    work = np.full_like(walls, job["work"])
    return compare_ratio(
        ask(predict, **job), work, walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def useless_share(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the waste by the wall time of many runs less their work, over their wall time."""
    walls = play(budget.seed, budget.replications, **job)
    return compare_ratio(
        ask(predict, **job),
        walls - job["work"],
        walls,
        alpha=budget.alpha,
        tolerance=budget.tolerance,
    )


def mean_of_many_segments(predict: Predict, budget: Budget, **job: float) -> Verdict:
    """Judge the mean of more segments than a simulation can play."""
    del budget
    known = float(exactly(mean_from_the_model, job))
    return compare_number(float(predict(**job)), known, tolerance=1e-10)


def ask(predict: Predict, **job: Any) -> float:
    """Return the value of `predict` for the job of one point."""
    job = {name: predictable(value) for name, value in job.items()}
    return float(predict(job.pop("work"), **job))


_NAMES = ("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime")
_jobs = partial(table, _NAMES)

# Costs comparable to the mtbf: there an error of the model shows.
HARSH = _jobs(
    (10.0, 10.0, 20.0, 2.0, 3.0, 1.0),
    (10.0, 10.0, 20.0, 2.0, 3.0, 20.0),
    (10.0, 2.0, 10.0, 1.0, 10.0, 5.0),
    (20.0, 20.0, 10.0, 5.0, 10.0, 5.0),
    (100.0, 100.0 / 30.0, 10.0, 0.3, 0.4, 0.5),
)
# A short last segment, one segment longer than the work, and no final checkpoint.
SHORT = _jobs((25.0, 10.0, 20.0, 8.0, 3.0, 1.0), (7.0, 10.0, 20.0, 8.0, 3.0, 1.0))
OPEN = _jobs(
    (25.0, 10.0, 20.0, 8.0, 3.0, 1.0), (20.0, 10.0, 20.0, 8.0, 3.0, 1.0), final_checkpoint=False
)
RANDOM_DOWNTIME = _jobs(
    (30.0, 10.0, 20.0, 1.0, 5.0, Law("Gamma", (0.5, 20.0))),
    (30.0, 10.0, 20.0, 1.0, 0.0, Law("LogNormal", (2.0, 0.6))),
)
# The defaults of wsj: a simulation shows an error of scale there, but hardly one of the model.
USUAL = _jobs((128.0, 2.0, 512.0, 0.2, 0.1, 2.0))
# So many long segments that the work has digits for the remainder, but few of them.
MANY = table(
    ("work", "interval", "mtbf", "checkpoint_cost"),
    (3.5e15, 6000.0, 37.7, 0.0),
    (1e13 + 2.0, 5.0, 0.05, 0.0),
    (1e12 + 0.5, 1.0, 0.02, 0.001),
)

ALL = HARSH + SHORT + OPEN + RANDOM_DOWNTIME + USUAL

CASES = (
    Case(expected_makespan, mean, ALL),
    Case(makespan_variance, variance, ALL, effort=4.0),
    Case(efficiency, useful_share, HARSH[:2] + OPEN[:1]),
    Case(waste, useless_share, HARSH[:2] + OPEN[:1] + USUAL),
    Case(expected_makespan, mean_of_many_segments, MANY, chance=False),
)
