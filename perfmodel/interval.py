r"""How much work to do between two checkpoints, and what a wrong choice costs.

`interval` is the work of a segment, checkpoint excluded: period = interval + checkpoint_cost.
The job is that of `perfmodel.makespan`: exponential failures during compute, checkpoint and
recovery. Its optimal interval depends on the mtbf and the checkpoint cost alone, because
recovery and downtime lengthen every schedule by the same factor. The rules of thumb and the
optimum of the other model are in `perfmodel.interval_rules` and can be imported from here.
"""

from __future__ import annotations

import numpy as np

from ._checks import ArrayLike, FloatArray, broadcast, nonnegative, positive
from ._segments import split
from ._special import expm1_minus, multiply, optimal_ratio
from .interval_rules import (
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
)

__all__ = [
    "best_segments",
    "optimal_interval",
    "optimal_interval_daly",
    "optimal_interval_daly_first_order",
    "optimal_interval_wsj",
    "optimal_interval_young",
    "regret",
]


def optimal_interval(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Interval that minimises the expected makespan of a long job.

    .. math:: w^* = \mu \left(1 + W_0\left(-e^{-1 - C/\mu}\right)\right)

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); below
        `mtbf`. A free checkpoint gives 0: any positive interval can then be improved on.
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact for any ratio of C to mu, to a few units in the last place: near the branch point of
    W0, where the closed form loses all its digits, a series takes over. The root of
    (1 - w/mu) exp((w + C)/mu) = 1. For a job of finite work see `best_segments`.
    Source: derived in tests/derivations/test_interval.py; the same optimum as in [1]_, of
    which only the abstract was seen.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> round(float(optimal_interval(mtbf=10.0, checkpoint_cost=0.3)), 6)
    2.253707
    """
    mu, c = broadcast(
        mtbf=positive("mtbf", mtbf), checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost)
    )
    return _optimal_interval(mu, c)


def best_segments(work: ArrayLike, *, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Best number of equal segments for the expected makespan of a finite job.

    .. math:: K = \arg\min_{k = 1, 2, \dots} k \left(e^{(W/k + C)/\mu} - 1\right)

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint, the final one included; >= 0.

    Returns
    -------
    ndarray, [-]
        Whole numbers >= 1; the interval to use is work / K. inf for a free checkpoint.
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact: the mean is convex in k, so the best whole number is a neighbour of
    W / `optimal_interval`. Equal segments are the best k segments, by convexity again.
    Source: derived in tests/derivations/test_interval.py; the same rule as in [1]_, of which
    only the abstract was seen.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> best_segments(100.0, mtbf=10.0, checkpoint_cost=0.3)
    array(44.)
    """
    w, mu, c = broadcast(
        work=positive("work", work),
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
    )
    return _best_segments(w, mu, c)


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
        w, work per segment, checkpoint excluded; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0.
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

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact. The form on the right has no cancellation, so that the regret of a nearly optimal
    interval is not rounding noise. With `work` the last segment may be shorter, and even
    `optimal_interval` has a little regret, as it need not divide the work.
    Source: derived in tests/derivations/test_interval.py from the model of [1]_.

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
    w, mu, c, _, _ = broadcast(
        interval=positive("interval", interval),
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=nonnegative("downtime", downtime),
    )
    if work is None:
        with np.errstate(over="ignore"):
            return np.asarray(mu / w * expm1_minus((w - _optimal_interval(mu, c)) / mu))
    total, w, mu, c = broadcast(work=positive("work", work), interval=w, mtbf=mu, checkpoint_cost=c)
    return _regret_of_finite_job(total, w, mu, c)


def _optimal_interval(mu: FloatArray, c: FloatArray) -> FloatArray:
    # Roots apart, because C/mu may underflow where its root does not.
    return np.asarray(mu * optimal_ratio(np.sqrt(2.0) * np.sqrt(c) / np.sqrt(mu)))


def _best_segments(work: FloatArray, mu: FloatArray, c: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", over="ignore"):
        k = work / _optimal_interval(mu, c)
    below, above = np.maximum(np.floor(k), 1.0), np.maximum(np.ceil(k), 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        better = below * _growth(work / below, mu, c) <= above * _growth(work / above, mu, c)
    return np.where(better, below, above)


def _regret_of_finite_job(
    work: FloatArray, w: FloatArray, mu: FloatArray, c: FloatArray
) -> FloatArray:
    whole, segment, last = split(work, w)
    best = _best_segments(work, mu, c)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = multiply(whole, _growth(segment, mu, c)) + _growth(last, mu, c)
        # Infinitely many segments of a free checkpoint: k (e^(W/(k mu)) - 1) tends to W/mu.
        least = np.where(np.isinf(best), work / mu, best * _growth(work / best, mu, c))
        return np.asarray(np.maximum(mean / least - 1.0, 0.0))


def _growth(work: FloatArray, mu: FloatArray, c: FloatArray) -> FloatArray:
    """Return (e^((work + C)/mu) - 1) e^(-C/mu), a mean segment time up to constant factors."""
    return np.asarray(np.expm1(work / mu) - np.expm1(-c / mu))
