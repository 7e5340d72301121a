"""What is due when, on any machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...records import IntArray
from .decorators import inlined
from .heap import pop
from .queue import enqueue, stands_before
from .state import BATCH


@inlined
def first_due(now: Any, jobs: Any, ends: Any, repairs: Any, strikes: Any) -> float:
    """Return when the next job is submitted or ends, or the next node fails or is repaired, [s]."""
    time = np.inf
    if now.ends:
        time = ends[0].time
    if now.arrived < now.jobs:
        time = min(time, jobs[now.arrived].submit)
    if now.repairs:
        time = min(time, repairs[0].time)
    if now.struck < strikes.size:
        time = min(time, strikes[now.struck].time)
    return time


@inlined
def pass_time(now: Any, time: float) -> None:
    """Let time go on; sum up what is idle and down until then."""
    elapsed = time - max(now.time, now.first)
    if elapsed > 0.0:
        now.idle_sum += elapsed * now.idle
        now.down_sum += elapsed * now.down
    now.time = time


@inlined
def next_instant(state: Any, now: Any, jobs: Any, ends: Any) -> bool:
    """Let time go on to the next event; return whether there is one."""
    returns, wakes = state.returns, state.wakes
    while now.wakes and wakes[0].time <= now.time:
        pop(wakes, now.wakes)
        now.wakes -= 1
    time = first_due(now, jobs, ends, state.repairs, state.strikes)
    if now.returns:
        time = min(time, returns[0].time)
    if now.wakes:
        time = min(time, wakes[0].time)
    if time == np.inf:
        return False
    pass_time(now, time)
    now.inside, now.freed, now.submitting = True, False, False
    now.due_end = now.due_ends = 0
    if now.order != BATCH:
        while now.ends and ends[0].time <= time:
            state.due_ends[now.due_ends] = pop(ends, now.ends)
            now.due_ends += 1
            now.ends -= 1
    return True


@inlined
def failure_due(now: Any, repairs: Any, strikes: Any) -> bool:
    """Return whether a repair or a failure may be due."""
    return bool(
        (now.repairs and repairs[0].time <= now.time)
        or (now.struck < strikes.size and strikes[now.struck].time <= now.time)
    )


@inlined
def submit_next(
    now: Any, jobs: Any, line: Any, blocks: Any, returns: Any, due_jobs: IntArray
) -> bool:
    """Let the next job that is submitted or comes back now wait; return whether there was one."""
    if not now.submitting:
        now.submitting = True
        now.due_return = now.due_returns = 0
        while now.returns and returns[0].time <= now.time:
            job = pop(returns, now.returns)
            now.returns -= 1
            place = now.due_returns
            while place > 0 and stands_before(jobs, job, due_jobs[place - 1]):
                due_jobs[place] = due_jobs[place - 1]
                place -= 1
            due_jobs[place] = job
            now.due_returns += 1
    submits = now.arrived < now.jobs and jobs[now.arrived].submit <= now.time
    job = now.arrived
    if now.due_return < now.due_returns:
        back = due_jobs[now.due_return]
        if not submits or stands_before(jobs, back, job):
            now.due_return += 1
            enqueue(now, jobs, line, blocks, back)
            return True
    if submits:
        now.arrived += 1
        enqueue(now, jobs, line, blocks, job)
    return bool(submits)
