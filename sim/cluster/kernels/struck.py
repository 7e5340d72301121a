"""What becomes of attempts, jobs and nodes that were struck, on any machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...records import IntArray
from .course import last_written, plan_again
from .decorators import kernel
from .heap import pull, push
from .queue import enqueue
from .state import AT_REPAIR, AT_WALLTIME_END, NOT_AGAIN


@kernel
def note_struck(now: Any, struck: IntArray, begin: int, turn: int) -> None:
    """Add an attempt to those from `begin` on, which stand by start."""
    into = now.struck_attempts
    while into > begin and struck[into - 1] > turn:
        struck[into] = struck[into - 1]
        into -= 1
    struck[into] = turn
    now.struck_attempts += 1


@kernel
def split_time(course: Any, elapsed: float, saved: float, at: float) -> None:
    """Note where the time of a struck attempt went: `saved` was safe by `at`, < 0: nothing was."""
    if at < 0.0:
        course.read_back = min(elapsed, course.read_back)
        course.lost = elapsed - course.read_back
        course.written = 0.0
    else:
        course.lost = elapsed - at
        course.written = at - saved - course.read_back
    course.useful = saved


@kernel
def note_failure(
    now: Any, jobs: Any, attempts: Any, courses: Any, checkpoints: Any, ends: Any, turn: int
) -> None:
    """Note where the time of an attempt went that is struck now, and that it will not end."""
    attempt, course = attempts[turn], courses[turn]
    checkpoint = checkpoints[attempt.job if checkpoints.size > 1 else 0]
    elapsed = now.time - attempt.start
    saved, at = last_written(elapsed, course.work, checkpoint, course.read_back)
    split_time(course, elapsed, saved, at)
    jobs[attempt.job].saved += saved
    pull(ends, now.ends, turn)
    now.ends -= 1


@kernel
def note_outage(now: Any, outages: Any, nodes: Any, node: int, until: float, begin: int) -> None:
    """Note an outage; those of the node that are still open end with it."""
    this, one = now.outages, nodes[node]
    outages[this].node, outages[this].start = node, now.time
    outages[this].begin, outages[this].past = begin, now.struck_attempts
    outages[this].next, one.outage = one.outage, this
    now.outages += 1
    while this >= 0:
        outages[this].end = until
        this = outages[this].next


@kernel
def come_back(state: Any, turn: int, repaired: float) -> bool:
    """Let the job of an attempt that failed come back; False if it waits for its old place."""
    now, attempt = state.now[0], state.attempts[turn]
    job = attempt.job
    one = state.jobs[job]
    option = state.options[state.option[job if state.option.size > 1 else 0]]
    if option.returns == NOT_AGAIN:
        now.left -= 1
        return True
    if option.same_place and repaired < np.inf:
        return False
    at = now.time
    if option.returns == AT_WALLTIME_END:
        at = max(now.time, attempt.planned_end)
    elif option.returns == AT_REPAIR:
        at = repaired
    plan_again(state.jobs, state.checkpoints, now.final, job)
    one.band = option.band
    one.queued_at = at if option.by_return else one.submit
    if at <= now.time:
        enqueue(now, state.jobs, state.line, state.blocks, job)
    elif at < np.inf:
        push(state.returns, now.returns, at, job)
        now.returns += 1
    return True
