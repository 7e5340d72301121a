"""Slots of time on nodes, as rows sorted by start and by end; the twin is `promises.calendar`."""

from __future__ import annotations

from typing import Any

from ...kernels.decorators import kernel


@kernel
def insert(entries: Any, first: int, past: int, time: float, turn: int) -> None:
    """Add an entry to the sorted ones [first, past), behind equal times."""
    place = past
    while place > first and entries[place - 1].time > time:
        entries[place].time, entries[place].turn = entries[place - 1].time, entries[place - 1].turn
        place -= 1
    entries[place].time, entries[place].turn = time, turn


@kernel
def _place(entries: Any, size: int, time: float, turn: int) -> int:
    """Return where the entry `turn` of `time` stands."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if entries[middle].time < time:
            low = middle + 1
        else:
            high = middle
    while entries[low].turn != turn:
        low += 1
    return low


@kernel
def _remove(entries: Any, size: int, time: float, turn: int) -> None:
    for place in range(_place(entries, size, time, turn), size - 1):
        entries[place].time, entries[place].turn = entries[place + 1].time, entries[place + 1].turn


@kernel
def _move(entries: Any, size: int, before: float, time: float, turn: int) -> None:
    """Give the entry `turn` another time."""
    place = _place(entries, size, before, turn)
    while place + 1 < size and entries[place + 1].time < time:
        entries[place].time, entries[place].turn = entries[place + 1].time, entries[place + 1].turn
        place += 1
    while place > 0 and entries[place - 1].time > time:
        entries[place].time, entries[place].turn = entries[place - 1].time, entries[place - 1].turn
        place -= 1
    entries[place].time, entries[place].turn = time, turn


@kernel
def hold(
    now: Any,
    slots: Any,
    by_start: Any,
    by_end: Any,
    row: int,
    start: float,
    end: float,
    begin: int,
    past: int,
) -> None:
    """Hold the nodes of cells [begin, past) in a slot, instead of what it held before."""
    slot = slots[row]
    if not slot.held:
        insert(by_start, 0, now.slots, start, row)
        insert(by_end, 0, now.slots, end, row)
        now.slots += 1
    else:
        if start != slot.start:
            _move(by_start, now.slots, slot.start, start, row)
        if end != slot.end:
            _move(by_end, now.slots, slot.end, end, row)
    slot.held, slot.start, slot.end, slot.begin, slot.past = True, start, end, begin, past


@kernel
def release(now: Any, slots: Any, by_start: Any, by_end: Any, row: int) -> None:
    """Delete a slot, if it is there."""
    slot = slots[row]
    if slot.held:
        _remove(by_start, now.slots, slot.start, row)
        _remove(by_end, now.slots, slot.end, row)
        slot.held = False
        now.slots -= 1
