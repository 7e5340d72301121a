"""The job with silent errors as it is defined in words, by its attempts, at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["MEAN_FAULTS", "makespan", "slope", "waste"]

Number = Any  # mpmath has no types

MEAN_FAULTS = (
    "downtime dropped",
    "downtime after silent errors",
    "no recovery after silent errors",
    "recovery never fails",
    "checkpoint never fails",
    "silent errors in verification too",
    "silent errors seen at once",
    "verification dropped",
    "last segment treated as full",
)


def _uptime_in(span: Number, mtbf: Number) -> tuple[Number, Number]:
    """Return P(no failure in `span`), and the mean time until the span or the uptime ends."""
    return mp.exp(-span / mtbf), -mtbf * mp.expm1(-span / mtbf)


def _segment(
    work: Number,
    *,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    verification_cost: Number,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    fault: str = "",
) -> Number:
    """Return the mean time of a segment: of an attempt, over the probability that it succeeds."""
    if fault == "downtime dropped":
        downtime = 0
    if fault == "verification dropped":
        verification_cost = 0
    read, reading = _uptime_in(recovery_cost, mtbf)
    if fault == "recovery never fails":
        read, reading = 1, recovery_cost
    back = (reading + (1 - read) * downtime) / read  # a recovery with all that interrupts it
    again = 0 if fault == "no recovery after silent errors" else back
    if fault == "downtime after silent errors":
        again += downtime
    exposed = work + (verification_cost if fault == "silent errors in verification too" else 0)
    clean, silent = mp.exp(-exposed / silent_mtbf), -mp.expm1(-exposed / silent_mtbf)
    up, tried = _uptime_in(work + verification_cost, mtbf)
    if fault == "silent errors seen at once":  # if no failure came: half the segment is spared
        tried -= up * silent * (work / 2 + verification_cost)
    kept, writing = _uptime_in(checkpoint_cost, mtbf)
    if fault == "checkpoint never fails":
        kept, writing = 1, checkpoint_cost
    failed = (1 - up) + up * clean * (1 - kept)
    attempt = tried + up * clean * writing
    attempt += failed * (downtime + back) + up * silent * again
    return attempt / (up * clean * kept)


def makespan(work: Number, *, interval: Number, fault: str = "", **costs: Number) -> Number:
    """Return the mean makespan, segment by segment."""
    count = max(int(mp.ceil(work / interval * (1 - mp.mpf(2) ** -48))), 1)
    last = min(work - (count - 1) * interval, interval)
    if fault == "last segment treated as full":
        last = interval
    whole = _segment(interval, fault=fault, **costs) if count > 1 else 0
    return (count - 1) * whole + _segment(last, fault=fault, **costs)


def waste(work: Number, **job: Number) -> Number:
    """Return the share of the makespan that is not work."""
    return 1 - work / makespan(work, **job)


def slope(interval: Number, **costs: Number) -> Number:
    """Return the derivative of the logarithm of the mean time per work, in that of the interval."""
    step = mp.mpf(10) ** -30

    def pace(x: Number) -> Number:
        return mp.log(_segment(mp.exp(x), **costs)) - x

    place = mp.log(interval)
    return (pace(place + step) - pace(place - step)) / (2 * step)
