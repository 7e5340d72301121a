"""The loop: what happens at each instant, by event order, with a pass of the policy after it.

The readable twin is `sim.cluster.loop.cluster`, which also has the words for the orders.
"""

from __future__ import annotations

from typing import Any

from ....records import FloatArray, IntArray, Outcome
from ..decorators import entry, inlined, kernel
from ..heap import pop
from ..instants import failure_due, next_instant, submit_next
from ..state import BATCH, COMPRESS, CONSERVATIVE, ENDS_FIRST, State
from .attempts import leave
from .conservative import compress_pass, conservative_pass, note_end
from .easy import easy_pass
from .failures import repair_next, restart, strike_next

__all__ = ["play"]

COMPLETED = int(Outcome.COMPLETED)


@entry
def play(state: State) -> bool:
    """Play until `stop_at` jobs are left or nothing more can happen; False if a table is short."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
    gaps, cells, times, levels = state.gaps, state.cells, state.times, state.levels
    wakes, line, blocks = state.wakes, state.line, state.blocks
    while now.inside or now.left > now.stop_at:
        if now.starts + now.most >= attempts.size or now.wakes == wakes.size:
            return False
        # A pass uses each gap up, and cuts one for each start; old places stand side by side.
        if now.failing and now.cells + 3 * now.size > cells.size:
            return False
        if not now.inside and not next_instant(state, now, jobs, ends):
            now.left = 0
            return True
        if now.order == BATCH:
            _batch(state, now, jobs, attempts, courses, comebacks, gaps, cells, times, levels)
        elif not _next_event(state):
            continue
        if now.holding and now.upset:
            restart(state)
        if now.policy == CONSERVATIVE:
            conservative_pass(state)
        elif now.policy == COMPRESS:
            compress_pass(state)
        else:
            easy_pass(
                now,
                jobs,
                attempts,
                courses,
                checkpoints,
                ends,
                comebacks,
                line,
                blocks,
                gaps,
                cells,
            )
        now.newcomer = -1
        now.changed = now.inserted = now.ended = False
        now.upset = False
    return True


@inlined
def _batch(
    state: State,
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    comebacks: Any,
    gaps: Any,
    cells: Any,
    times: FloatArray,
    levels: IntArray,
) -> None:
    """Let all happen that is due."""
    ends, repairs, strikes = state.ends, state.repairs, state.strikes
    while now.ends and ends[0].time <= now.time:
        turn = pop(ends, now.ends)
        now.ends -= 1
        now.ended = True
        leave(now, jobs, attempts, courses, comebacks, gaps, state.room, cells, turn, COMPLETED)
        note_end(now, jobs, attempts, times, levels, turn)
        now.left -= 1
    while failure_due(now, repairs, strikes) and (repair_next(state) or strike_next(state)):
        pass
    while submit_next(now, jobs, state.line, state.blocks, state.returns, state.due_jobs):
        pass
    now.inside = False


@kernel
def _next_event(state: State) -> bool:
    """Let the next event happen, in an order with passes between; return whether one is due."""
    now, jobs, attempts, due_ends = state.now[0], state.jobs, state.attempts, state.due_ends
    if now.order != ENDS_FIRST:
        if not now.freed:
            now.freed = True
            for place in range(now.due_ends):
                if attempts[due_ends[place]].planned_end <= now.time:
                    _finish(state, due_ends[place])
        if submit_next(now, jobs, state.line, state.blocks, state.returns, state.due_jobs):
            return True
    if now.due_end < now.due_ends:
        turn = due_ends[now.due_end]
        now.due_end += 1
        now.ended = True
        if attempts[turn].outcome < 0:
            _finish(state, turn)
        return True
    if failure_due(now, state.repairs, state.strikes) and (
        repair_next(state) or strike_next(state)
    ):
        return True
    if now.order == ENDS_FIRST and submit_next(
        now, jobs, state.line, state.blocks, state.returns, state.due_jobs
    ):
        return True
    now.inside = False
    return bool(now.wakes > 0 and state.wakes[0].time <= now.time)


@kernel
def _finish(state: State, turn: int) -> None:
    """Let an attempt that nothing struck end now, and its job with it."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    comebacks, gaps, cells = state.comebacks, state.gaps, state.cells
    leave(now, jobs, attempts, courses, comebacks, gaps, state.room, cells, turn, COMPLETED)
    note_end(now, jobs, attempts, state.times, state.levels, turn)
    now.left -= 1
