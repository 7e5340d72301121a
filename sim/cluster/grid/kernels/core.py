"""The loop of a grid: all that happens at one instant, then a pass of the policy.

The readable twin is `sim.cluster.loop.cluster` in the event order ``batch``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import Outcome
from ...kernels.decorators import entry, inlined, kernel
from ...kernels.heap import pop
from ...kernels.instants import first_due, pass_time
from .attempts import leave
from .easy import easy_pass, fcfs_pass
from .failures import repair_next, strike_next
from .planned import planned_pass, start_due
from .queue import cancel_stranded, enqueue
from .searched import ask_again, count_planned
from .state import EASY, PLANNED, SEARCHED, GridState

__all__ = ["play"]

COMPLETED = int(Outcome.COMPLETED)


@entry
def play(state: GridState) -> bool:
    """Play until `stop_at` jobs are left or nothing more can happen.

    Return False to be called again: when the plan has been improved if it says `searching`, which
    needs arrays that the core does not make, else with longer tables.
    """
    now, jobs, attempts, pools = state.now[0], state.jobs, state.attempts, state.pools
    machines, cells, choices = state.machines, state.cells, state.choices
    queue, newcomers, ends = state.queue, state.newcomers, state.ends
    comebacks, paces = state.comebacks, state.paces
    while now.inside or now.left > now.stop_at:
        if not now.inside:
            # A pass takes the rest of each machine at most once, and else one part for each job.
            room = now.most + machines.size
            if now.starts + now.most >= attempts.size or now.cells + room > cells.size:
                return False
            if not _next_instant(state, now, jobs, ends):
                now.left = 0
                return True
            _let_happen(state)
        if now.policy >= PLANNED:
            if not _planned(state):
                return False
        elif now.policy == EASY:
            easy_pass(
                now,
                jobs,
                attempts,
                pools,
                machines,
                cells,
                choices,
                queue,
                newcomers,
                ends,
                comebacks,
                paces,
            )
        else:
            fcfs_pass(
                now, jobs, attempts, pools, machines, cells, choices, queue, ends, comebacks, paces
            )
        now.newcomers = 0
        now.inside = now.hit = now.early = False
        while now.wakes and state.wakes[0].time <= now.time:
            pop(state.wakes, now.wakes)
            now.wakes -= 1
    return True


@inlined
def _planned(state: GridState) -> bool:
    """Play a pass of a policy that plans; return whether it is over."""
    now, jobs, attempts, pools = state.now[0], state.jobs, state.attempts, state.pools
    machines, cells, queue, ends = state.machines, state.cells, state.queue, state.ends
    comebacks, due, due_jobs, times = state.comebacks, state.due, state.due_jobs, state.times
    paces = state.paces
    over = False
    if now.searching:
        now.searching = False
        start_due(
            now,
            jobs,
            attempts,
            pools,
            machines,
            cells,
            queue,
            ends,
            comebacks,
            due,
            due_jobs,
            paces,
        )
        over = True
    elif not _is_short(now, pools, due.size, times.shape[1], state.draws.shape[0]):
        planned_pass(
            now,
            jobs,
            attempts,
            pools,
            machines,
            cells,
            state.choices,
            queue,
            state.newcomers,
            ends,
            comebacks,
            due,
            due_jobs,
            state.unplaced,
            times,
            state.free,
            paces,
        )
        if now.policy == SEARCHED and now.time >= now.next_search:
            now.next_search = np.inf
            now.searching = count_planned(pools) > 1
        over = not now.searching
    if over and now.policy == SEARCHED:
        ask_again(now, pools, state.wakes)
    return over


@inlined
def _let_happen(state: GridState) -> None:
    """Let all happen that is due: ends, repairs and failures, submissions."""
    now, jobs, attempts, pools = state.now[0], state.jobs, state.attempts, state.pools
    machines, cells, choices = state.machines, state.cells, state.choices
    queue, newcomers, ends = state.queue, state.newcomers, state.ends
    comebacks, repairs, strikes = state.comebacks, state.repairs, state.strikes
    now.inside = True
    while now.ends and ends[0].time <= now.time:
        turn = pop(ends, now.ends)
        now.ends -= 1
        now.early = now.early or attempts[turn].planned_end != now.time
        leave(now, attempts, pools, machines, cells, comebacks, turn, COMPLETED)
        one = jobs[attempts[turn].job]
        one.outcome, one.end = COMPLETED, now.time
        now.left -= 1
    while (
        (now.repairs and repairs[0].time <= now.time)
        or (now.struck < strikes.size and strikes[now.struck].time <= now.time)
    ) and (repair_next(state) or strike_next(state)):
        pass
    while now.arrived < now.jobs and jobs[now.arrived].submit <= now.time:
        enqueue(now, jobs, queue, newcomers, now.arrived)
        now.arrived += 1
    if now.stranding and (now.hit or now.newcomers):
        cancel_stranded(now, jobs, pools, choices, queue, newcomers)


@kernel
def _is_short(now: Any, pools: Any, due: int, steps: int, draws: int) -> bool:
    """Return whether a pass might need more planned starts, longer profiles or more draws."""
    waiting = now.past - now.front
    if now.due + 2 * waiting > due or now.drawn + now.rounds * waiting > draws:
        return True
    for pool in range(pools.size):
        there = pools[pool]
        if max(there.steps, there.running + 1) + 4 * waiting + 4 > steps:
            return True
    return False


@inlined
def _next_instant(state: GridState, now: Any, jobs: Any, ends: Any) -> bool:
    """Let time go on to the next event; return whether there is one."""
    time = first_due(now, jobs, ends, state.repairs, state.strikes)
    if now.wakes:
        time = min(time, state.wakes[0].time)
    if time == np.inf:
        return False
    pass_time(now, time)
    return True
