"""Failures and repairs of machines, and what becomes of the jobs that were struck."""

from __future__ import annotations

import numpy as np

from ....records import Outcome
from ...kernels.decorators import kernel
from ...kernels.heap import pop, pull, push
from ...kernels.struck import note_outage, note_struck
from .attempts import cells_past, leave
from .queue import enqueue
from .state import DROPPED, ORIGINAL, GridState

__all__ = ["repair_next", "strike_next"]

FAILED = int(Outcome.FAILED)
GIVEN_UP = int(Outcome.DROPPED)


@kernel
def repair_next(state: GridState) -> bool:
    """Bring back the next machine that is due now; return whether there was one."""
    now, repairs, machines = state.now[0], state.repairs, state.machines
    while now.repairs and repairs[0].time <= now.time:
        until = repairs[0].time
        node = pop(repairs, now.repairs)
        now.repairs -= 1
        if machines[node].out_until == until:
            machines[node].out_until, machines[node].outage = -np.inf, -1
            _resize(state, node, 1)
            state.pools[machines[node].pool].touched = True
            return True
    return False


@kernel
def strike_next(state: GridState) -> bool:
    """Let the next failure that is due now strike; return whether there was one."""
    now, machines, strikes = state.now[0], state.machines, state.strikes
    if now.struck == strikes.size or strikes[now.struck].time > now.time:
        return False
    node, repair = strikes[now.struck].node, strikes[now.struck].repair
    now.struck += 1
    begin = now.struck_attempts
    _find_struck(state, node)
    for place in range(begin, now.struck_attempts):
        turn = state.struck[place]
        pull(state.ends, now.ends, turn)
        now.ends -= 1
        leave(
            now,
            state.attempts,
            state.pools,
            machines,
            state.cells,
            state.comebacks,
            turn,
            FAILED,
        )
    # A machine that is up is out until now, so that a repair of no length takes nothing out.
    before = machines[node].out_until
    out_until = before if before > -np.inf else now.time
    until = max(now.time + repair, out_until)
    if until > out_until:
        machines[node].out_until = until
        if before == -np.inf:
            _resize(state, node, -1)
        note_outage(now, state.outages, machines, node, until, begin)
        if until < np.inf:
            push(state.repairs, now.repairs, until, node)
            now.repairs += 1
    now.hit = True
    state.pools[machines[node].pool].touched = True
    for place in range(begin, now.struck_attempts):
        _recover(state, state.attempts[state.struck[place]].job)
    return True


@kernel
def _resize(state: GridState, node: int, sign: int) -> None:
    """Bring all of a machine in, or take it out."""
    now, machine = state.now[0], state.machines[node]
    there, count = state.pools[machine.pool], sign * machine.capacity
    machine.free += count
    there.free += count
    there.up += count
    now.idle += count
    now.down -= count


@kernel
def _find_struck(state: GridState, node: int) -> None:
    """Add the running attempts that use a machine to `struck`, by start."""
    now, struck, cells, attempts = state.now[0], state.struck, state.cells, state.attempts
    there, begin = state.pools[state.machines[node].pool], now.struck_attempts
    for place in range(there.base, there.base + there.running):
        turn = state.comebacks[place].turn
        uses = False
        for cell in range(attempts[turn].cells, cells_past(now, attempts, turn)):
            uses = uses or cells[cell].machine == node
        if uses:
            note_struck(now, struck, begin, turn)


@kernel
def _recover(state: GridState, job: int) -> None:
    now, one = state.now[0], state.jobs[job]
    if now.again == DROPPED:
        one.outcome, one.end = GIVEN_UP, now.time
        now.left -= 1
        return
    one.queued_at = one.submit if now.again == ORIGINAL else now.time
    enqueue(now, state.jobs, state.queue, state.newcomers, job)
