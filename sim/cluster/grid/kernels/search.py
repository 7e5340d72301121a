"""Local search over the plans of several pools.

A move takes a job out of one list and puts it into another, or elsewhere in the same; those
behind are planned again. Four facts save most of the work without changing a result:

- Profiles in which the first jobs of a list are held are kept and reused.
- Where the former and the new plan agree before a time `low`, a job whose whole run was planned
  before `low` stays, and no other can now start where its run would end before `low`.
- Where room only grows with time, jobs that need equally many processors each take the first that
  comes free. Sorted times of that do for a profile, and one job more makes none behind it earlier:
  a move that has lost by then has lost.
- W is needed to the last digit only where the rounding of its terms could decide.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...._compiled import compiled
from ....records import FloatArray, IntArray
from ...kernels.decorators import kernel
from .plan import U, add_measures, measures, weight
from .profiles import (
    copy,
    first_ending_after,
    first_useful,
    last_fall,
    profile_of,
    settle,
    take_out,
    times_freed,
)

DUST = 1e-12  # possible rounding of sums kept by differences
ROUNDING = 1e-12  # of W, per job: more than the sums of terms in any order may differ by
_STRIDE, _KEPT = 4, 96  # least number of jobs between two profiles kept; most profiles kept
_RUN = 8  # least number of jobs alike to be planned in a faster way


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
    copy(times[stage], free[stage], size, one_times, one_free)
    for place in range(stage * stride, first):
        job = U(listed[U(place)])
        end = start[job] + planned[job]
        size = take_out(one_times, one_free, size, start[job], end, processors[job])
        if place + 1 == kept * stride:
            full = 0
            while full < size - 1 and one_free[U(full)] == 0:
                full += 1
            size -= full
            for step in range(U(size)):  # what no job can start in any more is left out
                times[kept, step] = one_times[step + U(full)]
            for step in range(U(size)):
                free[kept, step] = one_free[step + U(full)]
            copy(times[kept], free[kept], size, one_times, one_free)
            steps[kept] = size
            kept += 1
    return size, kept


@kernel
def _replan_alike(
    frees: FloatArray,
    rooms: int,
    ends: FloatArray,
    only_starts: bool,
    listed: IntArray,
    first: int,
    past: int,
    loss: float,
    most: float,
    by_slowdown: float,
    by_time: float,
    planned: FloatArray,
    start: FloatArray,
    trial: FloatArray,
) -> float:
    """Plan listed[first:past] into `trial`, each at the first of the `rooms` times that come free.

    Return the loss of W with theirs, or, as soon as it is above `most`, what it is then. Unless
    `only_starts`, `frees` has the times at which room comes free behind them. `ends` is written.
    """
    # Ends wait beside the times rather than among them: most come too late to be a start.
    used = begin_ends = past_ends = 0
    for place in range(first, past):
        job = U(listed[U(place)])
        length = planned[job]
        if begin_ends < past_ends and (used == rooms or ends[U(begin_ends)] < frees[U(used)]):
            begin = ends[U(begin_ends)]
            begin_ends += 1
        else:
            begin = frees[U(used)]
            used += 1
        trial[job] = begin
        loss += (begin - start[job]) * (by_slowdown / length + by_time)
        if loss > most:
            return loss
        end, last = begin + length, used + past - place - 2
        if only_starts and last < rooms and frees[U(last)] <= end:
            continue  # there are earlier times for all that follow
        later = past_ends
        while later > begin_ends and ends[U(later - 1)] > end:
            ends[U(later)] = ends[U(later - 1)]
            later -= 1
        ends[U(later)] = end
        past_ends += 1
    if not only_starts:
        _merge(frees, used, rooms, ends, begin_ends, past_ends)
    return loss


@kernel
def _merge(
    frees: FloatArray, used: int, rooms: int, ends: FloatArray, first: int, past: int
) -> None:
    """Write frees[used:rooms] and ends[first:past], as many as were used, sorted into `frees`."""
    for place in range(rooms):
        if first < past and (used == rooms or ends[U(first)] < frees[U(used)]):
            frees[U(place)] = ends[U(first)]
            first += 1
        else:
            frees[U(place)] = frees[U(used)]
            used += 1


@kernel
def _run(listed: IntArray, first: int, count: int, processors: IntArray) -> int:
    """Return up to where the jobs of a list from `first` on need equally many processors."""
    needed = processors[U(listed[U(first)])]
    past = first + 1
    while past < count and processors[U(listed[U(past)])] == needed:
        past += 1
    return past


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
    loss: float,
    most: float,
    by_slowdown: float,
    by_time: float,
    processors: IntArray,
    planned: FloatArray,
    start: FloatArray,
    trial: FloatArray,
    frees: FloatArray,
    ends: FloatArray,
) -> float:
    """Plan a list from `first` on into `trial`; before `low` all is as `start` has it.

    Return the loss with theirs; it may stop where that is above `most` and can only grow.
    """
    shortest = np.inf
    for place in range(U(first), U(count)):
        shortest = min(shortest, planned[U(listed[place])])
    full, fall = 0, last_fall(free, size)
    place = past = first
    while place < count:
        job = U(listed[U(place)])
        length, needed = planned[job], processors[job]
        full = first_useful(times, free, full, fall, size, shortest)
        if place == past:
            past = _run(listed, place, count, processors)
        last = past == count
        if fall <= full < size and (
            last or (needed == 1 and past - place >= _RUN and free[U(size - 1)] <= frees.size)
        ):
            enough = count - place if last else frees.size
            rooms = times_freed(times, free, full, size, needed, enough, frees)
            if rooms:
                # Of jobs alike, one more delays all behind it, or none.
                limit = most if last and place == first else np.inf
                loss = _replan_alike(
                    frees,
                    rooms,
                    ends,
                    last,
                    listed,
                    place,
                    past,
                    loss,
                    limit,
                    by_slowdown,
                    by_time,
                    planned,
                    start,
                    trial,
                )
                if last:
                    return loss
                size = profile_of(frees, rooms, times, free)
                place, full, fall, low = past, 0, 0, -np.inf
                continue
        if job == U(moved):
            trial[job], size, fall = settle(times, free, size, full, fall, needed, length)
            low = min(low, trial[job])
        elif start[job] + length <= low:
            trial[job] = start[job]
            size = take_out(times, free, size, start[job], start[job] + length, needed)
            fall = last_fall(free, size)
        else:
            left = first_ending_after(times, full, size, length, low)
            trial[job], size, fall = settle(times, free, size, left, fall, needed, length)
            if trial[job] != start[job]:
                low = min(low, start[job], trial[job])
        loss += (trial[job] - start[job]) * (by_slowdown / length + by_time)
        place += 1
    return loss


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
def _rates(best: FloatArray, weights: FloatArray) -> tuple[float, float, float]:
    """Return what of W is lost per second of wait and length, of wait, and of response alone.

    Where nothing waits W is not so; then all are 0, by which no loss is sure.
    """
    if best[1] <= 0.0:
        return 0.0, 0.0, 0.0
    by_response = weights[2] / best[2]
    return weights[0] / best[0], weights[1] / best[1] + by_response, by_response


@kernel
def _is_better(
    best: FloatArray,
    sums: FloatArray,
    lists: IntArray,
    counts: IntArray,
    source: int,
    target: int,
    source_list: IntArray,
    target_list: IntArray,
    submit: FloatArray,
    planned: FloatArray,
    start: FloatArray,
    trial: FloatArray,
    weights: FloatArray,
) -> bool:
    """Write the sums of the three measures after a move; return whether W is above 0."""
    _set_all(sums, best)
    count = counts[target]
    add_measures(sums, -1.0, lists[target], count, submit, planned[target], start)
    if target != source:
        left = counts[source] - 1
        add_measures(sums, -1.0, lists[source], left + 1, submit, planned[source], start)
        add_measures(sums, 1.0, source_list, left, submit, planned[source], trial)
        count += 1
    add_measures(sums, 1.0, target_list, count, submit, planned[target], trial)
    return weight(best, sums, weights) > DUST


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
    weights: FloatArray,
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
    frees: FloatArray,
    ends: FloatArray,
    all_times: FloatArray,
    all_free: IntArray,
    all_steps: IntArray,
    kept: IntArray,
    stride: int,
) -> tuple[int, int]:
    """Try a move for each draw, as long as `budget` lasts; return the moves tried and accepted."""
    jobs = start.size
    sure = ROUNDING * (jobs + 1)
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
        loss = 0.0
        by_slowdown, by_time, by_response = _rates(best, weights)
        if target != source:
            size, kept[source] = _hold(
                all_times[source],
                all_free[source],
                all_steps[source],
                kept[source],
                stride,
                lists[source],
                gone,
                processors,
                planned[source],
                start,
                one_times,
                one_free,
            )
            loss = _replan(
                one_times,
                one_free,
                size,
                source_list,
                left,
                gone,
                job,
                start[job],
                loss,
                np.inf,
                by_slowdown,
                by_time,
                processors,
                planned[source],
                start,
                trial,
                frees,
                ends,
            )
            budget -= left - gone
            was, is_now = planned[source, job], planned[target, job]
            if was != is_now:  # what of its loss does not depend on when it starts
                waited = start[job] - submit[job]
                loss += by_slowdown * (waited / is_now - waited / was)
                loss += by_response * (is_now - was)
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
            planned[target],
            start,
            one_times,
            one_free,
        )
        loss = _replan(
            one_times,
            one_free,
            size,
            target_list,
            others + 1,
            first,
            job,
            start[job] if target == source else np.inf,
            loss,
            np.inf if target == source else sure,
            by_slowdown,
            by_time,
            processors,
            planned[target],
            start,
            trial,
            frees,
            ends,
        )
        budget -= others + 1 - first
        if loss <= sure and _is_better(
            best,
            sums,
            lists,
            counts,
            source,
            target,
            source_list,
            target_list,
            submit,
            planned,
            start,
            trial,
            weights,
        ):
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
    weights: FloatArray,
    budget: int,
) -> tuple[int, int]:
    """Improve a schedule in place; return the moves tried and those accepted.

    `times`, `free` [pool, step] are the profiles without the waiting jobs; `lists` [pool, place]
    the jobs in the order in which they are planned, and `planned` [pool, job] how long. Each row
    of `draws` in [0, 1) chooses a job, a pool among those allowed, and a place in its list.
    `weights` are those of slowdown, wait and response in W, 3 in all.
    `budget` bounds the reservations made.
    """
    pools, jobs = counts.size, start.size
    first_lists, first_counts = lists.copy(), counts.copy()
    first_pools, first_start = pool_of.copy(), start.copy()
    initial = measures(lists, counts, submit, planned, start)
    best, sums = initial.copy(), initial.copy()
    width = times.shape[1]
    one_times, one_free = np.empty(width), np.empty(width, np.int64)
    frees, ends = np.empty(jobs + width), np.empty(jobs)
    source_list, target_list = np.empty(jobs, np.int64), np.empty(jobs, np.int64)
    trial = start.copy()
    stride = max(_STRIDE, jobs // _KEPT + 1)
    stages = jobs // stride + 1
    all_times = np.empty((pools, stages, width))
    all_free = np.empty((pools, stages, width), np.int64)
    all_steps = np.empty((pools, stages), np.int64)
    kept = np.ones(pools, np.int64)
    for pool in range(pools):
        copy(times[pool], free[pool], steps[pool], all_times[pool, 0], all_free[pool, 0])
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
        weights,
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
        frees,
        ends,
        all_times,
        all_free,
        all_steps,
        kept,
        stride,
    )
    # Every step gains, but W is not a distance: many steps together may lose.
    final = measures(lists, counts, submit, planned, start)
    if accepted and weight(initial, final, weights) < 0.0:
        for pool in range(pools):
            counts[pool] = first_counts[pool]
            for place in range(jobs):
                lists[pool, place] = first_lists[pool, place]
        for job in range(jobs):
            pool_of[job], start[job] = first_pools[job], first_start[job]
        accepted = 0
    return tried, accepted
