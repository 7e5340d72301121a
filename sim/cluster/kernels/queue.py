"""The waiting jobs: a linked list in queue order (band, time, position in the log)."""

from __future__ import annotations

from typing import Any

from .decorators import inlined, kernel
from .line import stand_before, stand_last
from .state import UNPLANNED


@kernel
def stands_before(jobs: Any, job: int, other: int) -> bool:
    """Return whether `job` stands before `other` in the queue."""
    one, two = jobs[job], jobs[other]
    if one.band != two.band:
        return bool(one.band < two.band)
    if one.queued_at != two.queued_at:
        return bool(one.queued_at < two.queued_at)
    return job < other


@inlined
def enqueue(now: Any, jobs: Any, line: Any, blocks: Any, job: int) -> None:
    """Let a job wait at its place in the queue."""
    now.waiting += 1
    jobs[job].slot = UNPLANNED
    after, before = -1, now.last
    if now.failing and before >= 0 and stands_before(jobs, job, before):
        # A job that comes back may stand anywhere; one that is submitted, before lower bands.
        after = _first_behind(now, jobs, job)
        before = jobs[after].previous
        jobs[after].previous = job
        if now.lined:
            stand_before(now, jobs, line, blocks, job, after)
        now.changed = now.inserted = True
    else:
        now.last = job
        if now.lined:
            stand_last(now, jobs, line, blocks, job)
        if now.newcomer < 0:
            now.newcomer = job
    jobs[job].following, jobs[job].previous = after, before
    if before < 0:
        now.head = job
    else:
        jobs[before].following = job


@kernel
def _first_behind(now: Any, jobs: Any, job: int) -> int:
    """Return the first waiting job before which `job` stands, looked for from both ends."""
    high, low = now.head, now.last
    while not stands_before(jobs, job, high):
        if not stands_before(jobs, job, jobs[low].previous):
            return int(low)
        high, low = jobs[high].following, jobs[low].previous
    return int(high)


@inlined
def unlink(now: Any, jobs: Any, job: int) -> None:
    """Take a job out of the queue."""
    before, after = jobs[job].previous, jobs[job].following
    now.waiting -= 1
    if before < 0:
        now.head = after
    else:
        jobs[before].following = after
    if after < 0:
        now.last = before
    else:
        jobs[after].previous = before
