"""The job with predicted windows as it is defined in words: event by event, at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["PERIOD_FAULTS", "SEGMENTS_FAULTS", "WASTE_FAULTS", "period", "segments", "waste"]

Number = Any  # mpmath has no types

WASTE_FAULTS = (
    "recall ignored",
    "false alarms free",
    "false windows end at once",
    "proactive checkpoints free",
    "checkpoints inside the window free",
    "failures at the end of the window",
    "periodic checkpoints inside the window",
    "acted upon always",
    "neglected predictions cost nothing",
    "neglected failures at the beginning of the window",
    "recovery forgotten",
    "downtime forgotten",
    "whole period lost",
)
PERIOD_FAULTS = (
    "recall ignored",
    "proactive checkpoints free",
    "acted upon always",
    "neglected predictions cost nothing",
    "whole period lost",
    "checkpoints inside the window free",
)
SEGMENTS_FAULTS = (
    "false alarms free",
    "checkpoints inside the window free",
    "failures at the end of the window",
    "never ignored",
)
_MOST = 60  # segments of a window: beyond all that the documented range can want


def _window(
    count: int, cost: Number, window: Number, precision: Number, fault: str
) -> tuple[Number, Number]:
    """Return what a window costs on average, and how long it lasts."""
    part = window / count
    inside = 0 if fault == "checkpoints inside the window free" else cost
    ending = [
        (j + (1 if fault == "failures at the end of the window" else 0)) for j in range(count)
    ]
    loss = part if fault == "failures at the end of the window" else part / 2
    # A true one ends in its j-th segment, after j checkpoints; a false one has them all.
    true = sum(min(j, count - 1) * inside + loss for j in ending) / count
    length = sum((j + mp.mpf(1) / 2) * part for j in range(count)) / count
    false, whole = (count - 1) * inside, window
    if fault == "false windows end at once":
        false = whole = mp.mpf(0)
    first = 0 if fault == "proactive checkpoints free" else cost
    if fault == "false alarms free":
        return precision * (true + first), precision * length
    mean = precision * true + (1 - precision) * false + first
    return mean, precision * length + (1 - precision) * whole


def waste(
    period: Number,
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    proactive_cost: Number,
    recall: Number,
    precision: Number,
    window: Number,
    window_segments: Number = 1,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    fault: str = "",
) -> Number:
    """Return the waste as a sum over kinds of events, for a time outside of windows of 1."""
    back = 0 if fault == "recovery forgotten" else recovery_cost
    down = 0 if fault == "downtime forgotten" else downtime
    repairs = (back + down) / mtbf
    count = int(window_segments)
    late = proactive_cost / precision
    lost = period if fault == "whole period lost" else period / 2
    if count == 0 or late > period or fault == "recall ignored":
        return checkpoint_cost / period + lost / mtbf + repairs
    named = recall / (precision * mtbf)  # predictions in a time of 1
    each, length = _window(count, proactive_cost, window, precision, fault)
    acted = 1 if fault == "acted upon always" else 1 - late / period
    wait = 0 if fault == "neglected failures at the beginning of the window" else window
    neglected = precision * min(late + wait, period) / 2
    if fault == "neglected predictions cost nothing":
        neglected = 0
    losses = (
        checkpoint_cost / period
        + (1 - recall) / mtbf * lost
        + named * (acted * each + (late / period) * neglected)
    )
    inside = named * length
    losses += inside * (window / count / 2) / mtbf
    if fault == "periodic checkpoints inside the window":
        losses += inside * checkpoint_cost / period
    return losses / (1 + inside) + repairs


def period(*, fault: str = "", **job: Number) -> Number:
    """Return the period of least waste: in each of its regimes the waste is A/T + B T + K."""
    late = job["proactive_cost"] / job["precision"]
    edge = late + job["window"]
    ignored = mp.sqrt(2 * job["mtbf"] * job["checkpoint_cost"])
    if int(job.get("window_segments", 1)) == 0:
        return ignored
    far = 1000 * (edge + ignored)
    ends = ((edge, far), (late, edge), (late / 1000, late * (1 - mp.mpf(10) ** -40)))
    found = [mp.mpf(late)] if late > 0 else []
    for low, high in ends:
        if high > low > 0:
            found.append(_least_of(low, high, lambda span: waste(span, fault=fault, **job)))
    return min(found, key=lambda span: waste(span, fault=fault, **job))


def _least_of(low: Number, high: Number, wasted: Any) -> Number:
    """Return the least place of A/T + B T + K between two ends, from three of its values."""
    spans = [low, (low + high) / 2, high]
    rows = mp.matrix([[1 / span, span, 1] for span in spans])
    over, along, _ = mp.lu_solve(rows, mp.matrix([wasted(span) for span in spans]))
    if over <= 0:
        return low
    return min(max(mp.sqrt(over / along), low), high)


def segments(*, fault: str = "", **job: Number) -> Number:
    """Return the number of segments of least cost, found by trying, or 0 if ignoring is better."""

    def cost(count: int) -> Number:
        given = (job["proactive_cost"], job["window"], job["precision"])
        return _window(count, *given, fault)[0]

    count = min(range(1, _MOST), key=cost)
    if fault == "never ignored":
        return mp.mpf(count)
    best = period(window_segments=count, **job)
    acting = waste(best, window_segments=count, **job)
    ignoring = mp.sqrt(2 * job["checkpoint_cost"] / job["mtbf"])
    # Where no prediction is acted upon both are the same but for rounding.
    return mp.mpf(count if acting < ignoring * (1 - mp.mpf(10) ** -30) else 0)
