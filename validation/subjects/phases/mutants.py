"""Wrong mean makespans of tasks with barriers, each by one fault."""

from __future__ import annotations

from typing import Any

from perfmodel.completion import exact_makespan
from perfmodel.makespan import expected_makespan
from perfmodel.parallel import expected_makespan_phases, slowest_of
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _no_barriers(work: float, *, phases: int, tasks: int, **job: Any) -> float:
    """Return the slowest of tasks that meet at the end only, of as many segments."""
    job["interval"] = min(job["interval"], work / phases)
    return float(slowest_of(exact_makespan(work, **job), tasks).mean)


def _one_task(work: float, *, phases: int, tasks: int, **job: Any) -> float:
    """Return the mean of one task."""
    del tasks
    return phases * float(expected_makespan(work / phases, **job))


def _all_at_once(work: float, *, phases: int, tasks: int, **job: Any) -> float:
    """Return each phase as long as the slowest part of all phases."""
    return phases * float(slowest_of(exact_makespan(work / phases, **job), phases * tasks).mean)


def _no_checkpoint_at_barriers(work: float, *, phases: int, tasks: int, **job: Any) -> float:
    law = exact_makespan(work / phases, **job, final_checkpoint=False)
    return phases * float(slowest_of(law, tasks).mean)


MUTANTS = tuple(
    Mutant(expected_makespan_phases, fault, wrong)
    for fault, wrong in (
        ("no barriers", _no_barriers),
        ("one task", _one_task),
        ("the slowest of all phases in each", _all_at_once),
        ("no checkpoint at barriers", _no_checkpoint_at_barriers),
    )
)
