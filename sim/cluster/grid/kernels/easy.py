"""The passes of FCFS and of EASY; the twins are `GridFcfs` and `GridEasy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from .attempts import best_with_room, start
from .queue import stand_last


@kernel
def fcfs_pass(
    now: Any,
    jobs: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    choices: IntArray,
    queue: IntArray,
    ends: Any,
    comebacks: Any,
    paces: FloatArray,
) -> bool:
    """Start the head as long as it fits; return whether one started."""
    moved = False
    while now.front < now.past:
        job = queue[now.front]
        pool = best_with_room(jobs, pools, choices, job)
        if pool < 0:
            break
        now.front += 1
        start(now, jobs, attempts, pools, machines, cells, ends, comebacks, paces, job, pool)
        moved = True
    return moved


@kernel
def easy_pass(
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
    paces: FloatArray,
) -> None:
    """Start the head as long as it fits, then those behind it that may."""
    changed = False
    for pool in range(pools.size):
        there = pools[pool]
        there.changed = there.touched or there.free != there.known
        there.touched = False
        changed = changed or there.changed
    moved = fcfs_pass(
        now, jobs, attempts, pools, machines, cells, choices, queue, ends, comebacks, paces
    )
    if now.past - now.front < 2 or now.idle == 0:
        now.head = -1
    else:
        head, new = queue[now.front], now.newcomers
        known = now.head == head and not moved
        if not known or changed or now.reserved_at <= now.time:
            same = _reserve(now, jobs, pools, choices, comebacks, head)
            known = known and same
        known = known and stand_last(now, queue, newcomers)
        now.head = head
        first = now.front + 1
        if known and changed:
            part = now.past - new
            _backfill(
                now,
                jobs,
                attempts,
                pools,
                machines,
                cells,
                choices,
                queue,
                ends,
                comebacks,
                paces,
                first,
                part,
                False,
            )
        if known:
            first = max(now.past - new, now.front + 1)
        _backfill(
            now,
            jobs,
            attempts,
            pools,
            machines,
            cells,
            choices,
            queue,
            ends,
            comebacks,
            paces,
            first,
            now.past,
            True,
        )
    for pool in range(pools.size):
        pools[pool].known = pools[pool].free


@kernel
def _most_free(pools: Any, everywhere: bool) -> int:
    """Return the free processors of the cluster with most, of all or of the changed ones."""
    most = 0
    for pool in range(pools.size):
        if (everywhere or pools[pool].changed) and pools[pool].free > most:
            most = pools[pool].free
    return most


@kernel
def _backfill(
    now: Any,
    jobs: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    choices: IntArray,
    queue: IntArray,
    ends: Any,
    comebacks: Any,
    paces: FloatArray,
    first: int,
    last: int,
    everywhere: bool,
) -> None:
    """Start those jobs of queue[first:last] that fit and do not delay the head."""
    room = _most_free(pools, everywhere)
    kept = place = first
    while place < last and room > 0:
        job = queue[place]
        one = jobs[job]
        where = -1
        if one.processors <= room:
            for choice in range(choices.shape[1]):
                pool = choices[one.kind, choice]
                if pool < 0:
                    break
                there = pools[pool]
                if one.processors > there.free or not (everywhere or there.changed):
                    continue
                planned = one.planned * paces[one.pace, pool]
                if pool == now.reserved and now.time + planned > now.reserved_at:
                    if one.processors > now.spare:
                        continue
                    now.spare -= one.processors
                where = pool
                break
        if where >= 0:
            start(now, jobs, attempts, pools, machines, cells, ends, comebacks, paces, job, where)
            room = _most_free(pools, everywhere)
        else:
            queue[kept] = job
            kept += 1
        place += 1
    if kept < place:
        while place < now.past:
            queue[kept] = queue[place]
            kept += 1
            place += 1
        now.past = kept


@kernel
def _reserve(now: Any, jobs: Any, pools: Any, choices: IntArray, comebacks: Any, head: int) -> bool:
    """Note the head's cluster, time and the processors it leaves; return whether all is as was."""
    one = jobs[head]
    best, best_at, spare = -1, np.inf, 0
    for choice in range(choices.shape[1]):
        pool = choices[one.kind, choice]
        if pool < 0:
            break
        there = pools[pool]
        free, at = there.free, np.inf
        for place in range(there.base, there.base + there.running):
            time = max(comebacks[place].time, now.time)
            if (free >= one.processors and time > at) or time >= best_at:
                break
            free += comebacks[place].count
            at = time
        if free >= one.processors and at < best_at:
            best, best_at, spare = pool, at, free - one.processors
    same = best == now.reserved and best_at == now.reserved_at and spare == now.spare
    now.reserved, now.reserved_at, now.spare = best, best_at, spare
    return bool(same)
