"""A pass of FCFS or EASY on a flat machine.

After a pass the head's reservation (its time and the processors spare then) stays valid until
processors come or go, so that an arrival is tested alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..decorators import inlined, kernel
from ..line import leave_line, next_startable, stands_in_line
from ..queue import unlink
from ..state import FCFS
from .attempts import start_anywhere


@inlined
def easy_pass(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    checkpoints: Any,
    ends: Any,
    comebacks: Any,
    line: Any,
    blocks: Any,
    gaps: Any,
    cells: Any,
) -> None:
    """Start what may start now."""
    if now.head < 0 or now.idle == 0:
        now.reserved = now.reserved and not now.changed
        return
    job = now.head
    if now.reserved and not now.changed and now.reserved_at > now.time:
        job = now.newcomer  # no other job can start
    else:
        now.reserved = False
    # A band whose jobs have all started gives way to the next.
    while job >= 0 and now.idle > 0:
        if now.first_band and jobs[job].band != jobs[now.head].band:
            return
        count, after = jobs[job].processors, jobs[job].following
        in_time = not now.reserved or now.time + jobs[job].planned <= now.reserved_at
        if count <= now.idle and (in_time or count <= now.spare):
            if not in_time:
                now.spare -= count
            unlink(now, jobs, job)
            leave_line(now, jobs, line, job)
            start_anywhere(
                now, jobs, attempts, courses, checkpoints, ends, comebacks, gaps, cells, job
            )
        elif not now.reserved:  # the head has to wait
            if now.policy == FCFS:
                return
            _reserve(now, comebacks, count)
        if now.reserved and after >= 0 and stands_in_line(now, jobs, line, blocks):
            after = next_startable(now, line, blocks, jobs[after].place)
        job = after


@kernel
def _reserve(now: Any, comebacks: Any, count: int) -> None:
    """Reserve for the head the earliest planned time at which `count` processors are free."""
    now.reserved, now.reserved_at, now.spare = True, np.inf, now.idle - count
    for place in range(now.running):
        if now.spare >= 0 and comebacks[place].time > now.reserved_at:
            return
        now.spare += comebacks[place].count
        if now.spare >= 0:
            now.reserved_at = max(comebacks[place].time, now.time)
