"""Plans of pools, and the measures by which they are compared.

A profile is two arrays: from `times[i]` on, `free[i]` processors are free; the last step lasts.
What a job is planned to last may depend on its pool: `planned` is [pool, job] where there are
several, and that of one pool where a list is.
"""

from __future__ import annotations

import numpy as np

from ...._compiled import compiled
from ....records import FloatArray, IntArray
from ...kernels.decorators import entry, kernel
from ...kernels.structures import reserve

U = np.uint64  # an index that cannot be negative is not checked for it, and loops run in vectors


@compiled()
def earliest_or_never(
    times: FloatArray, free: IntArray, size: int, processors: int, duration: float
) -> float:
    """Return the first time from which `processors` stay free for `duration`, or inf."""
    place = 0
    while place < size:
        while place < size and free[place] < processors:
            place += 1
        if place == size:
            break
        start = times[place]
        end = start + duration
        place += 1
        while place < size and times[place] < end and free[place] >= processors:
            place += 1
        if place == size or times[place] >= end:
            return start
    return np.inf


@compiled()
def vacate(
    times: FloatArray,
    free: IntArray,
    steps: IntArray,
    lists: IntArray,
    counts: IntArray,
    start: FloatArray,
    planned: FloatArray,
    processors: IntArray,
) -> None:
    """Take the waiting jobs out of the profiles [pool, step], and the steps that change nothing."""
    for pool in range(steps.size):
        if not counts[pool]:
            continue
        for turn in range(counts[pool]):
            job = lists[pool, turn]
            end = start[job] + planned[pool, job]
            place = 0
            while place < steps[pool] and times[pool, place] < start[job]:
                place += 1
            while place < steps[pool] and times[pool, place] < end:
                free[pool, place] += processors[job]
                place += 1
        size = 1
        for place in range(1, steps[pool]):
            if free[pool, place] != free[pool, size - 1]:
                times[pool, size], free[pool, size] = times[pool, place], free[pool, place]
                size += 1
        steps[pool] = size


@compiled()
def fill(
    times: FloatArray,
    free: IntArray,
    steps: IntArray,
    lists: IntArray,
    counts: IntArray,
    start: FloatArray,
    planned: FloatArray,
    processors: IntArray,
) -> None:
    """Put the waiting jobs into the profiles [pool, step], where they are planned."""
    for pool in range(steps.size):
        for turn in range(counts[pool]):
            job = lists[pool, turn]
            end = start[job] + planned[pool, job]
            steps[pool] = reserve(
                times[pool], free[pool], steps[pool], start[job], end, processors[job]
            )


@entry
def relative_gain(previous: float, new: float) -> float:
    """Return the gain of eq. 2 for one measure; from zero, anything but zero is a loss."""
    if previous > 0.0:
        return (previous - new) / previous
    return 0.0 if new <= previous else -np.inf


@entry
def weight(previous: FloatArray, new: FloatArray, weights: FloatArray) -> float:
    """Return W of eq. 2 from (slowdown, wait, response), means or sums of the same jobs.

    Each gain counts by its weight, which the paper has at 1; one of weight 0 is not looked at.
    """
    total = 0.0
    for measure in range(3):
        if weights[measure] > 0.0:
            total += weights[measure] * relative_gain(previous[measure], new[measure])
    return total


@kernel
def add_measures(
    sums: FloatArray,
    sign: float,
    listed: IntArray,
    count: int,
    submit: FloatArray,
    planned: FloatArray,
    start: FloatArray,
) -> None:
    """Add slowdown, wait and response of the jobs of one list to `sums`, or subtract them."""
    slowdown, waited, responded = sums[0], sums[1], sums[2]
    for place in range(U(count)):
        job = U(listed[place])
        wait = start[job] - submit[job]
        response = wait + planned[job]
        slowdown += sign * (response / planned[job])
        waited += sign * wait
        responded += sign * response
    sums[0], sums[1], sums[2] = slowdown, waited, responded


@compiled()
def measures(
    lists: IntArray,
    counts: IntArray,
    submit: FloatArray,
    planned: FloatArray,
    start: FloatArray,
) -> FloatArray:
    """Return the sums of slowdown, wait and response over a whole schedule."""
    sums = np.zeros(3)
    for pool in range(counts.size):
        add_measures(sums, 1.0, lists[pool], counts[pool], submit, planned[pool], start)
    return sums
