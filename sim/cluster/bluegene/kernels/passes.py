"""A pass of Cobalt: who starts next; the readable twin is `cobalt`.

Jobs are scored once a pass, or after each start where the score asks how many wait, and ranked only
as far as the pass looks.
"""

from __future__ import annotations

from ...kernels.course import begin
from ...kernels.decorators import kernel
from ...kernels.queue import unlink
from .costs import cheapest
from .machine import block, count_nodes, foresee, idle_of, raise_until
from .ranking import any_idle, consider, rank_by_score, reach
from .released import no_drains, shared_drains
from .separate import separate_drains
from .state import JANUARY, SEPARATE, State


@kernel
def cobalt_pass(state: State) -> bool:
    """Start jobs one at a time until none can; False if a score is not a number."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    fresh = True
    while True:
        if fresh:
            if now.head < 0:
                return True
            consider(now, site, jobs, kinds, state.waiting)
        if not any_idle(kinds):
            return True
        if fresh:
            if not rank_by_score(
                now,
                site,
                jobs,
                state.waiting,
                state.scores,
                state.heap,
                state.ops,
                state.numbers,
                state.stack,
            ):
                return False
            fresh = site.by_length
        rank, count = _choose(state)
        if rank < 0:
            return True
        job = state.waiting[state.order[rank]]
        partition = cheapest(
            site,
            state.nodes,
            state.strikes,
            state.after,
            state.detectable,
            state.false_alarms,
            state.parts,
            state.parents,
            state.uses,
            state.users,
            state.idle,
            state.marks,
            state.candidates,
            count,
            now.time,
            now.time + jobs[job].planned,
        )
        for later in range(rank + 1, site.ranked):
            state.order[later - 1] = state.order[later]
        site.ranked -= 1
        kinds[jobs[job].kind].waiting -= 1
        unlink(now, jobs, job)
        start_on(state, job, partition)
        fresh = fresh or site.ranked + site.heaped == 0


@kernel
def start_on(state: State, job: int, partition: int) -> None:
    """Start a job that has left the queue on an idle partition."""
    now, site, jobs, attempts = state.now[0], state.site[0], state.jobs, state.attempts
    turn = now.starts
    begin(now, jobs, attempts, state.courses, state.checkpoints, state.ends, job)
    state.places[turn] = partition
    state.parts[partition].slot = site.running
    state.running[site.running] = turn
    site.running += 1
    block(state.parts, state.kinds, state.rivals, state.idle, partition)
    site.busy += state.parts[partition].nodes
    count_nodes(now, site)
    if site.known:
        raise_until(state.parts, state.rivals, state.until, partition, attempts[turn].planned_end)


@kernel
def _choose(state: State) -> tuple[int, int]:
    """Return the rank of the next job to start, or -1, and how many `candidates` it has."""
    now, site, jobs, kinds = state.now[0], state.site[0], state.jobs, state.kinds
    reach(site, jobs, state.waiting, state.scores, state.heap, state.order, 0)
    kind = jobs[state.waiting[state.order[0]]].kind
    if kinds[kind].idle > 0:
        return 0, idle_of(kinds[kind], state.members, state.idle, state.candidates)
    if site.scheduler == JANUARY:
        return no_drains(state)
    if not site.known:
        foresee(
            now,
            site,
            state.attempts,
            state.nodes,
            state.holds,
            state.parts,
            state.rivals,
            state.users,
            state.reboots,
            state.alone,
            state.places,
            state.running,
            state.until,
        )
    if site.scheduler == SEPARATE:
        return separate_drains(state)
    return shared_drains(state)
