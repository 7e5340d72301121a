"""The processes of this package as loops over failures, compiled.

The readable twins are the classes in `checkpointed_job`, `wsj_job` and `predicted_job`;
the tests prove equal paths on recorded inputs and equal distributions on random ones. A loop of
the first two costs a few operations per failure, whatever the number of segments, because between
two failures nothing is decided: the number of checkpoints that fit is a quotient.

Exponential uptimes have no memory: what is left of one when a replication ends is the first
uptime of the next. One draw therefore carries the loop over all replications it does not hit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._compiled import compiled
from ..samplers import HALVINGS, FloatArray, Recorded, is_sampler, ran_out
from ._encoded import (
    BATHTUB,
    DETERMINISTIC,
    EMPIRICAL,
    EXPONENTIAL,
    GAMMA,
    HYPEREXPONENTIAL,
    LOGNORMAL,
    RECORDED,
    RECORDED_THEN_NEVER,
    WEIBULL,
    Law,
    encode,
)
from ._replications import Fill, never_ends

__all__ = [
    "REWORK",
    "asynchronous_makespans",
    "checkpointed_makespans",
    "delays_after_failure",
    "durations",
    "filled_by",
    "predicted_makespans",
    "restart_makespans",
]

DONE, RAN_OUT, NO_END = range(3)
COMPUTE, CHECKPOINT, PROACTIVE, DOWN, RECOVERY = range(5)  # phases of the predicted job
WAIT = PROACTIVE  # of the asynchronous job, for a buffer or for the last drain
OVERLAP, SINGLE_BUFFER, SKIP = range(3)  # rules of the asynchronous job
REWORK = Law(-1, 0.0, 0.0, np.empty(0))  # of the restart process: no law, what an interval gives


def filled_by(loop: Any, *arguments: object) -> Fill | None:
    """Return what fills a block by `loop`, or None where it cannot draw from a sampler.

    The loop is called with the stream, the `arguments`, samplers as numbers, and the block.
    """
    numbers = [encode(given) if is_sampler(given) else given for given in arguments]
    if any(number is None for number in numbers):
        return None

    def fill(rng: np.random.Generator, out: FloatArray) -> None:
        outcome = loop(rng, *numbers, out)
        if outcome == RAN_OUT:
            sizes = [given.durations.size for given in arguments if isinstance(given, Recorded)]
            raise ran_out(min(sizes))
        if outcome == NO_END:
            raise never_ends()

    return fill


@compiled(nogil=True, error_model="numpy", inner=True)
def _draw_other(rng, law, position):  # type: ignore[no-untyped-def]
    kind, first, second, table = law
    drawn = np.nan
    if kind == WEIBULL:
        drawn = second * rng.standard_exponential() ** first
    elif kind == GAMMA:
        drawn = second * rng.standard_gamma(first)
    elif kind == HYPEREXPONENTIAL:
        count = table.size // 2
        left, chosen = rng.random() - table[0], 0
        while left >= 0.0 and chosen < count - 1:
            chosen += 1
            left -= table[chosen]
        drawn = table[count + chosen] * rng.standard_exponential()
    elif kind == BATHTUB:
        level = rng.random() / first
        low, drawn = 0.0, second
        for _ in range(HALVINGS):
            middle = 0.5 * (low + drawn)
            if 1.0 - math.exp(-middle / table[0]) < level - math.exp(
                (middle - table[2]) / table[1]
            ):
                low = middle
            else:
                drawn = middle
    elif kind == EMPIRICAL:
        drawn = table[int(rng.random() * table.size)]
    elif kind in (RECORDED, RECORDED_THEN_NEVER):
        drawn = np.inf if kind == RECORDED_THEN_NEVER else np.nan
        if position < table.size:
            drawn = table[position]
    return drawn


# Inlined, because a call would cost three times the draw; the three usual laws only.
@compiled(nogil=True, error_model="numpy", inline="always", inner=True)
def _draw(rng, law, position):  # type: ignore[no-untyped-def]
    """Draw from `law`; `position` counts the draws of this replication; nan: list ran out."""
    kind, first, second, _ = law
    if kind == EXPONENTIAL:
        drawn = first * rng.standard_exponential()
    elif kind == LOGNORMAL:
        drawn = math.exp(first + second * rng.standard_normal())
    elif kind == DETERMINISTIC:
        drawn = first
    else:
        drawn = _draw_other(rng, law, position)
    return drawn


@compiled(nogil=True, error_model="numpy")
def durations(rng, law, out):  # type: ignore[no-untyped-def]
    """Fill `out` with draws from `law`, the first of a replication each; nan: empty list."""
    for i in range(out.size):
        out[i] = _draw(rng, law, 0)


@compiled(nogil=True, error_model="numpy")
def checkpointed_makespans(  # type: ignore[no-untyped-def]
    rng, uptime, downtime, total, segments, period, last, recovery_cost, limit, out
):
    """Fill `out` with makespans of the checkpointed job; return how that went."""
    out[:] = total
    memoryless = uptime[0] == EXPONENTIAL
    ahead = 0.0  # uptime still to come
    done = 0
    if memoryless:
        ahead = _draw(rng, uptime, 0)
    while done < out.size:
        if memoryless:
            untouched = int(min(ahead / total, float(out.size - done)))
            done += untouched
            ahead -= untouched * total
            if done == out.size:
                break
        else:
            ahead = _draw(rng, uptime, 0)
        wall, saved, failures = 0.0, 0.0, 0
        recovery, remaining = 0.0, total
        # <=, and not <: a failure at the instant the job would end strikes first.
        while ahead <= recovery + remaining:
            wall += ahead + _draw(rng, downtime, failures)
            failures += 1
            if np.isnan(wall):
                return RAN_OUT
            if failures > limit or wall == np.inf:
                return NO_END
            if ahead > recovery:
                reached = max(np.ceil((ahead - recovery) / period) - 1.0, 0.0)
                saved = min(saved + reached, segments - 1.0)
                remaining = (segments - 1.0 - saved) * period + last
            recovery = recovery_cost
            ahead = _draw(rng, uptime, failures)
        if np.isnan(ahead):
            return RAN_OUT
        ahead -= recovery + remaining
        out[done] = wall + (recovery + remaining)
        done += 1
    return DONE


@compiled(nogil=True, error_model="numpy")
def restart_makespans(  # type: ignore[no-untyped-def]
    rng, mtbf, downtime, recovery, work, interval, storage, limit, out
):
    """Fill `out` with makespans of the restart process; return how that went."""
    out[:] = work + storage
    ahead = mtbf * rng.standard_exponential()
    done = 0
    while done < out.size:
        untouched = int(min(ahead / work, float(out.size - done)))
        done += untouched
        ahead -= untouched * work
        if done == out.size:
            break
        wall, left, repairs, recoveries = storage, work, 0, 0
        while ahead <= left:
            left -= ahead
            wall += ahead
            ahead = mtbf * rng.standard_exponential()
            broken = 1
            while broken > 0:
                repair = _draw(rng, downtime, repairs)
                wall += repair
                repairs += 1
                if np.isnan(wall):
                    return RAN_OUT
                if repairs > limit or wall == np.inf:
                    return NO_END
                while ahead <= repair:
                    repair -= ahead
                    ahead = mtbf * rng.standard_exponential()
                    broken += 1
                ahead -= repair
                broken -= 1
            if recovery[0] < 0:
                wall += (mtbf * rng.standard_exponential()) % interval
            else:
                wall += _draw(rng, recovery, recoveries)
                recoveries += 1
                if np.isnan(wall):
                    return RAN_OUT
        ahead -= left
        out[done] = wall + left
        done += 1
    return DONE


@compiled(nogil=True, error_model="numpy")
def predicted_makespans(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0915 (one loop)
    rng,
    uptime,
    downtime,
    alarms,
    recall,
    proactive_cost,
    threshold,
    work,
    interval,
    segments,
    checkpoint_cost,
    recovery_cost,
    limit,
    out,
):
    """Fill `out` with makespans of the predicted job; return how that went.

    It draws in the order of the readable model: from one stream both give the same bits.
    """
    for index in range(out.size):
        now = since = done = saved = 0.0
        segment = failures = alarms_drawn = 0
        just_before = False
        drawn = _draw(rng, uptime, 0)
        fails = drawn
        predicted = rng.random() < recall
        notice = drawn - proactive_cost
        alert = notice if predicted and notice >= 0.0 else np.inf
        alarm = _draw(rng, alarms, 0)
        phase = COMPUTE
        ends = min(interval, work) if segments > 1 else work
        while True:
            if np.isnan(fails) or np.isnan(alarm) or np.isnan(ends):
                return RAN_OUT
            if phase != DOWN and fails <= min(alert, alarm, ends):
                now = fails
                if phase == COMPUTE:
                    done += now - since
                if just_before:
                    saved, just_before = done, False
                done = saved
                failures += 1
                down = _draw(rng, downtime, failures - 1)
                if failures > limit or down == np.inf:
                    return NO_END
                phase, since, ends = DOWN, now, now + down
                fails = alert = np.inf
                continue
            if min(alert, alarm) <= ends:
                true = alert <= alarm
                now = min(alert, alarm)
                if phase == COMPUTE and done + (now - since) - saved + proactive_cost >= threshold:
                    done += now - since
                    just_before = true
                    phase, since, ends = PROACTIVE, now, now + proactive_cost
                if true:
                    alert = np.inf
                else:
                    alarms_drawn += 1
                    alarm = now + _draw(rng, alarms, alarms_drawn)
                continue
            now = ends
            if phase == COMPUTE:
                done += now - since
                phase, since, ends = CHECKPOINT, now, now + checkpoint_cost
                continue
            if phase == DOWN:
                drawn = _draw(rng, uptime, failures)
                fails = now + drawn
                predicted = rng.random() < recall
                notice = drawn - proactive_cost
                alert = now + notice if predicted and notice >= 0.0 else np.inf
                phase, since, ends = RECOVERY, now, now + recovery_cost
                continue
            if phase == CHECKPOINT:
                saved = done
                segment += 1
                if segment == segments:
                    break
            elif phase == PROACTIVE:
                saved, just_before = done, False
            target = work if segment == segments - 1 else (segment + 1) * interval
            phase, since, ends = COMPUTE, now, now + max(target - done, 0.0)
        out[index] = now
    return DONE


@compiled(nogil=True, error_model="numpy")
def asynchronous_makespans(  # type: ignore[no-untyped-def]  # noqa: PLR0912, PLR0915 (one loop)
    rng,
    uptime,
    downtime,
    interval,
    last_interval,
    segments,
    checkpoint_cost,
    latency,
    at_once,
    slowdown,
    rule,
    recovery_cost,
    limit,
    out,
):
    """Fill `out` with makespans of the job whose snapshots drain; return how that went.

    It draws in the order of the readable model: from one stream both give the same bits.
    """
    slow = 1.0 - slowdown
    for index in range(out.size):
        now = since = 0.0
        segment = durable = drains = queued = failures = 0
        drain_ends = np.inf
        fails = _draw(rng, uptime, 0)
        left = last_interval if segments == 1 else interval
        phase, ends = COMPUTE, left
        while durable < segments:
            if np.isnan(fails) or np.isnan(ends):
                return RAN_OUT
            if fails <= min(ends, drain_ends):
                now = fails
                drain_ends = np.inf
                drains = queued = 0
                segment = durable
                failures += 1
                down = _draw(rng, downtime, failures - 1)
                if failures > limit or down == np.inf:
                    return NO_END
                phase, since, ends, fails = DOWN, now, now + down, np.inf
                continue
            boundary = computed = False
            if drain_ends <= ends:
                now = drain_ends
            else:
                now = ends
                if phase == DOWN:
                    fails = now + _draw(rng, uptime, failures)
                    phase, since, ends = RECOVERY, now, now + recovery_cost
                    continue
                if phase == COMPUTE:
                    segment += 1
                    boundary = True
                elif phase == CHECKPOINT:
                    if drains:
                        queued = segment
                    else:
                        drains, drain_ends = segment, now + latency
                    computed = True
                else:
                    computed = True
            # A drain that ends right after a boundary leaves it free.
            settled = drain_ends <= now or (boundary and drains and drain_ends <= now + at_once)
            if settled and not computed:
                durable, drains, drain_ends = drains, 0, np.inf
                if queued:
                    drains, queued, drain_ends = queued, 0, now + latency
                if not boundary:
                    if phase == COMPUTE and slowdown > 0.0 and drains == 0:
                        left = max(left - slow * (now - since), 0.0)
                        since, ends = now, now + left
                    elif phase == WAIT and segment not in (drains, queued):
                        phase, since, ends = CHECKPOINT, now, now + checkpoint_cost
                    continue
            if boundary:
                if (queued if rule == OVERLAP else drains) == 0:
                    phase, since, ends = CHECKPOINT, now, now + checkpoint_cost
                    continue
                if rule != SKIP or segment == segments:
                    phase, since, ends = WAIT, now, np.inf
                    continue
                computed = True
            if computed and segment == segments:
                phase, since, ends = WAIT, now, np.inf
            elif computed:
                left = last_interval if segment == segments - 1 else interval
                rate = slow if drains else 1.0
                phase, since = COMPUTE, now
                ends = now + left / rate if rate > 0.0 else np.inf
        out[index] = now
    return DONE


@compiled(nogil=True, error_model="numpy")
def delays_after_failure(  # type: ignore[no-untyped-def]  # noqa: PLR0912 (one loop)
    rng, gap, places, running, strike, option, downtime, rest, out
):
    """Fill `out` with delays of the job that is struck; nan where none is.

    It draws in the order of the readable model: from one stream both give the same bits.
    """
    ends = np.empty(places)
    for index in range(out.size):
        ends[:] = np.inf
        failure, repair, back = strike, np.inf, np.inf
        arrival = gap * rng.standard_exponential()
        waiting, ahead, broken = 0, -1, -1
        out[index] = np.nan
        while True:
            place = int(np.argmin(ends))
            now = min(arrival, failure, back, ends[place], repair)
            if now == failure:
                failure = np.inf
                struck = int(rng.random() * places)
                if ends[struck] == np.inf:
                    break
                ends[struck] = np.inf
                broken = struck
                repair = now + downtime
                back = now + rest if option == 2 else now
                continue
            if now == arrival:
                arrival = now + gap * rng.standard_exponential()
                waiting += 1
            elif now == back:
                back = np.inf
                ahead = 0 if option == 0 else waiting
            elif now == ends[place]:
                ends[place] = np.inf
            else:
                repair, broken = np.inf, -1
            restarted = False
            for free in range(places):
                if ends[free] < np.inf or free == broken:
                    continue
                if ahead >= 0 and (waiting if option == 1 else ahead) == 0:
                    restarted = True
                    break
                if waiting == 0:
                    break
                waiting -= 1
                if ahead > 0:
                    ahead -= 1
                ends[free] = now + _draw(rng, running, 0)
            if restarted:
                out[index] = now - strike
                break
