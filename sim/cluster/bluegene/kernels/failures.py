"""Failures and repairs of midplanes, and the jobs that wait for their old partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, IntArray, Outcome
from ...kernels.course import plan_again
from ...kernels.decorators import kernel
from ...kernels.heap import pop, push
from ...kernels.struck import come_back, note_failure, note_outage, note_struck
from .machine import block, count_nodes, readmit, unblock, withhold
from .passes import start_on
from .state import State

__all__ = ["leave", "repair_next", "restart", "strike_next"]

FAILED = int(Outcome.FAILED)


@kernel
def leave(
    now: Any,
    site: Any,
    attempts: Any,
    parts: Any,
    kinds: Any,
    rivals: IntArray,
    places: IntArray,
    running: IntArray,
    idle: BoolArray,
    turn: int,
    outcome: int,
) -> None:
    """Let a running attempt end now and give its partition back."""
    attempts[turn].end, attempts[turn].outcome = now.time, outcome
    partition = places[turn]
    unblock(parts, kinds, rivals, idle, partition)
    site.running -= 1
    slot, last = parts[partition].slot, running[site.running]
    running[slot] = last
    parts[places[last]].slot = slot
    site.busy -= parts[partition].nodes
    site.known = False
    count_nodes(now, site)
    now.idle_time, now.down_time = now.idle_sum, now.down_sum


@kernel
def repair_next(state: State) -> bool:
    """Bring back the next midplane that is due now; return whether there was one."""
    now, site, repairs, nodes = state.now[0], state.site[0], state.repairs, state.nodes
    while now.repairs and repairs[0].time <= now.time:
        until = repairs[0].time
        node = pop(repairs, now.repairs)
        now.repairs -= 1
        if nodes[node].out_until == until:
            nodes[node].out_until, nodes[node].outage = -np.inf, -1
            for other in range(nodes.size):
                reasons = state.reboots[node, other]
                if reasons:
                    state.reboots[node, other] = 0
                    readmit(
                        site,
                        nodes,
                        state.parts,
                        state.kinds,
                        state.users,
                        state.idle,
                        other,
                        reasons,
                    )
            _end_reboots(state, node)
            count_nodes(now, site)
            now.upset = True
            site.known = False
            return True
    return False


@kernel
def strike_next(state: State) -> bool:
    """Let the next failure that is due now strike; return whether there was one."""
    now, site, nodes, strikes = state.now[0], state.site[0], state.nodes, state.strikes
    if now.struck == strikes.size or strikes[now.struck].time > now.time:
        return False
    node, repair = strikes[now.struck].node, strikes[now.struck].repair
    now.struck += 1
    begin = now.struck_attempts
    _find_struck(state, node)
    if begin == now.struck_attempts and not site.idle_failures:
        return True
    for place in range(begin, now.struck_attempts):
        _fail(state, state.struck[place])
    # A midplane that is up is out until now, so that a repair of no length takes nothing out.
    before = nodes[node].out_until
    out_until = before if before > -np.inf else now.time
    until = max(now.time + repair, out_until)
    if until > out_until:
        nodes[node].out_until = until
        if before == -np.inf and (site.whole or begin == now.struck_attempts):
            _take_out(state, node, node)
        for place in range(begin, now.struck_attempts):
            partition = state.places[state.struck[place]]
            if not site.whole:
                _reboot_alone(state, node, partition)
                continue
            for at in range(state.parts[partition].uses, state.parts[partition].uses_past):
                _take_out(state, node, state.uses[at])
        count_nodes(now, site)
        note_outage(now, state.outages, state.nodes, node, until, begin)
        if until < np.inf:
            push(state.repairs, now.repairs, until, node)
            now.repairs += 1
    now.upset = True
    site.known = False
    for place in range(begin, now.struck_attempts):
        turn = state.struck[place]
        if not come_back(state, turn, until):
            _hold(state, turn, until + state.jobs[state.attempts[turn].job].planned)
    return True


@kernel
def _find_struck(state: State, node: int) -> None:
    """Add the running attempts that use a midplane to `struck`, by start."""
    now, struck = state.now[0], state.struck
    begin = now.struck_attempts
    for slot in range(state.site[0].running):
        turn = state.running[slot]
        one, uses = state.parts[state.places[turn]], False
        for at in range(one.uses, one.uses_past):
            uses = uses or state.uses[at] == node
        if uses:
            note_struck(now, struck, begin, turn)


@kernel
def _fail(state: State, turn: int) -> None:
    """End an attempt that was struck."""
    now, attempts = state.now[0], state.attempts
    note_failure(now, state.jobs, attempts, state.courses, state.checkpoints, state.ends, turn)
    leave(
        now,
        state.site[0],
        attempts,
        state.parts,
        state.kinds,
        state.rivals,
        state.places,
        state.running,
        state.idle,
        turn,
        FAILED,
    )


@kernel
def _take_out(state: State, node: int, other: int) -> None:
    """Withhold a midplane until the outage of `node` ends."""
    state.reboots[node, other] += 1
    withhold(state.site[0], state.nodes, state.parts, state.kinds, state.users, state.idle, other)


@kernel
def _reboot_alone(state: State, node: int, partition: int) -> None:
    """Withhold a partition, but not its midplanes, until the outage of `node` ends."""
    site = state.site[0]
    block(state.parts, state.kinds, state.rivals, state.idle, partition)
    state.alone[site.alone].partition, state.alone[site.alone].node = partition, node
    site.alone += 1
    site.alone_nodes += state.parts[partition].nodes


@kernel
def _end_reboots(state: State, node: int) -> None:
    """Bring back the partitions that reboot alone because of a midplane."""
    site, alone, at = state.site[0], state.alone, 0
    while at < site.alone:
        partition = alone[at].partition
        if alone[at].node != node:
            at += 1
            continue
        site.alone -= 1
        alone[at].partition = alone[site.alone].partition
        alone[at].node = alone[site.alone].node
        site.alone_nodes -= state.parts[partition].nodes
        unblock(state.parts, state.kinds, state.rivals, state.idle, partition)


@kernel
def _hold(state: State, turn: int, until: float) -> None:
    """Withhold the partition of an attempt that failed from other jobs."""
    now = state.now[0]
    block(state.parts, state.kinds, state.rivals, state.idle, state.places[turn])
    state.holds[now.holding].turn, state.holds[now.holding].until = turn, until
    now.holding += 1


@kernel
def restart(state: State) -> None:
    """Start each job whose partition is free again; one whose never comes back waits on."""
    now, parts = state.now[0], state.parts
    holding = now.holding
    now.holding = 0
    for place in range(holding):
        turn, until = state.holds[place].turn, state.holds[place].until
        partition, back = state.places[turn], -np.inf
        unblock(parts, state.kinds, state.rivals, state.idle, partition)
        for at in range(parts[partition].uses, parts[partition].uses_past):
            back = max(back, state.nodes[state.uses[at]].out_until)
        if back == np.inf:
            continue
        job = state.attempts[turn].job
        if state.idle[partition]:
            plan_again(state.jobs, state.checkpoints, now.final, job)
            start_on(state, job, partition)
        else:
            _hold(state, turn, max(until, back + state.jobs[job].planned))
    state.site[0].known = False
