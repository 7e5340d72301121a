"""Plans of one pool, and local search over the plans of several.

A profile is two arrays: from `times[i]` on, `free[i]` processors are free; the last step lasts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from ...records import FloatArray, IntArray
from .structures import reserve

DUST = 1e-12  # what sums kept by differences may be wrong by


@njit(cache=True)
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


@njit(cache=True)
def _plan_list(
    times: FloatArray,
    free: IntArray,
    size: int,
    listed: IntArray,
    count: int,
    first: int,
    processors: IntArray,
    planned: FloatArray,
    start: FloatArray,
) -> int:
    """Hold those before `first` where they are, plan the others in order; return the steps."""
    for place in range(count):
        job = listed[place]
        if place >= first:
            start[job] = earliest_or_never(times, free, size, processors[job], planned[job])
        if start[job] < np.inf:
            size = reserve(
                times, free, size, start[job], start[job] + planned[job], processors[job]
            )
    return size


@njit(cache=True)
def relative_gain(previous: float, new: float) -> float:
    """Return the gain of eq. 2 for one measure; from zero only zero is no loss."""
    if previous > 0.0:
        return (previous - new) / previous
    return 0.0 if new <= previous else -np.inf


@njit(cache=True)
def weight(previous: FloatArray, new: FloatArray) -> float:
    """Return W of eq. 2 from (slowdown, wait, response), means or sums of the same jobs."""
    total = 0.0
    for measure in range(3):
        total += relative_gain(previous[measure], new[measure])
    return total


@njit(cache=True)
def _add(
    sums: FloatArray,
    sign: float,
    listed: IntArray,
    count: int,
    submit: FloatArray,
    planned: FloatArray,
    start: FloatArray,
) -> None:
    for place in range(count):
        job = listed[place]
        wait = start[job] - submit[job]
        response = wait + planned[job]
        sums[0] += sign * (response / planned[job])
        sums[1] += sign * wait
        sums[2] += sign * response


@njit(cache=True)
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
        _add(sums, 1.0, lists[pool], counts[pool], submit, planned, start)
    return sums


@njit(cache=True)
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
        left = 0
        gone = 0
        for place in range(counts[source]):
            if lists[source, place] == job:
                gone = place
            else:
                source_list[left] = lists[source, place]
                left += 1
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
        _add(sums, -1.0, lists[target], counts[target], submit, planned, start)
        if target != source:
            _add(sums, -1.0, lists[source], counts[source], submit, planned, start)
            one_times[: steps[source]] = times[source, : steps[source]]
            one_free[: steps[source]] = free[source, : steps[source]]
            _plan_list(
                one_times,
                one_free,
                steps[source],
                source_list,
                left,
                gone,
                processors,
                planned,
                trial,
            )
            _add(sums, 1.0, source_list, left, submit, planned, trial)
            budget -= left - gone
        one_times[: steps[target]] = times[target, : steps[target]]
        one_free[: steps[target]] = free[target, : steps[target]]
        first = min(position, gone) if target == source else position
        _plan_list(
            one_times,
            one_free,
            steps[target],
            target_list,
            others + 1,
            first,
            processors,
            planned,
            trial,
        )
        _add(sums, 1.0, target_list, others + 1, submit, planned, trial)
        budget -= others + 1 - first
        better = weight(best, sums) > DUST
        if better:
            accepted += 1
            best = sums
            if target != source:
                lists[source, :left] = source_list[:left]
                counts[source] = left
            lists[target, : others + 1] = target_list[: others + 1]
            counts[target] = others + 1
            pool_of[job] = target
        for affected in (source, target):
            for place in range(counts[affected]):
                moved = lists[affected, place]
                if better:
                    start[moved] = trial[moved]
                else:
                    trial[moved] = start[moved]
        if not better:
            trial[job] = start[job]
    # Every step gains, but W is no distance: many steps together may still lose.
    final = measures(lists, counts, submit, planned, start)
    if accepted and weight(initial, final) < 0.0:
        lists[:, :] = first_lists
        counts[:] = first_counts
        pool_of[:] = first_pools
        start[:] = first_start
        accepted = 0
    return tried, accepted
