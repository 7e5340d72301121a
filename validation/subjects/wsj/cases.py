"""The model of wsj against its own process, and against a job whose rework can fail."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from perfmodel.makespan import wsj_mean, wsj_variance
from validation.judge.compare import compare_mean, compare_variance, measure_distance
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict

from ..cached_simulators import simulate_wsj_makespans
from ..laws import Law, sampler
from ..makespan.cases import ask, play

__all__ = ["CASES", "play_wsj"]

Predict = Callable[..., Any]


def play_wsj(seed: int, replications: int, **job: Any) -> npt.NDArray[np.float64]:
    """Return simulated makespans of the job of one point in the process of wsj."""
    laws = {name: sampler(job.pop(name)) for name in ("downtime", "recovery_cost") if name in job}
    return simulate_wsj_makespans(
        job.pop("work"), **laws, replications=replications, seed=seed, **job
    )


def mean(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the mean wall time, eqs (3), (11) and (12), in the process that they describe."""
    walls = play_wsj(budget.seed, budget.replications, **job)
    return compare_mean(ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance)


def variance(predict: Predict, budget: Budget, **job: Any) -> Verdict:
    """Judge the variance of the wall time, eqs (4) and (13), in the process that they describe."""
    walls = play_wsj(budget.seed, budget.replications, **job)
    return compare_variance(
        ask(predict, **job), walls, alpha=budget.alpha, tolerance=budget.tolerance
    )


def distance_of_mean(
    predict: Predict, budget: Budget, *, stated: float | None, **job: Any
) -> Verdict:
    """Report the distance of the mean from that of a job whose rework and checkpoints can fail."""
    walls = play(budget.seed, budget.replications, **job)
    return measure_distance(ask(predict, **job), walls, alpha=budget.alpha, stated=stated)


def distance_of_deviation(
    predict: Predict, budget: Budget, *, stated: float | None, **job: Any
) -> Verdict:
    """Report the distance of the deviation from that of a job whose rework can fail as well."""
    walls = play(budget.seed, budget.replications, **job)
    squares = (walls - walls.mean()) ** 2
    return measure_distance(ask(predict, **job), squares, alpha=budget.alpha, stated=stated)


_jobs = partial(table, ("work", "interval", "mtbf", "checkpoint_cost", "downtime"))

HARSH = _jobs(
    (128.0, 8.0, 8.0, 0.5, 1.0),
    (128.0, 16.0, 8.0, 0.0, Law("Exponential", (4.0,))),
    (64.0, 4.0, 32.0, 4.0, Law("Gamma", (0.5, 16.0))),
    (128.0, 4.0, 64.0, 0.0, Law("Exponential", (2.0,))),
)
USUAL = _jobs((128.0, 2.0, 512.0, 0.2, Law("Exponential", (2.0,))))

# A recovery cost of one's own in place of rework, eqs (3) and (4): a restart, a migration.
OWN = tuple(
    {**job, "recovery_cost": cost}
    for job, cost in zip(
        _jobs(
            (128.0, 8.0, 16.0, 0.5, Law("Exponential", (2.0,))),
            (64.0, 4.0, 8.0, 0.0, 1.0),
            (128.0, 2.0, 32.0, 0.2, Law("Gamma", (0.5, 4.0))),
        ),
        (Law("Gamma", (0.5, 8.0)), Law("Exponential", (6.0,)), 3.0),
        strict=True,
    )
)

# The model may be used if rework seldom fails; for that we state these bounds.
NEAR = tuple({"stated": 0.002, **job} for job in USUAL)
FAR = tuple({"stated": None, **job} for job in (*_jobs((128.0, 4.0, 16.0, 0.5, 1.0)), HARSH[0]))

CASES = (
    Case(wsj_mean, mean, HARSH + USUAL),
    Case(wsj_variance, variance, (HARSH[1], HARSH[0], HARSH[3]), effort=3.0),
    Case(wsj_variance, variance, HARSH[2:3], effort=6.0),
    Case(wsj_variance, variance, USUAL, effort=9.0),
    Case(wsj_mean, mean, OWN),
    Case(wsj_variance, variance, OWN, effort=6.0),
    Case(wsj_mean, distance_of_mean, NEAR + FAR),
    Case(wsj_variance, distance_of_deviation, FAR),
)
