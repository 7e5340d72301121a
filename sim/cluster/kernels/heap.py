"""Records (time, turn) as a heap, and (time, turn, count) as a sorted list.

Python calls none of these, but as a `kernel` they made replays with passes between events 1.7 times
as slow: LLVM then lays the loop out otherwise.
"""

from __future__ import annotations

from typing import Any

from .decorators import entry


@entry
def push(heap: Any, size: int, time: float, turn: int) -> None:
    """Add (time, turn) to the heap of `size` entries; equal times come out by turn."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if heap[parent].time < time or (heap[parent].time == time and heap[parent].turn < turn):
            break
        heap[child].time, heap[child].turn = heap[parent].time, heap[parent].turn
        child = parent
    heap[child].time, heap[child].turn = time, turn


@entry
def _sink(heap: Any, size: int, place: int, time: float, turn: int) -> None:
    """Put (time, turn) at `place` of a heap of `size` entries, or where it belongs below."""
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            heap[right].time < heap[child].time
            or (heap[right].time == heap[child].time and heap[right].turn < heap[child].turn)
        ):
            child = right
        if time < heap[child].time or (time == heap[child].time and turn < heap[child].turn):
            break
        heap[place].time, heap[place].turn = heap[child].time, heap[child].turn
        place = child
    heap[place].time, heap[place].turn = time, turn


@entry
def pop(heap: Any, size: int) -> int:
    """Remove the first entry of the heap of `size` entries; return its turn."""
    first = heap[0].turn
    _sink(heap, size - 1, 0, heap[size - 1].time, heap[size - 1].turn)
    return first


@entry
def pull(heap: Any, size: int, turn: int) -> None:
    """Remove the entry `turn` from wherever it stands in the heap of `size` entries."""
    place = 0
    while heap[place].turn != turn:
        place += 1
    if place == size - 1:
        return
    # What stood last may belong above this place or below it.
    time, last = heap[size - 1].time, heap[size - 1].turn
    push(heap, place, time, last)
    if heap[place].turn == last:
        _sink(heap, size - 1, place, time, last)


@entry
def insert_comeback(comebacks: Any, size: int, time: float, turn: int, count: int) -> None:
    """Add an entry to the `size` ones sorted by time, behind equal times."""
    place = size
    while place > 0 and comebacks[place - 1].time > time:
        before = comebacks[place - 1]
        comebacks[place].time, comebacks[place].turn = before.time, before.turn
        comebacks[place].count = before.count
        place -= 1
    comebacks[place].time, comebacks[place].turn, comebacks[place].count = time, turn, count


@entry
def drop_comeback(comebacks: Any, size: int, time: float, turn: int) -> None:
    """Remove the entry `turn` of `time` from the `size` ones sorted by time."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if comebacks[middle].time < time:
            low = middle + 1
        else:
            high = middle
    while comebacks[low].turn != turn:
        low += 1
    for place in range(low, size - 1):
        after = comebacks[place + 1]
        comebacks[place].time, comebacks[place].turn = after.time, after.turn
        comebacks[place].count = after.count
