"""The job whose silent errors show late as it is defined in words, by its attempts, at many digits.

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
    "silent errors seen at once",
    "silent errors seen at the next checkpoint",
    "silent errors in checkpoints too",
    "no failures while an error hides",
    "a failure leaves an unsaved corruption",
    "a failure takes a saved corruption away",
    "last segment treated as full",
)


def _between_strikes(work: Number, cost: Number, rates: tuple[Number, ...]) -> tuple[Number, ...]:
    """Return P(a strike in the segment), and P(a corrupt checkpoint is written after it)."""
    fail, strike, show = rates
    struck = strike * -mp.expm1(-(fail + strike) * work) / (fail + strike)
    apart = show - strike
    # A strike at u, then neither a failure nor its discovery for what is left.
    path = work if apart == 0 else mp.expm1(apart * work) / apart
    return struck, strike * path * mp.exp(-(fail + show) * (work + cost))


def _segment(
    work: Number,
    *,
    mtbf: Number,
    silent_mtbf: Number,
    checkpoint_cost: Number,
    detection_latency: Number,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    fault: str = "",
) -> Number:
    """Return the mean time of a segment: of an attempt, over the probability that it succeeds."""
    fail, strike, show = 1 / mp.mpf(mtbf), 1 / mp.mpf(silent_mtbf), 1 / mp.mpf(detection_latency)
    down = 0 if fault == "downtime dropped" else downtime
    read = mp.exp(-fail * recovery_cost)
    back = (1 / fail + down) * (1 / read - 1)  # a recovery with all that interrupts it
    if fault == "recovery never fails":
        back = recovery_cost
    failed = down + back
    again = 0 if fault == "no recovery after silent errors" else back
    if fault == "downtime after silent errors":
        again += down
    exposed, cost = work, checkpoint_cost
    if fault == "silent errors in checkpoints too":
        exposed, cost = work + cost, 0
    clean = mp.exp(-(fail + strike) * exposed)
    kept = mp.exp(-fail * cost)
    if fault == "checkpoint never fails":
        kept = 1
    whole = -mp.expm1(-(fail + strike) * exposed) / (fail + strike)
    writing = cost if fault == "checkpoint never fails" else (1 - kept) / fail
    struck, saved = _between_strikes(exposed, cost, (fail, strike, show))
    attempt = whole + clean * writing
    attempt += fail * whole * failed + clean * (1 - kept) * failed
    if fault == "silent errors seen at once":
        return (attempt + struck * again) / (clean * kept)
    if fault == "silent errors seen at the next checkpoint":
        # Nothing shows before, so that only failures end the attempt.
        _, written = _between_strikes(exposed, cost, (fail, strike, mp.mpf(0)))
        attempt += (struck - written) * (1 / fail + failed) + written * again
        return attempt / (clean * kept)
    during = 0 if fault == "no failures while an error hides" else fail
    hidden = (1 + during * failed) / show  # until it shows, once saved
    if fault == "a failure takes a saved corruption away":
        hidden = (1 + fail * failed) / (fail + show)
        again_saved = again * show / (fail + show)
    else:
        again_saved = again
    early = (struck - saved) / (fail + show)  # mean time corrupt before the checkpoint
    attempt += early + early * show * again + saved * (hidden + again_saved)
    attempt += early * fail * failed
    if fault == "a failure leaves an unsaved corruption":
        attempt += early * fail * (hidden + again)
    return attempt / (clean * kept)


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
