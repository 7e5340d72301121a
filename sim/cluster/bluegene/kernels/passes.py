"""A pass of Cobalt: who starts next; the readable twin is `cobalt`.

Jobs are scored once a pass, or after each start where the score asks how many wait, and ranked only
as far as the pass looks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.course import begin
from ...kernels.decorators import kernel
from ...kernels.queue import unlink
from ...order.kernels import score
from .costs import cheapest
from .machine import block, count_nodes, foresee, raise_until
from .state import State

__all__ = ["cobalt_pass", "start_on"]


@kernel
def cobalt_pass(state: State) -> bool:
    """Start jobs one at a time until none can; False if a score is not a number."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    fresh = True
    while True:
        if fresh:
            if now.head < 0:
                return True
            _consider(now, site, jobs, kinds, state.waiting)
        if not _any_idle(kinds):
            return True
        if fresh:
            if not _score(
                now,
                site,
                jobs,
                state.waiting,
                state.scores,
                state.heap,
                state.ops,
                state.numbers,
                state.stack,
            ):
                return False
            fresh = site.by_length
        rank, count = _choose(state)
        if rank < 0:
            return True
        job = state.waiting[state.order[rank]]
        partition = cheapest(
            site,
            state.nodes,
            state.strikes,
            state.after,
            state.detectable,
            state.false_alarms,
            state.parts,
            state.parents,
            state.users,
            state.idle,
            state.marks,
            state.candidates,
            count,
            now.time,
            now.time + jobs[job].planned,
        )
        for later in range(rank + 1, site.ranked):
            state.order[later - 1] = state.order[later]
        site.ranked -= 1
        kinds[jobs[job].kind].waiting -= 1
        unlink(now, jobs, job)
        start_on(state, job, partition)
        fresh = fresh or site.ranked + site.heaped == 0


@kernel
def start_on(state: State, job: int, partition: int) -> None:
    """Start a job that has left the queue on an idle partition."""
    now, site, jobs, attempts = state.now[0], state.site[0], state.jobs, state.attempts
    turn = now.starts
    begin(now, jobs, attempts, state.courses, state.checkpoints, state.ends, job)
    state.places[turn] = partition
    state.parts[partition].slot = site.running
    state.running[site.running] = turn
    site.running += 1
    block(state.parts, state.kinds, state.rivals, state.idle, partition)
    site.busy += state.parts[partition].nodes
    count_nodes(now, site)
    if site.known:
        raise_until(state.parts, state.rivals, state.until, partition, attempts[turn].planned_end)


@kernel
def _consider(now: Any, site: Any, jobs: Any, kinds: Any, waiting: IntArray) -> None:
    """List the waiting jobs that the pass considers, in queue order, and count them by kind."""
    for kind in range(kinds.size):
        kinds[kind].waiting = 0
    job, band = now.head, jobs[now.head].band
    site.listed = 0
    while job >= 0 and not (now.first_band and jobs[job].band != band):
        waiting[site.listed] = job
        site.listed += 1
        kinds[jobs[job].kind].waiting += 1
        job = jobs[job].following


@kernel
def _any_idle(kinds: Any) -> bool:
    """Return whether a job that is considered could use an idle partition."""
    found = False
    for kind in range(kinds.size):
        found = found or (kinds[kind].waiting > 0 and kinds[kind].idle > 0)
    return found


