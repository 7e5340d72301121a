"""The first few failures of a job, exactly: they cause the jumps and kinks of its makespan.

A visit is one way to fail m times: m uptimes, each cut at a span of work or recovery, m
downtimes, and recoveries that succeed. Its time has the transform of the cut uptimes times the
m-th power of that of a downtime. Visits of the first few powers are *known in time*: each kind of
repair computes their cdf in its own way, without inversion. The rest of the makespan is smooth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from .._checks import ComplexArray, FloatArray
from ._uptimes import attempt

RARE = -32.0  # log of the atom, 1e-14, beside which the first failures add no digit


@dataclass(frozen=True, slots=True)
class Visit:
    """One way to fail `order` times.

    Parameters
    ----------
    weight : float, [-]
        Number of such ways, times the probability that all other attempts succeed.
    delay : float, [time]
        Recoveries that succeed.
    spans : tuple of float, [time]
        Where each of the uptimes is cut.
    """

    weight: float
    delay: float
    spans: tuple[float, ...]

    @property
    def order(self) -> int:
        """How many failures, [-]."""
        return len(self.spans)

    @property
    def longest(self) -> float:
        """The time of all uptimes and recoveries together, at most, [time]."""
        return self.delay + math.fsum(self.spans)


class UptimeAndRepair(Protocol):
    """The cdf of visits, computed without inversion, for downtimes of one law."""

    @property
    def depth(self) -> int:
        """Largest number of failures that is known in time."""

    @property
    def rough(self) -> float:
        """Up to where a downtime makes jumps or kinks, [time]."""

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted.

        Every downtime is followed by `delay`, and by an uptime up to `span`, [time].
        """

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, shape (n,), [-]."""


def visits_transform(
    visits: tuple[Visit, ...], s: ComplexArray, rate: float, downtime: ComplexArray
) -> ComplexArray:
    """Return the transform of all visits together, [-], from that of one downtime."""
    spans = {span for visit in visits for span in visit.spans}
    cut = {span: attempt(s, rate, span) * downtime for span in spans}
    shift = {delay: np.exp(-s * delay) for delay in {visit.delay for visit in visits}}
    total = np.zeros_like(s)
    for visit in visits:
        term: ComplexArray = np.asarray(visit.weight * shift[visit.delay], dtype=np.complex128)
        for span in visit.spans:
            term = term * cut[span]
        total += term
    return total


def regular(spacing: float) -> FloatArray:
    """Return the height at which times of equal `spacing` are in step again, if any."""
    return np.asarray([2.0 * np.pi / spacing] if spacing > 1e-300 else [])


@dataclass(frozen=True)
class FirstFailures:
    """The visits of the first failures; there are none if none is known in time."""

    rate: float
    known: UptimeAndRepair | None
    visits: tuple[Visit, ...]
    total: float = field(init=False)

    def __post_init__(self) -> None:
        zero = np.zeros(1, dtype=np.complex128)
        object.__setattr__(self, "total", float(self.transform(zero).real[0]))

    @cached_property
    def rough(self) -> float:
        """Up to where these visits may have jumps and kinks, [time]."""
        if self.known is None or not self.visits:
            return 0.0
        return max(v.longest + v.order * self.known.rough for v in self.visits)

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of all visits together, [-]."""
        if self.known is None or not self.visits:
            return np.zeros_like(s)
        return visits_transform(self.visits, s, self.rate, self.known.downtime(s))

    def bound(self, s: ComplexArray) -> FloatArray:
        """Return the sum of the moduli of the transforms of all visits, [-]."""
        total = np.zeros(s.shape)
        if self.known is None or not self.visits:
            return total
        down = np.abs(self.known.downtime(s))
        for visit in self.visits:
            term = visit.weight * np.exp(-s.real * visit.delay)
            for span in visit.spans:
                term = term * np.abs(attempt(s, self.rate, span)) * down
            total += term
        return total

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return the mass of all visits up to `t`, [-], shape (n,)."""
        total = np.zeros(t.shape)
        live = t > 0.0
        if self.known is not None and self.visits and live.any():
            total[live] = self.known.cdf(self.visits, t[live])
        return total
