"""How an attempt starts and leaves the machine."""

from __future__ import annotations

from typing import Any

from ..course import begin
from ..decorators import inlined, kernel
from ..heap import drop_comeback, insert_comeback
from .nodes import give_all, take_lowest


@inlined
def start_anywhere(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    checkpoints: Any,
    ends: Any,
    comebacks: Any,
    gaps: Any,
    cells: Any,
    job: int,
) -> None:
    """Start a job that has left the queue on the lowest free processors."""
    if now.failing:
        courses[now.starts].cells = now.cells
        now.gaps, now.cells = take_lowest(gaps, now.gaps, jobs[job].processors, cells, now.cells)
    start_there(now, jobs, attempts, courses, checkpoints, ends, comebacks, job)


@inlined
def start_there(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    checkpoints: Any,
    ends: Any,
    comebacks: Any,
    job: int,
) -> None:
    """Start a job whose processors have been taken, and written as the next cells."""
    turn, count = now.starts, jobs[job].processors
    begin(now, jobs, attempts, courses, checkpoints, ends, job)
    now.idle -= count
    insert_comeback(comebacks, now.running, attempts[turn].planned_end, turn, count)
    now.running += 1


@kernel
def cells_past(now: Any, courses: Any, turn: int) -> int:
    """Return where the cells of an attempt end."""
    return courses[turn + 1].cells if turn + 1 < now.starts else now.cells


@inlined
def leave(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    comebacks: Any,
    gaps: Any,
    room: Any,
    cells: Any,
    turn: int,
    outcome: int,
) -> None:
    """Let a running attempt end now and give its processors back."""
    attempt = attempts[turn]
    attempt.end, attempt.outcome = now.time, outcome
    if now.failing:
        begin, past = courses[turn].cells, cells_past(now, courses, turn)
        now.gaps = give_all(gaps, now.gaps, cells, begin, past, room)
    now.idle += jobs[attempt.job].processors
    drop_comeback(comebacks, now.running, attempt.planned_end, turn)
    now.running -= 1
    now.changed = True
    now.idle_time, now.down_time = now.idle_sum, now.down_sum
