"""Cobalt's released schedulers; the readable twin is `schedulers.released`.

Until when an idle partition may be used is looked up only for sizes that a job asks about.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.decorators import kernel
from .machine import idle_of
from .ranking import draw, may_be_tried, precedes, reach
from .state import HEAD, State


@kernel
def no_drains(state: State) -> tuple[int, int]:
    """Return the rank of the next job to start, or -1, and how many `candidates` it has."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    waiting, scores, heap, order = state.waiting, state.scores, state.heap, state.order
    rank = _first_able(site, jobs, kinds, waiting, scores, heap, order, order[0], np.inf)
    if rank < 0:
        first_end = np.inf
        for slot in range(site.running):
            end = state.attempts[state.running[slot]].planned_end
            if end > now.time:
                first_end = min(first_end, end)
        if first_end == np.inf:
            return -1, 0
        window = first_end - now.time + site.slack
        rank = _first_able(site, jobs, kinds, waiting, scores, heap, order, -1, window)
    if rank < 0:
        return -1, 0
    one = kinds[jobs[waiting[order[rank]]].kind]
    return rank, idle_of(one, state.members, state.idle, state.candidates)


@kernel
def _first_able(
    site: Any,
    jobs: Any,
    kinds: Any,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
    top: int,
    window: float,
) -> int:
    """Return the rank of the best job that an idle partition can hold, or -1.

    With a `top` the first within its fall-back score; without one the longest within the `window`,
    the first of equals. Jobs are not ranked for it: one that leads the heap's is ranked alone.
    """
    best, found, longest = -1, -1, -np.inf
    for place in range(site.ranked + site.heaped):
        one = order[place] if place < site.ranked else heap[place - site.ranked]
        job = jobs[waiting[one]]
        if kinds[job.kind].idle == 0:
            continue
        if top < 0:
            if job.planned > window or job.planned < longest:
                continue
            better = job.planned > longest or precedes(jobs, waiting, scores, one, best)
        else:
            better = best < 0 or precedes(jobs, waiting, scores, one, best)
            better = better and may_be_tried(site, jobs, waiting, scores, top, one)
        if better:
            best, found, longest = one, place, job.planned
    if found < site.ranked:
        return found
    return draw(site, jobs, waiting, scores, heap, order, found - site.ranked)


@kernel
def shared_drains(state: State) -> tuple[int, int]:
    """Return the rank of the next job to start, or -1, and how many `candidates` it has."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    rank = _walk(
        now,
        site,
        jobs,
        kinds,
        state.members,
        state.parts,
        state.containers,
        state.withheld,
        state.idle,
        state.until,
        state.spared,
        state.waiting,
        state.scores,
        state.heap,
        state.order,
    )
    if rank < 0:
        return _backfill(
            now,
            site,
            jobs,
            kinds,
            state.members,
            state.parts,
            state.containers,
            state.idle,
            state.until,
            state.candidates,
            state.waiting,
            state.scores,
            state.heap,
            state.order,
        )
    one = kinds[jobs[state.waiting[state.order[rank]]].kind]
    return rank, idle_of(one, state.members, state.spared, state.candidates)


@kernel
def _walk(
    now: Any,
    site: Any,
    jobs: Any,
    kinds: Any,
    members: IntArray,
    parts: Any,
    containers: IntArray,
    withheld: IntArray,
    idle: BoolArray,
    until: FloatArray,
    spared: BoolArray,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
) -> int:
    """Return the rank of the first job for which the drains before it spare a partition, or -1."""
    soonest = now.time + site.least_drain
    for partition in range(idle.size):
        spared[partition] = idle[partition]
    for kind in range(kinds.size):
        kinds[kind].drained, kinds[kind].spared = False, kinds[kind].idle
    band, rank, known = jobs[waiting[order[0]]].band, 0, 0  # so many, from the front, were tried
    while reach(site, jobs, waiting, scores, heap, order, rank):
        winner = jobs[waiting[order[rank]]]
        if winner.band != band:
            break
        one = kinds[winner.kind]
        if rank == known:
            if one.spared > 0:
                return rank
            known += 1
        if not one.drained:
            one.drained = True
            _drain(
                now.time,
                one,
                kinds,
                members,
                parts,
                containers,
                withheld,
                idle,
                until,
                spared,
                soonest,
            )
            if not _any_spared(kinds):
                break
        while site.scheduler != HEAD and reach(site, jobs, waiting, scores, heap, order, known):
            if not may_be_tried(site, jobs, waiting, scores, order[rank], order[known]):
                break
            if kinds[jobs[waiting[order[known]]].kind].spared > 0:
                return known
            known += 1
        rank += 1
    return -1


@kernel
def _any_spared(kinds: Any) -> bool:
    """Return whether a job that is considered could use a partition that no drain withholds."""
    found = False
    for kind in range(kinds.size):
        found = found or (kinds[kind].waiting > 0 and kinds[kind].spared > 0)
    return found


@kernel
def _drain(
    time: float,
    one: Any,
    kinds: Any,
    members: IntArray,
    parts: Any,
    containers: IntArray,
    withheld: IntArray,
    idle: BoolArray,
    until: FloatArray,
    spared: BoolArray,
    soonest: float,
) -> None:
    """Withhold the first partition of a kind that is free, if idle that what contains it is."""
    drain, least = -1, np.inf
    for place in range(one.first, one.past):
        partition = members[place]
        free = max(until[partition], soonest)
        if idle[partition]:
            free = _usable_until(parts[partition], containers, idle, until, soonest, -np.inf)
            if free == np.inf:
                free = time
        if drain < 0 or free < least:
            drain, least = partition, free
    for place in range(parts[drain].withheld, parts[drain].withheld_past):
        if spared[withheld[place]]:
            spared[withheld[place]] = False
            kinds[parts[withheld[place]].kind].spared -= 1


@kernel
def _usable_until(
    part: Any,
    containers: IntArray,
    idle: BoolArray,
    until: FloatArray,
    soonest: float,
    enough: float,
) -> float:
    """Return when the first busy partition that contains an idle one is free; inf if none is busy.

    Where that is `enough` or less, some time from it to `enough` may be returned.
    """
    first = np.inf
    for place in range(part.containers, part.containers_past):
        if first <= enough:
            break
        if not idle[containers[place]]:
            first = min(first, max(until[containers[place]], soonest))
    return first


@kernel
def _backfill(
    now: Any,
    site: Any,
    jobs: Any,
    kinds: Any,
    members: IntArray,
    parts: Any,
    containers: IntArray,
    idle: BoolArray,
    until: FloatArray,
    candidates: IntArray,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
) -> tuple[int, int]:
    """Return the first job that ends before what contains some idle partitions, and their count."""
    soonest = now.time + site.least_drain
    for kind in range(kinds.size):
        one = kinds[kind]
        one.latest = -np.inf
        for place in range(one.first if one.waiting > 0 and one.idle > 0 else one.past, one.past):
            if idle[members[place]]:
                part = parts[members[place]]
                free = _usable_until(part, containers, idle, until, soonest, one.latest)
                one.latest = max(one.latest, free)
    rank = 0
    while reach(site, jobs, waiting, scores, heap, order, rank):
        job = jobs[waiting[order[rank]]]
        one, end, count = kinds[job.kind], now.time + job.planned, 0
        if end <= one.latest:
            for place in range(one.first, one.past):
                partition = members[place]
                if idle[partition]:
                    part = parts[partition]
                    if end <= _usable_until(part, containers, idle, until, soonest, -np.inf):
                        candidates[count] = partition
                        count += 1
            return rank, count
        rank += 1
    return -1, 0
