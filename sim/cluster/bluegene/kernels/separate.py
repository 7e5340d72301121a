"""A drain of its own for each job that cannot start; the readable twin is `schedulers.separate`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.decorators import kernel
from .ranking import may_be_tried, reach
from .state import State


@kernel
def separate_drains(state: State) -> tuple[int, int]:
    """Return the rank of the next job to start, or -1, and how many `candidates` it has."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    rank, count = _try(
        now,
        site,
        jobs,
        kinds,
        state.members,
        state.parts,
        state.rivals,
        state.idle,
        state.until,
        state.drained,
        state.candidates,
        state.waiting,
        state.scores,
        state.heap,
        state.order,
    )
    if count:
        return rank, count
    return _backfill(
        now,
        site,
        jobs,
        kinds,
        state.members,
        state.idle,
        state.drained,
        state.candidates,
        state.waiting,
        state.scores,
        state.heap,
        state.order,
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
    top, rank = order[0], 0
    while reach(site, jobs, waiting, scores, heap, order, rank):
        place = order[rank]
        if not may_be_tried(site, jobs, waiting, scores, top, place):
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
    while reach(site, jobs, waiting, scores, heap, order, rank):
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
