"""Make records of the objects of the loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...records import AttemptRecords, FloatArray, IntArray, JobRecords
from ..workload import Workload
from .jobs import Ended, Job


def from_loop(
    workload: Workload, jobs: Sequence[Job], ended: Sequence[Ended], *, numbered: bool
) -> tuple[JobRecords, AttemptRecords]:
    """Return the records of the general loop; `numbered` placements are kept."""
    ended = sorted(ended, key=lambda row: (row.end, row.attempt.start, row.attempt.job.index))
    attempts = [row.attempt for row in ended]
    progress = np.array([row.progress for row in ended], dtype=np.float64).reshape(-1, 4)
    return JobRecords(
        job=workload.job,
        submit=workload.submit,
        first_start=_floats([job.first_start for job in jobs]),
        start=_floats([job.start for job in jobs]),
        end=_floats([job.end for job in jobs]),
        processors=workload.processors,
        runtime=workload.runtime,
        walltime=workload.walltime,
        executed=_floats([job.executed for job in jobs]),
        undisturbed=_floats([job.undisturbed for job in jobs]),
        attempts=_ints([job.attempts for job in jobs]),
        failures=_ints([job.failures for job in jobs]),
        outcome=_ints([job.outcome for job in jobs]),
        user=workload.user,
    ), AttemptRecords(
        position=_ints([attempt.job.index for attempt in attempts]),
        start=_floats([attempt.start for attempt in attempts]),
        end=_floats([row.end for row in ended]),
        outcome=_ints([row.outcome for row in ended]),
        processors=_ints([attempt.units for attempt in attempts]),
        useful=progress[:, 0],
        lost=progress[:, 1],
        checkpoint=progress[:, 2],
        recovery=progress[:, 3],
        placement=tuple(attempt.placement for attempt in attempts) if numbered else None,
        turn=_ints([attempt.turn for attempt in attempts]),
    )


def _floats(values: Sequence[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)


def _ints(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.int64)
