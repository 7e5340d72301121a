"""How long to work until the next checkpoint, and on which level it is written."""

from __future__ import annotations

import math
from dataclasses import replace

from .memory import Memory
from .rule import best_interval, excess_of_waiting, expected_loss, interval_by_age
from .settings import Settings

_COSTS = 2.0  # an interval is at least so many checkpoints long


def chosen(settings: Settings, memory: Memory, now: float) -> Memory:
    """Return what is remembered once work has begun at `now`: when it is saved, and where."""
    memory = planned(settings, memory, now)
    interval, bound = bounded(settings, memory, now)
    copies, left, last = memory.copies, last_begin(settings, memory) - now, False
    if left < interval * 64.0:
        # Equal intervals up to the last checkpoint, as many as come nearest to the best.
        cost = memory.cost_of(interval)
        count = max(1.0, math.floor((left + cost) / (interval + cost) + 0.5))
        equal = (left - (count - 1.0) * cost) / count
        last = count == 1.0
        held = copies.work[-1] if copies is not None and last else 0.0
        # What no checkpoint holds at the end is lost, so that the last one pays whatever it costs.
        worth = equal >= 0.0 and equal + held >= settings.least
        interval, bound = (equal if worth else math.inf), "end"
    if copies is not None:
        # Copies on lower levels may not outlive the allocation.
        copies = replace(copies, level=copies.last if last else copies.placed(interval))
    return memory._replace(
        segment=now,
        interval=interval,
        next_checkpoint=now + interval,
        bound=bound,
        copies=copies,
    )


def planned(settings: Settings, memory: Memory, begun: float) -> Memory:
    """Return what is remembered with the best pattern of levels for a segment begun then."""
    if memory.copies is None:
        return memory
    durable, rate = memory.cost.mean, failure_rate(settings, memory, begun)
    levels = memory.copies.tiers(settings.levels, durable, settings.recovery_cost)
    return memory._replace(copies=memory.copies.planned(levels, rate))


def last_begin(settings: Settings, memory: Memory) -> float:
    """Return when the last checkpoint must begin to be durable before the end."""
    if settings.end == math.inf:
        return math.inf
    latency = memory.latency.most if settings.latency > 0.0 else 0.0
    return settings.end - memory.cost.most - latency


def failure_rate(settings: Settings, memory: Memory, begun: float) -> float:
    """Return the failure rate in a segment begun then, [1/s]."""
    # Steps ask for it so often that the interval beside it would take too long.
    if settings.shape == 1.0:
        return settings.share * memory.rate
    return _by_age(settings, memory, begun)[1]


def bounded(settings: Settings, memory: Memory, begun: float) -> tuple[float, str]:
    """Return the interval of an endless run, and which bound holds it, if one does."""
    free, rate = _best(settings, memory, begun)
    # Only what is copied to the last level is on its way for long.
    alone = memory.copies is None or memory.copies.unused
    latency = memory.latency.mean if settings.latency > 0.0 and alone else 0.0
    found = max(free, min(1.0 / rate, latency))
    least = max(settings.least, _COSTS * memory.cost_of(found))
    if found < least:
        return least, "least"
    if found > settings.most:
        return max(settings.most, least), "most"
    return found, "latency" if found > free else ""


def losses(
    settings: Settings, memory: Memory, interval: float, begun: float
) -> tuple[float, float]:
    """Return the share of time that is lost, [-], and what one late checkpoint loses, [s]."""
    free, rate = _best(settings, memory, begun)
    cost, copies = memory.cost_of(interval), memory.copies
    if copies is None:
        recovery = settings.recovery_cost
        lost = expected_loss(interval, rate, cost, recovery)
    else:
        recovery = settings.levels[0].recovery
        levels = copies.tiers(settings.levels, memory.cost.mean, settings.recovery_cost)
        lost = copies.expected_loss(levels, rate, interval)
    return lost, excess_of_waiting(interval, free, rate, cost, recovery)


def _best(settings: Settings, memory: Memory, begun: float) -> tuple[float, float]:
    """Return the best interval of a segment begun then, and the failure rate in it, [1/s]."""
    found, rate = _of_one_level(settings, memory, begun)
    return (found if memory.copies is None else memory.copies.periods[0]), rate


def _of_one_level(settings: Settings, memory: Memory, begun: float) -> tuple[float, float]:
    """Return the best interval if all checkpoints cost the same, and the failure rate, [1/s]."""
    if settings.shape != 1.0:
        return _by_age(settings, memory, begun)
    rate = failure_rate(settings, memory, begun)
    return best_interval(rate, memory.cost_of()), rate


def _by_age(settings: Settings, memory: Memory, begun: float) -> tuple[float, float]:
    """Return the same where the failure rate changes with the time since the last failure."""
    age = max(memory.age - max(memory.last - begun, 0.0), 0.0)
    return interval_by_age(memory.present.risk, settings.shape, age, memory.cost_of())
