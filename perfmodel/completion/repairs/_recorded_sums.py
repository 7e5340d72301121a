"""Downtimes that take finitely many values: their sums, and those of their busy periods."""

from __future__ import annotations

import numpy as np
from scipy import special

from ..._checks import FloatArray
from .._first_failures import Points
from ._transforms import Repair
from ._weighted_values import Record

__all__ = ["busy_points", "record_points"]

_DEPTH = 3  # failures that are known in time
_MOST = 5100  # values of their downtimes
_FEW = 100  # of a busy period, where not all its values can be kept
_LARGEST = 1_000_000  # sums, equal ones among them, that are looked at
_PAIRS = 40_000  # of which the next sums are made


def record_points(record: Record, rate: float, one: Repair | Record) -> Points:
    """Return as many sums as stay few; `one` has the transform of the record."""
    sums = [record]
    while len(sums) < _DEPTH and sums[-1].values.size * record.values.size <= _LARGEST:
        more = _plus(sums[-1], record)
        if more.values.size > _MOST:
            break
        sums.append(more)
    return Points(rate, tuple(sums), one)


def busy_points(record: Record, rate: float) -> Points:
    """Return the same of busy periods of a few repairs: of all that count, if they are few.

    A busy period takes n repairs with sum x with weight (1/n) e^{-rate x} (rate x)^(n-1)/(n-1)!,
    times that of the sum: Borel's law if all repairs are equal.
    """
    repairs = [record]
    size = record.values.size
    while not _enough(repairs, rate):
        largest = repairs[-1].values.size
        if largest * record.values.size > _PAIRS or size + largest > _MOST:
            few = np.cumsum([r.values.size for r in repairs]) <= _FEW
            repairs = repairs[: max(1, int(few.sum()))]
            break
        repairs.append(_plus(repairs[-1], record))
        size += repairs[-1].values.size
    some = _periods(repairs, rate)
    return record_points(some, rate, some)


def _enough(repairs: list[Record], rate: float) -> bool:
    """Tell whether busy periods of more repairs weigh nothing."""
    count = len(repairs)
    if count < 4:
        return False
    last = _share(count, repairs[-1], rate).sum()
    mean = rate * float(repairs[0].weights @ repairs[0].values)
    return bool(last < 1e-17 * (1.0 - mean))


def _share(n: int, record: Record, rate: float) -> FloatArray:
    """Return the weights that n repairs with given sums have as one busy period."""
    x = rate * record.values
    with np.errstate(under="ignore"):
        share = np.exp(special.xlogy(n - 1, x) - x - special.gammaln(float(n)))
        return np.asarray(record.weights / n * share)


def _periods(repairs: list[Record], rate: float) -> Record:
    """Return what a busy period of so many repairs takes."""
    found = [(r.values, _share(n, r, rate)) for n, r in enumerate(repairs, start=1)]
    values, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return _merged(values, weights)


def _plus(one: Record, other: Record) -> Record:
    """Return the sums of a value of each."""
    values = np.add.outer(one.values, other.values).ravel()
    return _merged(values, np.multiply.outer(one.weights, other.weights).ravel())


def _merged(values: FloatArray, weights: FloatArray) -> Record:
    """Sort, and take as one what differs by rounding."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    apart = np.diff(ordered, prepend=-np.inf) > 1e-13 * max(float(values.max()), 1e-290)
    sums = np.bincount(np.cumsum(apart) - 1, weights[order]).astype(np.float64)
    return Record(ordered[apart], sums)
