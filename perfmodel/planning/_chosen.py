"""The protocol that a plan chooses for a job, and the best that it does."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..completion import CompletionTime
from ..interval.whole_steps import whole_steps
from ..protocols import ProtocolTime, Recommendation
from ..protocols.choice import Quantity, compare
from ..protocols.protocol import Protocol
from ..protocols.situation import Situation
from ..protocols.table import CHOOSE, PROTOCOLS, protocol_of
from ..validity import ValidityWarning


@dataclass(frozen=True, slots=True)
class Chosen:
    """A protocol with its interval [s], and the mean time of the job [s] and its efficiency [-].

    `among` are the protocols that it was compared with, itself among them.
    """

    protocol: Protocol
    interval: float
    durable_every: float
    expected_time: float
    efficiency: float
    steps: int | None = None
    among: tuple[ProtocolTime, ...] = ()

    def mean(self, job: Situation, interval: float | None = None) -> float:
        """Return the mean time of a job at the interval, or at any other, [s]."""
        asked = np.array([self.interval if interval is None else interval])
        return float(self.protocol.means(job, asked, self.durable_every)[0])

    def law(self, job: Situation) -> CompletionTime | None:
        """Return the law of the time of a job; None if none is known."""
        if job.waits:
            return None
        cut = min(self.interval, self.protocol.longest(job))
        return _law(self.protocol, job, cut, self.durable_every)


@lru_cache(maxsize=16)
def _law(protocol: Protocol, job: Situation, cut: float, every: float) -> CompletionTime | None:
    """Return a law, which keeps what it was asked: a figure asks for that of its plan again."""
    with np.errstate(all="ignore"):
        return protocol.law(job, cut, every)


def compared(job: Situation, quantity: Quantity | None = None) -> Recommendation:
    """Return the protocols of which all numbers are given, for exponential uptimes."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", ValidityWarning)
        found = compare(job, quantity)
    for _, reason in found.left_out:  # no plan is silent about a protocol that is asked for
        raise ValueError(reason)
    return found


def chosen_for(job: Situation) -> Chosen:
    """Return the protocol asked for, or the best one, at its best interval in whole steps."""
    if job.ages:
        return _aged(job)
    among = compared(job).protocols
    asked = (row for row in among if job.protocol in {CHOOSE, row.protocol})
    row = next(asked, None)
    if row is None:
        *others, last = protocol_of(job.protocol).needs
        needs = f"{', '.join(others)} and {last}" if others else last
        raise ValueError(f"checkpoint.protocol must come with {needs}, got {job.protocol!r} alone")
    return _in_steps(job, row, among)


def _in_steps(job: Situation, row: ProtocolTime, among: tuple[ProtocolTime, ...]) -> Chosen:
    """Return the plan of a protocol with its interval in whole steps."""
    protocol, time = protocol_of(row.protocol), row.expected_time
    plain = Chosen(protocol, row.interval, row.durable_every, time, row.efficiency, among=among)
    step = protocol.step(job)
    if step is None:
        return plain
    steps = whole_steps(row.interval, step, lambda interval: plain.mean(job, interval))
    time = plain.mean(job, steps * step)
    return replace(
        plain, interval=steps * step, expected_time=time, efficiency=job.work / time, steps=steps
    )


def _aged(job: Situation) -> Chosen:
    """Return the best constant interval where a failure renews the machine."""
    fit = {each.name: each for each in PROTOCOLS if each.ages}
    protocol = next(iter(fit.values())) if job.protocol == CHOOSE else fit.get(job.protocol)
    if protocol is None:
        raise ValueError(
            f"checkpoint.protocol must be {' or '.join((CHOOSE, *fit))} with failures.law "
            f"{job.law}, got {job.protocol!r}"
        )
    found, steps = protocol.aged(job)
    time = found.expected_time
    return Chosen(protocol, found.interval, 1.0, time, job.work / time, steps)
