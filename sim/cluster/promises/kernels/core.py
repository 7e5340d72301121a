"""The loop: all that happens at an instant, then one pass.

The readable twin is `sim.cluster.loop.cluster` in its event order ``batch``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import FloatArray, IntArray, Outcome
from ...kernels.course import last_written, plan_again
from ...kernels.decorators import entry, kernel
from ...kernels.heap import pop, push
from ...kernels.instants import first_due, pass_time
from ...kernels.struck import split_time
from .calendar import hold, release
from .forecast import follow_known, written_by
from .negotiation import hold_the_late, reserve, start_due
from .state import COOPERATIVE, State

__all__ = ["play"]

COMPLETED, FAILED = int(Outcome.COMPLETED), int(Outcome.FAILED)


@entry
def play(state: State) -> bool:
    """Play until `stop_at` jobs are left or nothing more can happen; False if `cells` is short."""
    now, jobs, attempts, courses = state.now[0], state.jobs, state.attempts, state.courses
    checkpoints, reservations, waiting = state.checkpoints, state.reservations, state.waiting
    slots, by_start, by_end = state.slots, state.by_start, state.by_end
    cells, nodes, strikes, known = state.cells, state.nodes, state.strikes, state.known
    ends, repairs, wakes, touched = state.ends, state.repairs, state.wakes, state.touched
    while now.inside or now.left > now.stop_at:
        if not now.inside:
            if not _next_instant(now, jobs, attempts, strikes, ends, repairs, wakes):
                now.left = 0
                return True
            while now.ends and ends[0].time <= now.time:
                turn = pop(ends, now.ends)
                now.ends -= 1
                if attempts[turn].outcome < 0:
                    _leave(now, jobs, attempts, courses, cells, nodes, turn, COMPLETED)
                    release(now, slots, by_start, by_end, attempts[turn].job)
                    now.left -= 1
            while _repair_next(now, nodes, repairs, touched) or _strike_next(state):
                pass
            while now.arrived < now.jobs and jobs[now.arrived].submit <= now.time:
                state.news[now.news] = now.arrived
                now.news += 1
                now.arrived += 1
            _follow_outages(now, slots, by_start, by_end, nodes, touched)
            hold_the_late(now, jobs, reservations, waiting, slots, by_start, by_end)
            if now.news:
                follow_known(now, known, state.opens)
            now.inside = True
        while now.next_news < now.news:
            if now.cells + now.size > cells.size:
                return False
            job = state.news[now.next_news]
            now.next_news += 1
            reserve(
                now,
                jobs,
                reservations,
                waiting,
                slots,
                by_start,
                by_end,
                cells,
                nodes,
                known,
                state.opens,
                state.changes,
                state.by_rate,
                state.busy,
                state.chosen,
                state.best,
                state.struck,
                job,
            )
            if now.stuck >= 0:
                return True
        start_due(
            now,
            jobs,
            attempts,
            courses,
            checkpoints,
            reservations,
            waiting,
            slots,
            by_start,
            by_end,
            cells,
            nodes,
            known,
            ends,
            wakes,
        )
        now.news = now.next_news = 0
        now.inside = False
    return True


@kernel
def _next_instant(
    now: Any, jobs: Any, attempts: Any, strikes: Any, ends: Any, repairs: Any, wakes: FloatArray
) -> bool:
    """Let time go on to the next event; return whether there is one."""
    while now.wakes and wakes[now.wakes - 1] <= now.time:
        now.wakes -= 1
    while now.ends and attempts[ends[0].turn].outcome >= 0:
        pop(ends, now.ends)
        now.ends -= 1
    time = first_due(now, jobs, ends, repairs, strikes)
    if now.wakes:
        time = min(time, wakes[now.wakes - 1])
    if time == np.inf:
        return False
    pass_time(now, time)
    return True


@kernel
def _leave(
    now: Any,
    jobs: Any,
    attempts: Any,
    courses: Any,
    cells: Any,
    nodes: Any,
    turn: int,
    outcome: int,
) -> None:
    """Let a running attempt end now and give its nodes back."""
    attempt, course = attempts[turn], courses[turn]
    attempt.end, attempt.outcome = now.time, outcome
    for cell in range(course.begin, course.past):
        for node in range(cells[cell].first, cells[cell].past):
            nodes[node].turn = -1
    now.idle += jobs[attempt.job].processors
    now.idle_time, now.down_time = now.idle_sum, now.down_sum


@kernel
def _touch(now: Any, nodes: Any, touched: IntArray, node: int) -> None:
    """Remember that a node was struck or repaired."""
    if not nodes[node].touched:
        nodes[node].touched = True
        touched[now.touched] = node
        now.touched += 1


@kernel
def _repair_next(now: Any, nodes: Any, repairs: Any, touched: IntArray) -> bool:
    """Bring back the next node that is due now; return whether there was one."""
    while now.repairs and repairs[0].time <= now.time:
        until = repairs[0].time
        node = pop(repairs, now.repairs)
        now.repairs -= 1
        if nodes[node].out_until == until:
            nodes[node].out_until, nodes[node].outage = -np.inf, -1
            now.idle += 1
            now.down -= 1
            _touch(now, nodes, touched, node)
            return True
    return False


@kernel
def _strike_next(state: State) -> bool:
    """Let the next failure that is due now strike; return whether there was one."""
    now, jobs, nodes, strikes = state.now[0], state.jobs, state.nodes, state.strikes
    if now.struck == strikes.size or strikes[now.struck].time > now.time:
        return False
    node, repair = strikes[now.struck].node, strikes[now.struck].repair
    now.struck += 1
    turn, before = nodes[node].turn, nodes[node].out_until
    if turn >= 0:
        _fail(state, turn)
    # A node that is up is out until now, so that a repair of no length takes nothing out.
    out_until = before if before > -np.inf else now.time
    until = max(now.time + repair, out_until)
    if until > out_until:
        nodes[node].out_until = until
        if before == -np.inf:
            now.idle -= 1
            now.down += 1
        _note_outage(now, state.outages, nodes, node, until, turn)
        if until < np.inf:
            push(state.repairs, now.repairs, until, node)
            now.repairs += 1
    _touch(now, nodes, state.touched, node)
    if turn >= 0:
        job = state.attempts[turn].job
        plan_again(jobs, state.checkpoints, now.final, job)
        state.news[now.news] = job
        now.news += 1
    return True


@kernel
def _note_outage(now: Any, outages: Any, nodes: Any, node: int, until: float, turn: int) -> None:
    """Note an outage; those of the node that are still open end with it."""
    this = now.outages
    outages[this].node, outages[this].start, outages[this].turn = node, now.time, turn
    outages[this].next, nodes[node].outage = nodes[node].outage, this
    now.outages += 1
    while this >= 0:
        outages[this].end = until
        this = outages[this].next


@kernel
def _fail(state: State, turn: int) -> None:
    """End an attempt that was struck, and note where its time went."""
    now, attempt, course = state.now[0], state.attempts[turn], state.courses[turn]
    job, nodes, cells = attempt.job, state.nodes, state.cells
    checkpoint = state.checkpoints[job if state.checkpoints.size > 1 else 0]
    elapsed = now.time - attempt.start
    if now.checkpointing == COOPERATIVE:
        deadline = state.jobs[job].deadline
        _, saved, at = written_by(
            now,
            state.known,
            nodes,
            cells,
            checkpoint,
            course,
            turn,
            attempt.start,
            deadline,
            elapsed,
        )
    else:
        saved, at = last_written(elapsed, course.work, checkpoint, course.read_back)
    split_time(course, elapsed, saved, at)
    state.jobs[job].saved += saved
    _leave(now, state.jobs, state.attempts, state.courses, cells, nodes, turn, FAILED)
    release(now, state.slots, state.by_start, state.by_end, job)


@kernel
def _follow_outages(
    now: Any, slots: Any, by_start: Any, by_end: Any, nodes: Any, touched: IntArray
) -> None:
    """Hold the nodes that went down, and release those that came back."""
    for place in range(now.touched):
        node = touched[place]
        nodes[node].touched = False
        row, until = now.jobs + node, nodes[node].out_until
        if until > -np.inf:
            hold(now, slots, by_start, by_end, row, now.time, until, node, node + 1)
        else:
            release(now, slots, by_start, by_end, row)
    now.touched = 0
