"""The first few failures of a job, exactly: where the jumps and kinks of its makespan come from.

A visit is one way to fail m times: m uptimes, each cut at a span of work or recovery, m
downtimes, and recoveries that succeed. Its time has the transform of the cut uptimes times the
m-th power of that of a downtime. Kernels know such times for the kinds of downtimes; what
remains of the makespan after the first powers is smooth.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray
from .._special import legendre
from ..lifetimes import AbstractLifetime
from ._uptimes import attempt
from .repairs._transforms import Repair
from .repairs._weighted_values import Record

__all__ = ["Analytic", "FewFailures", "Kernel", "Points", "Smooth", "Visit"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
IntArray: TypeAlias = npt.NDArray[np.intp]

_SCAN = 2**14  # heights at which values are looked at
_IN_STEP = 0.7  # share of the values that nearly agree
_MANY = 200  # values from which on sums up to each are quicker
_FINITE = 600.0  # mtbf whose exponential a float can hold
_PAIRS = 2**18  # times and values that are looked at together


@dataclass(frozen=True, slots=True)
class Visit:
    """One way to fail `order` times.

    Parameters
    ----------
    weight : float, [-]
        How many such ways there are, times the probability that all else goes well.
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


class Kernel(Protocol):
    """Visits in time, with the downtimes of one law."""

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
    total = np.zeros(s.shape, dtype=np.complex128)
    for visit in visits:
        term: ComplexArray = np.asarray(visit.weight * shift[visit.delay], dtype=np.complex128)
        for span in visit.spans:
            term = term * cut[span]
        total += term
    return total


def full(visit: Visit, rate: float) -> float:
    """Return the probability that each uptime ends within its span, [-]."""
    return math.prod(-math.expm1(-rate * span) for span in visit.spans)


