"""A profile of free processors against time, as two arrays."""

from __future__ import annotations

import numpy as np

from ...records import FloatArray, IntArray
from .decorators import entry, kernel


@entry
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


@kernel
def earliest(
    times: FloatArray, free: IntArray, size: int, processors: int, duration: float
) -> float:
    """Return the first time from which `processors` stay free for `duration`, or inf."""
    place = 0
    while True:
        while place < size and free[place] < processors:
            place += 1
        if place == size:
            return np.inf
        start = times[place]
        end = start + duration
        place += 1
        while place < size and times[place] < end and free[place] >= processors:
            place += 1
        if place == size or times[place] >= end:
            return start


@kernel
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


@kernel
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


@entry
def reserve(
    times: FloatArray, free: IntArray, size: int, start: float, end: float, processors: int
) -> int:
    """Take `processors` out of [start, end); return the number of steps."""
    first, size = cut(times, free, size, start)
    last, size = cut(times, free, size, end)
    for place in range(first, last):
        free[place] -= processors
    return size


@kernel
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
