"""How an attempt takes processors of a cluster, and gives them back."""

from __future__ import annotations

from typing import Any

from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from ...kernels.heap import push


@kernel
def best_with_room(jobs: Any, pools: Any, choices: IntArray, job: int) -> int:
    """Return the best suitable cluster with room for a job, or -1."""
    one = jobs[job]
    for choice in range(choices.shape[1]):
        pool = choices[one.kind, choice]
        if pool < 0 or one.processors <= pools[pool].free:
            return int(pool)
    return -1


@kernel
def start(
    now: Any,
    jobs: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    ends: Any,
    comebacks: Any,
    paces: FloatArray,
    job: int,
    pool: int,
) -> None:
    """Start a job on the first free processors of a cluster that has room for it."""
    turn, one, there = now.starts, jobs[job], pools[pool]
    attempt = attempts[turn]
    attempt.job, attempt.outcome, attempt.pool, attempt.cells = job, -1, pool, now.cells
    pace = paces[one.pace, pool]
    attempt.start, attempt.end = now.time, now.time + one.executed * pace
    attempt.planned_end = now.time + one.planned * pace
    left, machine = one.processors, there.first
    while left > 0:
        count = min(left, machines[machine].free)
        if count > 0:
            machines[machine].free -= count
            cells[now.cells].machine, cells[now.cells].count = machine, count
            now.cells += 1
            left -= count
        machine += 1
    there.free -= one.processors
    now.idle -= one.processors
    push(ends, now.ends, attempt.end, turn)
    now.ends += 1
    now.starts += 1
    place = there.base + there.running  # sorted by planned end, then by turn
    while place > there.base and comebacks[place - 1].time > attempt.planned_end:
        before = comebacks[place - 1]
        comebacks[place].time, comebacks[place].turn = before.time, before.turn
        comebacks[place].count = before.count
        place -= 1
    comebacks[place].time, comebacks[place].turn = attempt.planned_end, turn
    comebacks[place].count = one.processors
    there.running += 1


@kernel
def cells_past(now: Any, attempts: Any, turn: int) -> int:
    """Return where the cells of an attempt end."""
    return attempts[turn + 1].cells if turn + 1 < now.starts else now.cells


@kernel
def leave(
    now: Any,
    attempts: Any,
    pools: Any,
    machines: Any,
    cells: Any,
    comebacks: Any,
    turn: int,
    outcome: int,
) -> None:
    """Let a running attempt end now and give its processors back."""
    attempt = attempts[turn]
    there = pools[attempt.pool]
    attempt.end, attempt.outcome = now.time, outcome
    for cell in range(attempt.cells, cells_past(now, attempts, turn)):
        count = cells[cell].count
        machines[cells[cell].machine].free += count
        there.free += count
        now.idle += count
    place, last = there.base, there.base + there.running - 1
    while comebacks[place].turn != turn:
        place += 1
    while place < last:
        after = comebacks[place + 1]
        comebacks[place].time, comebacks[place].turn = after.time, after.turn
        comebacks[place].count = after.count
        place += 1
    there.running -= 1
    now.idle_time, now.down_time = now.idle_sum, now.down_sum
