"""The energy of a job as it is defined in words, by its attempts, at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = [
    "FAULTS",
    "LONG_FAULTS",
    "best_to_first_order",
    "energy",
    "first_order",
    "per_work",
    "slope",
    "waste",
]

Number = Any  # mpmath has no types

LONG_FAULTS = (
    "downtime dropped",
    "no static power in downtime",
    "no power to read",
    "recovery never fails",
    "checkpoint never fails",
    "work beside a checkpoint is kept",
    "computing beside a checkpoint takes no power",
    "nothing computed beside a checkpoint",
)
FAULTS = (
    *LONG_FAULTS,
    "the last checkpoint computes on",
    "the first segment begins beside a checkpoint",
    "last segment treated as full",
)


def _up(span: Number, mtbf: Number) -> tuple[Number, Number]:
    """Return P(no failure in `span`), and the mean time until the span or the uptime ends."""
    return mp.exp(-span / mtbf), -mtbf * mp.expm1(-span / mtbf)


@dataclass(frozen=True)
class _Machine:
    mtbf: Number
    checkpoint_cost: Number
    overlap: Number
    static_power: Number
    compute_power: Number
    recovery_cost: Number = 0
    downtime: Number = 0
    io_power: Number = 0
    down_power: Number = 0
    fault: str = ""

    def beside(self, work: Number) -> Number:
        """Return how much of a segment is done while the checkpoint before it is written."""
        if self.fault == "nothing computed beside a checkpoint":
            return mp.mpf(0)
        return min(work, self.overlap * self.checkpoint_cost)

    def back(self) -> Number:
        """Return the mean energy from a failure to the end of the recovery."""
        read, reading = _up(self.recovery_cost, self.mtbf)
        if self.fault == "recovery never fails":
            read, reading = 1, self.recovery_cost
        drawn = self.static_power + self.down_power
        if self.fault == "no static power in downtime":
            drawn = self.down_power
        down = 0 if self.fault == "downtime dropped" else self.downtime
        io = 0 if self.fault == "no power to read" else self.io_power
        return (drawn * down + (self.static_power + io) * reading) / read

    def tried(self, alone: Number, following: Number) -> tuple[Number, Number]:
        """Return P(no failure) and the mean energy of one attempt at a segment."""
        up, computing = _up(alone, self.mtbf)
        kept, writing = _up(self.checkpoint_cost, self.mtbf)
        beside = self.beside(following)
        span = beside / self.overlap if beside > 0 else mp.mpf(0)
        _, advancing = _up(span, self.mtbf)
        if self.fault == "checkpoint never fails":
            kept, writing, advancing = 1, self.checkpoint_cost, span
        slow = self.overlap * self.compute_power
        if self.fault == "computing beside a checkpoint takes no power":
            slow = 0
        written = (self.static_power + self.io_power) * writing + slow * advancing
        return up * kept, (self.static_power + self.compute_power) * computing + up * written

    def segment(self, work: Number, *, saved: bool, following: Number) -> Number:
        """Return the mean energy from one durable checkpoint, or the start, to the next."""
        alone = work - self.beside(work) if saved else work
        again = alone if self.fault == "work beside a checkpoint is kept" else work
        ok, cold = self.tried(again, following)
        whole = (cold + (1 - ok) * self.back()) / ok
        warm_ok, warm = self.tried(alone, following)
        return warm + (1 - warm_ok) * (self.back() + whole)


def energy(work: Number, *, interval: Number, fault: str = "", **costs: Number) -> Number:
    """Return the mean energy of a job, segment by segment."""
    machine = _Machine(fault=fault, **costs)
    count = max(int(mp.ceil(work / interval * (1 - mp.mpf(2) ** -48))), 1)
    last = work - (count - 1) * interval
    if fault == "last segment treated as full":
        last = interval
    beyond = interval if fault == "the last checkpoint computes on" else mp.mpf(0)
    begun = fault == "the first segment begins beside a checkpoint"
    if count == 1:
        return machine.segment(last, saved=begun, following=beyond)
    second = interval if count > 2 else last
    total = machine.segment(interval, saved=begun, following=second)
    if count > 2:
        middle = machine.segment(interval, saved=True, following=interval)
        total += (count - 3) * middle
        total += machine.segment(interval, saved=True, following=last)
    return total + machine.segment(last, saved=True, following=beyond)


def waste(work: Number, *, interval: Number, fault: str = "", **costs: Number) -> Number:
    """Return the share of the energy that failures and checkpoints take."""
    useful = (costs["static_power"] + costs["compute_power"]) * work
    return 1 - useful / energy(work, interval=interval, fault=fault, **costs)


def per_work(*, interval: Number, fault: str = "", **costs: Number) -> Number:
    """Return the mean energy of a long job over its work."""
    machine = _Machine(fault=fault, **costs)
    return machine.segment(interval, saved=True, following=interval) / interval


def slope(interval: Number, **costs: Number) -> Number:
    """Return the derivative of the logarithm of `per_work` in that of the interval, above it."""
    step = mp.mpf(10) ** -30
    low, high = (mp.log(per_work(interval=interval * mp.exp(x), **costs)) for x in (0, step))
    return (high - low) / step


def first_order(
    *,
    interval: Number,
    mtbf: Number,
    checkpoint_cost: Number,
    overlap: Number,
    static_power: Number,
    compute_power: Number,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    io_power: Number = 0,
    down_power: Number = 0,
) -> Number:
    """Return the energy over the work as the source writes it, by the times of the states."""
    lost = (1 - overlap) * checkpoint_cost
    period = interval + lost
    repaired = downtime + recovery_cost + overlap * checkpoint_cost
    advance = 1 - repaired / mtbf - period / (2 * mtbf)
    if advance <= 0:
        return mp.inf
    final = period / (interval * advance)
    failures = final / mtbf
    square = checkpoint_cost**2 / (2 * period)
    computing = 1 + failures * (overlap * checkpoint_cost + period / 2 - square + overlap * square)
    writing = checkpoint_cost / interval + failures * (recovery_cost + square)
    down = failures * downtime
    return computing * compute_power + writing * io_power + down * down_power + final * static_power


def best_to_first_order(
    *,
    mtbf: Number,
    checkpoint_cost: Number,
    overlap: Number,
    static_power: Number,
    compute_power: Number,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    io_power: Number = 0,
    down_power: Number = 0,
) -> Number:
    """Return the work in the best period, where a/(T - a) + b/(h - T) is least."""
    a, c = (1 - overlap) * checkpoint_cost, checkpoint_cost
    b = 1 - (downtime + recovery_cost + overlap * c) / mtbf
    h = 2 * mtbf * b
    if h <= a:
        return mtbf

    def weight(period: Number) -> Number:
        computing = period * (h + a + 2 * overlap * c) - a * h - (1 - overlap) * c**2
        writing = c * (h - period) + 2 * recovery_cost * period + c**2
        found = compute_power * computing + io_power * writing
        return found / (2 * mtbf) + period * (static_power + down_power * downtime / mtbf)

    first, second = (mp.sqrt(max(weight(period), mp.mpf(0))) for period in (a, h))
    return max(overlap * c, (second * a + first * h) / (first + second) - a)
