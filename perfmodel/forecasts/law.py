r"""The law of a makespan where the rate of failures is one of a mixture of gamma laws.

Given the rate the makespan has the law of `perfmodel.completion.exact`. A few rates stand for all:
two for each stretch of the square root of the rate, on which counts of failures scatter alike, with
the moments of the mixture there. The transforms under them are added up before one inversion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .._checks import (
    ArrayLike,
    ComplexArray,
    FloatArray,
    broadcast,
    nonnegative,
    positive,
    positive_or_inf,
)
from .._special import power_of_two
from ..completion import CompletionTime, exact_makespan
from ..completion.fourier import interpolate, series
from ..completion.law import CertainCompletionTime
from ..formula import Ends, Formula, Trend
from ..makespan import expected_makespan, makespan_variance
from ..makespan.segments import Job, checked_job

_STRETCH = 1.25  # deviations of a count of failures
_STRETCHES = 400
_LIGHT = 1e-10  # weight of a rate that is left out
_LATER = 2.0  # makespans without failures, by which failures are counted to state the error
_DAMPING, _PERIODS, _RATIO = 26.0, 4.0, 4.0
_FIRST_NODES, _MOST_NODES = 2**11, 2**14
_CLOSE = 1e-5
_STEP = 0.25  # between logarithms of rates, of laws of at most four failures
_NEGLIGIBLE, _LEAST = 40.0, 745.0  # powers of e to which a rate counts beside others, or at all
_FAR = 1e60  # of a time from 1, from which on it is measured in a unit of its own
_APART = 100.0  # powers of ten between times, beyond which products leave the floats
_MOST_FAILURES = 1e9
_LAST = 1e-4  # probability beyond the first window


@dataclass(frozen=True, slots=True, eq=False)
class RateMixture:
    """A constant rate of failures, which is not known: gamma laws with weights.

    Parameters
    ----------
    weights : ndarray, [-], shape (n,)
        They add up to 1.
    shapes : ndarray, [-], shape (n,)
        Of each gamma law; inf where the rate is its mean.
    means : ndarray, [1/time], shape (n,)
        Mean rate of each.
    """

    weights: FloatArray
    shapes: FloatArray
    means: FloatArray

    @classmethod
    def of(cls, weights: ArrayLike, shapes: ArrayLike, means: ArrayLike) -> RateMixture:
        """Return the mixture of laws of any shape; weights are divided by their sum.

        Raises
        ------
        ValueError
            If no weight is > 0, shapes or means are not > 0, or they do not go together.
        """
        found = broadcast(
            weights=nonnegative("weights", weights),
            shapes=positive_or_inf("shapes", shapes),
            means=positive("means", means),
        )
        weight, shape, mean = (np.ravel(each) for each in found)
        if not weight.sum() > 0.0:
            raise ValueError(f"weights must have one > 0, got a sum of {float(weight.sum())!r}")
        kept = weight > 0.0
        return cls(weight[kept] / weight[kept].sum(), shape[kept], mean[kept])

    @property
    def mean(self) -> float:
        """Mean rate, [1/time]."""
        return float(self.weights @ self.means)

    def beside(self, **times: float) -> RateMixture:
        """Return the mixture, or raise if `times` or mean uptimes are not comparable."""
        known = np.array([each for each in times.values() if 0.0 < each < math.inf])
        logs = np.log10(np.concatenate([known, self.means]))
        logs[known.size :] *= -1.0
        if np.ptp(logs) > _APART:
            raise ValueError(
                f"{', '.join(times)} and 1/means must be within a factor of 1e+{_APART:g}, "
                f"got 1e{logs.min():+.0f} and 1e{logs.max():+.0f}"
            )
        return self

    def times(self, factor: float) -> RateMixture:
        """Return the mixture of rates so many times as large."""
        return RateMixture(self.weights, self.shapes, factor * self.means)

    def cdf(self, rate: ArrayLike) -> FloatArray:
        """Return the probability of a rate of at most `rate` [1/time], [-]."""
        from scipy.special import gammainc

        asked = np.asarray(rate, np.float64)[..., None]
        sure = np.isinf(self.shapes)
        shape = np.where(sure, 1.0, self.shapes)
        found = gammainc(shape, asked * shape / self.means)
        return np.asarray(np.where(sure, asked >= self.means, found) @ self.weights)

    def ppf(self, q: float) -> float:
        """Return the rate that is not exceeded with probability `q` in (0, 1), [1/time]."""
        low, high = 1e-12 * float(self.means.min()), float(self.means.max())
        while float(self.cdf(high)) < q:
            high *= 2.0
        for _ in range(80):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if float(self.cdf(middle)) < q else (low, middle)
        return high

    def rates(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Return few rates [1/time], and weights, that give counts in `time` nearly their law."""
        sure = np.isinf(self.shapes)
        found = [(self.means[sure], self.weights[sure])]
        if not sure.all():
            found.append(self._spread(~sure, time))
        rates, weights = (np.concatenate(each) for each in zip(*found, strict=True))
        rates, place = np.unique(rates, return_inverse=True)
        weights = np.bincount(place, weights)
        kept = weights > _LIGHT
        return rates[kept], weights[kept] / weights[kept].sum()

    def nodes(self, longest: float) -> tuple[FloatArray, FloatArray]:
        """Return rates [1/time], and weights, whose sums are means over the law to 1e-12.

        They are so for what is smooth in the logarithm of the rate, like exp(-rate * t) of any t
        up to `longest` [time], and does not change below 1e-17 / `longest`.
        """
        sure = np.isinf(self.shapes)
        found = [(self.means[sure], self.weights[sure])]
        for weight, shape, mean in zip(self.weights, self.shapes, self.means, strict=True):
            if math.isfinite(shape):
                rates, shares = _nodes_of(shape, mean, longest)
                found.append((rates, weight * shares))
        rates, shares = (np.concatenate(each) for each in zip(*found, strict=True))
        rates, place = np.unique(rates, return_inverse=True)
        return rates, np.asarray(np.bincount(place, shares), np.float64)

    def _spread(self, which: Any, time: float) -> tuple[FloatArray, FloatArray]:
        """Return two rates for each stretch, with the first four moments of the mixture there."""
        from scipy.special import gammainc

        weight, shape, mean = self.weights[which], self.shapes[which], self.means[which]
        most = min(math.ceil(2.0 * math.sqrt(self.ppf(1.0 - _LIGHT) * time) / _STRETCH), _STRETCHES)
        # With rates near 1 no moment leaves the floats.
        unit = power_of_two(float(mean.max()))
        mean = mean / unit
        edges = (0.5 * _STRETCH * np.arange(most + 1.0)) ** 2 / (time * unit)
        edges[-1] = np.inf
        scaled = edges[:, None] * (shape / mean)
        moments, factor = [], weight
        for order in range(4):
            moments.append(np.diff(gammainc(shape + order, scaled), axis=0) @ factor)
            factor = factor * (mean / shape) * (shape + order)
        mass = moments[0]
        full = mass > _LIGHT
        mass, first, second, third = (each[full] / mass[full] for each in moments)
        mass = moments[0][full]
        variance = np.maximum(second - first**2, 0.0)
        spread = np.sqrt(variance)
        skew = third - 3.0 * first * variance - first**3
        with np.errstate(all="ignore"):
            half = np.nan_to_num(0.5 * skew / spread**3, posinf=0.0, neginf=0.0)
        root = np.sqrt(1.0 + half**2)
        rates = np.concatenate([first + spread * (half - root), first + spread * (half + root)])
        share = 0.5 * (1.0 + half / root)
        rates = unit * np.maximum(rates, 1e-300)
        return rates, np.concatenate([mass * share, mass * (1.0 - share)])

    def error(self, rates: FloatArray, weights: FloatArray, time: float) -> float:
        """Return the largest error of the law of a count in `time` by these rates, [-]."""
        from scipy.special import betainc, gammaincc

        top = float(rates[-1]) * time
        counts = np.unique(np.round(np.geomspace(1.0, top + 10.0 * math.sqrt(top) + 10.0, 80)) - 1)
        sure = np.isinf(self.shapes)
        shape, expected = np.where(sure, 1.0, self.shapes), self.means * time
        exact = np.where(
            sure,
            gammaincc(counts[:, None] + 1.0, expected),
            betainc(shape, counts[:, None] + 1.0, shape / (shape + expected)),
        )
        ours = gammaincc(counts[:, None] + 1.0, rates * time) @ weights
        return float(np.max(np.abs(exact @ self.weights - ours)))


