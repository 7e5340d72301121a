"""The waiting jobs that a pass considers, by score, ranked only as far as the pass looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from ...order.kernels import score


@kernel
def consider(now: Any, site: Any, jobs: Any, kinds: Any, waiting: IntArray) -> None:
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
def any_idle(kinds: Any) -> bool:
    """Return whether a job that is considered could use an idle partition."""
    found = False
    for kind in range(kinds.size):
        found = found or (kinds[kind].waiting > 0 and kinds[kind].idle > 0)
    return found


@kernel
def rank_by_score(
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
            one.user,
            one.project,
            one.queue,
            now.time,
        )
        if np.isnan(scores[place]):
            return False
        heap[place] = place
    site.ranked, site.heaped = 0, site.listed
    _heap(site, jobs, waiting, scores, heap)
    return True


@kernel
def _heap(site: Any, jobs: Any, waiting: IntArray, scores: FloatArray, heap: IntArray) -> None:
    """Order the heap's entries as one."""
    for place in range(site.heaped // 2 - 1, -1, -1):
        _sink(jobs, waiting, scores, heap, site.heaped, place)


@kernel
def precedes(jobs: Any, waiting: IntArray, scores: FloatArray, one: int, two: int) -> bool:
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
        if child + 1 < size and precedes(jobs, waiting, scores, heap[child + 1], heap[child]):
            child += 1
        if precedes(jobs, waiting, scores, entry, heap[child]):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = entry


@kernel
def reach(
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
def draw(
    site: Any,
    jobs: Any,
    waiting: IntArray,
    scores: FloatArray,
    heap: IntArray,
    order: IntArray,
    place: int,
) -> int:
    """Take an entry out of the heap as the last that is ranked, which is to start; return its rank.

    Until it has, it may stand behind jobs that the heap would rank before it.
    """
    order[site.ranked] = heap[place]
    site.ranked += 1
    site.heaped -= 1
    heap[place] = heap[site.heaped]
    _heap(site, jobs, waiting, scores, heap)
    return int(site.ranked) - 1


@kernel
def may_be_tried(
    site: Any, jobs: Any, waiting: IntArray, scores: FloatArray, top: int, place: int
) -> bool:
    """Return whether the job at `place` may start before backfilling where that at `top` cannot.

    It must be in the same band and reach the fall-back score.
    """
    if jobs[waiting[place]].band != jobs[waiting[top]].band:
        return False
    fallback = min(site.threshold * scores[top], scores[top])
    return bool(site.threshold == 0.0 or scores[place] >= fallback)
