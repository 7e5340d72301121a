"""Jobs on spot machines as they are defined in words, loss by loss, at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["COST_FAULTS", "NET_FAULTS", "SPOT_FAULTS", "alone", "cost", "on_spot"]

Number = Any  # mpmath has no types

SPOT_FAULTS = (
    "starts take no time",
    "the first start is free",
    "gaps of the same length",
    "no gaps",
)
NET_FAULTS = (*SPOT_FAULTS, "one start in reserve", "no start in reserve")
COST_FAULTS = (
    *NET_FAULTS,
    "a start on demand is free",
    "spot starts are free",
    "all work on spot",
)


def _fits(losses: int, slack: Number, gap: Number, start: Number, fault: str) -> Number:
    """Return P(the gaps and starts of so many losses fit into `slack`)."""
    spare = slack - losses * start
    if spare < 0:
        return mp.mpf(0)
    if losses == 0 or fault == "no gaps":
        return mp.mpf(1)
    if fault == "gaps of the same length":
        return mp.mpf(1) if losses * gap <= spare else mp.mpf(0)
    # That many gaps are over if a Poisson process of rate 1/gap has as many events.
    mean, term, fewer = spare / gap, mp.exp(-spare / gap), mp.mpf(0)
    for count in range(losses):
        fewer += term
        term *= mean / (count + 1)
    return 1 - fewer


def _walk(
    work: Number, *, deadline: Number, life: Number, gap: Number, start: Number, fault: str, n: int
) -> tuple[Number, Number, Number]:
    """Return P(the work ends on spot), the mean work done on spot, and the mean spot starts."""
    if fault == "starts take no time":
        start = mp.mpf(0)
    reserve = {"one start in reserve": n - 1, "no start in reserve": 0}.get(fault, n)
    slack = deadline - work - reserve * start
    mean = work / life
    ended = done = starts = mp.mpf(0)
    here, below = mp.exp(-mean), mp.mpf(0)  # P(N = losses), P(N < losses)
    losses = 0
    while True:
        counted = max(losses - 1, 0) if fault == "the first start is free" else losses
        room = slack + (losses - counted) * start
        fits = _fits(losses, room, gap, start, fault)
        ended += here * fits
        starts += (1 - below) * fits
        below += here
        done += life * (1 - below) * fits
        losses += 1
        here *= mean / losses
        if fits == 0 or (losses > mean and 1 - below < mp.mpf(10) ** (-mp.mp.dps + 10)):
            return ended, done, starts


def on_spot(
    work: Number,
    *,
    deadline: Number,
    spot_life: Number,
    spot_gap: Number,
    start_time: Number = 0,
    fault: str = "",
) -> Number:
    """Return the probability that the Safety Net needs no on-demand machine."""
    job = {"deadline": deadline, "life": spot_life, "gap": spot_gap, "start": start_time}
    return _walk(work, **job, fault=fault, n=2)[0]


def alone(
    work: Number,
    *,
    deadline: Number,
    spot_life: Number,
    spot_gap: Number,
    start_time: Number = 0,
    fault: str = "",
) -> Number:
    """Return the probability that spot machines alone meet the deadline."""
    job = {"deadline": deadline, "life": spot_life, "gap": spot_gap, "start": start_time}
    return _walk(work, **job, fault=fault, n=1)[0]


def cost(
    work: Number,
    *,
    deadline: Number,
    spot_life: Number,
    spot_gap: Number,
    start_time: Number = 0,
    spot_price: Number,
    on_demand_price: Number,
    fault: str = "",
) -> Number:
    """Return the mean cost under the Safety Net."""
    job = {"deadline": deadline, "life": spot_life, "gap": spot_gap, "start": start_time}
    ended, done, starts = _walk(work, **job, fault=fault, n=2)
    if fault == "all work on spot":
        done = work
    spot = done + (0 if fault == "spot starts are free" else starts * start_time)
    dear = work - done + (0 if fault == "a start on demand is free" else (1 - ended) * start_time)
    return spot_price * spot + on_demand_price * dear
