"""Which partitions are idle, and until when the others are expected to be busy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....records import BoolArray, FloatArray, IntArray
from ...kernels.decorators import kernel


@kernel
def _lose(parts: Any, kinds: Any, idle: BoolArray, partition: int) -> None:
    if idle[partition]:
        idle[partition] = False
        kinds[parts[partition].kind].idle -= 1


@kernel
def _regain(parts: Any, kinds: Any, idle: BoolArray, partition: int) -> None:
    if parts[partition].blockers == 0 and parts[partition].outs == 0:
        idle[partition] = True
        kinds[parts[partition].kind].idle += 1


@kernel
def block(parts: Any, kinds: Any, rivals: IntArray, idle: BoolArray, partition: int) -> None:
    """Let a partition be taken or held: it and its rivals are not idle."""
    parts[partition].blockers += 1
    _lose(parts, kinds, idle, partition)
    for place in range(parts[partition].rivals, parts[partition].rivals_past):
        parts[rivals[place]].blockers += 1
        _lose(parts, kinds, idle, rivals[place])


@kernel
def unblock(parts: Any, kinds: Any, rivals: IntArray, idle: BoolArray, partition: int) -> None:
    """Undo `block`."""
    parts[partition].blockers -= 1
    _regain(parts, kinds, idle, partition)
    for place in range(parts[partition].rivals, parts[partition].rivals_past):
        parts[rivals[place]].blockers -= 1
        _regain(parts, kinds, idle, rivals[place])


@kernel
def withhold(
    site: Any, nodes: Any, parts: Any, kinds: Any, users: IntArray, idle: BoolArray, node: int
) -> None:
    """Give a midplane one reason more to be out."""
    one = nodes[node]
    one.reasons += 1
    if one.reasons == 1:
        site.out += 1
        for place in range(one.users, one.users_past):
            parts[users[place]].outs += 1
            _lose(parts, kinds, idle, users[place])


@kernel
def readmit(
    site: Any,
    nodes: Any,
    parts: Any,
    kinds: Any,
    users: IntArray,
    idle: BoolArray,
    node: int,
    reasons: int,
) -> None:
    """Take so many reasons to be out from a midplane."""
    one = nodes[node]
    one.reasons -= reasons
    if one.reasons == 0:
        site.out -= 1
        for place in range(one.users, one.users_past):
            parts[users[place]].outs -= 1
            _regain(parts, kinds, idle, users[place])


@kernel
def count_nodes(now: Any, site: Any) -> None:
    """Count what is idle and what is out, [node]."""
    now.down = site.out * site.per_midplane + site.alone_nodes
    now.idle = site.total - site.busy - now.down


@kernel
def idle_of(one: Any, members: IntArray, idle: BoolArray, candidates: IntArray) -> int:
    """Write the idle partitions of a kind to `candidates`; return how many."""
    count = 0
    for place in range(one.first, one.past):
        if idle[members[place]]:
            candidates[count] = members[place]
            count += 1
    return count


@kernel
def raise_until(
    parts: Any, rivals: IntArray, until: FloatArray, partition: int, time: float
) -> None:
    """Expect a partition and its rivals not to be free before `time`."""
    until[partition] = max(until[partition], time)
    for place in range(parts[partition].rivals, parts[partition].rivals_past):
        until[rivals[place]] = max(until[rivals[place]], time)


@kernel
def foresee(
    now: Any,
    site: Any,
    attempts: Any,
    nodes: Any,
    holds: Any,
    parts: Any,
    rivals: IntArray,
    users: IntArray,
    reboots: IntArray,
    alone: Any,
    places: IntArray,
    running: IntArray,
    until: FloatArray,
) -> None:
    """Write anew when what keeps each partition is planned to end."""
    for partition in range(until.size):
        until[partition] = -np.inf
    for slot in range(site.running):
        turn = running[slot]
        raise_until(parts, rivals, until, places[turn], attempts[turn].planned_end)
    for hold in range(now.holding):
        raise_until(parts, rivals, until, places[holds[hold].turn], holds[hold].until)
    for at in range(site.alone):
        back = nodes[alone[at].node].out_until
        raise_until(parts, rivals, until, alone[at].partition, back)
    for node in range(nodes.size if site.out else 0):
        if nodes[node].out_until == -np.inf:
            continue
        for other in range(nodes.size):
            if reboots[node, other] == 0:
                continue
            for place in range(nodes[other].users, nodes[other].users_past):
                until[users[place]] = max(until[users[place]], nodes[node].out_until)
    site.known = True
