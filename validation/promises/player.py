"""The referee: what failures at known times do to a job, written apart from both libraries."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat

from .windows import Job

__all__ = ["makespan"]


def makespan(job: Job, failures: Iterable[float], waits: Iterable[float] = repeat(0.0)) -> float:
    """Return the time from the start until the job is done, [s], cut at the longest.

    After each failure the job stands still for what it `waits`, where nothing strikes it.
    """
    now, left = 0.0, job.work
    coming = iter(sorted(zip(failures, waits, strict=False)))
    failure, wait = next(coming, (float("inf"), 0.0))
    recover = False
    while left > 0.0 and now < job.longest:
        part = min(job.interval, left)
        # A remainder that rounding leaves is no segment of its own.
        part = left if left - part < 1e-9 * job.work else part
        end = now + (job.recovery_cost if recover else 0.0) + part + job.checkpoint_cost
        while failure <= now:
            failure, wait = next(coming, (float("inf"), 0.0))
        if failure < end:
            now, recover = failure + wait, True
        else:
            now, recover, left = end, False, left - part
    return min(now, job.longest)
