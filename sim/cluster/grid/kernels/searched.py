"""The pass of local search over the conservative plan; the twin is `LocalSearch`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...._compiled import compiled
from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from ...kernels.heap import push
from .plan import fill, vacate
from .planned import update_profile
from .search import local_search


@kernel
def ask_again(now: Any, pools: Any, wakes: Any) -> None:
    """Ask for the next search at the next whole period, if anything waits for its start."""
    if count_planned(pools) == 0:
        now.next_search = np.inf
    elif now.next_search == np.inf:
        now.next_search = (np.floor(now.time / now.period) + 1.0) * now.period
        if now.time < now.next_search < np.inf:
            # Rounding can leave two times, hardly three, that were asked for and are still to come.
            known = False
            for place in range(now.wakes):
                known = known or wakes[place].time == now.next_search
            if not known:
                push(wakes, now.wakes, now.next_search, 0)
                now.wakes += 1


@kernel
def count_planned(pools: Any) -> int:
    """Return how many jobs have a reservation."""
    count = 0
    for pool in range(pools.size):
        count += pools[pool].listed
    return count


@compiled()
def improve(
    now: Any,
    jobs: Any,
    pools: Any,
    choices: IntArray,
    comebacks: Any,
    due: Any,
    times: FloatArray,
    free: IntArray,
    paces: FloatArray,
    draws: FloatArray,
) -> None:
    """Search once over the plan as it stands."""
    count = count_planned(pools)
    index, pool_of = np.empty(count, np.int64), np.empty(count, np.int64)
    start, submit = np.empty(count), np.empty(count)
    planned = np.empty((pools.size, count))
    processors = np.empty(count, np.int64)
    lists = np.zeros((pools.size, count), np.int64)
    counts, steps = np.empty(pools.size, np.int64), np.empty(pools.size, np.int64)
    most = place = 0
    for pool in range(pools.size):
        there = pools[pool]
        update_profile(now, there, comebacks, times[pool], free[pool])
        counts[pool], steps[pool] = there.listed, there.steps
        most = max(most, there.steps)
        job, turn = there.head, 0
        while job >= 0:
            one = jobs[job]
            index[place], pool_of[place], lists[pool, turn] = job, pool, place
            start[place], submit[place] = one.slot, one.submit
            for elsewhere in range(pools.size):
                planned[elsewhere, place] = one.planned * paces[one.pace, elsewhere]
            processors[place] = one.processors
            job = one.following
            place += 1
            turn += 1
    all_times = np.empty((pools.size, most + 2 * count + 4))
    all_free = np.empty(all_times.shape, np.int64)
    for pool in range(pools.size):
        for step in range(steps[pool]):
            all_times[pool, step], all_free[pool, step] = times[pool, step], free[pool, step]
    vacate(all_times, all_free, steps, lists, counts, start, planned, processors)
    allowed = np.zeros((count, pools.size), np.bool_)
    for place in range(count):
        for choice in range(choices.shape[1]):
            pool = choices[jobs[index[place]].kind, choice]
            if pool < 0:
                break
            allowed[place, pool] = processors[place] <= all_free[pool, steps[pool] - 1]
    tries = now.rounds * count
    _, accepted = local_search(
        all_times,
        all_free,
        steps,
        lists,
        counts,
        pool_of,
        start,
        processors,
        planned,
        submit,
        allowed,
        draws[now.drawn : now.drawn + tries],
        np.array([now.of_slowdown, now.of_wait, now.of_response]),
        now.budget,
    )
    now.drawn += tries
    if accepted:
        fill(all_times, all_free, steps, lists, counts, start, planned, processors)
        for pool in range(pools.size):
            pools[pool].steps = steps[pool]
            for step in range(steps[pool]):
                times[pool, step], free[pool, step] = all_times[pool, step], all_free[pool, step]
        _adopt(now, jobs, pools, due, index, lists, counts, start)


@kernel
def _adopt(
    now: Any,
    jobs: Any,
    pools: Any,
    due: Any,
    index: IntArray,
    lists: IntArray,
    counts: IntArray,
    start: FloatArray,
) -> None:
    """Make the schedule of these lists the plan."""
    now.due = 0
    for pool in range(pools.size):
        there = pools[pool]
        there.head = there.last = -1
        there.listed = counts[pool]
        for turn in range(counts[pool]):
            place = lists[pool, turn]
            job = index[place]
            one = jobs[job]
            one.pool, one.slot = pool, start[place]
            one.following, one.previous = -1, there.last
            if there.last < 0:
                there.head = job
            else:
                jobs[there.last].following = job
            there.last = job
            push(due, now.due, one.slot, job)
            now.due += 1
