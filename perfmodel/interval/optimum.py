r"""How much work to do between two checkpoints, and what a wrong choice costs.

`interval` is the work of a segment, checkpoint excluded: period = interval + checkpoint_cost.
The job is that of `perfmodel.makespan`: exponential failures during compute, checkpoint and
recovery. Its optimal interval depends on the mtbf and the checkpoint cost alone, because
recovery and downtime lengthen every schedule by the same factor. The rules of thumb and the
optimum of the other model are in `perfmodel.interval.rules`.
"""

from __future__ import annotations

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    comparable,
    flag,
    nonnegative,
    positive,
    positive_or_inf,
)
from .._ranges import COST, COSTS
from .._special import expm1_minus, multiply, optimal_ratio
from ..formula import ANY, Formula, Trend
from ..makespan.segments import checked_interval, split
from ..quantities import checked

_MANY = 1e15  # segments: from here on, one more or less is lost in rounding


def optimal_interval(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Interval that minimises the expected makespan of a long job.

    .. math:: w^* = \mu \left(1 + W_0\left(-e^{-1 - C/\mu}\right)\right)

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); below
        `mtbf`. A free checkpoint gives 0, the limit of ever shorter intervals, each of which can
        be improved on; without failures (`mtbf` inf) it is inf: write no checkpoint. Functions that
        take an interval accept both. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for any ratio of C to mu, to a few units in the last place: near the branch point of
    W0, where the closed form loses all its digits, a series takes over. The root of
    (1 - w/mu) exp((w + C)/mu) = 1. For a job of finite work see `best_segments`.
    Source: derived in tests/derivations/test_interval.py; the same optimum as in [1]_, of
    which only the abstract was seen.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> round(float(optimal_interval(mtbf=10.0, checkpoint_cost=0.3)), 6)
    2.253707
    """
    mu, c = checked(mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    return answer(_optimal_interval(mu, c), mtbf, checkpoint_cost)


def best_segments(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Best number of equal segments for the expected makespan of a finite job.

    .. math:: K = \operatorname{arg}\min_{k = 1, 2, \dots} k \left(e^{(W/k + C)/\mu} - 1\right)

    or, without a final checkpoint, of (k - 1) (e^((W/k + C)/mu) - 1) + e^(W/(k mu)) - 1.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        Whole numbers >= 1; the interval to use is work / K. inf for a free checkpoint, 1 without
        failures. Shape: all arguments broadcast together.

    Notes
    -----
    Exact: the mean is convex in k, so the best whole number is a neighbour of
    W / `optimal_interval`. Equal segments are the best k segments, by convexity again. Without a
    final checkpoint fewer segments, often a single one, may be best: the number for a job with one
    would cost up to half of C/mu more where C is small (0.5 % at C/mu = 0.01, 6 % at 0.1), and
    twice the time at C = mu. The mean is then concave for few segments and convex for more.
    Source: derived in tests/derivations/test_interval.py; the same rule as in [1]_, of which
    only the abstract was seen.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> float(best_segments(100.0, mtbf=10.0, checkpoint_cost=0.3))
    44.0
    """
    w, mu, c = checked(work=work, mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    best = _best_segments(w, mu, c)
    if not flag("final_checkpoint", final_checkpoint):
        best = _best_without_the_last(w, mu, c, best)
    return answer(best, work, mtbf, checkpoint_cost)


def regret(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    work: ArrayLike | None = None,
) -> FloatArray:
    r"""Relative excess of the expected makespan over that of the exact optimum.

    .. math:: \frac{E[T(w)]}{E[T(w^*)]} - 1 = \frac{\mu}{w} \left(e^\delta - 1 - \delta\right),
        \quad \delta = \frac{w - w^*}{\mu}

    Parameters
    ----------
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0, inf for a single segment; 0 only where
        checkpoints are free.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.
    recovery_cost, downtime : array_like, [time]
        >= 0. They lengthen both makespans by the same factor and change nothing; accepted so
        that one set of costs fits every function.
    work : array_like, optional, [time]
        > 0. Without it: a long job, of which the makespan per unit of work counts. With it: a
        job of that much work, compared with the `best_segments` equal segments.

    Returns
    -------
    ndarray, [-]
        >= 0; overflow gives inf. Shape: all arguments broadcast together.

    Notes
    -----
    Exact. The form on the right has no cancellation, so that the regret of a nearly optimal
    interval is not rounding noise. With `work` the last segment may be shorter, and even
    `optimal_interval` has a little regret, as it need not divide the work; the excess of each
    segment over the best ones is summed, not the difference of two means.
    Source: derived in tests/derivations/test_interval.py from the model of [1]_.

    Judged for any ratio of its arguments from 1e-6 to 1e6. With `work`, times must be comparable
    where a number on the way overflows. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> best = optimal_interval(mtbf=10.0, checkpoint_cost=0.3)
    >>> [round(float(regret(f * best, mtbf=10.0, checkpoint_cost=0.3)), 4) for f in (0.5, 1, 2)]
    [0.0543, 0.0, 0.0608]
    """
    given = (interval, mtbf, checkpoint_cost, recovery_cost, downtime, work)
    w, mu, c, _, _ = broadcast(
        interval=checked_interval(interval, nonnegative("checkpoint_cost", checkpoint_cost)),
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
    )
    if work is None:
        return answer(_regret_of_long_job(w, mu, c), *given)
    total, w, mu, c = broadcast(work=positive("work", work), interval=w, mtbf=mu, checkpoint_cost=c)
    found = _regret_of_finite_job(total, w, mu, c)
    if np.isnan(found).any():
        comparable(work=total, interval=w, mtbf=mu, checkpoint_cost=c)
    return answer(found, *given)


def _optimal_interval(mu: FloatArray, c: FloatArray) -> FloatArray:
    # Roots apart, because C/mu may underflow where its root does not.
    with np.errstate(over="ignore", invalid="ignore"):
        best = mu * optimal_ratio(np.sqrt(2.0) * np.sqrt(c) / np.sqrt(mu))
    return np.where(np.isinf(mu), np.inf, best)


def _best_segments(work: FloatArray, mu: FloatArray, c: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", over="ignore"):
        k = work / _optimal_interval(mu, c)
    below, above = np.maximum(np.floor(k), 1.0), np.maximum(np.ceil(k), 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        long, short = work / below / mu, work / above / mu
        # One segment fewer is better where lengthening the others costs less than it saves.
        better = below * expm1_minus(long - short) <= _spared(short, c / mu)
    return np.where(better, below, above)


def _best_without_the_last(
    work: FloatArray, mu: FloatArray, c: FloatArray, most: FloatArray
) -> FloatArray:
    """Return the best k for (k - 1) (e^(a/k + C/mu) - 1) + e^(a/k) - 1, a = work/mu, k <= most.

    Its second derivative has the sign of k (2 e^(-C/mu) + a - 2) - a (1 - e^(-C/mu)).
    """
    with np.errstate(over="ignore"):
        a, ratio = work / mu, c / mu
    shrunk, lack = np.exp(-ratio), -np.expm1(-ratio)

    def mean(k: FloatArray) -> FloatArray:
        y = a / k
        last = np.where(y < 1.0, shrunk * np.expm1(y), np.exp(y - ratio) - shrunk)
        return np.asarray(multiply(k - 1.0, np.expm1(y) + lack) + last)

    def slope(k: FloatArray) -> FloatArray:
        """Return the derivative of the mean, over e^(a/k)."""
        y = a / k
        return np.asarray(lack * (np.exp(-y) + y / k) - expm1_minus(-y))

    def one_more(k: FloatArray) -> FloatArray:
        """Return mean(k + 1) - mean(k), over e^(a/(k + 1))."""
        y, less = a / (k + 1.0), a / k / (k + 1.0)
        saved = expm1_minus(-y) + (k - lack) * expm1_minus(less)
        return np.asarray(lack * (np.exp(-y) + less) - saved)

    with np.errstate(all="ignore"):
        bend = 2.0 * shrunk + a - 2.0
        # Searched from 2 on, as 1 is tried anyway. If the mean rises where it becomes convex,
        # it rises from there on, and 1 or 2 is best.
        low = np.maximum(np.where(bend > 0.0, a * lack / bend, np.inf), 2.0)
        several = (low < most) & (most < np.inf)
        several &= slope(np.where(several, low, 2.0)) < 0.0
        low, high = np.where(several, low, 2.0), np.where(several, most, 2.0)
        for _ in range(100):
            middle = 0.5 * (low + high)
            falling = slope(middle) < 0.0
            low, high = np.where(falling, middle, low), np.where(falling, high, middle)
        # Neighbours by a difference of their own: of many segments their means agree to all digits.
        k = np.floor(low)
        k = np.where(several & (k + 1.0 <= most) & (one_more(k) < 0.0), k + 1.0, k)
        best = np.where((k <= most) & (mean(k) < mean(np.ones_like(a))), k, 1.0)
    return np.where(np.isinf(most), most, best)


def _regret_of_long_job(w: FloatArray, mu: FloatArray, c: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        # In halves, because mu/w may overflow where its product with the square does not.
        root = np.sqrt(mu) / np.sqrt(w)
        off = (w - _optimal_interval(mu, c)) / mu
        near = np.abs(off) < 1e-100
        excess = np.where(near, (np.sqrt(0.5) * root * off) ** 2, root * expm1_minus(off) * root)
        excess = np.where(np.isinf(w), np.inf, excess)  # the single segment of an endless job
        excess = np.where(np.isinf(mu), c / w, excess)
    return np.where(w > 0.0, excess, 0.0)


def _regret_of_finite_job(
    work: FloatArray, w: FloatArray, mu: FloatArray, c: FloatArray
) -> FloatArray:
    whole, segment, last = split(work, np.where(w > 0.0, w, work))
    best = _best_segments(work, mu, c)
    with np.errstate(all="ignore"):
        length = work / best
        shorter = whole / best
        # The excess of each segment over the tangent at the best length; tangents add up exactly.
        x, ratio = length / mu, c / mu
        bends = multiply(shorter, expm1_minus((segment - length) / mu))
        bends = bends + expm1_minus((last - length) / mu) / best
        least = -np.expm1(-(x + ratio))
        few = ((shorter - (best - 1.0) / best) * _spared(x, ratio) + bends) / least
        # With very many segments each part of the work costs what it does in a long job.
        share = last / work
        long = multiply(1.0 - share, _regret_of_long_job(segment, mu, c))
        long = long + multiply(share, _regret_of_long_job(last, mu, c))
        least_long = _regret_of_long_job(length, mu, c)
        many = (long - least_long) / (1.0 + least_long)
        checkpoints = np.where(whole < np.inf, multiply(whole, c / (work + c)), c / segment)
        endless = np.where(c > 0.0, checkpoints, 0.0)
    long_job = (best >= _MANY) | (whole >= _MANY)
    excess = np.where(long_job, many, few)
    known = (least > 0.0) | long_job
    excess = np.where(known & (mu < np.inf), excess, endless)
    return np.where(w > 0.0, np.maximum(excess, 0.0), 0.0)


def _spared(x: FloatArray, ratio: FloatArray) -> FloatArray:
    """Return 1 - x - e^-(x + C/mu): what one segment fewer of length x mu saves, over e^x mu."""
    y = x + ratio
    return np.where(y < 1.0, ratio - expm1_minus(-y), -x - np.expm1(-y))


ROWS = (
    Formula(
        optimal_interval,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=COST,
        domain=COSTS,
        trend=Trend(rising=("mtbf", "checkpoint_cost")),
    ),
    Formula(
        best_segments,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges={"work/mtbf": ANY, **COST},
        domain={"work": (0.1, 10.0), **COSTS},
        trend=Trend(rising=("work",), falling=("mtbf", "checkpoint_cost")),
    ),
    Formula(
        regret,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges={"interval/mtbf": ANY, **COST},
        domain={"interval": (0.01, 3.0), **COSTS},
        trend=Trend(),
    ),
)
