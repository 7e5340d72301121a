"""Wrong means and numbers of iterations, each by one fault."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from perfmodel.makespan import expected_makespan_iterations, optimal_iterations
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _other(redone: str) -> Any:
    return "alike" if redone == "anew" else "anew"


def _wrong_mean(fault: str, iterations: int, **job: Any) -> Any:
    """Return the mean with one rule dropped or changed."""
    if fault == "mean length":
        job["iteration_time"] = job["iteration_time"].mean
    if fault == "redone the other way":
        job["redone"] = _other(job["redone"])
    if fault == "last segment treated as full":
        iterations = job["every"] * math.ceil(iterations / job["every"])
    if fault == "no last checkpoint unless it falls due":
        iterations = job["every"] * max(iterations // job["every"], 1)
    if fault == "one iteration more to each segment":
        job["every"] += 1
    if fault in ("recovery_cost", "downtime", "checkpoint_cost"):
        job[fault] = 0.0
    return expected_makespan_iterations(iterations, **job)


def _young(*, iteration_time: Any, mtbf: float, checkpoint_cost: float, redone: str) -> float:
    """Return the number nearest to Young's interval."""
    del redone
    return max(float(np.round(math.sqrt(2.0 * mtbf * checkpoint_cost) / iteration_time.mean)), 1.0)


def _shifted(by: float, **given: Any) -> float:
    return max(float(optimal_iterations(**given)) + by, 1.0)


def _of_the_mean(*, iteration_time: Any, **given: Any) -> Any:
    return optimal_iterations(iteration_time=iteration_time.mean, **given)


def _of_the_other(*, redone: str, **given: Any) -> Any:
    return optimal_iterations(redone=_other(redone), **given)


MUTANTS = (
    *(
        Mutant(expected_makespan_iterations, fault, partial(_wrong_mean, fault))
        for fault in (
            "mean length",
            "redone the other way",
            "last segment treated as full",
            "no last checkpoint unless it falls due",
            "one iteration more to each segment",
            "recovery_cost",
            "downtime",
            "checkpoint_cost",
        )
    ),
    *(
        Mutant(optimal_iterations, fault, wrong)
        for fault, wrong in (
            ("mean length", _of_the_mean),
            ("redone the other way", _of_the_other),
            ("nearest to Young's", _young),
            ("one more", partial(_shifted, 1.0)),
            ("one less", partial(_shifted, -1.0)),
        )
    ),
)
