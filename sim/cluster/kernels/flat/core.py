"""The loop: what happens at each instant, by event order, with a pass of the policy after it.

The readable twin is `sim.cluster.loop.cluster`, which also has the words for the orders.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....records import Outcome
from ..decorators import entry, inlined, kernel
from ..heap import pop
from ..instants import failure_due, next_instant, submit_next
from ..state import BATCH, CONSERVATIVE, EASY, ENDS_FIRST, FCFS, State
from .attempts import leave
from .conservative import note_end, planned_passes
from .easy import easy_pass
from .failures import repair_next, restart, strike_next

__all__ = ["core_for", "play", "play_struck", "play_undisturbed"]

COMPLETED = int(Outcome.COMPLETED)


def _playing(*, failing: bool, whole: bool) -> Callable[[State], bool]:
    """Return the loop, without what a replay cannot need: that is not compiled for it.

    Parameters
    ----------
    failing : bool
        With failures and repairs.
    whole : bool
        With conservative policies, all orders of events, and jobs that wait for their old place.
    """

    @entry
    def play(state: State) -> bool:
        now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
        checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
        gaps, cells = state.gaps, state.cells
        wakes, line, blocks = state.wakes, state.line, state.blocks
        while now.inside or now.left > now.stop_at:
            # A pass uses each gap up, and cuts one for each start; old places stand side by side.
            short = now.failing and now.cells + 3 * now.size > cells.size
            if short or now.starts + now.most >= attempts.size or now.wakes == wakes.size:
                return False
            if not now.inside and not next_instant(state, now, jobs, ends):
                now.left = 0
                return True
            if whole and now.order != BATCH:
                if not _next_event(state):
                    continue
            else:
                _end_due(now, jobs, attempts, courses, comebacks, gaps, state, cells, ends)
                if failing:
                    _fail_due(state, state.holds if whole else None)
                _submit_due(state, now, jobs, line, blocks)
            if whole:
                if now.holding and now.upset:
                    restart(state)
                if now.policy >= CONSERVATIVE:
                    planned_passes(state)
            if not whole or now.policy < CONSERVATIVE:
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

    return play


play = _playing(failing=True, whole=True)
play_struck = _playing(failing=True, whole=False)
play_undisturbed = _playing(failing=False, whole=False)


def core_for(
    *, policy: int, event_order: int, failing: bool, holding: bool
) -> Callable[[State], bool]:
    """Return the least loop for a replay: the others give the same, and compile for longer."""
    if holding or event_order != BATCH or policy not in {FCFS, EASY}:
        return play
    return play_struck if failing else play_undisturbed


@inlined
def _end_due(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    comebacks: Any,
    gaps: Any,
    state: State,
    cells: Any,
    ends: Any,
) -> None:
    """Let all attempts end that are due, and their jobs with them."""
    while now.ends and ends[0].time <= now.time:
        turn = pop(ends, now.ends)
        now.ends -= 1
        now.ended = True
        leave(now, jobs, attempts, courses, comebacks, gaps, state.room, cells, turn, COMPLETED)
        note_end(now, jobs, attempts, state.times, state.levels, turn)
        now.left -= 1


@inlined
def _fail_due(state: State, holds: Any) -> None:
    """Let all failures and repairs happen that are due."""
    now, repairs, strikes = state.now[0], state.repairs, state.strikes
    while failure_due(now, repairs, strikes) and (
        repair_next(state, holds) or strike_next(state, holds)
    ):
        pass


@inlined
def _submit_due(state: State, now: Any, jobs: Any, line: Any, blocks: Any) -> None:
    """Let all jobs wait that are due; nothing more happens at this instant."""
    while submit_next(now, jobs, line, blocks, state.returns, state.due_jobs):
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
        repair_next(state, state.holds) or strike_next(state, state.holds)
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
