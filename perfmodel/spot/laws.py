r"""Cost and chance of a job with a deadline on spot machines whose lives and gaps have any law.

The job and the Safety Net are those of `perfmodel.spot.deadline`. Lives and gaps are independent
of each other, so that the losses of machines during the work make a renewal process, and what fits
into the slack a sum of gaps: all follows from the laws of the sums of n lives and of n gaps.

Both are found on a lattice, lives and gaps rounded down. As n of them are rounded by less than n
steps in all, the law of the sums lies between two values of the lattice, and everything that rises
or falls with it between two bounds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import fft

from .._checks import ArrayLike, FloatArray, nonempty, nonnegative, positive, scalar
from ..formula import Formula, Trend
from ..lifetimes import Lifetime

Durations: TypeAlias = Lifetime | FloatArray

_STEPS = 1 << 14  # of a lattice
_MOST = 1e3  # losses in the mean
_REST = 1e-13  # probability that is left out, counted as an error
_MOST_LOSSES = 5000  # summed one by one
_ROUNDING = 1e-12  # of sums by Fourier transforms


@dataclass(frozen=True, slots=True)
class SpotOutlook:
    """What becomes of a job on spot machines, each number with the largest error that it can have.

    Parameters
    ----------
    deadline_probability : float, [-]
        That spot machines alone meet the deadline.
    spot_probability : float, [-]
        That the Safety Net needs no on-demand machine.
    cost : float, [money]
        Mean cost under the Safety Net; inf where it is beyond the floats.
    deadline_error, spot_error : float, [-]
        By which the probabilities may be wrong, for these laws.
    cost_error : float, [money]
        By which the cost may be wrong; inf where that is.
    """

    deadline_probability: float
    spot_probability: float
    cost: float
    deadline_error: float
    spot_error: float
    cost_error: float


def spot_outlook(
    work: float,
    *,
    deadline: float,
    spot_life: Lifetime | ArrayLike,
    spot_gap: Lifetime | ArrayLike,
    start_time: float = 0.0,
    age: float | None = 0.0,
    spot_price: float = 0.0,
    on_demand_price: float = 0.0,
) -> SpotOutlook:
    r"""Chance and mean cost of a job with a deadline on spot machines of any law of life and gap.

    .. math::
        P &= \sum_{n \ge 0} G_n P(N = n) \\
        E[\text{cost}] &= p_s \left(V + d \sum_{n \ge 0} G_n P(N \ge n)\right)
                          + p_o \left(W - V + d (1 - P)\right) \\
        V &= \sum_{n \ge 0} G_n \int_0^W P(N(t) = n) \, dt, \quad P(N(t) \ge n) = P(S_n < t)

    with S_n the sum of n lives, N losses during the work W, and G_n the probability that n gaps and
    n starts leave a slack of two starts; of one where there is no on-demand machine.

    Parameters
    ----------
    work : float, [time]
        W, time of the job on either machine, starts excluded; > 0.
    deadline : float, [time]
        From the start of the job; > 0.
    spot_life : Lifetime or array_like, [time]
        Law of the time for which a started spot machine works, or recorded ones in their order,
        shape (n,), >= 0: then n lives are any that followed each other, as short ones often do,
        and the first follows the last. `Empirical` takes them for independent.
    spot_gap : Lifetime or array_like, [time]
        The same of the time from a loss until another machine can be had, shape (m,), >= 0.
    start_time : float, [time]
        d, to start a machine of either kind, paid for and without progress; >= 0.
    age : float or None, [time]
        For how long the first machine could be had before the job starts on it; >= 0, with a
        chance to last longer. None: at a random instant of its life.
    spot_price, on_demand_price : float, [money/time]
        Of the two machines while they start and work; >= 0.

    Returns
    -------
    SpotOutlook, [-] and [money]
        Probabilities and the cost, each with the error that it may have.

    Raises
    ------
    ValueError
        If `work` is more than 1000 mean lives, or no machine reaches the `age`.

    Notes
    -----
    Exact but for the errors that it states, half the distance of two bounds: of 2,500 jobs drawn
    from the range below the probabilities had 2e-5 or less for 90 %, 6e-4 for 99 %, 7e-3 at most;
    costs 5e-5, 5e-4 and 1.5e-3 of the work on the dearer machine, which may be 7 % of a cost where
    that is a thousand times dearer and hardly ever needed. It grows with the number of losses, and
    is larger where n lives or gaps may fit to the second, as those of a record of few may. What is
    unknown of the law is not in it.

    Of the lives of 1,258 machines of Google of four types, promises of 0.8, 0.9, 0.95 and 0.99 from
    every second machine were kept by 0.81, 0.91, 0.95 and 0.99 of the jobs on the others with lives
    in their order, by 0.69, 0.75, 0.82 and 0.89 with `Empirical`, and by 0.60, 0.67, 0.72 and 0.83
    with an exponential law of the same mean (work of 6 and 12 h, gaps of half an hour in the mean).
    From the first half in time to the second also lives in their order promise too much: 0.75,
    0.82, 0.87 and 0.93 were kept, and 0.60, 0.64, 0.69 and 0.78 of exponential promises.
    Source: derived in tests/derivations/test_spot.py. The rule is that of [1]_, of which a public
    copy of the rules was seen, not the paper.

    Judged for work/spot_life 0.01 to 30, deadline/work 0.5 to 10, spot_gap/spot_life 0.01 to 100,
    start_time/work 1e-6 to 0.1, cv of spot_life 0.3 to 4. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Z. Wu, W.-L. Chiang, Z. Mao, Z. Yang, E. Friedman, S. Shenker and I. Stoica, "Can't be
       late: optimizing spot instance savings under deadlines", NSDI 2024.

    Examples
    --------
    Lives of six hours in the mean, most of them shorter:

    >>> from perfmodel import Empirical, LogNormal
    >>> found = spot_outlook(
    ...     24.0, deadline=36.0, spot_life=LogNormal.from_mean(6.0, cv=2.0),
    ...     spot_gap=Empirical([0.5, 0.7, 1.5, 6.0]), start_time=0.2,
    ...     spot_price=1.2, on_demand_price=4.0,
    ... )
    >>> round(found.deadline_probability, 3), round(found.cost, 2)
    (0.565, 42.63)
    """
    job = _Job(
        scalar(positive, "work", work),
        scalar(positive, "deadline", deadline),
        scalar(nonnegative, "start_time", start_time),
    )
    life, gap = _durations("spot_life", spot_life), _durations("spot_gap", spot_gap)
    first = None if age is None else scalar(nonnegative, "age", age)
    prices = (
        scalar(nonnegative, "spot_price", spot_price),
        scalar(nonnegative, "on_demand_price", on_demand_price),
    )
    mean = life.mean if isinstance(life, Lifetime) else float(life.mean())
    if not job.work <= _MOST * mean:
        raise ValueError(
            f"work must be at most {_MOST:g} mean lives, got {job.work:g} with a mean of {mean:g}"
        )
    losses = _most_losses(life, job.work, mean)
    return job.outlook(_sums(life, job.work, first), gap, losses, *prices)


@dataclass(frozen=True, slots=True)
class _Between:
    """A number between two bounds."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return 0.5 * (self.low + self.high)

    def error(self, size: float = 1.0) -> float:
        """Return half the distance, and the rounding of numbers of this size."""
        # Rounding may put bounds that meet the wrong way round.
        half = max(0.5 * (self.high - self.low), 0.0) if self.high < math.inf else math.inf
        return half + _ROUNDING * size