def _nodes_of(shape: float, mean: float, longest: float) -> tuple[FloatArray, FloatArray]:
    """Return equal steps of the logarithm of a rate with a gamma law, and their weights."""
    # The trapezoid of an analytic integrand; laws share its places, so that rates are few.
    step = _STEP * 2.0 ** -max(math.ceil(0.5 * math.log2(0.25 * shape)), 0)
    aside = _NEGLIGIBLE / shape
    width = math.sqrt(2.0 * aside)
    least = max(
        -math.log1p(mean * longest / shape) - aside - width,
        math.log(1e-17 / mean) - math.log(longest),
        -_LEAST / shape - math.sqrt(2.0 * _LEAST / shape),
    )
    most = math.log1p(aside + width)
    middle = math.log(mean)
    first = math.floor((middle + min(least, most)) / step)
    number = np.arange(first, math.ceil((middle + most) / step) + 1.0)
    place = step * number - middle
    weights = np.exp(shape * (place - np.expm1(place)))
    # Below the least of them the law is a power, and what is asked does not change.
    weights[0] /= -math.expm1(-shape * step)
    return np.exp(step * number), weights / weights.sum()


def mixed_makespan(
    work: float,
    *,
    weights: ArrayLike,
    shapes: ArrayLike,
    means: ArrayLike,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    final_checkpoint: bool = True,
) -> CompletionTime:
    r"""Law of the makespan of a job under a constant rate of failures with a mixture of gamma laws.

    .. math::
        P(T \le t) = \sum_i w_i \int_0^\infty P(T \le t \mid \lambda)\,
                     \frac{b_i^{k_i} \lambda^{k_i - 1} e^{-b_i \lambda}}{\Gamma(k_i)}\, d\lambda,
        \quad b_i = k_i / m_i

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    weights : array_like, [-]
        w of each law, shape (n,), to be divided by their sum; >= 0, one of them above 0. Of any
        shape that goes with those of `shapes` and `means`.
    shapes : array_like, [-]
        k of each gamma law, shape (n,); > 0, inf where the rate is its mean.
    means : array_like, [1/time]
        m, mean rate of failures of each, shape (n,); > 0. Times must be comparable, 1/m too.
    interval : float, [time]
        Work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        C, R and D, fixed; >= 0. No failure strikes in a downtime.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    CompletionTime
        With `mean`, `std`, `cdf`, `sf`, `ppf`, `isf` and `error`; that of `exact_makespan` where
        there is one rate only. Moments may be infinite: a rate that makes a job hopeless must be
        improbable enough.

    Raises
    ------
    ValueError
        If no weight is > 0, or more than 1e9 failures are expected in the time that the job takes
        without any.

    Notes
    -----
    Exact but for the `error` that it states: that of the law of a count of failures under the few
    rates that stand for all, and the change of the inversion when its nodes are doubled; of 300
    jobs drawn from the range below it was at most 1e-3, half of them below 2e-4. The mean
    is a closed form, that of `perfmodel.predictive_makespan`, for each gamma law.
    Source: derived, the law of `exact_makespan` averaged over rates, as [1]_ does for counts.

    Judged for shapes 0.5 to 100, means*work 0.01 to 5, interval/work 0.05 to 1,
    checkpoint_cost/interval 0.01 to 1, recovery_cost/interval 0.01 to 1, downtime/interval 0.01 to
    1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Greenwood and G. U. Yule, "An inquiry into the nature of frequency distributions
       representative of multiple happenings", Journal of the Royal Statistical Society 83, 1920
       (not seen; counts under a rate with a gamma law).

    Examples
    --------
    A failure in 20 hours, or as likely one in 100 with a spread of half of that:

    >>> makespan = mixed_makespan(
    ...     100.0, weights=[1.0, 1.0], shapes=[np.inf, 4.0], means=[0.05, 0.01],
    ...     interval=5.0, checkpoint_cost=0.2, recovery_cost=0.3, downtime=1.0,
    ... )
    >>> round(float(makespan.ppf(0.9)), 1), round(makespan.mean, 1)
    (135.6, 117.4)
    """
    rates = RateMixture.of(weights, shapes, means)
    costs: dict[str, Any] = {
        "interval": interval,
        "checkpoint_cost": checkpoint_cost,
        "recovery_cost": recovery_cost,
        "downtime": downtime,
        "final_checkpoint": final_checkpoint,
    }
    job = checked_job(work, mtbf=1.0 / rates.mean, **costs)
    if job.work.ndim != 0:
        raise ValueError(
            f"arguments must be single numbers, got shape {job.work.shape}: one job a call"
        )
    if np.isinf(rates.shapes).all() and np.ptp(rates.means) == 0.0:
        return exact_makespan(work, mtbf=1.0 / float(rates.means[0]), **costs)
    start = float(job.sum(lambda length, cost: length + cost))
    if not start * rates.mean < _MOST_FAILURES:
        raise ValueError(
            f"means must be such that less than {_MOST_FAILURES:g} failures are expected in the "
            f"job, got a mean of {rates.mean!r}"
        )
    unit = 1.0
    if start < math.inf and not 1.0 / _FAR < start < _FAR:  # powers of times would leave the floats
        unit = power_of_two(start)
        if not unit * rates.mean > 1e-300:  # of failures in all: none
            return CertainCompletionTime(start)
        work, start = float(work) / unit, start / unit
        costs |= {name: cost / unit for name, cost in costs.items() if name != "final_checkpoint"}
        job, rates = checked_job(work, mtbf=1.0 / (unit * rates.mean), **costs), rates.times(unit)
    few, shares = rates.rates(start)
    return MixedCompletionTime(start, rates, few, shares, job, {"work": work, **costs}, unit)


