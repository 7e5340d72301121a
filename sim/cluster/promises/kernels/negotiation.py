"""Reservations: found, made and begun; the readable twin is `promises.negotiation`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray
from ...kernels.course import undisturbed
from ...kernels.decorators import kernel
from ...kernels.heap import push
from ..negotiation import ROUNDING
from .calendar import hold, insert
from .forecast import choose, written_by
from .state import COOPERATIVE


@kernel
def hold_the_late(
    now: Any, jobs: Any, reservations: Any, waiting: Any, slots: Any, by_start: Any, by_end: Any
) -> None:
    """Let reservations that could not start in time reach from now as far as they need."""
    for place in range(now.head, now.tail):
        late = waiting[place]
        if late.time >= now.time:
            break
        one = reservations[late.turn]
        end = now.time + jobs[one.job].planned
        hold(now, slots, by_start, by_end, one.job, late.time, end, one.begin, one.past)


@kernel
def _occupy(cells: Any, slot: Any, busy: IntArray, change: int) -> int:
    """Add `change` to what holds the nodes of a slot; return how many are held by nothing else."""
    alone = 0
    for cell in range(slot.begin, slot.past):
        for node in range(cells[cell].first, cells[cell].past):
            alone += int(busy[node] == 0 or busy[node] + change == 0)
            busy[node] += change
    return alone


@kernel
def _open_window(
    now: Any,
    slots: Any,
    by_start: Any,
    by_end: Any,
    cells: Any,
    busy: IntArray,
    mark: int,
    time: float,
    duration: float,
    begun: int,
    over: int,
) -> tuple[int, int, int]:
    """Move the window to a later `time`; return places in both lists, and nodes that come free."""
    freed = 0
    while over < now.slots and by_end[over].time <= time:
        slot = slots[by_end[over].turn]
        if slot.counted == mark:
            slot.counted = 0
            freed += _occupy(cells, slot, busy, -1)
        over += 1
    while begun < now.slots and (
        by_start[begun].time < time + duration or by_start[begun].time <= time
    ):
        slot = slots[by_start[begun].turn]
        if slot.end > time:
            slot.counted = mark
            freed -= _occupy(cells, slot, busy, 1)
        begun += 1
    return begun, over, freed


@kernel
def reserve(
    now: Any,
    jobs: Any,
    reservations: Any,
    waiting: Any,
    slots: Any,
    by_start: Any,
    by_end: Any,
    cells: Any,
    nodes: Any,
    known: Any,
    opens: IntArray,
    changes: FloatArray,
    by_rate: IntArray,
    busy: IntArray,
    chosen: IntArray,
    best: IntArray,
    struck: Any,
    job: int,
) -> None:
    """Negotiate with a job, or find the earliest opening for one that a failure struck."""
    count, duration, again = jobs[job].processors, jobs[job].planned, jobs[job].negotiated
    now.serial += 1
    mark, free = now.serial, now.size
    for node in range(now.size):
        busy[node] = 0
    while now.change < changes.size and changes[now.change] <= now.time:
        now.change += 1
    begun, over, change = 0, 0, now.change
    time, start, promised = now.time, 0.0, -1.0
    while time < np.inf:
        begun, over, freed = _open_window(
            now, slots, by_start, by_end, cells, busy, mark, time, duration, begun, over
        )
        free += freed
        if free >= count:
            end = time + duration
            promise = 1.0 - choose(
                now, known, opens, nodes, by_rate, busy, struck, chosen, free, count, time, end
            )
            if promise >= now.asked or promise > promised + ROUNDING:
                promised, start = promise, time
                for place in range(count):
                    best[place] = chosen[place]
            if promise >= now.asked or again:
                break
        while change < changes.size and changes[change] <= time:
            change += 1
        time = by_end[over].time if over < now.slots else np.inf
        if change < changes.size:
            time = min(time, changes[change])
    if promised < 0.0:
        now.stuck = job
        return
    if not again:
        jobs[job].negotiated = True
        jobs[job].promised, jobs[job].start = promised, start
        jobs[job].deadline = start + duration
    begin = now.cells
    _write_cells(now, cells, best, count)
    hold(now, slots, by_start, by_end, job, start, start + duration, begin, now.cells)
    reservation = reservations[now.reservations]
    reservation.job, reservation.begin, reservation.past = job, begin, now.cells
    insert(waiting, now.head, now.tail, start, now.reservations)
    now.tail += 1
    now.reservations += 1


@kernel
def _write_cells(now: Any, cells: Any, chosen: IntArray, count: int) -> None:
    """Write `count` nodes, increasing, as the next cells."""
    for place in range(count):
        if place == 0 or chosen[place] != chosen[place - 1] + 1:
            cells[now.cells].first = chosen[place]
            now.cells += 1
        cells[now.cells - 1].past = chosen[place] + 1


@kernel
def start_due(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    checkpoints: Any,
    reservations: Any,
    waiting: Any,
    slots: Any,
    by_start: Any,
    by_end: Any,
    cells: Any,
    nodes: Any,
    known: Any,
    ends: Any,
    wakes: FloatArray,
) -> None:
    """Start what is due on its nodes, the earlier reservation first; ask for the next pass."""
    now.serial += 1
    place, left = now.head, now.head
    while place < now.tail and waiting[place].time <= now.time:
        due, turn = waiting[place].time, waiting[place].turn
        place += 1
        one, idle = reservations[turn], True
        for cell in range(one.begin, one.past):
            for node in range(cells[cell].first, cells[cell].past):
                state = nodes[node]
                up = state.turn < 0 and state.out_until == -np.inf
                idle = idle and up and state.claimed != now.serial
        if idle:
            _start(now, jobs, attempts, courses, checkpoints, cells, nodes, known, ends, one)
            end = now.time + jobs[one.job].planned
            hold(now, slots, by_start, by_end, one.job, now.time, end, one.begin, one.past)
            continue
        for cell in range(one.begin, one.past):
            for node in range(cells[cell].first, cells[cell].past):
                nodes[node].claimed = now.serial
        waiting[left].time, waiting[left].turn = due, turn
        left += 1
    while left > now.head:
        left -= 1
        place -= 1
        waiting[place].time, waiting[place].turn = waiting[left].time, waiting[left].turn
    now.head = place
    while place < now.tail and waiting[place].time <= now.time:
        place += 1
    if place < now.tail:
        _wake(now, wakes, waiting[place].time)


@kernel
def _wake(now: Any, wakes: FloatArray, time: float) -> None:
    """Ask for a pass at a time."""
    place = now.wakes
    while place > 0 and wakes[place - 1] < time:
        place -= 1
    if place > 0 and wakes[place - 1] == time:
        return
    for later in range(now.wakes, place, -1):
        wakes[later] = wakes[later - 1]
    wakes[place] = time
    now.wakes += 1


@kernel
def _start(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    checkpoints: Any,
    cells: Any,
    nodes: Any,
    known: Any,
    ends: Any,
    reservation: Any,
) -> None:
    """Start a job on the nodes of its reservation."""
    turn, job = now.starts, reservation.job
    one, attempt, course = jobs[job], attempts[turn], courses[turn]
    for cell in range(reservation.begin, reservation.past):
        for node in range(cells[cell].first, cells[cell].past):
            nodes[node].turn = turn
    course.begin, course.past = reservation.begin, reservation.past
    course.work = one.executed - one.saved
    checkpoint = checkpoints[job if checkpoints.size > 1 else 0]
    course.read_back = checkpoint.recovery if one.attempts else 0.0
    if now.checkpointing == COOPERATIVE:
        written = written_by(
            now, known, nodes, cells, checkpoint, course, turn, now.time, one.deadline, np.inf
        )[0]
        course.wall = course.work + written * checkpoint.cost
    else:
        course.wall = undisturbed(course.work, checkpoint, course.read_back, now.final)
    attempt.job, attempt.outcome = job, -1
    attempt.start, attempt.end = now.time, now.time + course.wall
    attempt.planned_end = now.time + one.planned
    one.attempts += 1
    now.idle -= one.processors
    push(ends, now.ends, attempt.end, turn)
    now.ends += 1
    now.starts += 1
