"""Arrays that act as a heap of ends, a list of running jobs, and a profile of free processors."""

from __future__ import annotations

from ..._compiled import compiled
from ...records import FloatArray, IntArray

BATCH, ENDS_FIRST, SUBMISSIONS_FIRST = 0, 1, 2


@compiled()
def push(times: FloatArray, turns: IntArray, size: int, time: float, turn: int) -> None:
    """Add (time, turn) to the heap of `size` entries; equal times come out by turn."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if times[parent] < time or (times[parent] == time and turns[parent] < turn):
            break
        times[child], turns[child] = times[parent], turns[parent]
        child = parent
    times[child], turns[child] = time, turn


@compiled()
def pop(times: FloatArray, turns: IntArray, size: int) -> int:
    """Remove the first entry of the heap of `size` entries; return its turn."""
    first = turns[0]
    last = size - 1
    time, turn = times[last], turns[last]
    parent = 0
    while True:
        child = 2 * parent + 1
        if child >= last:
            break
        right = child + 1
        if right < last and (
            times[right] < times[child]
            or (times[right] == times[child] and turns[right] < turns[child])
        ):
            child = right
        if time < times[child] or (time == times[child] and turn < turns[child]):
            break
        times[parent], turns[parent] = times[child], turns[child]
        parent = child
    times[parent], turns[parent] = time, turn
    return first


@compiled()
def insert_running(
    ends: FloatArray, jobs: IntArray, counts: IntArray, size: int, end: float, job: int, count: int
) -> None:
    """Add a job to the `size` running ones, which are sorted by planned end."""
    place = size
    while place > 0 and ends[place - 1] > end:
        ends[place] = ends[place - 1]
        jobs[place] = jobs[place - 1]
        counts[place] = counts[place - 1]
        place -= 1
    ends[place], jobs[place], counts[place] = end, job, count


@compiled()
def remove_running(
    ends: FloatArray, jobs: IntArray, counts: IntArray, size: int, end: float, job: int
) -> None:
    """Remove a job of planned end `end` from the `size` running ones."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if ends[middle] < end:
            low = middle + 1
        else:
            high = middle
    while jobs[low] != job:
        low += 1
    for place in range(low, size - 1):
        ends[place] = ends[place + 1]
        jobs[place] = jobs[place + 1]
        counts[place] = counts[place + 1]


@compiled()
def planned_profile(
    times: FloatArray,
    free: IntArray,
    now: float,
    idle: int,
    ends: FloatArray,
    counts: IntArray,
    running: int,
) -> int:
    """Write the profile of the running jobs; return its number of steps."""
    times[0], free[0] = now, idle
    size = 1
    for place in range(running):
        if ends[place] > times[size - 1]:
            times[size], free[size] = ends[place], free[size - 1]
            size += 1
        free[size - 1] += counts[place]
    return size


@compiled()
def forget_past(times: FloatArray, free: IntArray, size: int, now: float) -> int:
    """Let the profile begin now; return its number of steps."""
    past = 0
    while past + 1 < size and times[past + 1] <= now:
        past += 1
    if past:
        for place in range(past, size):
            times[place - past] = times[place]
            free[place - past] = free[place]
    times[0] = max(times[0], now)
    return size - past


@compiled()
def earliest(
    times: FloatArray, free: IntArray, size: int, processors: int, duration: float
) -> float:
    """Return the first time from which `processors` stay free for `duration`."""
    place = 0
    while True:
        while free[place] < processors:
            place += 1
        start = times[place]
        end = start + duration
        place += 1
        while place < size and times[place] < end and free[place] >= processors:
            place += 1
        if place == size or times[place] >= end:
            return start


@compiled()
def earlier(
    times: FloatArray, free: IntArray, processors: int, duration: float, slot: float
) -> float:
    """Return what `earliest` would if the job's reservation at `slot` were put back first.

    It can be no later than the slot, and from there on the job finds its own processors.
    """
    place = 0
    while True:
        while times[place] < slot and free[place] < processors:
            place += 1
        start = times[place]
        if start >= slot:
            return slot
        end = min(start + duration, slot)
        place += 1
        while times[place] < end and free[place] >= processors:
            place += 1
        if times[place] >= end:
            return start


@compiled()
def cut(times: FloatArray, free: IntArray, size: int, time: float) -> tuple[int, int]:
    """Make `time` a step of the profile; return its place and the number of steps."""
    low, high = 0, size
    while low < high:
        middle = (low + high) >> 1
        if times[middle] < time:
            low = middle + 1
        else:
            high = middle
    if low < size and times[low] == time:
        return low, size
    for place in range(size, low, -1):
        times[place] = times[place - 1]
        free[place] = free[place - 1]
    times[low], free[low] = time, free[low - 1]
    return low, size + 1


@compiled()
def reserve(
    times: FloatArray, free: IntArray, size: int, start: float, end: float, processors: int
) -> int:
    """Take `processors` out of [start, end); return the number of steps."""
    first, size = cut(times, free, size, start)
    last, size = cut(times, free, size, end)
    for place in range(first, last):
        free[place] -= processors
    return size


@compiled()
def put_back(
    times: FloatArray, free: IntArray, size: int, start: float, end: float, processors: int
) -> int:
    """Undo `reserve`, and the steps it no longer needs; return the number of steps."""
    first, size = cut(times, free, size, start)
    last, size = cut(times, free, size, end)
    for place in range(first, last):
        free[place] += processors
    for place in (last, first):  # the later one first, as places shift
        if place > 0 and free[place] == free[place - 1]:
            for later in range(place + 1, size):
                times[later - 1] = times[later]
                free[later - 1] = free[later]
            size -= 1
    return size