@dataclass(frozen=True, slots=True)
class _Job:
    """A job, and what its losses of machines do to it."""

    work: float
    deadline: float
    start_time: float

    def outlook(
        self, lives: Iterator[FloatArray], gap: Durations, losses: float, spot: float, dear: float
    ) -> SpotOutlook:
        """Return what becomes of it, from the laws of the sums of lives, rounded down.

        When some machines were lost, at most so many `losses` follow in the mean.
        """
        alone = _Fits(gap, self.deadline - self.work - self.start_time, self.start_time)
        net = alone.with_less(self.start_time)
        kept, cheap, done, starts = (_Sum() for _ in range(4))
        came = _Between(1.0, 1.0)  # P(N >= n)
        spent = _Between(self.work, self.work)  # integral of P(N(t) >= n) over the work
        for n in range(_MOST_LOSSES):
            sums = next(lives)  # of n + 1 lives
            areas = np.cumsum(sums) * (self.work / _STEPS)
            more = _Between(_at(sums, _STEPS - 2 - n), _at(sums, _STEPS - 1))
            longer = _Between(_at(areas, _STEPS - 2 - n), _at(areas, _STEPS - 1))
            fits, fits_net = next(alone.each), next(net.each)
            kept.by_parts(fits, came, more)
            cheap.by_parts(fits_net, came, more)
            done.by_parts(fits_net, spent, longer)
            starts.add(fits_net.low * came.low, fits_net.high * came.high)
            came, spent = more, longer
            rest = came.high * fits.high
            if rest <= _REST:
                break
        meets, on_spot = kept.within(1.0, rest), cheap.within(1.0, rest)
        work = done.within(self.work, rest * self.work)
        begun = starts.within(math.inf, rest * losses if rest > 0.0 else 0.0)
        # Of a dearer spot machine less work is cheaper.
        if spot > dear:
            work = _Between(work.high, work.low)
        least = self._paid(spot, dear, work.high, begun.low, on_spot.high)
        most = self._paid(spot, dear, work.low, begun.high, on_spot.low)
        whole = self._paid(spot, 0.0, self.work, begun.high, 1.0)
        cost = _Between(least, most)
        return SpotOutlook(
            meets.middle,
            on_spot.middle,
            cost.middle,
            meets.error(),
            on_spot.error(),
            cost.error(whole + self._paid(0.0, dear, 0.0, 0.0, 0.0)),
        )

    def _paid(self, spot: float, dear: float, work: float, count: float, chance: float) -> float:
        """Return the cost of so much work and so many starts on spot machines, the rest on dear."""
        dearly = self.work - work + self.start_time * (1.0 - chance)
        return _paid_for(spot, work + _paid_for(self.start_time, count)) + _paid_for(dear, dearly)


