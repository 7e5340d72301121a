"""The loop: what happens at each instant, by event order, with a pass of the policy after it.

The readable twin is `sim.cluster.loop.cluster`, which also has the words for the orders.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...records import FloatArray, IntArray, Outcome
from .attempts import leave
from .conservative import compress_pass, conservative_pass, note_end
from .decorators import inlined, kernel
from .easy import easy_pass
from .failures import repair_next, restart, strike_next
from .heap import pop
from .queue import enqueue, stands_before
from .state import BATCH, COMPRESS, CONSERVATIVE, ENDS_FIRST, State

__all__ = ["play"]

COMPLETED = int(Outcome.COMPLETED)


@kernel
def play(state: State) -> bool:
    """Play until `stop_at` jobs are left or nothing more can happen; False if a table is short."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
    gaps, cells, times, levels = state.gaps, state.cells, state.times, state.levels
    wakes = state.wakes
    while now.inside or now.left > now.stop_at:
        if now.starts + now.most >= attempts.size or now.wakes == wakes.size:
            return False
        # A pass uses each gap up, and cuts one for each start; old places stand side by side.
        if now.failing and now.cells + 3 * now.size > cells.size:
            return False
        if not now.inside and not _next_instant(state, now, jobs, ends):
            now.left = 0
            return True
        if now.order == BATCH:
            _batch(state, now, jobs, attempts, courses, comebacks, gaps, cells, times, levels)
        elif not _next_event(state):
            continue
        if now.holding and now.upset:
            restart(state)
        if now.policy == CONSERVATIVE:
            conservative_pass(state)
        elif now.policy == COMPRESS:
            compress_pass(state)
        else:
            easy_pass(now, jobs, attempts, courses, checkpoints, ends, comebacks, gaps, cells)
        now.newcomer = -1
        now.changed = now.inserted = now.ended = False
        now.upset = False
    return True


@inlined
def _next_instant(state: State, now: Any, jobs: Any, ends: Any) -> bool:
    """Let time go on to the next event; return whether there is one."""
    repairs, returns, strikes, wakes = state.repairs, state.returns, state.strikes, state.wakes
    while now.wakes and wakes[0].time <= now.time:
        pop(wakes, now.wakes)
        now.wakes -= 1
    time = np.inf
    if now.ends:
        time = ends[0].time
    if now.arrived < now.jobs:
        time = min(time, jobs[now.arrived].submit)
    if now.repairs:
        time = min(time, repairs[0].time)
    if now.returns:
        time = min(time, returns[0].time)
    if now.struck < strikes.size:
        time = min(time, strikes[now.struck].time)
    if now.wakes:
        time = min(time, wakes[0].time)
    if time == np.inf:
        return False
    elapsed = time - max(now.time, now.first)
    if elapsed > 0.0:
        now.idle_sum += elapsed * now.idle
        now.down_sum += elapsed * now.down
    now.time = time
    now.inside, now.freed, now.submitting = True, False, False
    now.due_end = now.due_ends = 0
    if now.order != BATCH:
        while now.ends and ends[0].time <= time:
            state.due_ends[now.due_ends] = pop(ends, now.ends)
            now.due_ends += 1
            now.ends -= 1
    return True


@inlined
def _batch(
    state: State,
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    comebacks: Any,
    gaps: Any,
    cells: Any,
    times: FloatArray,
    levels: IntArray,
) -> None:
    """Let all happen that is due."""
    ends, repairs, strikes = state.ends, state.repairs, state.strikes
    while now.ends and ends[0].time <= now.time:
        turn = pop(ends, now.ends)
        now.ends -= 1
        now.ended = True
        leave(now, jobs, attempts, courses, comebacks, gaps, cells, turn, COMPLETED)
        note_end(now, jobs, attempts, times, levels, turn)
        now.left -= 1
    while _failure_due(now, repairs, strikes) and (repair_next(state) or strike_next(state)):
        pass
    while _submit_next(now, jobs, state.returns, state.due_jobs):
        pass
    now.inside = False


@inlined
def _next_event(state: State) -> bool:
    """Let the next event happen, in an order with passes between; return whether one is due."""
    now, jobs, attempts, due_ends = state.now[0], state.jobs, state.attempts, state.due_ends
    if now.order != ENDS_FIRST:
        if not now.freed:
            now.freed = True
            for place in range(now.due_ends):
                if attempts[due_ends[place]].planned_end <= now.time:
                    _finish(state, due_ends[place])
        if _submit_next(now, jobs, state.returns, state.due_jobs):
            return True
    if now.due_end < now.due_ends:
        turn = due_ends[now.due_end]
        now.due_end += 1
        now.ended = True
        if attempts[turn].outcome < 0:
            _finish(state, turn)
        return True
    if _failure_due(now, state.repairs, state.strikes) and (
        repair_next(state) or strike_next(state)
    ):
        return True
    if now.order == ENDS_FIRST and _submit_next(now, jobs, state.returns, state.due_jobs):
        return True
    now.inside = False
    return bool(now.wakes > 0 and state.wakes[0].time <= now.time)


@inlined
def _finish(state: State, turn: int) -> None:
    """Let an attempt that nothing struck end now, and its job with it."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    comebacks, gaps, cells = state.comebacks, state.gaps, state.cells
    leave(now, jobs, attempts, courses, comebacks, gaps, cells, turn, COMPLETED)
    note_end(now, jobs, attempts, state.times, state.levels, turn)
    now.left -= 1


@inlined
def _failure_due(now: Any, repairs: Any, strikes: Any) -> bool:
    return bool(
        (now.repairs and repairs[0].time <= now.time)
        or (now.struck < strikes.size and strikes[now.struck].time <= now.time)
    )


@inlined
def _submit_next(now: Any, jobs: Any, returns: Any, due_jobs: IntArray) -> bool:
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
            enqueue(now, jobs, back)
            return True
    if submits:
        now.arrived += 1
        enqueue(now, jobs, job)
    return bool(submits)
