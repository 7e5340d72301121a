"""Local search over the plans of several pools.

A move takes a job out of one list and puts it into another, or elsewhere in the same; those
behind are planned again. Two facts save most of the work without changing a result:

- Profiles in which the first jobs of a list are held are kept and reused.
- Where the former and the new plan agree before a time `low`, a job whose whole run was planned
  before `low` stays, and no other can now start where its run would end before `low`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...._compiled import compiled
from ....records import FloatArray, IntArray
from ...kernels.structures import reserve
from .plan import add_measures, measures, weight

DUST = 1e-12  # possible rounding of sums kept by differences
_STRIDE, _KEPT = 16, 24  # least number of jobs between two profiles kept; most profiles kept


@compiled()
def _copy(
    times: FloatArray, free: IntArray, size: int, to_times: FloatArray, to_free: IntArray
) -> None:
    for place in range(size):  # slices take seconds to compile
        to_times[place] = times[place]
        to_free[place] = free[place]


@compiled()
def _settle(
    times: FloatArray, free: IntArray, size: int, place: int, processors: int, duration: float
) -> tuple[float, int]:
    """Reserve the earliest place of the steps from `place` on; return its start and the steps."""
    while place < size:
        while place < size and free[place] < processors:
            place += 1
        if place == size:
            break
        first = place
        end = times[first] + duration
        place += 1
        while place < size and times[place] < end and free[place] >= processors:
            place += 1
        if place == size or times[place] >= end:
            if place == size or times[place] > end:
                for later in range(size, place, -1):
                    times[later] = times[later - 1]
                    free[later] = free[later - 1]
                times[place], free[place] = end, free[place - 1]
                size += 1
            for held in range(first, place):
                free[held] -= processors
            return times[first], size
    return np.inf, size


@compiled()
def _hold(
    times: FloatArray,
    free: IntArray,
    steps: IntArray,
    kept: int,
    stride: int,
    listed: IntArray,
    first: int,
    processors: IntArray,
    planned: FloatArray,
    start: FloatArray,
    one_times: FloatArray,
    one_free: IntArray,
) -> tuple[int, int]:
    """Write the profile with the first jobs of a list held; return its steps, and those kept.

    `times`, `free` [stage, step]: profile k holds k `stride` jobs; `kept` of them are there.
    """
    stage = min(first // stride, kept - 1)
    size = steps[stage]
    _copy(times[stage], free[stage], size, one_times, one_free)
    for place in range(stage * stride, first):
        job = listed[place]
        end = start[job] + planned[job]
        size = reserve(one_times, one_free, size, start[job], end, processors[job])
        if place + 1 == kept * stride:
            _copy(one_times, one_free, size, times[kept], free[kept])
            steps[kept] = size
            kept += 1
    return size, kept


@compiled()
def _replan(
    times: FloatArray,
    free: IntArray,
    size: int,
    listed: IntArray,
    count: int,
    first: int,
    moved: int,
    low: float,
    processors: IntArray,
    planned: FloatArray,
    start: FloatArray,
    trial: FloatArray,
) -> None:
    """Plan a list from `first` on into `trial`; before `low` all is as `start` has it."""
    full = 0  # steps at the beginning with no processor free
    for place in range(first, count):
        job = listed[place]
        length = planned[job]
        while full < size and free[full] == 0:
            full += 1
        if job == moved:
            trial[job], size = _settle(times, free, size, full, processors[job], length)
            low = min(low, trial[job])
        elif start[job] + length <= low:
            trial[job] = start[job]
            size = reserve(times, free, size, start[job], start[job] + length, processors[job])
        else:
            left, right = full, size
            while left < right:
                middle = (left + right) >> 1
                if times[middle] + length <= low:
                    left = middle + 1
                else:
                    right = middle
            trial[job], size = _settle(times, free, size, left, processors[job], length)
            if trial[job] != start[job]:
                low = min(low, start[job], trial[job])


@compiled()
def local_search(  # noqa: PLR0912, PLR0915  (one loop over locals, for speed)
    times: FloatArray,
    free: IntArray,
    steps: IntArray,
    lists: IntArray,
    counts: IntArray,
    pool_of: IntArray,
    start: FloatArray,
    processors: IntArray,
    planned: FloatArray,
    submit: FloatArray,
    allowed: npt.NDArray[np.bool_],
    draws: FloatArray,
    budget: int,
) -> tuple[int, int]:
    """Improve a schedule in place; return the moves tried and those accepted.

    `times`, `free` [pool, step] are the profiles without the waiting jobs; `lists` [pool, place]
    the jobs in the order in which they are planned. Each row of `draws` in [0, 1) chooses a job,
    a pool among those allowed, and a place in its list. `budget` bounds the reservations made.
    """
    pools, jobs = counts.size, start.size
    first_lists, first_counts = lists.copy(), counts.copy()
    first_pools, first_start = pool_of.copy(), start.copy()
    initial = measures(lists, counts, submit, planned, start)
    best = initial.copy()
    width = times.shape[1]
    one_times, one_free = np.empty(width), np.empty(width, np.int64)
    source_list, target_list = np.empty(jobs, np.int64), np.empty(jobs, np.int64)
    trial = start.copy()
    stride = max(_STRIDE, jobs // _KEPT + 1)
    stages = jobs // stride + 1
    all_times = np.empty((pools, stages, width))
    all_free = np.empty((pools, stages, width), np.int64)
    all_steps = np.empty((pools, stages), np.int64)
    kept = np.ones(pools, np.int64)
    for pool in range(pools):
        _copy(times[pool], free[pool], steps[pool], all_times[pool, 0], all_free[pool, 0])
        all_steps[pool, 0] = steps[pool]
    tried = accepted = 0
    for draw in range(draws.shape[0]):
        if budget <= 0:
            break
        job = int(draws[draw, 0] * jobs)
        source = pool_of[job]
        choices = 0
        for pool in range(pools):
            choices += allowed[job, pool]
        pick, target = int(draws[draw, 1] * choices), -1
        for pool in range(pools):
            if allowed[job, pool]:
                if pick == 0:
                    target = pool
                    break
                pick -= 1
        tried += 1
        left = counts[source] - 1
        gone = left
        while lists[source, gone] != job:
            gone -= 1
        for place in range(left):
            source_list[place] = lists[source, place + (place >= gone)]
        others = left if target == source else counts[target]
        position = int(draws[draw, 2] * (others + 1))
        if target == source and position == gone:
            continue
        for place in range(others + 1):
            if place == position:
                target_list[place] = job
            else:
                behind = place - (place > position)
                target_list[place] = (
                    source_list[behind] if target == source else lists[target, behind]
                )
        sums = best.copy()
        add_measures(sums, -1.0, lists[target], counts[target], submit, planned, start)
        if target != source:
            add_measures(sums, -1.0, lists[source], counts[source], submit, planned, start)
            size, kept[source] = _hold(
                all_times[source],
                all_free[source],
                all_steps[source],
                kept[source],
                stride,
                lists[source],
                gone,
                processors,
                planned,
                start,
                one_times,
                one_free,
            )
            _replan(
                one_times,
                one_free,
                size,
                source_list,
                left,
                gone,
                job,
                start[job],
                processors,
                planned,
                start,
                trial,
            )
            add_measures(sums, 1.0, source_list, left, submit, planned, trial)
            budget -= left - gone
        first = min(position, gone) if target == source else position
        size, kept[target] = _hold(
            all_times[target],
            all_free[target],
            all_steps[target],
            kept[target],
            stride,
            lists[target],
            first,
            processors,
            planned,
            start,
            one_times,
            one_free,
        )
        _replan(
            one_times,
            one_free,
            size,
            target_list,
            others + 1,
            first,
            job,
            start[job] if target == source else np.inf,
            processors,
            planned,
            start,
            trial,
        )
        add_measures(sums, 1.0, target_list, others + 1, submit, planned, trial)
        budget -= others + 1 - first
        better = weight(best, sums) > DUST
        if better:
            accepted += 1
            best = sums
            if target != source:
                for place in range(left):
                    lists[source, place] = source_list[place]
                counts[source] = left
                kept[source] = min(kept[source], gone // stride + 1)
            for place in range(others + 1):
                lists[target, place] = target_list[place]
            counts[target] = others + 1
            kept[target] = min(kept[target], first // stride + 1)
            pool_of[job] = target
        for affected in (source, target):
            for place in range(counts[affected]):
                other = lists[affected, place]
                if better:
                    start[other] = trial[other]
                else:
                    trial[other] = start[other]
        if not better:
            trial[job] = start[job]
    # Every step gains, but W is not a distance: many steps together may lose.
    final = measures(lists, counts, submit, planned, start)
    if accepted and weight(initial, final) < 0.0:
        for pool in range(pools):
            counts[pool] = first_counts[pool]
            for place in range(jobs):
                lists[pool, place] = first_lists[pool, place]
        for job in range(jobs):
            pool_of[job], start[job] = first_pools[job], first_start[job]
        accepted = 0
    return tried, accepted
