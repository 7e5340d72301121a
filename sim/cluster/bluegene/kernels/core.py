"""The loop: what happens at each instant, by event order, with a pass of Cobalt after it.

The readable twin is `sim.cluster.loop.cluster`, which also has the words for the orders; the loop
of flat machines is `sim.cluster.kernels.flat.core`.
"""

from __future__ import annotations

from ....records import Outcome
from ...kernels.decorators import entry, inlined, kernel
from ...kernels.heap import pop
from ...kernels.instants import failure_due, next_instant, submit_next
from ...kernels.state import BATCH, ENDS_FIRST
from .failures import leave, repair_next, restart, strike_next
from .passes import cobalt_pass
from .state import ALARMS, DONE, HOUR, SCORE, SHORT, State

__all__ = ["play"]

COMPLETED = int(Outcome.COMPLETED)


@entry
def play(state: State) -> int:
    """Play until `stop_at` jobs are left or nothing more can happen; return why it stops.

    `DONE`, or what it needs: `SHORT`, larger tables; `HOUR`, the false alarms of the present hour.
    After `SCORE`, a score that is not a number, it cannot go on.
    """
    now, site, jobs, ends = state.now[0], state.site[0], state.jobs, state.ends
    while now.inside or now.left > now.stop_at:
        if now.starts + now.most >= state.attempts.size:
            return SHORT
        if not now.inside and not next_instant(state, now, jobs, ends):
            now.left = 0
            return DONE
        if site.forecaster == ALARMS and now.time >= site.next_hour:
            return HOUR
        if now.order == BATCH:
            _batch(state)
        elif not _next_event(state):
            continue
        if now.holding and now.upset:
            restart(state)
        now.upset = False
        if not cobalt_pass(state):
            return SCORE
    return DONE


@inlined
def _batch(state: State) -> None:
    """Let all happen that is due."""
    now, ends = state.now[0], state.ends
    while now.ends and ends[0].time <= now.time:
        turn = pop(ends, now.ends)
        now.ends -= 1
        _finish(state, turn)
    while _break_or_mend(state):
        pass
    while _submit(state):
        pass
    now.inside = False


@inlined
def _next_event(state: State) -> bool:
    """Let the next event happen, in an order with passes between; return whether one is due."""
    now, attempts, due_ends = state.now[0], state.attempts, state.due_ends
    if now.order != ENDS_FIRST:
        if not now.freed:
            now.freed = True
            for place in range(now.due_ends):
                if attempts[due_ends[place]].planned_end <= now.time:
                    _finish(state, due_ends[place])
        if _submit(state):
            return True
    if now.due_end < now.due_ends:
        turn = due_ends[now.due_end]
        now.due_end += 1
        if attempts[turn].outcome < 0:
            _finish(state, turn)
        return True
    if _break_or_mend(state):
        return True
    if now.order == ENDS_FIRST and _submit(state):
        return True
    now.inside = False
    return False


@kernel
def _submit(state: State) -> bool:
    """Let the next job that is submitted or comes back now wait; return whether there was one."""
    returns, due_jobs = state.returns, state.due_jobs
    return submit_next(state.now[0], state.jobs, state.line, state.blocks, returns, due_jobs)


@kernel
def _break_or_mend(state: State) -> bool:
    """Let the next repair or failure that is due now happen; return whether there was one."""
    due = failure_due(state.now[0], state.repairs, state.strikes)
    return due and (repair_next(state) or strike_next(state))


@kernel
def _finish(state: State, turn: int) -> None:
    """Let an attempt that nothing struck end now, and its job with it."""
    leave(
        state.now[0],
        state.site[0],
        state.attempts,
        state.parts,
        state.kinds,
        state.rivals,
        state.places,
        state.running,
        state.idle,
        turn,
        COMPLETED,
    )
    state.now[0].left -= 1
