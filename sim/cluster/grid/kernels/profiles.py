"""Profiles as the search over plans changes them: made for speed, not checked.

A profile is as in `plan`. It can also be sorted times at which room for one more comes free.
"""

from __future__ import annotations

import numpy as np

from ....records import FloatArray, IntArray
from ...kernels.decorators import entry, kernel
from .plan import U

_BLOCK = 32  # steps looked at together


@kernel
def copy(
    times: FloatArray, free: IntArray, size: int, to_times: FloatArray, to_free: IntArray
) -> None:
    """Copy a profile."""
    for place in range(U(size)):  # slices take seconds to compile
        to_times[place] = times[place]
    for place in range(U(size)):
        to_free[place] = free[place]


@kernel
def first_not_before(times: FloatArray, first: int, size: int, time: float) -> int:
    """Return the first step from `first` on that does not begin before a time, or `size`."""
    past = size
    while past - first > _BLOCK:
        middle = (first + past) >> 1
        if times[U(middle)] < time:
            first = middle + 1
        else:
            past = middle
    count = 0
    for place in range(U(first), U(past)):  # to count is faster than to guess which half
        count += times[place] < time
    return first + count


@kernel
def _with_room(free: IntArray, first: int, past: int, processors: int) -> int:
    """Return the first step of [first, past) with so many processors free, or `past`."""
    if first < past and free[U(first)] >= processors:
        return first
    while first < past:
        last = min(first + _BLOCK, past)
        found = 0
        for place in range(U(first), U(last)):
            found += free[place] >= processors
        if found:
            while free[U(first)] < processors:
                first += 1
            return first
        first = last
    return past


@kernel
def _without_room(free: IntArray, first: int, past: int, processors: int) -> int:
    """Return the first step of [first, past) with fewer processors free, or `past`."""
    while first < past:
        last = min(first + _BLOCK, past)
        found = 0
        for place in range(U(first), U(last)):
            found += free[place] < processors
        if found:
            while free[U(first)] >= processors:
                first += 1
            return first
        first = last
    return past


@kernel
def _cut(times: FloatArray, free: IntArray, size: int, place: int, time: float) -> int:
    """Let a step begin at a time unless `place`, where it belongs, does; return the steps."""
    if place < size and times[U(place)] == time:
        return size
    last, one = U(size), U(1)
    for later in range(U(size - place)):
        times[last - later] = times[last - later - one]
        free[last - later] = free[last - later - one]
    times[U(place)], free[U(place)] = time, free[U(place - 1)]
    return size + 1


@kernel
def _take(free: IntArray, first: int, past: int, processors: int) -> None:
    for held in range(U(first), U(past)):
        free[held] -= processors


@entry
def take_out(
    times: FloatArray, free: IntArray, size: int, start: float, end: float, processors: int
) -> int:
    """Take processors out of [start, end); return the number of steps.

    What takes no time takes nothing out, and may start before the first step.
    """
    if start == end:
        return size
    first = first_not_before(times, 0, size, start)
    size = _cut(times, free, size, first, start)
    past = first_not_before(times, first, size, end)
    size = _cut(times, free, size, past, end)
    _take(free, first, past, processors)
    return size


@kernel
def last_fall(free: IntArray, size: int) -> int:
    """Return the last step with less room than the one before, or 0."""
    last = size - 1
    while last > 0 and free[U(last)] >= free[U(last - 1)]:
        last -= 1
    return max(last, 0)


@kernel
def settle(
    times: FloatArray,
    free: IntArray,
    size: int,
    place: int,
    fall: int,
    processors: int,
    duration: float,
) -> tuple[float, int, int]:
    """Reserve the earliest place of the steps from `place` on; return its start and the steps.

    Behind step `fall` the room never falls; return the step of which this holds then, too.
    """
    while True:
        first = _with_room(free, place, size, processors)
        if first == size:
            return np.inf, size, fall
        end = times[U(first)] + duration
        past = first_not_before(times, first + 1, size, end)
        watched = min(past, fall + 1)
        place = _without_room(free, first + 1, watched, processors)
        if place >= watched:
            former = size
            size = _cut(times, free, size, past, end)
            _take(free, first, past, processors)
            if past <= fall:
                fall += size - former
            elif first > fall and free[U(first)] < free[U(first - 1)]:
                fall = first
            return times[U(first)], size, fall


@kernel
def times_freed(
    times: FloatArray,
    free: IntArray,
    first: int,
    size: int,
    processors: int,
    most: int,
    frees: FloatArray,
) -> int:
    """Write when room for one more comes from step `first` on; return how often, at most `most`.

    Where room never falls, that is all that jobs of as many processors need: each takes the first.
    """
    count = 0
    for step in range(U(first), U(size)):
        while count < most and free[step] >= (count + 1) * processors:
            frees[U(count)] = times[step]
            count += 1
    return count


@kernel
def profile_of(frees: FloatArray, count: int, times: FloatArray, free: IntArray) -> int:
    """Write the profile in which single processors come free at these times; return its steps."""
    size = 0
    for place in range(U(count)):
        if size == 0 or frees[place] > times[U(size - 1)]:
            times[U(size)] = frees[place]
            size += 1
        free[U(size - 1)] = place + U(1)
    return size


@kernel
def first_useful(
    times: FloatArray, free: IntArray, full: int, fall: int, size: int, shortest: float
) -> int:
    """Return the first step from `full` on in which jobs not shorter than this might start."""
    while full < size:
        if free[U(full)] > 0:
            past = _without_room(free, full + 1, min(fall + 1, size), 1)
            if past > fall or times[U(past)] >= times[U(full)] + shortest:
                break
            full = past
        full += 1
    return full


@kernel
def first_ending_after(times: FloatArray, first: int, size: int, length: float, low: float) -> int:
    """Return the first step from `first` on from which a run of this length ends after `low`."""
    past = size
    if first < size and times[U(first)] + length > low:
        past = first
    while first < past:
        middle = (first + past) >> 1
        if times[U(middle)] + length <= low:
            first = middle + 1
        else:
            past = middle
    return first
