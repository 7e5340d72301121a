"""A pass of the conservative policies on a flat machine.

The profile of free processors is kept from pass to pass while nothing upsets the plan. Without
`compress` the readable policy plans all jobs anew at every pass; that differs from the plan
before only if a job ended before its planned end, a node went or came, a job joined the queue
before others, or a planned start passed. It goes only as far as the last job that could start
now; the others are planned when they are needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray
from ..decorators import inlined, kernel
from ..heap import push
from ..queue import unlink
from ..state import COMPRESS, CONSERVATIVE, UNPLANNED, State
from ..structures import earlier, earliest, forget_past, put_back, reserve
from .attempts import start_anywhere


@inlined
def note_end(
    now: Any, jobs: Any, attempts: Any, times: FloatArray, levels: IntArray, turn: int
) -> None:
    """Adapt the plan to a job that has left the machine, perhaps before its planned end."""
    planned_end = attempts[turn].planned_end
    if planned_end <= now.time or now.policy < CONSERVATIVE:
        return
    if now.policy == COMPRESS and now.valid:
        count = jobs[attempts[turn].job].processors
        now.steps = put_back(times, levels, now.steps, now.time, planned_end, count)
    else:
        now.valid = False


@kernel
def planned_passes(state: State) -> None:
    """Make a pass, and one more for each band that a pass has come to, as all above it started."""
    now, jobs, unseen = state.now[0], state.jobs, True
    while unseen:
        if now.policy == CONSERVATIVE:
            _conservative_pass(state)
        else:
            _compress_pass(state)
        unseen = _is_other_band(now, jobs)


@kernel
def _conservative_pass(state: State) -> None:
    """Plan from nothing where the plan no longer holds, then start what is planned for now."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
    gaps, cells, times, levels = state.gaps, state.cells, state.times, state.levels
    if _is_void(now, jobs) or now.inserted:
        now.steps = _profile(now, comebacks, times, levels)
        now.valid, now.reached, now.changed = True, -1, True
    else:
        now.steps = forget_past(times, levels, now.steps, now.time)
    if now.reached < 0 or now.next_slot <= now.time:
        now.next_slot, job = np.inf, now.head
    else:
        job = _next(now, jobs, now.reached)
    planning, final = now.reached < 0 or job != now.head, -1
    while job >= 0:
        one, after = jobs[job], _next(now, jobs, job)
        if planning:
            if final < 0:
                final = _last_startable(now, jobs, job)
                if final < 0:
                    return
            one.slot = earliest(times, levels, now.steps, one.processors, one.planned)
            now.steps = _hold(now, one, times, levels)
            now.reached = job
        planning = planning or job == now.reached
        if one.slot <= now.time and one.processors <= now.idle:
            if job == now.reached:
                now.reached = one.previous
            unlink(now, jobs, job)
            start_anywhere(
                now, jobs, attempts, courses, checkpoints, ends, comebacks, gaps, cells, job
            )
        else:
            now.next_slot = min(now.next_slot, one.slot)
        if job == final:
            return
        job = after


@kernel
def _compress_pass(state: State) -> None:
    """Keep the plan; move jobs up if any job ended, then add the new ones."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
    gaps, cells, times, levels = state.gaps, state.cells, state.times, state.levels
    renewed = _is_void(now, jobs) or now.upset
    if renewed:
        now.steps = _profile(now, comebacks, times, levels)
        now.valid = True
    else:
        now.steps = forget_past(times, levels, now.steps, now.time)
    # If nothing else happened, only the newcomers have no place in the plan yet.
    moved = renewed or now.ended or now.inserted
    newcomer = now.newcomer
    if newcomer >= 0 and now.first_band and jobs[newcomer].band != jobs[now.head].band:
        newcomer = -1
    job = now.head if moved else newcomer
    while job >= 0:
        one = jobs[job]
        if renewed or one.slot == UNPLANNED:
            one.slot = earliest(times, levels, now.steps, one.processors, one.planned)
            now.steps = _hold(now, one, times, levels)
        elif now.ended:
            now.steps = _move_up(now, one, times, levels)
        job = _next(now, jobs, job)
    wake, job = now.next_slot, newcomer
    if moved or now.next_slot <= now.time:
        now.next_slot = wake = np.inf
        job = now.head
    while job >= 0:
        one, after = jobs[job], _next(now, jobs, job)
        # The processors of a job that was planned to end by now may still be held.
        if one.slot <= now.time and one.processors <= now.idle:
            unlink(now, jobs, job)
            start_anywhere(
                now, jobs, attempts, courses, checkpoints, ends, comebacks, gaps, cells, job
            )
        else:
            now.next_slot = min(now.next_slot, one.slot)
            if one.slot > now.time:
                wake = min(wake, one.slot)
        job = after
    now.wakes = 0  # what an earlier plan had due says nothing of this one
    if wake < np.inf:
        push(state.wakes, 0, wake, 0)
        now.wakes = 1


@inlined
def _next(now: Any, jobs: Any, job: int) -> int:
    """Return the next job that the policy considers, or -1."""
    after = jobs[job].following
    if after >= 0 and now.first_band and jobs[after].band != jobs[job].band:
        return -1
    return after


@inlined
def _is_other_band(now: Any, jobs: Any) -> bool:
    """Return whether the band to consider is not the one of the last plan."""
    return bool(now.first_band and now.head >= 0 and jobs[now.head].band != now.considered)


@kernel
def _is_void(now: Any, jobs: Any) -> bool:
    """Return whether the plan no longer holds: for one, because it was of another band."""
    if _is_other_band(now, jobs):
        now.considered = jobs[now.head].band
        return True
    return not now.valid or now.next_slot < now.time


@kernel
def _profile(now: Any, comebacks: Any, times: FloatArray, levels: IntArray) -> int:
    """Write the profile of what runs and what is out; return its number of steps."""
    times[0], levels[0] = now.time, now.idle
    steps = 1
    for place in range(now.running):
        if comebacks[place].time > times[steps - 1]:
            times[steps], levels[steps] = comebacks[place].time, levels[steps - 1]
            steps += 1
        levels[steps - 1] += comebacks[place].count
    return steps


@inlined
def _hold(now: Any, one: Any, times: FloatArray, levels: IntArray) -> int:
    """Take what a planned job needs out of the profile; return its number of steps."""
    if one.slot == np.inf:  # too few nodes will come back
        return int(now.steps)
    return reserve(times, levels, now.steps, one.slot, one.slot + one.planned, one.processors)


@inlined
def _move_up(now: Any, one: Any, times: FloatArray, levels: IntArray) -> int:
    """Give a planned job an earlier time if there is one now; return the number of steps."""
    if one.slot == np.inf:
        one.slot = earliest(times, levels, now.steps, one.processors, one.planned)
        return _hold(now, one, times, levels)
    count, old = one.processors, one.slot
    new = earlier(times, levels, count, one.planned, old)
    if new == old:
        return int(now.steps)
    one.slot = new
    steps = put_back(times, levels, now.steps, old, old + one.planned, count)
    return reserve(times, levels, steps, new, new + one.planned, count)


@kernel
def _last_startable(now: Any, jobs: Any, job: int) -> int:
    """Return the last job from `job` on that is not too large to start now, or -1.

    If nothing changed but for the newcomers, only they can have become startable.
    """
    final = -1
    job = job if now.changed or now.newcomer < 0 else now.newcomer
    while job >= 0:
        if jobs[job].processors <= now.idle:
            final = job
        job = _next(now, jobs, job)
    return final