@dataclass(frozen=True, repr=False, eq=False)
class MixedCompletionTime(CompletionTime):
    """A completion time under one of several rates.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure; it and what follows in multiples of `unit`.
    mixture : RateMixture
        The law of the rate.
    rates, weights : ndarray, [1/time] and [-], shape (n,)
        The rates that stand for all.
    job : Job
        Its segments.
    arguments : dict
        Those of `expected_makespan` but for the MTBF.
    unit : float, [time]
        A power of two near the completion time, or 1.
    """

    start: float
    mixture: RateMixture
    rates: FloatArray
    weights: FloatArray
    job: Job
    arguments: dict[str, Any]
    unit: float = 1.0
    _windows: dict[int, _Window] = field(default_factory=dict)
    light = False  # sf has an absolute error

    @property
    def mean(self) -> float:
        """Mean of the mixture over all rates, [time]; inf where it does not exist."""
        return self.unit * self._mean

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist or no float holds it."""
        return self._variance * self.unit * self.unit

    @property
    def std(self) -> float:
        """The standard deviation, [time]; inf where it does not exist."""
        return self.unit * math.sqrt(self._variance)

    @cached_property
    def _mean(self) -> float:
        found, mix = 0.0, self.mixture
        for weight, shape, mean in zip(mix.weights, mix.shapes, mix.means, strict=True):
            if math.isinf(shape):
                found += weight * float(expected_makespan(mtbf=1.0 / mean, **self.arguments))
            else:
                found += weight * self._mean_under(float(shape), float(shape / mean))
        return float(found)

    def _mean_under(self, shape: float, time: float) -> float:
        from ..completion.predictive import mean_of_segment

        recovery, down = float(self.job.recovery_cost), float(self.job.downtime)

        def piece(length: FloatArray, cost: FloatArray) -> FloatArray:
            return np.asarray(
                mean_of_segment(float(length + cost), recovery, down, shape=shape, time=time)
            )

        return float(self.job.sum(piece))

    @cached_property
    def _variance(self) -> float:
        mix, job = self.mixture, self.job
        longest = float(job.recovery_cost) + max(
            float(job.segment + job.checkpoint_cost), float(job.last + job.last_cost)
        )
        spread = np.isfinite(mix.shapes)
        if not (mix.shapes[spread] > 2.0 * longest * mix.means[spread]).all():
            return math.inf
        # Tilted so that squares of makespans stay bounded: exact as far as rates stand for all.
        logs = 2.0 * longest * mix.means  # of a sure rate
        some = mix.shapes[spread]
        logs[spread] = -some * np.log1p(-logs[spread] / some)
        with np.errstate(over="ignore"):
            tilt = np.exp(logs)
        means = mix.means.copy()
        means[spread] = some / (some / means[spread] - 2.0 * longest)
        tilted = RateMixture.of(mix.weights * tilt, mix.shapes, means)
        rates, weights = tilted.rates(2.0 * self.start)
        with np.errstate(all="ignore"):
            means = expected_makespan(mtbf=1.0 / rates, **self.arguments)
            squares = makespan_variance(mtbf=1.0 / rates, **self.arguments) + means**2
            mean_square = float(
                (mix.weights @ tilt) * np.sum(weights * squares * np.exp(-2.0 * longest * rates))
            )
        return max(mean_square - self._mean**2, 0.0)

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.unit * self.start, float(self.weights @ np.exp(-self.rates * self.start))

    @cached_property
    def error(self) -> float:
        """Error of the law of a count under the few rates, and of the inversion, [-]."""
        of_rates = max(
            self.mixture.error(self.rates, self.weights, time)
            for time in (self.start, _LATER * self.start)
        )
        least = self._least
        later = (self._window(number).late for number in range(least + 1, 2))
        return max(1e-9, of_rates) + max(self._window(least).error, *later)

    @property
    def seams(self) -> FloatArray:
        """Sorted ends of the windows of the inversion, [time]; shape (n,)."""
        tops = self._top * _RATIO ** np.arange(float(self._least), 8.0)
        return np.asarray(self.unit * (self.start + tops))

    def _cdf(self, t: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            lost = np.asarray(t / self.unit - self.start)
        found = np.where(np.isposinf(lost), 1.0, 0.0)
        inside = (lost >= 0.0) & np.isfinite(lost)
        number = np.full(t.shape, self._least)
        late = inside & (lost > 0.0)
        after = np.ceil(np.log(lost[late] / self._top) / math.log(_RATIO) - 1e-12)
        number[late] = np.maximum(after, number[late])
        for each in np.unique(number[inside]):
            here = inside & (number == each)
            found[here] = self._window(int(each)).at(lost[here]) + self._first(lost[here])
        return np.asarray(np.clip(found, 0.0, 1.0))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(1.0 - self._cdf(t))

    def _spread(self) -> float:
        return 0.5 * self.unit * self._top

    @cached_property
    def _top(self) -> float:
        """A time lost that few jobs exceed, [time]: by gamma laws with the moments of each rate."""
        from scipy.special import gammaincc

        with np.errstate(all="ignore"):
            means = expected_makespan(mtbf=1.0 / self.rates, **self.arguments) - self.start
            variances = makespan_variance(mtbf=1.0 / self.rates, **self.arguments)
        known = np.isfinite(means) & np.isfinite(variances) & (variances > 0.0) & (means > 0.0)
        means, variances, weights = means[known], variances[known], self.weights[known]
        lost = np.geomspace(1e-3 * self._longest, 1e4 * self.start, 160)
        rises = means / variances
        left = gammaincc(means * rises, lost[:, None] * rises) @ weights
        return float(max(lost[np.argmax(left < _LAST * max(weights.sum(), 1e-9))], self._longest))

    @property
    def _longest(self) -> float:
        """What one failure costs at most, [time]."""
        return self._pieces[0][1] + self._pause

    @property
    def _pause(self) -> float:
        """What a failure costs but for the work lost, [time]."""
        return float(self.job.recovery_cost + self.job.downtime)

    @property
    def _pieces(self) -> tuple[tuple[float, float], ...]:
        """Segments: how many and how long with their checkpoint, [-] and [time]."""
        job = self.job
        last = (1.0, float(job.last + job.last_cost))
        whole = float(job.whole)
        return ((whole, float(job.segment + job.checkpoint_cost)), last) if whole else (last,)

    def _first(self, lost: FloatArray) -> FloatArray:
        """Return the probability of no failure, or one outside of recoveries that is made good."""
        found = np.zeros(lost.shape)
        into = np.maximum(lost - self._pause, 0.0)
        recovery = float(self.job.recovery_cost)
        for rate, weight in zip(self.rates, self.weights, strict=True):
            done = weight * math.exp(-rate * self.start)
            found += done
            if done > 1e-14:
                done *= math.exp(-rate * recovery)
                for count, length in self._pieces:
                    found -= done * count * np.expm1(-rate * np.minimum(into, length))
        return found

    @cached_property
    def _least(self) -> int:
        """The first window: of jobs that may take far longer it shows the first failures alone."""
        number = 0
        while self._window(number).error > _CLOSE and self._reach(number) > self._longest:
            number -= 1
        return number

    def _reach(self, number: int) -> float:
        return self._top * _RATIO**number

    def _window(self, number: int) -> _Window:
        if number not in self._windows:
            self._windows[number] = self._inverted(self._reach(number), alone=number <= 0)
        return self._windows[number]

    def _inverted(self, upper: float, *, alone: bool) -> _Window:
        """Return the rest of the cdf up to `upper` [time] lost; from 0 on, if it may be `alone`."""
        period = _PERIODS * upper
        line, step = _DAMPING / period, 2.0 * np.pi / period
        terms, coarse, count = np.empty(0, np.complex128), np.empty(0), _FIRST_NODES // 2
        while True:
            s = np.asarray(line + 1j * step * np.arange(terms.size, count))
            terms = np.concatenate([terms, self._transform(s) / s])
            fine = series(terms, period)
            if coarse.size:
                inside = int(fine.size / _PERIODS / 2.0)
                grown = np.exp(line * period / fine.size * 2.0 * np.arange(inside))
                change = np.abs(fine[: 2 * inside : 2] - coarse[:inside]) * grown
                error, late = float(change.max()), float(change[int(inside / _RATIO) :].max())
                if (error if alone else late) < _CLOSE or count == _MOST_NODES:
                    return _Window(period / fine.size, line, fine, error, late)
            coarse, count = fine, 2 * count

    def _transform(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of the time lost but for what `_first` has, [-]."""
        recovery, down = float(self.job.recovery_cost), float(self.job.downtime)
        repaired, stopped, halted = np.exp(-s * recovery), np.exp(-s * down), -np.expm1(-s * down)
        tried = [np.exp(-s * length) for _, length in self._pieces]
        total = np.zeros_like(s)
        for rate, weight in zip(self.rates, self.weights, strict=True):
            share, z = rate / (s + rate), math.exp(-rate * recovery) * repaired
            # 1 - share stopped (1 - z), which has digits where failures are near certain.
            ends = s / (s + rate) + share * halted
            recovered = ends + share * stopped * z
            logarithm, one = np.zeros_like(s), np.zeros_like(s)
            with np.errstate(all="ignore"):
                for (count, length), gone in zip(self._pieces, tried, strict=True):
                    kept = math.exp(-rate * length) * gone
                    done_again = ends + share * stopped * z * kept
                    logarithm -= count * (np.log(done_again / recovered) + rate * length)
                    one += count * share * (1.0 - kept)
                done = weight * math.exp(-rate * self.start)
                total += weight * np.exp(logarithm) - done * (1.0 + one * stopped * z)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """Values of a cdf from no time lost on, damped, on a grid; periodic.

    `error` is that of all of them, `late` that beyond the reach of the window before.
    """

    step: float
    line: float
    values: FloatArray
    error: float
    late: float

    def at(self, lost: FloatArray) -> FloatArray:
        found = interpolate(self.values, lost / self.step)
        return np.asarray(found * np.exp(self.line * lost))


SHAPES: dict[str, Ends] = {"shapes": (0.5, 100.0)}

ROWS = (
    Formula(
        mixed_makespan,
        "derived",
        "mixture of gamma laws",
        "exact",
        ranges={
            **SHAPES,
            "means*work": (0.01, 5.0),
            "interval/work": (0.05, 1.0),
            "checkpoint_cost/interval": (0.01, 1.0),
            "recovery_cost/interval": (0.01, 1.0),
            "downtime/interval": (0.01, 1.0),
        },
        trend=Trend(rising=("work", "checkpoint_cost", "recovery_cost", "downtime")),
    ),
)
