"""FCFS and EASY on a flat machine.

The waiting jobs are a linked list in queue order. After a pass the head's reservation (its time
and the processors spare then) stays valid until a job ends, so that an arrival is tested alone.
"""

from __future__ import annotations

import numpy as np

from ..._compiled import compiled
from ...records import FloatArray, IntArray
from .structures import (
    BATCH,
    ENDS_FIRST,
    SUBMISSIONS_FIRST,
    insert_running,
    pop,
    push,
    remove_running,
)


@compiled()
def easy(  # noqa: PLR0912, PLR0915  (one loop over locals, for speed)
    submit: FloatArray,
    executed: FloatArray,
    planned: FloatArray,
    processors: IntArray,
    capacity: int,
    order: int,
    backfill: bool,
) -> tuple[FloatArray, float]:
    """Return the start of every job [s], and the processor seconds left idle."""
    jobs = submit.size
    start = np.empty(jobs, np.float64)
    following = np.empty(jobs, np.int64)
    first = last = -1
    most = min(jobs, capacity)  # that can run at once
    end_times, end_turns = np.empty(most, np.float64), np.empty(most, np.int64)
    started = np.empty(jobs, np.int64)  # jobs in order of start, which orders equal ends
    run_ends, run_jobs = np.empty(most, np.float64), np.empty(most, np.int64)
    run_counts = np.empty(most, np.int64)
    running = ends = starts = arrived = 0
    freed = np.zeros(jobs, np.bool_)  # by an end that is still to be announced
    freed_at = -np.inf
    free = capacity
    reserved, time, spare = False, np.inf, 0
    now, idle = submit[0] if jobs else 0.0, 0.0
    while arrived < jobs or ends:
        submission = submit[arrived] if arrived < jobs else np.inf
        ending = end_times[0] if ends else np.inf
        instant = min(submission, ending)
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
                if not freed[job]:
                    changed = True  # jobs freed before had their pass
                    free += processors[job]
                    planned_end = start[job] + planned[job]
                    remove_running(run_ends, run_jobs, run_counts, running, planned_end, job)
                    running -= 1
        last_before, newcomer = last, -1
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

        if first < 0 or free == 0:
            reserved = reserved and not changed
            continue
        if reserved and not changed and time > now:
            before, job = last_before, newcomer  # no other job can start
        else:
            reserved = False
            before, job = -1, first
        while job >= 0 and free > 0:
            count = processors[job]
            after = following[job]
            ends_in_time = now + planned[job] <= time
            if count <= free and (not reserved or ends_in_time or count <= spare):
                if reserved and not ends_in_time:
                    spare -= count
                start[job] = now
                free -= count
                push(end_times, end_turns, ends, now + executed[job], starts)
                started[starts] = job
                starts += 1
                ends += 1
                planned_end = now + planned[job]
                insert_running(run_ends, run_jobs, run_counts, running, planned_end, job, count)
                running += 1
                if before < 0:
                    first = after
                else:
                    following[before] = after
                if after < 0:
                    last = before
            else:
                if not reserved:  # the head has to wait
                    if not backfill:
                        break
                    reserved, time, spare = True, np.inf, free - count
                    for place in range(running):
                        if spare >= 0 and run_ends[place] > time:
                            break
                        spare += run_counts[place]
                        if spare >= 0:
                            time = max(run_ends[place], now)
                before = job
            job = after
    return start, idle
