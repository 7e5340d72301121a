"""Both conservative policies on a flat machine.

The waiting jobs are a linked list in queue order; those up to `reached` have a reservation in
the profile. Planning from nothing is needed only when a job ends before its planned end, and
goes only as far as the last job that could start now; the others are planned when they are needed.
"""

from __future__ import annotations

import numpy as np

from ..._compiled import compiled
from ...records import FloatArray, IntArray
from .structures import (
    BATCH,
    ENDS_FIRST,
    SUBMISSIONS_FIRST,
    earlier,
    earliest,
    forget_past,
    insert_running,
    planned_profile,
    pop,
    push,
    put_back,
    remove_running,
    reserve,
)


@compiled()
def conservative(  # noqa: PLR0912, PLR0915  (one loop over locals, for speed)
    submit: FloatArray,
    executed: FloatArray,
    planned: FloatArray,
    processors: IntArray,
    capacity: int,
    order: int,
    compress: bool,
) -> tuple[FloatArray, float]:
    """Return the start of every job [s], and the processor seconds left idle."""
    jobs = submit.size
    start = np.empty(jobs, np.float64)
    slot = np.full(jobs, np.inf, np.float64)
    following = np.empty(jobs, np.int64)
    first = last = reached = -1
    most = min(jobs, capacity)  # that can run at once
    end_times, end_turns = np.empty(most, np.float64), np.empty(most, np.int64)
    started = np.empty(jobs, np.int64)  # jobs in order of start, which orders equal ends
    run_ends, run_jobs = np.empty(most, np.float64), np.empty(most, np.int64)
    run_counts = np.empty(most, np.int64)
    times, levels = np.empty(4 * jobs + 4, np.float64), np.empty(4 * jobs + 4, np.int64)
    running = ends = starts = arrived = steps = 0
    freed = np.zeros(jobs, np.bool_)  # by an end that is still to be announced
    freed_at = -np.inf
    free = capacity
    valid, next_slot, next_wake = False, np.inf, np.inf
    now, idle = submit[0] if jobs else 0.0, 0.0
    while arrived < jobs or ends:
        submission = submit[arrived] if arrived < jobs else np.inf
        ending = end_times[0] if ends else np.inf
        instant = min(submission, ending)
        if compress:
            instant = min(instant, next_wake)
        idle += free * (instant - now)
        now = instant
        changed = False

        if order == SUBMISSIONS_FIRST and ending == now and freed_at < now:
            freed_at = now
            overdue = 0
            while overdue < running and run_ends[overdue] <= now:
                overdue += 1
            for place in range(overdue - 1, -1, -1):
                job = run_jobs[place]
                if start[job] + executed[job] == now:
                    freed[job] = changed = True
                    free += processors[job]
                    remove_running(run_ends, run_jobs, run_counts, running, run_ends[place], job)
                    running -= 1
        ended = False
        if ending == now and (order != SUBMISSIONS_FIRST or submission > now):
            while ends and end_times[0] == now and not (ended and order != BATCH):
                job = started[pop(end_times, end_turns, ends)]
                ends -= 1
                ended = True
                changed = True
                if not freed[job]:
                    free += processors[job]
                    planned_end = start[job] + planned[job]
                    remove_running(run_ends, run_jobs, run_counts, running, planned_end, job)
                    running -= 1
                    if planned_end > now and compress and valid:
                        steps = put_back(times, levels, steps, now, planned_end, processors[job])
                    elif planned_end > now:
                        valid = False
        newcomer = -1
        if submission == now and not (ended and order == ENDS_FIRST):
            newcomer = arrived
            while arrived < jobs and submit[arrived] == now:
                following[arrived] = -1
                if first < 0:
                    first = arrived
                else:
                    following[last] = arrived
                last = arrived
                arrived += 1
                if order != BATCH:
                    break

        if not valid or next_slot < now:
            steps = planned_profile(times, levels, now, free, run_ends, run_counts, running)
            valid, reached, changed = True, -1, True
        else:
            steps = forget_past(times, levels, steps, now)
            if compress and ended and reached >= 0:
                job = first
                while job >= 0:
                    count, length = processors[job], planned[job]
                    old, new = slot[job], earlier(times, levels, count, length, slot[job])
                    if new < old:
                        slot[job] = new
                        steps = put_back(times, levels, steps, old, old + length, count)
                        steps = reserve(times, levels, steps, new, new + length, count)
                    job = -1 if job == reached else following[job]

        # Walk the planned jobs if one is due, then plan up to the last that may start now.
        before, job, final = reached, first, -1
        if reached < 0 or compress or next_slot <= now:
            before, next_slot, next_wake = -1, np.inf, np.inf
        else:
            job = following[reached]
        planning = before == reached
        while job >= 0:
            after, count, length = following[job], processors[job], planned[job]
            if planning:
                if final < 0:
                    final = last
                    if not compress:
                        final = _last_startable(following, processors, free, job, newcomer, changed)
                        if final < 0:
                            break
                slot[job] = earliest(times, levels, steps, count, length)
                steps = reserve(times, levels, steps, slot[job], slot[job] + length, count)
                reached = job
            planning = planning or job == reached
            if slot[job] <= now and count <= free:
                start[job] = now
                free -= count
                push(end_times, end_turns, ends, now + executed[job], starts)
                started[starts] = job
                starts += 1
                ends += 1
                insert_running(run_ends, run_jobs, run_counts, running, now + length, job, count)
                running += 1
                if before < 0:
                    first = after
                else:
                    following[before] = after
                if after < 0:
                    last = before
                if job == reached:
                    reached = before
            else:
                next_slot = min(next_slot, slot[job])
                if slot[job] > now:
                    next_wake = min(next_wake, slot[job])
                before = job
            if job == final:
                break
            job = after
    return start, idle


@compiled()
def _last_startable(
    following: IntArray, processors: IntArray, free: int, job: int, newcomer: int, changed: bool
) -> int:
    """Return the last job from `job` on that is not too large to start now, or -1.

    If nothing changed but for the newcomers, only they can have become startable.
    """
    final = -1
    job = job if changed or newcomer < 0 else newcomer
    while job >= 0:
        if processors[job] <= free:
            final = job
        job = following[job]
    return final
