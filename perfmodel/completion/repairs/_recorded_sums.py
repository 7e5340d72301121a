"""Downtimes that take finitely many values: their sums, and those of their busy periods."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from ..._checks import ComplexArray, FloatArray, IntArray
from .._first_failures import Visit, regular
from ._repair import Repair
from ._weighted_values import WeightedValues

# Failures known in time: the cdf of a fourth begins like x^4, which 2048 terms of a series resolve.
_DEPTH = 3
# Values of their downtimes: 4,960 sums of three of 30 values, 5,050 of two of 100.
_MOST = 5100
_FEW = 100  # values of a busy period where not all can be kept: so two failures stay known
_LARGEST = 1_000_000  # sums, equal ones among them, that are sorted: 0.1 s, 8 MB
_PARTNERS = 40_000  # the same for each repair of a busy period, of which there may be dozens
_SCAN = 2**14  # heights at which values are looked at: 2048 turns of the largest in steps of 1/8
_IN_STEP = 0.7  # modulus of a resonance: a weaker one is 1e-5 of the transform after 32 failures
_MANY = 200  # values from which on sums up to each are used: before, 0.1 ms buys the last digits
_FINITE = 600.0  # mtbf whose exponential a float can hold, with room for sums
_WAYS = 1e3  # to fail, up to which rounding of those sums, 5e-14 of 1, is less than any error
_PAIRS = 2**18  # times and values that are looked at together: arrays of 2 MB


@dataclass(frozen=True, slots=True)
class RecordedSums:
    """Downtimes with finitely many values; failures at `rate`.

    Parameters
    ----------
    rate : float, [1/time]
    sums : tuple of WeightedValues
        What 1, 2, ... downtimes take together, sorted.
    one : Repair or WeightedValues
        Has the transform of one downtime.
    """

    rate: float
    sums: tuple[WeightedValues, ...]
    one: Repair | WeightedValues

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
        later = heights[strong & fallen & (heights > np.pi / last)]
        # Where nearly all are alike, or most of them, they may never have been out of step.
        weights = self.sums[0].weights
        mean = float(weights @ values / weights.sum())
        median = float(values[np.searchsorted(np.cumsum(weights), 0.5 * weights.sum())])
        return np.unique(np.concatenate([regular(mean + delay), regular(median + delay), later]))

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
        """Return the mass of a visit: of values that surely passed, then of those that may have."""
        record = self.sums[visit.order - 1]
        late = t - visit.delay
        begun = np.searchsorted(record.values, late, side="left")
        over = np.searchsorted(record.values, late - (visit.longest - visit.delay), side="right")
        over = np.minimum(over, begun)
        few, finite = visit.weight < _WAYS, _FINITE / visit.order**2
        if few and record.values.size > _MANY and self.rate * record.values[-1] < finite:
            return self._by_sums(visit, late, over)
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

    def _by_sums(self, visit: Visit, late: FloatArray, over: IntArray) -> FloatArray:
        """Return the mass of a visit from sums of weight, and of weight e^x d^j, up to each value.

        P(m uptimes <= y) is 1 - e^-y sum of y^k/k! for k < m. From the last value, so that nothing
        overflows, y = a + d, and the sum is that of d^j/j! times that of a^i/i! for i < m - j.
        """
        record, order = self.sums[visit.order - 1], visit.order
        last = float(record.values[-1])
        short = self.rate * (last - record.values)
        terms = [record.weights * np.exp(-short)]
        for j in range(1, order):
            terms.append(terms[-1] * short / j)
        count, *grown = (np.append(0.0, np.cumsum(one)) for one in (record.weights, *terms))
        partly = np.zeros(late.shape)
        for shift, sign in _shifts(visit.spans).items():
            begun = np.maximum(np.searchsorted(record.values, late - shift, side="left"), over)
            beyond = np.maximum(self.rate * (late - shift - last), -_FINITE)
            power, series, rest = np.ones(late.shape), np.zeros(late.shape), 0.0
            for i, sums in enumerate(reversed(grown), start=1):
                series = series + power
                power = power * beyond / i
                rest = rest + series * (sums[begun] - sums[over])
            kept = count[begun] - count[over] - np.exp(-beyond) * rest
            partly += sign * math.exp(-self.rate * shift) * kept
        return np.asarray(full(visit, self.rate) * count[over] + np.maximum(partly, 0.0))


def full(visit: Visit, rate: float) -> float:
    """Return the probability that each uptime ends within its span, [-]."""
    return math.prod(-math.expm1(-rate * span) for span in visit.spans)


def cut_sum(x: FloatArray, rate: float, spans: tuple[float, ...]) -> FloatArray:
    """Return P(sum of uptimes, each within its span, <= x), [-], for x up to all spans.

    By inclusion and exclusion of the spans that are passed; P(m uptimes <= y) is a gamma law.
    """
    total = np.zeros(x.shape)
    for shift, sign in _shifts(spans).items():
        late = rate * np.maximum(x - shift, 0.0)
        total += sign * math.exp(-rate * shift) * erlang(len(spans), late)
    return total


def _shifts(spans: tuple[float, ...]) -> dict[float, float]:
    """Return by how much spans that are passed shift the time, and the sign of each such term."""
    shifts: dict[float, float] = defaultdict(float)
    for count in range(len(spans) + 1):
        for some in combinations(spans, count):
            shifts[math.fsum(some)] += (-1.0) ** count
    return shifts


def erlang(order: int, x: FloatArray) -> FloatArray:
    """Return P(`order` uptimes <= x mtbf), [-], relatively accurate near 0."""
    if order == 1:
        return np.asarray(-np.expm1(-x))
    return np.asarray(special.gammainc(float(order), x))


def recorded_sums(
    record: WeightedValues, rate: float, one: Repair | WeightedValues
) -> RecordedSums:
    """Return as many sums as stay few; `one` has the transform of the record."""
    sums = [record]
    while len(sums) < _DEPTH and sums[-1].values.size * record.values.size <= _LARGEST:
        more = plus(sums[-1], record)
        if more.values.size > _MOST:
            break
        sums.append(more)
    return RecordedSums(rate, tuple(sums), one)


def busy_sums(record: WeightedValues, rate: float) -> RecordedSums:
    """Return the sums of busy periods of a few repairs: of all that count, if they are few.

    A busy period takes n repairs with sum x with weight (1/n) e^{-rate x} (rate x)^(n-1)/(n-1)!,
    times that of the sum: Borel's law if all repairs are equal.
    """
    repairs = [record]
    size = record.values.size
    while not _enough(repairs, rate):
        largest = repairs[-1].values.size
        if largest * record.values.size > _PARTNERS or size + largest > _MOST:
            few = np.cumsum([r.values.size for r in repairs]) <= _FEW
            repairs = repairs[: max(1, int(few.sum()))]
            break
        repairs.append(plus(repairs[-1], record))
        size += repairs[-1].values.size
    some = _periods(repairs, rate)
    return recorded_sums(some, rate, some)


def _enough(repairs: list[WeightedValues], rate: float) -> bool:
    """Return whether busy periods of more repairs have no weight."""
    count = len(repairs)
    if count < 4:
        return False
    last = _share(count, repairs[-1], rate).sum()
    mean = rate * float(repairs[0].weights @ repairs[0].values)
    return bool(last < 1e-17 * (1.0 - mean))


def _share(n: int, record: WeightedValues, rate: float) -> FloatArray:
    """Return the weights that n repairs with given sums have as one busy period."""
    x = rate * record.values
    with np.errstate(under="ignore"):
        share = np.exp(special.xlogy(n - 1, x) - x - special.gammaln(float(n)))
        return np.asarray(record.weights / n * share)


def _periods(repairs: list[WeightedValues], rate: float) -> WeightedValues:
    """Return what a busy period of so many repairs takes."""
    found = [(r.values, _share(n, r, rate)) for n, r in enumerate(repairs, start=1)]
    values, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return merged(values, weights)


def plus(one: WeightedValues, other: WeightedValues) -> WeightedValues:
    """Return the sums of a value of each."""
    values = np.add.outer(one.values, other.values).ravel()
    return merged(values, np.multiply.outer(one.weights, other.weights).ravel())


def merged(values: FloatArray, weights: FloatArray) -> WeightedValues:
    """Sort, and take as one what differs by rounding."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    apart = np.diff(ordered, prepend=-np.inf) > 1e-13 * max(float(values.max()), 1e-290)
    sums = np.bincount(np.cumsum(apart) - 1, weights[order]).astype(np.float64)
    return WeightedValues(ordered[apart], sums)
