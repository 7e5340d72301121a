"""Failures, repairs, and what becomes of the jobs that were struck."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import Outcome
from ..course import plan_again
from ..decorators import kernel
from ..heap import drop_comeback, insert_comeback, pop, push
from ..state import State
from ..struck import come_back, note_failure, note_outage, note_struck
from .attempts import cells_past, leave, start_there
from .nodes import give, is_free, take_these

__all__ = ["repair_next", "restart", "strike_next"]

FAILED = int(Outcome.FAILED)


@kernel
def repair_next(state: State, holds: Any) -> bool:
    """Bring back the next node that is due now; return whether there was one.

    `holds` is that of the state, or None where no job waits for its old place: what serves these
    is not compiled then.
    """
    now, repairs, nodes = state.now[0], state.repairs, state.nodes
    while now.repairs and repairs[0].time <= now.time:
        until = repairs[0].time
        node = pop(repairs, now.repairs)
        now.repairs -= 1
        if nodes[node].out_until == until:
            nodes[node].out_until, nodes[node].outage = -np.inf, -1
            first, past = _members(now, node)
            for processor in range(first, past):
                _yield(now, state.gaps, state.reasons, processor)
            _note_comeback(state, holds, node, until, np.inf)
            now.changed = now.upset = True
            now.valid = False
            return True
    return False


@kernel
def strike_next(state: State, holds: Any) -> bool:
    """Let the next failure that is due now strike; return whether there was one."""
    now, nodes, strikes = state.now[0], state.nodes, state.strikes
    if now.struck == strikes.size or strikes[now.struck].time > now.time:
        return False
    node, repair = strikes[now.struck].node, strikes[now.struck].repair
    now.struck += 1
    first, past = _members(now, node)
    begin = now.struck_attempts
    _find_struck(state, first, past)
    for place in range(begin, now.struck_attempts):
        _fail(state, state.struck[place])
    # A node that is up is out until now, so that a repair of no length takes nothing out.
    before = nodes[node].out_until
    out_until = before if before > -np.inf else now.time
    until = max(now.time + repair, out_until)
    if until > out_until:
        nodes[node].out_until = until
        if before == -np.inf:
            for processor in range(first, past):
                _withhold(now, state.gaps, state.reasons, processor)
        note_outage(now, state.outages, state.nodes, node, until, begin)
        if until < np.inf:
            push(state.repairs, now.repairs, until, node)
            now.repairs += 1
        _note_comeback(state, holds, node, before, until)
    now.changed = now.upset = True
    now.valid = False
    for place in range(begin, now.struck_attempts):
        _recover(state, holds, state.struck[place], until)
    return True


@kernel
def _members(now: Any, node: int) -> tuple[int, int]:
    """Return the processors [first, past) of a node."""
    first = node * now.per_node
    return first, min(first + now.per_node, now.size)


@kernel
def _find_struck(state: State, first: int, past: int) -> None:
    """Add the running attempts that use any of [first, past) to `struck`, by start."""
    now, struck, cells = state.now[0], state.struck, state.cells
    begin = now.struck_attempts
    for place in range(now.running):
        turn = state.comebacks[place].turn
        if turn < 0:
            continue
        uses = False
        for cell in range(state.courses[turn].cells, cells_past(now, state.courses, turn)):
            uses = uses or (cells[cell].first < past and first < cells[cell].past)
        if uses:
            note_struck(now, struck, begin, turn)


@kernel
def _fail(state: State, turn: int) -> None:
    """End an attempt that was struck."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    comebacks, gaps, cells = state.comebacks, state.gaps, state.cells
    note_failure(now, jobs, attempts, courses, state.checkpoints, state.ends, turn)
    leave(now, jobs, attempts, courses, comebacks, gaps, state.room, cells, turn, FAILED)


@kernel
def _withhold(now: Any, gaps: Any, reasons: Any, processor: int) -> None:
    """Give a processor one reason more to be withheld."""
    if reasons[processor] == 0:
        now.gaps = take_these(gaps, now.gaps, processor, processor + 1)
        now.idle -= 1
        now.down += 1
    reasons[processor] += 1


@kernel
def _yield(now: Any, gaps: Any, reasons: Any, processor: int) -> None:
    """Take one reason to be withheld from a processor."""
    reasons[processor] -= 1
    if reasons[processor] == 0:
        now.gaps = give(gaps, now.gaps, processor, processor + 1)
        now.idle += 1
        now.down -= 1


@kernel
def _note_comeback(state: State, holds: Any, node: int, before: float, until: float) -> None:
    """Move a node in the list of what comes back from a time to another; inf: not in it."""
    now, comebacks = state.now[0], state.comebacks
    if holds is not None and (now.holding or now.grouped):
        _group_comebacks(state)
        return
    if -np.inf < before < np.inf:
        drop_comeback(comebacks, now.running, before, -1 - node)
        now.running -= 1
    if until < np.inf:
        first, past = _members(now, node)
        insert_comeback(comebacks, now.running, until, -1 - node, past - first)
        now.running += 1


