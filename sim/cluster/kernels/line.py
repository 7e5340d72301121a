"""The waiting jobs side by side, in queue order: what a pass of EASY walks where the queue is long.

A block of places knows the least number of processors and the least planned time of its jobs, so
that a pass skips blocks in which no job can start. A job that leaves the queue leaves its place
empty, for one that comes back; where there is no place, the line is built anew from the queue.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .decorators import inlined, kernel

BLOCK = 32  # places
_LONG, _SHORT = 48, 12  # jobs from which on the queue has a line, and below which it has none
_EMPTY = np.iinfo(np.int64).max  # processors


@inlined
def stands_in_line(now: Any, jobs: Any, line: Any, blocks: Any) -> bool:
    """Return whether the queue stands in line; a long one does from now on."""
    if now.waiting >= (_SHORT if now.lined else _LONG):
        if not now.lined:
            _line_up(now, jobs, line, blocks)
        return True
    now.lined = False
    return False


@kernel
def _line_up(now: Any, jobs: Any, line: Any, blocks: Any) -> None:
    """Write the queue side by side, behind empty places for jobs that come back."""
    for place in range(BLOCK):
        line[place].job, line[place].processors = -1, _EMPTY
    blocks[0].processors, blocks[0].planned = _EMPTY, np.inf
    now.lined, now.line, job = True, BLOCK, now.head
    while job >= 0:
        stand_last(now, jobs, line, blocks, job)
        job = jobs[job].following


@kernel
def stand_last(now: Any, jobs: Any, line: Any, blocks: Any, job: int) -> None:
    """Let a job that joined the end of the queue stand at the end of the line."""
    if now.line == line.size:
        now.lined = False
        return
    if now.line % BLOCK == 0:
        block = blocks[now.line // BLOCK]
        block.processors, block.planned = _EMPTY, np.inf
    _stand_at(jobs, line, blocks, job, now.line)
    now.line += 1


@kernel
def stand_before(now: Any, jobs: Any, line: Any, blocks: Any, job: int, after: int) -> None:
    """Let a job that joined the queue before another stand before it in the line."""
    place = jobs[after].place - 1
    if place >= 0 and line[place].job < 0:
        _stand_at(jobs, line, blocks, job, place)
    else:
        now.lined = False


@inlined
def leave_line(now: Any, jobs: Any, line: Any, job: int) -> None:
    """Let the place of a job that leaves the queue be empty."""
    if now.lined:
        place = jobs[job].place
        line[place].job, line[place].processors = -1, _EMPTY


@kernel
def next_startable(now: Any, line: Any, blocks: Any, place: int) -> int:
    """Return the first job from `place` on that may start beside the reservation, or -1."""
    while place < now.line:
        block, begin = blocks[place // BLOCK], place
        past = min((place // BLOCK + 1) * BLOCK, now.line)
        if _fits(now, block):
            processors, planned = _EMPTY, np.inf
            while place < past:
                one = line[place]
                if _fits(now, one):
                    return int(one.job)
                if one.job >= 0:
                    processors = min(processors, one.processors)
                    planned = min(planned, one.planned)
                place += 1
            if begin % BLOCK == 0:  # jobs may have left since
                block.processors, block.planned = processors, planned
        place = past
    return -1


@inlined
def _fits(now: Any, one: Any) -> bool:
    """Return whether a job, or one at least of a block, fits beside the head's reservation."""
    return bool(
        one.processors <= now.idle
        and (now.time + one.planned <= now.reserved_at or one.processors <= now.spare)
    )


@kernel
def _stand_at(jobs: Any, line: Any, blocks: Any, job: int, place: int) -> None:
    """Write a job at a place of the line."""
    one, block = jobs[job], blocks[place // BLOCK]
    one.place = place
    line[place].job, line[place].processors = job, one.processors
    line[place].planned = one.planned
    block.processors = min(block.processors, one.processors)
    block.planned = min(block.planned, one.planned)