class _Sum:
    """A sum of nonnegative terms, between two bounds."""

    def __init__(self) -> None:
        self.low = self.high = 0.0

    def add(self, low: float, high: float) -> None:
        self.low += low
        self.high += high

    def by_parts(self, rising: _Between, falling: _Between, after: _Between) -> None:
        """Add `rising` times what `falling` falls by, a sum that falls with each of the latter."""
        self.add(rising.low * (falling.high - after.high), rising.high * (falling.low - after.low))

    def within(self, most: float, rest: float) -> _Between:
        """Return the bounds with a rest that was left out, at most `most`."""
        return _Between(min(self.low, most), min(self.high + rest, most))


class _Fits:
    """For n = 0, 1, ... the probability that n gaps and starts fit into a slack."""

    def __init__(
        self, gap: Durations, slack: float, start_time: float, whole: float | None = None
    ) -> None:
        self._gap, self._slack, self._start = gap, slack, start_time
        self._whole = max(slack if whole is None else whole, 0.0)
        self.each = self._each()

    def with_less(self, time: float) -> _Fits:
        """Return the same with less slack."""
        return _Fits(self._gap, self._slack - time, self._start, self._whole)

    def _each(self) -> Iterator[_Between]:
        yield _Between(*(2 * (float(self._slack >= 0.0),)))
        # The last step is that of the whole slack.
        end = self._whole * _STEPS / (_STEPS - 1)
        step = end / _STEPS
        sums = _sums(self._gap, end, 0.0)
        for n in itertools.count(1):
            spare = self._slack - n * self._start
            if spare < 0.0:
                yield _Between(0.0, 0.0)
                continue
            whole = next(sums)
            place = math.floor(spare / step * (1.0 + 1e-12)) if step > 0.0 else 0
            place = min(place, _STEPS - 1)
            yield _Between(_at(whole, place - n), _at(whole, place))


def _durations(name: str, value: Lifetime | ArrayLike) -> Durations:
    """Return a law as it is, and a record as an array."""
    if isinstance(value, Lifetime):
        return value
    record = nonempty(name, nonnegative(name, value))
    if record.ndim != 1:
        raise ValueError(f"{name} must be a law or a list of numbers, got shape {record.shape}")
    return record


