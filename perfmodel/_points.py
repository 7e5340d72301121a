"""Downtimes that take finitely many values: sums of uptimes and downtimes, exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from ._checks import FloatArray
from ._record import Record

__all__ = ["Points", "busy_points", "record_points"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]

_DEPTHS = ((30, 3), (500, 2))  # up to so many values, so many failures
_MOST = 5000  # values of a busy period
_PAIRS = 40_000  # of which the next sums are made
_EARLY, _TERMS = 0.05, 8  # mtbfs up to which so many powers are exact
_STRETCH = 2.0  # mtbfs that are summed about one point


@dataclass(frozen=True, slots=True)
class Points:
    """Sums of uptimes and downtimes; failures at `rate`.

    Parameters
    ----------
    rate : float, [1/time]
    sums : tuple of Record
        What 1, 2, ... downtimes take together, sorted.
    downtime : callable
        Transform of one downtime, [-].
    """

    rate: float
    sums: tuple[Record, ...]
    downtime: Transform
    _moments: tuple[FloatArray, ...] = field(init=False)
    _powers: tuple[FloatArray, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_moments", tuple(self._cumulated(r) for r in self.sums))
        object.__setattr__(self, "_powers", tuple(self._early_powers(r) for r in self.sums))

    def _cumulated(self, record: Record) -> FloatArray:
        """Return, up to each value v, the weight and the sums of weight e^-y y^j/j!.

        y is rate times the distance of an earlier value from v. Each stretch is summed about its
        start, short enough that the binomial theorem takes no digits.
        """
        x = self.rate * record.values
        powers = range(len(self.sums))
        result = np.zeros((1 + len(self.sums), x.size + 1))
        result[0, 1:] = np.cumsum(record.weights)
        carried, start, first = np.zeros(len(self.sums)), 0.0, 0
        while first < x.size:
            carried, start = _moved(carried[:, None], np.array([x[first] - start]))[:, 0], x[first]
            last = int(np.searchsorted(x, start + _STRETCH, side="right"))
            y = x[first:last] - start
            grown = record.weights[first:last] * np.exp(y)
            about = np.cumsum([grown * (-y) ** j / math.factorial(j) for j in powers], axis=1)
            about += carried[:, None]
            result[1:, first + 1 : last + 1] = _moved(about, y)
            carried, first = about[:, -1], last
        return result

    def _early_powers(self, record: Record) -> FloatArray:
        """Return, up to each value, the sums of weight (-x)^j/j!, x being since the first one."""
        x = np.minimum(self.rate * (record.values - record.values[0]), _EARLY)
        rows = [
            record.weights * (-x) ** j / math.factorial(j) for j in range(len(self.sums) + _TERMS)
        ]
        return np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)

    @property
    def depth(self) -> int:
        """How many failures are known in time."""
        return len(self.sums)

    @property
    def end(self) -> float:
        """Largest downtime, [time]."""
        return float(self.sums[0].values[-1])

    def cdf(self, m: int, t: FloatArray) -> FloatArray:
        """Return P(m uptimes and m downtimes <= t), [-]."""
        values = self.sums[m - 1].values
        place = np.searchsorted(values, t, side="right")
        below, *moments = self._moments[m - 1][: m + 1, place]
        since = self.rate * (t - values[np.maximum(place - 1, 0)])
        kept = _moved(np.array(moments), np.maximum(since, 0.0)).sum(axis=0)
        x = self.rate * (t - values[0])
        return np.where(x < _EARLY, self._early(m, place, np.clip(x, 0.0, _EARLY)), below - kept)

    def _early(self, m: int, place: npt.NDArray[np.intp], x: FloatArray) -> FloatArray:
        """Return the same at `x` mtbfs after the first value, where below - kept has no digits.

        By P(m uptimes <= y) = sum over k >= m of (-1)^(k - m) C(k - 1, m - 1) y^k/k!.
        """
        sums = self._powers[m - 1][:, place]
        shifts = [x**j / math.factorial(j) for j in range(m + _TERMS)]
        total = np.zeros(x.shape)
        for k in range(m, m + _TERMS):
            power = sum((shifts[k - j] * sums[j] for j in range(k + 1)), np.zeros(x.shape))
            total += (-1) ** (k - m) * math.comb(k - 1, m - 1) * power
        return total


def _moved(sums: FloatArray, far: FloatArray) -> FloatArray:
    """Return sums of e^-y y^j/j! where every y is larger by `far`, a column each."""
    shifts = [far**j / math.factorial(j) for j in range(len(sums))]
    rows = [
        sum((sums[j] * shifts[i - j] for j in range(i + 1)), np.zeros(far.shape))
        for i in range(len(sums))
    ]
    with np.errstate(under="ignore"):
        return np.asarray(np.array(rows) * np.exp(-far))


def record_points(record: Record, rate: float, transform: Transform) -> Points:
    """Return as many sums as stay few; `transform` is that of the record."""
    depth = next((depth for most, depth in _DEPTHS if record.values.size <= most), 1)
    sums = [record]
    while len(sums) < depth:
        sums.append(_plus(sums[-1], record))
    return Points(rate, tuple(sums), transform)


def busy_points(record: Record, rate: float, busy: Transform) -> Points:
    """Return the same of busy periods: all of them, or those of a few repairs.

    k busy periods take n repairs with sum x with weight (k/n) e^{-rate x} (rate x)^(n-k)/(n-k)!,
    times that of the sum: Borel's and Tanner's law if all repairs are equal.
    """
    repairs = [record]
    size = record.values.size
    while not _enough(repairs, rate):
        largest = repairs[-1].values.size
        if largest * record.values.size > _PAIRS or size + largest > _MOST:
            few = np.cumsum([r.values.size for r in repairs]) <= _DEPTHS[-1][0]
            some = _periods(1, repairs[: max(1, int(few.sum()))], rate)
            return record_points(some, rate, some.transform)
        repairs.append(_plus(repairs[-1], record))
        size += repairs[-1].values.size
    return Points(rate, tuple(_periods(k, repairs, rate) for k in (1, 2, 3)), busy)


def _enough(repairs: list[Record], rate: float) -> bool:
    """Tell whether busy periods of more repairs weigh nothing."""
    count = len(repairs)
    if count < 4:
        return False
    last = max(_share(k, count, repairs[-1], rate).sum() for k in (1, 2, 3))
    mean = rate * float(repairs[0].weights @ repairs[0].values)
    return bool(last < 1e-17 * (1.0 - mean))


def _share(k: int, n: int, record: Record, rate: float) -> FloatArray:
    """Return the weights that n repairs with given sums have as k busy periods."""
    x = rate * record.values
    with np.errstate(under="ignore"):
        share = np.exp(special.xlogy(n - k, x) - x - special.gammaln(n - k + 1.0))
        return np.asarray(record.weights * (k / n) * share)


def _periods(k: int, repairs: list[Record], rate: float) -> Record:
    """Return what k busy periods of so many repairs take together."""
    found = [(r.values, _share(k, n, r, rate)) for n, r in enumerate(repairs, start=1) if n >= k]
    values, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return _merged(values, weights)


def _plus(one: Record, other: Record) -> Record:
    """Return the sums of a value of each."""
    values = np.add.outer(one.values, other.values).ravel()
    return _merged(values, np.multiply.outer(one.weights, other.weights).ravel())


def _merged(values: FloatArray, weights: FloatArray) -> Record:
    """Sort, and take as one what differs by rounding."""
    unit = 1e-13 * max(float(values.max()), 1e-290)
    keys, first, index = np.unique(np.round(values / unit), return_index=True, return_inverse=True)
    sums = np.bincount(index.ravel(), weights, keys.size).astype(np.float64)
    return Record(values[first], sums)
