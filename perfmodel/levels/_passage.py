"""How long it takes to get through a stretch of a job, or to be thrown back out of it.

A passage ends in one of two ways, each with its own mean and variance of the time it took.
Passages follow each other, and an attempt that fails may be made again; means, variances and
probabilities of the whole are then sums of terms that are not negative, so that no digit is lost.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from .._checks import FloatArray
from .._special import truncated_exponential_mean, truncated_exponential_variance


@dataclass(frozen=True, slots=True)
class Time:
    """Mean, [time], and variance, [time^2], of an independent time."""

    mean: FloatArray
    variance: FloatArray

    def __add__(self, other: Time) -> Time:
        return Time(self.mean + other.mean, self.variance + other.variance)

    def times(self, count: FloatArray) -> Time:
        """Return the time of `count` of these in turn; none take no time, whatever each does."""
        none = count == 0.0  # so written that nan stays nan
        return Time(
            np.where(none, 0.0, count * self.mean), np.where(none, 0.0, count * self.variance)
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """Probabilities of the two ends, which add up to 1, and the time given each.

    Parameters
    ----------
    passes, falls : ndarray, [-]
        Probabilities to get through and to be thrown back.
    passing, falling : Time
        How long it takes given that end; any, where the end is impossible.
    """

    passes: FloatArray
    falls: FloatArray
    passing: Time
    falling: Time

    def then(self, other: Passage) -> Passage:
        """Return this passage followed by another; being thrown back in either ends both."""
        late = self.passes * other.falls
        return Passage(
            self.passes * other.passes,
            self.falls + late,
            self.passing + other.passing,
            either(self.falls, self.falling, late, self.passing + other.falling),
        )

    def power(self, count: FloatArray) -> Passage:
        """Return `count` of these in turn, by repeated squaring; a whole number >= 0."""
        nothing = np.zeros(np.broadcast_shapes(self.passes.shape, count.shape))
        none = Time(nothing, nothing)
        found, square = Passage(nothing + 1.0, nothing, none, none), self
        left = count
        while (left > 0.0).any():
            odd = left % 2.0 == 1.0
            found = _choose(odd, found.then(square), found)
            left = np.floor(left / 2.0)
            square = square.then(square)
        return found


def exposed(span: FloatArray, rate: FloatArray) -> tuple[FloatArray, FloatArray, Time]:
    """Return the probabilities that `span` stays free of failures and not, and when one strikes."""
    x = np.minimum(span * rate, 1e6)  # exp has underflowed long before
    strikes = Time(
        span * truncated_exponential_mean(x), span**2 * truncated_exponential_variance(x)
    )
    return np.exp(-x), -np.expm1(-x), strikes


def retried(
    passes: FloatArray,
    again: FloatArray,
    falls: FloatArray,
    *,
    passing: Time,
    retrying: Time,
    falling: Time,
) -> Passage:
    """Return a passage of attempts that pass, fall, or are made again after `retrying`."""
    ends = passes + falls
    count = again / ends
    lost = retrying.times(count)
    between = np.where(again == 0.0, 0.0, count / ends * retrying.mean**2)
    lost = Time(lost.mean, lost.variance + between)
    return Passage(passes / ends, falls / ends, passing + lost, falling + lost)


def either(one: FloatArray, first: Time, other: FloatArray, second: Time) -> Time:
    """Return the time that is `first` or `second`, with odds `one` to `other`."""
    total = one + other
    share = np.where(total > 0.0, one / np.where(total > 0.0, total, 1.0), 0.5)
    rest = np.where(total > 0.0, other / np.where(total > 0.0, total, 1.0), 0.5)
    mean = share * first.mean + rest * second.mean
    apart = share * rest * (first.mean - second.mean) ** 2
    return Time(mean, share * first.variance + rest * second.variance + apart)


def _choose(where: FloatArray, yes: Passage, no: Passage) -> Passage:
    def time(first: Time, second: Time) -> Time:
        parts = (f.name for f in fields(Time))
        return Time(*(np.where(where, getattr(first, p), getattr(second, p)) for p in parts))

    return Passage(
        np.where(where, yes.passes, no.passes),
        np.where(where, yes.falls, no.falls),
        time(yes.passing, no.passing),
        time(yes.falling, no.falling),
    )