@dataclass(frozen=True, slots=True)
class Points:
    """Downtimes with finitely many values; failures at `rate`.

    Parameters
    ----------
    rate : float, [1/time]
    sums : tuple of Record
        What 1, 2, ... downtimes take together, sorted.
    one : Repair or Record
        With the transform of one downtime.
    """

    rate: float
    sums: tuple[Record, ...]
    one: Repair | Record

    @property
    def depth(self) -> int:
        """How many failures are known in time."""
        return len(self.sums)

    @property
    def rough(self) -> float:
        """Largest downtime, [time]."""
        return float(self.sums[0].values[-1])

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return heights at which nearly all values are in step, [1/time]."""
        values = self.sums[0].values
        if values.size == 1:
            return regular(values[0] + delay)
        last = float(values[-1])
        heights: FloatArray = np.asarray(np.pi / (4.0 * last) * np.arange(1.0, _SCAN))
        size: FloatArray = np.abs(self.sums[0].transform(np.asarray(1j * heights)))
        strong = size > _IN_STEP * self.sums[0].weights.sum()
        fallen = np.logical_or.accumulate(~strong)  # they all begin in step
        return np.asarray(heights[strong & fallen & (heights > np.pi / last)])

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime, [-]."""
        return self.one.transform(s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        for visit in visits:
            total += visit.weight * self._visit(visit, t)
        return total

    def _visit(self, visit: Visit, t: FloatArray) -> FloatArray:
        """Add up the values that surely passed, and look at those that may have."""
        record = self.sums[visit.order - 1]
        late = t - visit.delay
        begun = np.searchsorted(record.values, late, side="left")
        over = np.searchsorted(record.values, late - (visit.longest - visit.delay), side="right")
        over = np.minimum(over, begun)
        if visit.order == 1 and record.values.size > _MANY and self.rate * self.rough < _FINITE:
            return self._by_sums(visit, late, over, begun)
        total = full(visit, self.rate) * np.append(0.0, np.cumsum(record.weights))[over]
        # Time by time, so that a time asked alone meets the same sums as in an array.
        first = 0
        while first < t.size:
            counts = np.cumsum((begun - over)[first:])
            last = first + max(1, int(np.searchsorted(counts, _PAIRS)))
            some = slice(first, last)
            number = (begun - over)[some]
            owner = np.repeat(np.arange(number.size), number)
            place = np.arange(owner.size) - np.repeat(np.cumsum(number) - number, number)
            place += over[some][owner]
            share = cut_sum(late[some][owner] - record.values[place], self.rate, visit.spans)
            total[some] += np.bincount(owner, share * record.weights[place], number.size)
            first = last
        return total

    def _by_sums(
        self, visit: Visit, late: FloatArray, over: IntArray, begun: IntArray
    ) -> FloatArray:
        """Return the same of one failure from sums up to each value, of weight and weight e^x."""
        values, weights = self.sums[0].values, self.sums[0].weights
        count = np.append(0.0, np.cumsum(weights))
        # From the last value, so that nothing overflows.
        grown = np.append(0.0, np.cumsum(weights * np.exp(self.rate * (values - values[-1]))))
        with np.errstate(over="ignore"):
            fallen = np.exp(np.minimum(self.rate * (values[-1] - late), _FINITE))
        partly = count[begun] - count[over] - fallen * (grown[begun] - grown[over])
        return np.asarray(full(visit, self.rate) * count[over] + np.maximum(partly, 0.0))


def cut_sum(x: FloatArray, rate: float, spans: tuple[float, ...]) -> FloatArray:
    """Return P(sum of uptimes, each within its span, <= x), [-], for x up to all spans.

    By inclusion and exclusion of the spans that are passed; P(m uptimes <= y) is a gamma law.
    """
    shifts: dict[float, float] = defaultdict(float)
    for count in range(len(spans) + 1):
        for some in combinations(spans, count):
            shifts[math.fsum(some)] += (-1.0) ** count
    total = np.zeros(x.shape)
    for shift, sign in shifts.items():
        late = rate * np.maximum(x - shift, 0.0)
        total += sign * math.exp(-rate * shift) * erlang(len(spans), late)
    return total


def erlang(order: int, x: FloatArray) -> FloatArray:
    """Return P(`order` uptimes <= x mtbf), [-], relatively accurate near 0."""
    if order == 1:
        return np.asarray(-np.expm1(-x))
    from scipy import special

    return np.asarray(special.gammainc(float(order), x))


@dataclass(frozen=True, slots=True)
class Analytic:
    """Downtime has a transform without singularities off the negative real axis."""

    rate: float
    one: Repair
    unstruck: bool
    depth: int = 2

    @property
    def rough(self) -> float:
        """Nowhere but at 0, [time]."""
        return 0.0

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return those of the delay, beside which downtimes may be short, [1/time]."""
        return regular(delay if delay > span else 0.0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime; of one without a failure if `unstruck`, [-]."""
        return self.one.transform(s + self.rate if self.unstruck else s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        # Beyond all spans the delays of the visits bend the contour only a little.
        far = t > 2.0 * max(visit.longest for visit in visits)
        if far.any():
            total[far] = self._whole(visits, t[far])
        if not far.all():
            total[~far] = self._delayed(visits, t[~far])
        return total

    def _whole(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        total = np.zeros(t.shape)
        for node, weight in zip(_TALBOT, _TALBOT_WEIGHTS, strict=True):
            s = np.asarray(node / t, dtype=np.complex128)
            value = visits_transform(visits, s, self.rate, self.downtime(s))
            total += (weight * (value / s)).real
        return np.asarray(total / t)

    def _delayed(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Expand the spans into delays of powers of one uptime and one downtime."""
        delays: dict[float, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for visit in visits:
            for count in range(visit.order + 1):
                for some in combinations(visit.spans, count):
                    span = math.fsum(some)
                    weight = visit.weight * (-1.0) ** count * math.exp(-self.rate * span)
                    delays[visit.delay + span][visit.order] += weight
        total = np.zeros(t.shape)
        for delay, weights in delays.items():
            live = t > delay
            if live.any():
                total[live] += self._powers(weights, t[live] - delay)
        return total

    def _powers(self, weights: dict[int, float], t: FloatArray) -> FloatArray:
        """Return the sum of weight P(m uptimes and m downtimes <= t), by Talbot's contour."""
        total = np.zeros(t.shape)
        for node, heavy in zip(_TALBOT, _TALBOT_WEIGHTS, strict=True):
            s = np.asarray(node / t, dtype=np.complex128)
            y = self.rate / (self.rate + s) * self.downtime(s)
            value = sum((weight * y**m for m, weight in weights.items()), np.zeros_like(y))
            total += (heavy * (value / s)).real
        return np.asarray(total / t)


@dataclass(frozen=True, slots=True)
class Smooth:
    """Any downtime with a cdf; one failure, by Gauss and Legendre's rule.

    With `unstruck` failures strike repairs, and only those that none prolongs are known in time.
    """

    rate: float
    law: AbstractLifetime
    one: Repair
    unstruck: bool
    depth: int = 1

    @property
    def rough(self) -> float:
        """Where a narrow law has all but its last mass, [time]; a wide one is smooth."""
        return float(self.law.ppf(1.0 - 1e-15)) if self.law.scv < 1.0 else 0.0

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return those of a narrow law, or of the delay, [1/time]."""
        if self.law.scv < 1.0:
            return regular(delay + self.law.mean)
        return regular(delay if delay > span else 0.0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime; of one without a failure if `unstruck`, [-]."""
        return self.one.transform(s + self.rate if self.unstruck else s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        for visit in visits:
            late = t - visit.delay
            live = late > 0.0
            if live.any():
                total[live] += visit.weight * self._one(visit.spans[0], late[live])
        return total

    def _one(self, span: float, t: FloatArray) -> FloatArray:
        """Return P(uptime within its span and one downtime <= t), [-].

        With G(t) the mass of uptime and downtime up to t: G(t) - exp(-rate span) G(t - span).
        """
        before, width = np.maximum(t - span, 0.0), np.minimum(span, t)
        if not self.unstruck:
            return self._falling(t, width)
        struck = self._rising(before, t, width)
        return struck - math.expm1(-self.rate * span) * self._rising(
            np.zeros_like(t), before, before
        )

    def _falling(self, right: FloatArray, width: FloatArray) -> FloatArray:
        """Integrate rate exp(-rate u) F(right - u) over u, from 0 to `width`.

        A span may be a millionth of the time: both are known, but not by their difference.
        """
        low, high = self._bulk
        first = np.maximum(right - high, 0.0)
        last = np.minimum(width, np.maximum(right - low, 0.0))
        # Where F is 0 or 1 to rounding there is nothing to integrate, or a closed form.
        total = -np.expm1(-self.rate * np.minimum(first, width))
        for near, far in pairwise(_STRETCHES):
            begin = np.maximum(first, near / self.rate)
            end = np.minimum(last, far / self.rate)
            live = end > begin
            if live.any():
                lower, upper = right[live] - end[live], right[live] - begin[live]
                extent = end[live] - begin[live]
                total[live] += self._stretch(lower, upper, extent, begin[live], right[live])
        return np.asarray(total)

    def _rising(self, left: FloatArray, right: FloatArray, width: FloatArray) -> FloatArray:
        """Integrate rate exp(-rate x) F(x) from `left` to `right`, `width` apart."""
        low, high = self._bulk
        total = np.zeros(left.shape)
        for near, far in pairwise(_STRETCHES):
            lower = np.maximum(np.maximum(left, low), left + near / self.rate)
            upper = np.minimum(np.minimum(right, high), left + far / self.rate)
            live = upper > lower
            if live.any():
                lower, upper = lower[live], upper[live]
                whole = (lower == left[live]) & (upper == right[live])
                extent = np.where(whole, width[live], upper - lower)
                total[live] += self._stretch(lower, upper, extent)
        top = np.maximum(left, high)
        return total + np.where(
            right > top, np.exp(-self.rate * top) - np.exp(-self.rate * right), 0.0
        )

    def _stretch(
        self,
        lower: FloatArray,
        upper: FloatArray,
        extent: FloatArray,
        begin: FloatArray | None = None,
        right: FloatArray | None = None,
    ) -> FloatArray:
        """Integrate where the exponential falls little, over an `extent` from `lower` to `upper`.

        The exponential falls with x, or with how far x lies before `right`: `begin` at `upper`.
        """
        short = extent < _SHORT * upper
        total = np.empty(lower.shape)
        for which, even in ((short, True), (~short, False)):
            if not which.any():
                continue
            low, top, length = lower[which], upper[which], extent[which]
            if even:
                share = _PLACES[:, None] / (2.0 * _PANELS)
                x, width = low + length * share, length / (2.0 * _PANELS)
                mass = self.law.cdf(x)
                if begin is not None:
                    mass = mass * np.exp(-self.rate * (begin[which] + length * (1.0 - share)))
            else:
                log_lower = np.log(np.maximum(low, top * _LEAST))
                width = 0.5 * (np.log(top) - log_lower) / _PANELS
                x = np.exp(log_lower + width * _PLACES[:, None])
                mass = x * self.law.cdf(x)
                if right is not None:
                    mass = mass * np.exp(-self.rate * np.abs(right[which] - x))
            if begin is None:
                mass = mass * np.exp(-self.rate * x)
            # Row by row: a sum over the axis would depend on how many times are asked together.
            part = np.zeros(low.shape)
            for row, weight in zip(mass, _HEAVIES, strict=True):
                part += weight * row
            total[which] = self.rate * width * part
        return total

    @property
    def _bulk(self) -> tuple[float, float]:
        return float(self.law.ppf(1e-18)), float(self.law.ppf(1.0 - 1e-16))


def regular(spacing: float) -> FloatArray:
    """Return the height at which what comes at equal distances is in step again, if it does."""
    return np.asarray([2.0 * np.pi / spacing] if spacing > 0.0 else [])


@dataclass(frozen=True)
class FewFailures:
    """The visits of the first failures; without a kernel there are none."""

    rate: float
    kernel: Kernel | None
    visits: tuple[Visit, ...]
    total: float = field(init=False)

    def __post_init__(self) -> None:
        zero = np.zeros(1, dtype=np.complex128)
        object.__setattr__(self, "total", float(self.transform(zero).real[0]))

    @cached_property
    def rough(self) -> float:
        """Up to where these visits may have jumps and kinks, [time]."""
        if self.kernel is None or not self.visits:
            return 0.0
        return max(v.longest + v.order * self.kernel.rough for v in self.visits)

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of all visits together, [-]."""
        if self.kernel is None or not self.visits:
            return np.zeros(s.shape, dtype=np.complex128)
        return visits_transform(self.visits, s, self.rate, self.kernel.downtime(s))

    def bound(self, s: ComplexArray) -> FloatArray:
        """Return the transform of all visits if no two were out of step, [-]."""
        total = np.zeros(s.shape)
        if self.kernel is None or not self.visits:
            return total
        down = np.abs(self.kernel.downtime(s))
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
        if self.kernel is not None and self.visits and live.any():
            total[live] = self.kernel.cdf(self.visits, t[live])
        return total


def _talbot(points: int) -> tuple[list[complex], list[complex]]:
    """Nodes and weights of the fixed Talbot rule at time 1, those that weigh anything."""
    r = 0.4 * points
    theta = np.pi * np.arange(1, points) / points
    cot = 1.0 / np.tan(theta)
    nodes = r * theta * (cot + 1j)
    slope = 1.0 + 1j * (theta + (theta * cot - 1.0) * cot)
    s = np.concatenate([[r + 0j], nodes])
    weights = np.concatenate([[0.5 * np.exp(r) + 0j], np.exp(nodes) * slope]) * (r / points)
    heavy = np.abs(weights) > 1e-18 * np.abs(weights).max()
    return [complex(x) for x in s[heavy]], [complex(x) for x in weights[heavy]]


_TALBOT, _TALBOT_WEIGHTS = _talbot(22)
_PANELS = 32
_NODES, _WEIGHTS = legendre(10)
_PLACES = (2.0 * np.arange(_PANELS)[:, None] + 1.0 + _NODES).ravel()
_HEAVIES = np.tile(_WEIGHTS, _PANELS).tolist()
_STRETCHES = (0.0, 3.0, 9.0, 18.0, 40.0)  # mtbf, in each of which the exponential falls little
_SHORT = 0.1  # share of the upper end below which panels are even in x, not in log x
_LEAST = 1e-17  # of the upper end: below it nothing can add up to a digit
