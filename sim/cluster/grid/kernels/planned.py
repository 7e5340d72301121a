"""The pass of conservative backfilling: reservations that are kept; the twin is `Plan`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from ...kernels.heap import pop, push
from ...kernels.structures import forget_past, reserve
from .attempts import start
from .plan import earliest_or_never
from .queue import keep_waiting, remove, stand_last, stands_before

__all__ = ["planned_pass", "start_due", "update_profile"]

NEVER, ANEW = np.inf, -np.inf  # slots of jobs that have none, or whose reservation was given up


@kernel
def planned_pass(
    now: Any,
    jobs: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    choices: IntArray,
    queue: IntArray,
    newcomers: IntArray,
    ends: Any,
    comebacks: Any,
    due: Any,
    due_jobs: IntArray,
    unplaced: IntArray,
    times: FloatArray,
    free: IntArray,
    paces: FloatArray,
) -> None:
    """Bring the plan up to date, then start what is planned for now."""
    now.unplaced = keep_waiting(jobs, unplaced, 0, now.unplaced)
    if _upset(now, jobs, pools, queue, newcomers, comebacks, due):
        now.due = 0
        _plan_anew(
            now, jobs, pools, choices, queue, comebacks, due, unplaced, times, free, paces, True
        )
    else:
        touched = False
        for pool in range(pools.size):
            touched = touched or pools[pool].touched
        if touched:
            _plan_anew(
                now,
                jobs,
                pools,
                choices,
                queue,
                comebacks,
                due,
                unplaced,
                times,
                free,
                paces,
                False,
            )
        for place in range(now.newcomers):
            job = newcomers[place]
            _settle(now, jobs, pools, choices, comebacks, due, unplaced, times, free, paces, job)
    for pool in range(pools.size):
        pools[pool].touched = False
    start_due(
        now, jobs, attempts, pools, machines, cells, queue, ends, comebacks, due, due_jobs, paces
    )


@kernel
def _upset(
    now: Any,
    jobs: Any,
    pools: Any,
    queue: IntArray,
    newcomers: IntArray,
    comebacks: Any,
    due: Any,
) -> bool:
    """Return whether the whole plan has to be made anew."""
    if now.early:
        return True
    while now.due and jobs[due[0].turn].slot != due[0].time:
        pop(due, now.due)  # of a reservation that was given up
        now.due -= 1
    if now.due and due[0].time < now.time:
        return True
    for pool in range(pools.size):
        there = pools[pool]
        if there.running and comebacks[there.base].time <= now.time:
            return True
    return not stand_last(now, queue, newcomers)


@kernel
def _plan_anew(
    now: Any,
    jobs: Any,
    pools: Any,
    choices: IntArray,
    queue: IntArray,
    comebacks: Any,
    due: Any,
    unplaced: IntArray,
    times: FloatArray,
    free: IntArray,
    paces: FloatArray,
    everything: bool,
) -> None:
    """Plan anew, in queue order, all jobs, or those that wait for clusters touched or for any."""
    for pool in range(pools.size):
        there = pools[pool]
        if everything or there.touched:
            job = there.head
            while job >= 0:
                jobs[job].slot, jobs[job].pool = ANEW, -1
                job = jobs[job].following
            there.head = there.last = -1
            there.listed = there.steps = 0
    for place in range(now.unplaced):
        jobs[unplaced[place]].slot = ANEW
    now.unplaced = 0
    for place in range(now.front, now.past):
        job = queue[place]
        if everything or jobs[job].slot == ANEW:
            _settle(now, jobs, pools, choices, comebacks, due, unplaced, times, free, paces, job)


@kernel
def _settle(
    now: Any,
    jobs: Any,
    pools: Any,
    choices: IntArray,
    comebacks: Any,
    due: Any,
    unplaced: IntArray,
    times: FloatArray,
    free: IntArray,
    paces: FloatArray,
    job: int,
) -> None:
    """Give a job its earliest reservation, or note that no cluster can hold it now."""
    one = jobs[job]
    best, where, lasting = np.inf, -1, 0.0
    for choice in range(choices.shape[1]):
        pool = choices[one.kind, choice]
        if pool < 0:
            break
        there = pools[pool]
        update_profile(now, there, comebacks, times[pool], free[pool])
        planned = one.planned * paces[one.pace, pool]
        begin = earliest_or_never(times[pool], free[pool], there.steps, one.processors, planned)
        if begin < best:
            best, where, lasting = begin, pool, planned
            if begin <= now.time:
                break
    one.slot, one.pool = best, where
    if where < 0:
        unplaced[now.unplaced] = job
        now.unplaced += 1
        return
    there = pools[where]
    there.steps = reserve(
        times[where], free[where], there.steps, best, best + lasting, one.processors
    )
    one.following, one.previous = -1, there.last
    if there.last < 0:
        there.head = job
    else:
        jobs[there.last].following = job
    there.last = job
    there.listed += 1
    push(due, now.due, best, job)
    now.due += 1


@kernel
def update_profile(now: Any, there: Any, comebacks: Any, times: FloatArray, free: IntArray) -> None:
    """Let the profile of a cluster begin now; make it of the running jobs where there is none."""
    if there.steps == 0:
        times[0], free[0] = now.time, there.free
        last = 0
        for place in range(there.base, there.base + there.running):
            time = max(comebacks[place].time, now.time)
            if time > times[last]:
                last += 1
                times[last], free[last] = time, free[last - 1]
            free[last] += comebacks[place].count
        there.steps = last + 1
    elif times[0] < now.time:
        there.steps = forget_past(times, free, there.steps, now.time)


@kernel
def start_due(
    now: Any,
    jobs: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    queue: IntArray,
    ends: Any,
    comebacks: Any,
    due: Any,
    due_jobs: IntArray,
    paces: FloatArray,
) -> None:
    """Start what is planned for now and finds its processors, in queue order."""
    count = 0
    while now.due and due[0].time <= now.time:
        time = due[0].time
        job = pop(due, now.due)
        now.due -= 1
        if jobs[job].slot != time:
            continue
        place = count
        while place > 0 and stands_before(jobs, job, due_jobs[place - 1]):
            place -= 1
        if place > 0 and due_jobs[place - 1] == job:
            continue
        for later in range(count, place, -1):
            due_jobs[later] = due_jobs[later - 1]
        due_jobs[place] = job
        count += 1
    for place in range(count):
        job = due_jobs[place]
        one = jobs[job]
        there = pools[one.pool]
        if one.processors > there.free:  # still held by a job that was planned to end by now
            push(due, now.due, one.slot, job)
            now.due += 1
            continue
        remove(now, jobs, queue, job)
        if one.previous < 0:
            there.head = one.following
        else:
            jobs[one.previous].following = one.following
        if one.following < 0:
            there.last = one.previous
        else:
            jobs[one.following].previous = one.previous
        there.listed -= 1
        start(now, jobs, attempts, pools, machines, cells, ends, comebacks, paces, job, one.pool)
        one.slot, one.pool = NEVER, -1