def _paid_for(price: float, amount: float) -> float:
    """Return their product, 0 where the price is, whatever the amount."""
    return price * amount if price > 0.0 else 0.0


def _most_losses(life: Durations, work: float, mean: float) -> float:
    """Return a bound of the mean number of losses from the start of a life until work is done."""
    if isinstance(life, Lifetime):  # Wald's bound for lives that are cut at the work
        cut = float(life.partial_moment(work)) + work * float(life.sf(work))
        return 2.0 * work / cut if cut > 0.0 else math.inf
    return work / mean + life.size


def _sums(durations: Durations, end: float, age: float | None) -> Iterator[FloatArray]:
    """Yield the cdf of the sums of n durations, rounded down to a step; n = 1, 2, ...; (_STEPS,).

    Of the first duration what is beyond `age` counts, or beyond a random instant.
    """
    if isinstance(durations, Lifetime):
        return _sums_of_a_law(durations, end, age)
    return _sums_of_a_record(durations, end, age)


def _sums_of_a_law(law: Lifetime, end: float, age: float | None) -> Iterator[FloatArray]:
    at = np.linspace(0.0, end, _STEPS + 1)
    if age is None:
        if not 0.0 < law.mean < math.inf:
            raise ValueError(
                "age must be a number where lives have no finite mean > 0, got None and a mean of "
                f"{law.mean:g}"
            )
        first = (law.partial_moment(at) + at * law.sf(at)) / law.mean
    elif age > 0.0:
        survives = float(law.sf(age))
        if not survives > 0.0:
            raise _too_old(age)
        first = (survives - law.sf(age + at)) / survives
    else:
        first = law.cdf(at)
    size = fft.next_fast_len(2 * _STEPS, real=True)
    another = fft.rfft(_masses(np.asarray(law.cdf(at))), size)
    now = _masses(first)
    while True:
        yield np.minimum(np.cumsum(now), 1.0)
        now = np.maximum(fft.irfft(fft.rfft(now, size) * another, size)[:_STEPS], 0.0)


def _sums_of_a_record(record: FloatArray, end: float, age: float | None) -> Iterator[FloatArray]:
    """Of durations that follow each other in the record, begun anew after its last one."""
    if age is not None and not (age == 0.0 or np.any(record > age)):
        raise _too_old(age)
    at = np.linspace(0.0, end, _STEPS + 1)[1:]
    begins = record > age if age else np.ones(record.size, dtype=bool)
    rest, n = np.zeros(record.size), 0
    while True:
        if age is None:
            yield _evenly(rest, record, at)
        else:
            order = np.sort((rest + record)[begins] - age)
            yield np.searchsorted(order, at, side="right") / order.size
        n += 1
        rest = rest + np.roll(record, -n)


def _evenly(begins: FloatArray, lengths: FloatArray, at: FloatArray) -> FloatArray:
    """Return the cdf of a time that is as likely at any instant of intervals, not in order."""

    def ramps(corners: FloatArray) -> FloatArray:
        order = np.sort(corners)
        place = np.searchsorted(order, at)
        below = np.concatenate([[0.0], np.cumsum(order)])
        return np.asarray(at * place - below[place])

    return np.asarray((ramps(begins) - ramps(begins + lengths)) / lengths.sum())


def _too_old(age: float) -> ValueError:
    return ValueError(f"age must be one that machines reach, got {age:g}")


def _masses(risen: FloatArray) -> FloatArray:
    masses = np.diff(risen)
    masses[0] += risen[0]
    return np.asarray(np.maximum(masses, 0.0))


def _at(values: FloatArray, place: int) -> float:
    return float(values[place]) if place >= 0 else 0.0


ROWS = (
    Formula(
        spot_outlook,
        "derived",
        "renewals of lives, sums of gaps",
        "exact",
        ranges={
            "work/spot_life": (0.01, 30.0),
            "deadline/work": (0.5, 10.0),
            "spot_gap/spot_life": (0.01, 100.0),
            "start_time/work": (1e-6, 0.1),
            "cv of spot_life": (0.3, 4.0),
        },
        trend=Trend(),
    ),
)
