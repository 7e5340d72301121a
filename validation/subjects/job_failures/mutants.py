"""Wrong predictions of the failures of one job; each changes one thing that the jobs do."""

from __future__ import annotations

from typing import Any

import numpy as np

from perfmodel.makespan import expected_makespan
from perfmodel.site import expected_failures, expected_lost_time, failure_probability
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _first_order(duration: Any, *, mtbf: Any) -> Any:
    return np.minimum(duration / mtbf, 1.0)


def _survival(duration: Any, *, mtbf: Any) -> Any:
    return np.exp(-duration / mtbf)


def _half_exposed(duration: Any, *, mtbf: Any) -> Any:
    return -np.expm1(-duration / (2.0 * mtbf))


def _recovery_is_safe(work: Any, *, recovery_cost: Any = 0.0, **job: Any) -> Any:
    del recovery_cost
    return expected_failures(work, **job)


def _rework_is_safe(work: Any, *, mtbf: Any, **job: Any) -> Any:
    rare = np.asarray(mtbf) * 1e9  # an mtbf so long that nothing is done again
    return expected_makespan(work, mtbf=rare, **job) / mtbf


def _always_final(work: Any, *, final_checkpoint: bool = True, **job: Any) -> Any:
    del final_checkpoint
    return expected_failures(work, **job)


def _short_beyond_700(
    work: Any, *, interval: Any, mtbf: Any, checkpoint_cost: Any, **job: Any
) -> Any:
    # Takes e^x - 1 for x where e^(recovery/mtbf) is large, which holds for short segments only.
    reading = np.asarray(job.get("recovery_cost", 0.0)) / mtbf
    costs = {"interval": interval, "mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    if np.all(reading < 700.0):
        return expected_failures(work, **costs, **job)
    pieces = np.ceil(np.asarray(work) / interval * (1.0 - 2.0**-48))
    busy = work + (pieces - 1.0 + job.get("final_checkpoint", True)) * checkpoint_cost
    with np.errstate(over="ignore"):
        return np.exp(reading + np.log(busy / mtbf))


def _half_a_segment(work: Any, *, interval: Any, mtbf: Any, **job: Any) -> Any:
    failures = expected_failures(work, interval=interval, mtbf=mtbf, **job)
    return failures * (np.minimum(interval, work) + job["checkpoint_cost"]) / 2.0


def _checkpoints_are_safe(work: Any, *, checkpoint_cost: Any, **job: Any) -> Any:
    return expected_lost_time(work, checkpoint_cost=0.0 * np.asarray(checkpoint_cost), **job)


def _an_mtbf_each(work: Any, *, mtbf: Any, **job: Any) -> Any:
    return expected_failures(work, mtbf=mtbf, **job) * mtbf


MUTANTS = (
    Mutant(failure_probability, "first order", _first_order),
    Mutant(failure_probability, "survival instead", _survival),
    Mutant(failure_probability, "failures at half their rate", _half_exposed),
    Mutant(expected_failures, "no failures during recovery", _recovery_is_safe),
    Mutant(expected_failures, "no failures during rework", _rework_is_safe),
    Mutant(expected_failures, "final checkpoint always written", _always_final),
    Mutant(expected_failures, "segments short where recovery is long", _short_beyond_700),
    Mutant(expected_lost_time, "half a segment per failure", _half_a_segment),
    Mutant(expected_lost_time, "no failures during checkpoints", _checkpoints_are_safe),
    Mutant(expected_lost_time, "a whole mtbf per failure", _an_mtbf_each),
)
