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
from ...kernels.decorators import kernel
from .plan import U, add_measures, measures, weight

DUST = 1e-12  # possible rounding of sums kept by differences
_BLOCK = 32  # steps looked at together
_STRIDE, _KEPT = 16, 24  # least number of jobs between two profiles kept; most profiles kept


@kernel
def _copy(
    times: FloatArray, free: IntArray, size: int, to_times: FloatArray, to_free: IntArray
) -> None:
    for place in range(U(size)):  # slices take seconds to compile
        to_times[place] = times[place]
    for place in range(U(size)):
        to_free[place] = free[place]


@kernel
def _before(times: FloatArray, first: int, size: int, time: float) -> int:
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


@kernel
def _reserve(
    times: FloatArray, free: IntArray, size: int, start: float, end: float, processors: int
) -> int:
    """Take processors out of [start, end); return the number of steps."""
    first = _before(times, 0, size, start)
    size = _cut(times, free, size, first, start)
    past = _before(times, first, size, end)
    size = _cut(times, free, size, past, end)
    _take(free, first, past, processors)
    return size


@kernel
def _settle(
    times: FloatArray, free: IntArray, size: int, place: int, processors: int, duration: float
) -> tuple[float, int]:
    """Reserve the earliest place of the steps from `place` on; return its start and the steps."""
    while True:
        first = _with_room(free, place, size, processors)
        if first == size:
            return np.inf, size
        end = times[U(first)] + duration
        past = _before(times, first + 1, size, end)
        place = _without_room(free, first + 1, past, processors)
        if place == past:
            size = _cut(times, free, size, past, end)
            _take(free, first, past, processors)
            return times[U(first)], size


@kernel
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
        job = U(listed[U(place)])
        end = start[job] + planned[job]
        size = _reserve(one_times, one_free, size, start[job], end, processors[job])
        if place + 1 == kept * stride:
            _copy(one_times, one_free, size, times[kept], free[kept])
            steps[kept] = size
            kept += 1
    return size, kept


@kernel
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
    for place in range(U(first), U(count)):
        job = U(listed[place])
        length, needed = planned[job], processors[job]
        while full < size and free[U(full)] == 0:
            full += 1
        if job == U(moved):
            trial[job], size = _settle(times, free, size, full, needed, length)
            low = min(low, trial[job])
        elif start[job] + length <= low:
            trial[job] = start[job]
            size = _reserve(times, free, size, start[job], start[job] + length, needed)
        else:
            left, right = full, size
            while left < right:
                middle = (left + right) >> 1
                if times[U(middle)] + length <= low:
                    left = middle + 1
                else:
                    right = middle
            trial[job], size = _settle(times, free, size, left, needed, length)
            if trial[job] != start[job]:
                low = min(low, start[job], trial[job])


@kernel
def _with(listed: IntArray, count: int, job: int, position: int, to: IntArray) -> None:
    """Write a list of `count` jobs with one more at a position."""
    for place in range(U(position)):
        to[place] = listed[place]
    to[U(position)] = job
    for place in range(U(position), U(count)):
        to[place + U(1)] = listed[place]


@kernel
def _without(listed: IntArray, count: int, gone: int, to: IntArray) -> None:
    """Write a list of `count` jobs without that at a position."""
    for place in range(U(gone)):
        to[place] = listed[place]
    for place in range(U(gone), U(count - 1)):
        to[place] = listed[place + U(1)]


@kernel
def _adopt(
    listed: IntArray,
    first: int,
    count: int,
    to: IntArray,
    place_of: IntArray,
    trial: FloatArray,
    start: FloatArray,
) -> None:
    """Make a list, changed from `first` on, and the starts of its jobs those that hold."""
    for place in range(U(first), U(count)):
        job = U(listed[place])
        to[place], place_of[job], start[job] = listed[place], place, trial[job]


@kernel
def _forget(listed: IntArray, first: int, count: int, trial: FloatArray, start: FloatArray) -> None:
    """Put the jobs of a list from `first` on back to where they hold."""
    for place in range(U(first), U(count)):
        job = U(listed[place])
        trial[job] = start[job]


@kernel
def _set_all(to: FloatArray, source: FloatArray) -> None:
    for measure in range(3):
        to[measure] = source[measure]


@kernel
def _move(
    lists: IntArray,
    counts: IntArray,
    pool_of: IntArray,
    place_of: IntArray,
    start: FloatArray,
    processors: IntArray,
    planned: FloatArray,
    submit: FloatArray,
    draws: FloatArray,
    budget: int,
    pools_of: IntArray,
    choices: IntArray,
    best: FloatArray,
    sums: FloatArray,
    trial: FloatArray,
    source_list: IntArray,
    target_list: IntArray,
    one_times: FloatArray,
    one_free: IntArray,
    all_times: FloatArray,
    all_free: IntArray,
    all_steps: IntArray,
    kept: IntArray,
    stride: int,
) -> tuple[int, int]:
    """Try a move for each draw, as long as `budget` lasts; return the moves tried and accepted."""
    jobs = start.size
    tried = accepted = 0
    for draw in range(draws.shape[0]):
        if budget <= 0:
            break
        job = int(draws[draw, 0] * jobs)
        source = pool_of[job]
        target = pools_of[job, int(draws[draw, 1] * choices[job])]
        tried += 1
        left = counts[source] - 1
        gone = place_of[job]
        others = left if target == source else counts[target]
        position = int(draws[draw, 2] * (others + 1))
        if target == source and position == gone:
            continue
        _without(lists[source], left + 1, gone, source_list)
        _with(
            source_list if target == source else lists[target], others, job, position, target_list
        )
        _set_all(sums, best)
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
            _set_all(best, sums)
            if target != source:
                _adopt(source_list, gone, left, lists[source], place_of, trial, start)
                counts[source] = left
                kept[source] = min(kept[source], gone // stride + 1)
            _adopt(target_list, first, others + 1, lists[target], place_of, trial, start)
            counts[target] = others + 1
            kept[target] = min(kept[target], first // stride + 1)
            pool_of[job] = target
        else:
            if target != source:
                _forget(lists[source], gone, left + 1, trial, start)
            _forget(lists[target], first, counts[target], trial, start)
            trial[job] = start[job]
    return tried, accepted


@compiled()
def local_search(
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
    best, sums = initial.copy(), initial.copy()
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
    pools_of, choices = np.full((jobs, pools), -1), np.zeros(jobs, np.int64)
    for job in range(jobs):
        for pool in range(pools):
            if allowed[job, pool]:
                pools_of[job, choices[job]] = pool
                choices[job] += 1
    place_of = np.empty(jobs, np.int64)
    for pool in range(pools):
        for place in range(counts[pool]):
            place_of[lists[pool, place]] = place
    tried, accepted = _move(
        lists,
        counts,
        pool_of,
        place_of,
        start,
        processors,
        planned,
        submit,
        draws,
        budget,
        pools_of,
        choices,
        best,
        sums,
        trial,
        source_list,
        target_list,
        one_times,
        one_free,
        all_times,
        all_free,
        all_steps,
        kept,
        stride,
    )
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