@kernel
def _score(
    now: Any,
    site: Any,
    jobs: Any,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    ops: IntArray,
    numbers: FloatArray,
    stack: FloatArray,
) -> bool:
    """Score the jobs that are considered, none of them ranked; False if one is not a number."""
    for place in range(site.listed):
        one = jobs[waiting[place]]
        scores[place] = score(
            ops,
            numbers,
            stack,
            now.time - one.queued_at,
            one.planned,
            one.nodes,
            one.log_nodes,
            site.smallest,
            float(site.listed),
        )
        if np.isnan(scores[place]):
            return False
        heap[place] = place
    site.ranked, site.heaped = 0, site.listed
    for place in range(site.heaped // 2 - 1, -1, -1):
        _sink(jobs, waiting, scores, heap, site.heaped, place)
    return True


@kernel
def _precedes(jobs: Any, waiting: IntArray, scores: FloatArray, one: int, two: int) -> bool:
    """Return whether the job at place `one` of `waiting` is tried before that at `two`."""
    first, second = jobs[waiting[one]].band, jobs[waiting[two]].band
    if first != second:
        return bool(first < second)
    if scores[one] != scores[two]:
        return bool(scores[one] > scores[two])
    return one < two


@kernel
def _sink(
    jobs: Any, waiting: IntArray, scores: FloatArray, heap: IntArray, size: int, place: int
) -> None:
    """Move an entry of the heap down to where it belongs."""
    entry = heap[place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and _precedes(jobs, waiting, scores, heap[child + 1], heap[child]):
            child += 1
        if _precedes(jobs, waiting, scores, entry, heap[child]):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = entry


@kernel
def _reach(
    site: Any,
    jobs: Any,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
    rank: int,
) -> bool:
    """Rank jobs up to `rank`, where at least those before it are; return whether there is one."""
    if rank < site.ranked:
        return True
    if site.heaped == 0:
        return False
    order[rank] = heap[0]
    site.ranked += 1
    site.heaped -= 1
    heap[0] = heap[site.heaped]
    _sink(jobs, waiting, scores, heap, site.heaped, 0)
    return True


@kernel
def _choose(state: State) -> tuple[int, int]:
    """Return the rank of the next job to start, or -1, and how many `candidates` it has."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    waiting, scores, heap, order = state.waiting, state.scores, state.heap, state.order
    members, idle, candidates = state.members, state.idle, state.candidates
    _reach(site, jobs, waiting, scores, heap, order, 0)
    kind = jobs[waiting[order[0]]].kind
    if kinds[kind].idle > 0:
        count = 0
        for place in range(kinds[kind].first, kinds[kind].past):
            if idle[members[place]]:
                candidates[count] = members[place]
                count += 1
        return 0, count
    if not site.known:
        foresee(
            now,
            site,
            state.attempts,
            state.nodes,
            state.holds,
            state.parts,
            state.rivals,
            state.users,
            state.reboots,
            state.alone,
            state.places,
            state.running,
            state.until,
        )
    rank, count = _try(
        now,
        site,
        jobs,
        kinds,
        members,
        state.parts,
        state.rivals,
        idle,
        state.until,
        state.drained,
        candidates,
        waiting,
        scores,
        heap,
        order,
    )
    if count:
        return rank, count
    return _backfill(
        now,
        site,
        jobs,
        kinds,
        members,
        idle,
        state.drained,
        candidates,
        waiting,
        scores,
        heap,
        order,
    )


@kernel
def _try(
    now: Any,
    site: Any,
    jobs: Any,
    kinds: Any,
    members: IntArray,
    parts: Any,
    rivals: IntArray,
    idle: BoolArray,
    until: FloatArray,
    drained: FloatArray,
    candidates: IntArray,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
) -> tuple[int, int]:
    """Try those that may be tried before backfilling; each that cannot start drains a partition."""
    soonest = now.time + site.least_drain
    for partition in range(drained.size):
        drained[partition] = np.inf
    for kind in range(kinds.size):
        kinds[kind].drained = False
    top = order[0]
    band, fallback = jobs[waiting[top]].band, min(site.threshold * scores[top], scores[top])
    rank = 0
    while _reach(site, jobs, waiting, scores, heap, order, rank):
        place = order[rank]
        if jobs[waiting[place]].band != band:
            break
        if site.threshold != 0.0 and not scores[place] >= fallback:
            break
        one = kinds[jobs[waiting[place]].kind]
        rank += 1
        if one.drained:
            continue
        count, drain, free = _offered(
            one.first, one.past, members, idle, until, drained, candidates, soonest
        )
        if count:
            return rank - 1, count
        if drain < 0:
            one.drained = True
            continue
        drained[drain] = free
        for at in range(parts[drain].rivals, parts[drain].rivals_past):
            drained[rivals[at]] = min(drained[rivals[at]], free)
    return -1, 0


@kernel
def _offered(
    first: int,
    past: int,
    members: IntArray,
    idle: BoolArray,
    until: FloatArray,
    drained: FloatArray,
    candidates: IntArray,
    soonest: float,
) -> tuple[int, int, float]:
    """Go through partitions of a kind that do not drain yet: [first, past) of `members`.

    Return how many are idle, else which is free first, or -1, and when.
    """
    count, drain, free = 0, -1, np.inf
    for place in range(first, past):
        partition = members[place]
        if drained[partition] < np.inf:
            continue
        if idle[partition]:
            candidates[count] = partition
            count += 1
        elif drain < 0 or max(until[partition], soonest) < free:
            drain, free = partition, max(until[partition], soonest)
    return count, drain, free


@kernel
def _backfill(
    now: Any,
    site: Any,
    jobs: Any,
    kinds: Any,
    members: IntArray,
    idle: BoolArray,
    drained: FloatArray,
    candidates: IntArray,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
) -> tuple[int, int]:
    """Return the first job that ends before the drains of some idle partitions, and their count."""
    rank = 0
    while _reach(site, jobs, waiting, scores, heap, order, rank):
        job = waiting[order[rank]]
        one, end, count = kinds[jobs[job].kind], now.time + jobs[job].planned, 0
        if one.idle > 0:
            for place in range(one.first, one.past):
                partition = members[place]
                if idle[partition] and end <= drained[partition]:
                    candidates[count] = partition
                    count += 1
            if count:
                return rank, count
        rank += 1
    return -1, 0
