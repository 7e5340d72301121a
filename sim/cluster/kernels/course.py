"""The course of an attempt in compiled code; its readable twin is `checkpointing.periodic`."""

from __future__ import annotations

from typing import Any

from .decorators import entry, inlined, kernel
from .heap import push


@kernel
def checkpoints_inside(interval: float, work: float) -> int:
    """Count the checkpoints inside `work`: after every whole interval that is not the last."""
    if interval >= work:
        return 0
    count = int(work / interval)
    while count and interval * count >= work:
        count -= 1
    return count


@kernel
def undisturbed(work: float, checkpoint: Any, read_back: float, final: bool) -> float:
    """Return the wall time of an attempt that executes `work` and is not struck, [s]."""
    count = checkpoints_inside(checkpoint.interval, work) + int(final)
    return read_back + work + count * checkpoint.cost


@kernel
def last_written(
    elapsed: float, work: float, checkpoint: Any, read_back: float
) -> tuple[float, float]:
    """Return what the last checkpoint complete after `elapsed` holds, and when it was; (0, -1)."""
    interval, cost = checkpoint.interval, checkpoint.cost
    low, high = 0, checkpoints_inside(interval, work)
    while low < high:
        middle = (low + high + 1) >> 1
        if read_back + middle * cost + interval * middle <= elapsed:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return 0.0, -1.0
    return interval * low, read_back + low * cost + interval * low


@kernel
def done_within(limit: float, work: float, checkpoint: Any, read_back: float) -> float:
    """Return what an attempt has executed of `work` when it is ended after `limit`, [s]."""
    saved, at = last_written(limit, work, checkpoint, read_back)
    if at < 0.0:
        return min(limit - min(read_back, limit), checkpoint.interval, work)
    return saved + min(limit - at, checkpoint.interval, work - saved)


@entry
def plan_first(work: Any, checkpoints: Any, final: bool, wall: Any) -> None:
    """Write the wall time of each job's first attempt, [s]."""
    for job in range(work.size):
        checkpoint = checkpoints[job if checkpoints.size > 1 else 0]
        wall[job] = min(undisturbed(work[job], checkpoint, 0.0, final), checkpoint.limit)


@entry
def executed_first(work: Any, checkpoints: Any, final: bool, done: Any) -> None:
    """Write what each job's first attempt executes of its `work` within its limit, [s]."""
    for job in range(work.size):
        checkpoint = checkpoints[job if checkpoints.size > 1 else 0]
        done[job] = work[job]
        if undisturbed(work[job], checkpoint, 0.0, final) > checkpoint.limit:
            done[job] = done_within(checkpoint.limit, work[job], checkpoint, 0.0)


@kernel
def plan_again(jobs: Any, checkpoints: Any, final: bool, job: int) -> None:
    """Plan the wall time of the next attempt of a job that failed."""
    one = jobs[job]
    checkpoint = checkpoints[job if checkpoints.size > 1 else 0]
    left = one.request - (one.saved if one.request < checkpoint.limit else 0.0)
    work = left if left > 0.0 else one.request
    wall = undisturbed(work, checkpoint, checkpoint.recovery, final)
    one.planned = min(wall, checkpoint.limit)


@inlined
def begin(
    now: Any, jobs: Any, attempts: Any, courses: Any, checkpoints: Any, ends: Any, job: int
) -> None:
    """Begin the next attempt of a job, on any machine."""
    turn, one = now.starts, jobs[job]
    wall = one.executed
    if now.failing or now.saving:
        checkpoint = checkpoints[job if checkpoints.size > 1 else 0]
        course = courses[turn]
        course.work = one.executed - one.saved
        course.read_back = checkpoint.recovery if one.attempts else 0.0
        wall = undisturbed(course.work, checkpoint, course.read_back, now.final)
        course.cut = wall > checkpoint.limit
        if course.cut:
            wall = checkpoint.limit
            course.useful = done_within(wall, course.work, checkpoint, course.read_back)
            course.read_back = min(course.read_back, wall)
        course.wall = wall
        one.attempts += 1
    attempt = attempts[turn]
    attempt.job, attempt.outcome = job, -1
    attempt.start, attempt.end = now.time, now.time + wall
    attempt.planned_end = now.time + one.planned
    push(ends, now.ends, attempt.end, turn)
    now.ends += 1
    now.starts += 1