@kernel
def _group_comebacks(state: State) -> None:
    """Write anew what comes back, by time; a processor withheld for two reasons by the later."""
    now, comebacks, nodes = state.now[0], state.comebacks, state.nodes
    kept = 0
    for place in range(now.running):
        one = comebacks[place]
        if one.turn >= 0:
            comebacks[kept].time, comebacks[kept].turn = one.time, one.turn
            comebacks[kept].count = one.count
            kept += 1
    now.running, now.grouped = kept, now.holding > 0
    back = state.back
    for processor in range(now.size):
        back[processor] = -np.inf
    for node in range(nodes.size):
        until = nodes[node].out_until
        if until == -np.inf:
            continue
        first, past = _members(now, node)
        for processor in range(first, past):
            back[processor] = until
        if until < np.inf and not now.grouped:
            insert_comeback(comebacks, now.running, until, -1 - node, past - first)
            now.running += 1
    if now.grouped:
        _group_by_time(state)


@kernel
def _group_by_time(state: State) -> None:
    """List what comes back where places are held, one entry for all that comes at one time."""
    now, comebacks, back = state.now[0], state.comebacks, state.back
    for place in range(now.holding):
        turn, until = state.holds[place].turn, state.holds[place].until
        for cell in range(state.courses[turn].cells, cells_past(now, state.courses, turn)):
            for processor in range(state.cells[cell].first, state.cells[cell].past):
                back[processor] = max(back[processor], until)
    size = group = 0
    for processor in range(now.size):
        if -np.inf < back[processor] < np.inf:
            push(state.sorting, size, back[processor], processor)
            size += 1
    while size:
        time, count = state.sorting[0].time, 0
        while size and state.sorting[0].time == time:
            pop(state.sorting, size)
            size, count = size - 1, count + 1
        group += 1
        insert_comeback(comebacks, now.running, time, -state.nodes.size - group, count)
        now.running += 1


@kernel
def _recover(state: State, holds: Any, turn: int, repaired: float) -> None:
    """Let the job of an attempt that failed come back as its option says."""
    waits = not come_back(state, turn, repaired)
    if holds is not None and waits:
        _hold(state, turn, repaired + state.jobs[state.attempts[turn].job].planned)
        _group_comebacks(state)


@kernel
def _hold(state: State, turn: int, until: float) -> None:
    """Withhold the place of an attempt that failed from other jobs."""
    now = state.now[0]
    for cell in range(state.courses[turn].cells, cells_past(now, state.courses, turn)):
        for processor in range(state.cells[cell].first, state.cells[cell].past):
            _withhold(now, state.gaps, state.reasons, processor)
    state.holds[now.holding].turn, state.holds[now.holding].until = turn, until
    now.holding += 1


@kernel
def restart(state: State) -> None:
    """Start each job whose place is free again; one whose place never comes back waits on."""
    now, cells = state.now[0], state.cells
    waiting = now.holding
    now.holding = 0
    for place in range(waiting):
        turn, until = state.holds[place].turn, state.holds[place].until
        begin, end = state.courses[turn].cells, cells_past(now, state.courses, turn)
        back = -np.inf
        for cell in range(begin, end):
            for processor in range(cells[cell].first, cells[cell].past):
                _yield(now, state.gaps, state.reasons, processor)
                back = max(back, state.nodes[processor // now.per_node].out_until)
        if back == np.inf:
            continue
        free = True
        for cell in range(begin, end):
            free = free and is_free(state.gaps, now.gaps, cells[cell].first, cells[cell].past)
        if free:
            _start_again(state, turn)
        else:
            planned = state.jobs[state.attempts[turn].job].planned
            _hold(state, turn, max(until, back + planned))
    _group_comebacks(state)
    now.changed = True
    now.valid = False


@kernel
def _start_again(state: State, turn: int) -> None:
    """Start the job of an attempt that failed, on the place that the attempt had."""
    now, cells, job = state.now[0], state.cells, state.attempts[turn].job
    begin, end = state.courses[turn].cells, cells_past(now, state.courses, turn)
    state.courses[now.starts].cells = now.cells
    for cell in range(begin, end):
        first, past = cells[cell].first, cells[cell].past
        now.gaps = take_these(state.gaps, now.gaps, first, past)
        cells[now.cells].first, cells[now.cells].past = first, past
        now.cells += 1
    plan_again(state.jobs, state.checkpoints, now.final, job)
    jobs, attempts, courses = state.jobs, state.attempts, state.courses
    checkpoints, ends, comebacks = state.checkpoints, state.ends, state.comebacks
    start_there(now, jobs, attempts, courses, checkpoints, ends, comebacks, job)
