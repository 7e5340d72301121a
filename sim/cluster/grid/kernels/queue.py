"""The waiting jobs: an array in queue order (time, position in the log)."""

from __future__ import annotations

from typing import Any

from ....records import IntArray, Outcome
from ...kernels.decorators import kernel

__all__ = [
    "cancel_stranded",
    "enqueue",
    "keep_waiting",
    "remove",
    "stand_last",
    "stands_before",
]

CANCELLED = int(Outcome.CANCELLED)
UNFINISHED = int(Outcome.UNFINISHED)


@kernel
def stands_before(jobs: Any, job: int, other: int) -> bool:
    """Return whether `job` stands before `other` in the queue."""
    one, two = jobs[job].queued_at, jobs[other].queued_at
    return bool(one < two or (one == two and job < other))


@kernel
def enqueue(now: Any, jobs: Any, queue: IntArray, newcomers: IntArray, job: int) -> None:
    """Let a job wait at its place in the queue."""
    if now.past == queue.size:  # twice as long as all jobs, so that half of it is behind the front
        for place in range(now.front, now.past):
            queue[place - now.front] = queue[place]
        now.past -= now.front
        now.front = 0
    here = now.past
    if here > now.front and stands_before(jobs, job, queue[here - 1]):
        here = _place_of(now, jobs, queue, job)
    for place in range(now.past, here, -1):
        queue[place] = queue[place - 1]
    queue[here] = job
    now.past += 1
    newcomers[now.newcomers] = job
    now.newcomers += 1


@kernel
def _place_of(now: Any, jobs: Any, queue: IntArray, job: int) -> int:
    """Return the place in `queue` of a job, or where it belongs."""
    low, high = now.front, now.past
    while low < high:
        middle = (low + high) >> 1
        if stands_before(jobs, queue[middle], job):
            low = middle + 1
        else:
            high = middle
    return int(low)


@kernel
def remove(now: Any, jobs: Any, queue: IntArray, job: int) -> None:
    """Take a waiting job out of the queue."""
    here = _place_of(now, jobs, queue, job)
    if here - now.front < now.past - here:
        for place in range(here, now.front, -1):
            queue[place] = queue[place - 1]
        now.front += 1
    else:
        now.past -= 1
        for place in range(here, now.past):
            queue[place] = queue[place + 1]


@kernel
def stand_last(now: Any, queue: IntArray, newcomers: IntArray) -> bool:
    """Return whether the end of the queue is the newcomers, in the order in which they came."""
    new = now.newcomers
    same = new <= now.past - now.front
    for place in range(new):
        same = same and queue[now.past - new + place] == newcomers[place]
    return same


@kernel
def cancel_stranded(
    now: Any, jobs: Any, pools: Any, choices: IntArray, queue: IntArray, newcomers: IntArray
) -> None:
    """Cancel what no suitable cluster can hold: of all jobs after a failure, else of the new."""
    cancelled = 0
    if now.hit:
        for place in range(now.front, now.past):
            cancelled += _cancel_if_stranded(now, jobs, pools, choices, queue[place])
    else:
        for place in range(now.newcomers):
            cancelled += _cancel_if_stranded(now, jobs, pools, choices, newcomers[place])
    if cancelled:
        now.past = now.front + keep_waiting(jobs, queue, now.front, now.past)
        now.newcomers = keep_waiting(jobs, newcomers, 0, now.newcomers)


@kernel
def _cancel_if_stranded(now: Any, jobs: Any, pools: Any, choices: IntArray, job: int) -> bool:
    one = jobs[job]
    for choice in range(choices.shape[1]):
        pool = choices[one.kind, choice]
        if pool < 0:
            break
        if one.processors <= pools[pool].up:
            return False
    one.outcome, one.end = CANCELLED, now.time
    now.left -= 1
    return True


@kernel
def keep_waiting(jobs: Any, listed: IntArray, first: int, past: int) -> int:
    """Close the ranks of the jobs in [first, past) that were not cancelled; return their number."""
    kept = 0
    for place in range(first, past):
        if jobs[listed[place]].outcome == UNFINISHED:
            listed[first + kept] = listed[place]
            kept += 1
    return kept
