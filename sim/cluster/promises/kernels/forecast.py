"""Forecasts in compiled code, and the checkpoints that they grant.

The readable twins are `forecasts.windows` and `checkpointing.cooperative`.
"""

from __future__ import annotations

import math
from typing import Any

from ....records import IntArray
from ...checkpointing.cooperative import SLACK
from ...kernels.course import checkpoints_inside
from ...kernels.decorators import kernel
from .state import DETECTED, RATED, STATED


@kernel
def follow_known(now: Any, known: Any, opens: IntArray) -> None:
    """Bring `known` and `opens` up to now."""
    kept = 0
    for place in range(now.opens):
        if known[opens[place]].up > now.time:
            opens[kept] = opens[place]
            kept += 1
    while now.known < known.size and known[now.known].time < now.time:
        if known[now.known].up > now.time:
            opens[kept] = now.known
            kept += 1
        now.known += 1
    now.opens = kept


@kernel
def _first_from(known: Any, time: float) -> int:
    """Return the first known failure at `time` or later."""
    low, high = 0, known.size
    while low < high:
        middle = (low + high) >> 1
        if known[middle].time < time:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _risk(rate: float, start: float, end: float) -> float:
    return -math.expm1(-(end - start) * rate)


@kernel
def _find_disturbed(
    now: Any,
    known: Any,
    opens: IntArray,
    nodes: Any,
    busy: IntArray,
    struck: Any,
    start: float,
    end: float,
) -> int:
    """Mark the free nodes that an outage disturbs; write them and their first failures, by time."""
    count, earliest = 0, start - now.longest
    ahead = max(now.known, _first_from(known, earliest))
    for place in range(now.opens + known.size - ahead):
        which = opens[place] if place < now.opens else ahead + place - now.opens
        if known[which].time >= end:
            break
        node = known[which].node
        disturbs = known[which].up > start and known[which].time >= earliest
        if disturbs and busy[node] == 0 and nodes[node].marked != now.serial:
            nodes[node].marked = now.serial
            struck[count].time, struck[count].turn = known[which].chance, node
            count += 1
    return count


@kernel
def _pick(now: Any, nodes: Any, struck: Any, found: int, missing: int) -> float:
    """Pick `missing` of the nodes found, of which the first to fail gives the probability."""
    leader = 0
    for place in range(1, found - missing + 1):
        if struck[place].time < struck[leader].time:
            leader = place
    nodes[struck[leader].turn].picked = now.serial
    for _ in range(missing - 1):
        least = -1
        for place in range(leader + 1, found):
            if nodes[struck[place].turn].picked != now.serial and (
                least < 0 or struck[place].time < struck[least].time
            ):
                least = place
        nodes[struck[least].turn].picked = now.serial
    return float(struck[leader].time)


@kernel
def _collect(
    now: Any, nodes: Any, busy: IntArray, chosen: IntArray, clean: int, count: int
) -> None:
    """Write the nodes that were picked and the first `clean` that are not marked, by number."""
    filled = node = 0
    while filled < count:
        if busy[node] == 0:
            takes = nodes[node].picked == now.serial
            if nodes[node].marked != now.serial and clean > 0:
                takes = True
                clean -= 1
            if takes:
                chosen[filled] = node
                filled += 1
        node += 1


@kernel
def _pick_stated(now: Any, nodes: Any, busy: IntArray, missing: int) -> float:
    """Pick the first `missing` nodes that will fail; return what is stated for the choice."""
    chance, node = now.otherwise, 0
    while missing > 0:
        if busy[node] == 0 and nodes[node].marked == now.serial:
            nodes[node].picked = now.serial
            chance = now.if_struck
            missing -= 1
        node += 1
    return float(chance)


@kernel
def _pick_by_rate(now: Any, nodes: Any, by_rate: IntArray, busy: IntArray, count: int) -> float:
    """Pick the free nodes of the least rates; return the sum of these, [1/s]."""
    place = 0
    while count > 0:
        node = by_rate[place]
        if busy[node] == 0:
            nodes[node].picked = now.serial
            count -= 1
        place += 1
    rate = 0.0
    for node in range(now.size):
        if nodes[node].picked == now.serial:
            rate += nodes[node].rate
    return rate


@kernel
def choose(
    now: Any,
    known: Any,
    opens: IntArray,
    nodes: Any,
    by_rate: IntArray,
    busy: IntArray,
    struck: Any,
    chosen: IntArray,
    free: int,
    count: int,
    start: float,
    end: float,
) -> float:
    """Choose `count` of the `free` nodes that are not busy; return their probability to fail."""
    now.serial += 1
    clean = 0
    if now.forecaster == RATED:
        for node in range(now.size):
            nodes[node].marked = now.serial  # so that only what is picked is taken
        chance = _risk(_pick_by_rate(now, nodes, by_rate, busy, count), start, end)
    else:
        found = _find_disturbed(now, known, opens, nodes, busy, struck, start, end)
        clean = min(count, free - found)
        if now.forecaster == STATED:
            if now.if_struck < now.otherwise:
                clean = max(0, count - found)  # those that fail are the better ones
            chance = _pick_stated(now, nodes, busy, count - clean)
        elif clean < count:
            chance = _pick(now, nodes, struck, found, count - clean)
        else:
            chance = 0.0
    _collect(now, nodes, busy, chosen, clean, count)
    return chance


@kernel
def _chance(
    now: Any, known: Any, nodes: Any, turn: int, rate: float, first: int, start: float, end: float
) -> float:
    """Return the probability that an attempt is struck in (start, end], from `first` on."""
    if now.forecaster == RATED:
        return _risk(rate, start, end)
    while first < known.size and known[first].time <= end:
        if nodes[known[first].node].turn == turn:
            return float(known[first].chance if now.forecaster == DETECTED else now.if_struck)
        first += 1
    return float(0.0 if now.forecaster == DETECTED else now.otherwise)


@kernel
def written_by(
    now: Any,
    known: Any,
    nodes: Any,
    cells: Any,
    checkpoint: Any,
    course: Any,
    turn: int,
    start: float,
    deadline: float,
    elapsed: float,
) -> tuple[int, float, float]:
    """Return how many checkpoints are granted and complete after `elapsed`, [s], in an attempt.

    With them what the last one holds, and when it was complete; (0, 0, -1) if there is none.
    """
    interval, cost, work = checkpoint.interval, checkpoint.cost, course.work
    requests = checkpoints_inside(interval, work)
    written, saved, at, skipped = 0, 0.0, -1.0, 1
    rate = 0.0
    if now.forecaster == RATED and requests:
        for cell in range(course.begin, course.past):
            for node in range(cells[cell].first, cells[cell].past):
                rate += nodes[node].rate
    first = _first_from(known, start)
    for request in range(1, requests + 1):
        done = interval * request
        time = start + done + written * cost
        until = time + cost + interval + cost
        while first < known.size and known[first].time <= time:
            first += 1
        chance = _chance(now, known, nodes, turn, rate, first, time, until)
        ends = time + work - done
        too_late = ends <= deadline + SLACK < ends + cost
        if chance * skipped * interval >= cost and not too_late:
            complete = done + (written + 1) * cost
            if complete > elapsed:
                break
            written += 1
            saved, at, skipped = done, complete, 1
        else:
            skipped += 1
    return written, saved, at
