r"""Makespan of one job with coordinated checkpoint/restart under exponential failures.

A job computes for `interval`, writes a checkpoint, computes on, and so on until its work is
done; period = interval + checkpoint_cost. The last segment is shorter if `work` is no multiple
of `interval`. A failure loses everything since the last completed checkpoint; the machine is
then down for `downtime` and reads the last checkpoint (or the input) back in `recovery_cost`.
Failures strike during compute, checkpoint and recovery, never during downtime.

An interval of at least `work` means no intermediate checkpoint; for no checkpoint at all, set
``final_checkpoint=False`` too. The moments of the other process, in which rework never fails,
are `wsj_mean` and `wsj_variance`.
"""

from __future__ import annotations

import numpy as np

from ._checks import ArrayLike, FloatArray
from ._segments import Job
from ._segments import job as checked_job
from ._special import (
    expm1_minus,
    multiply,
    truncated_exponential_mean,
    truncated_exponential_variance,
)
from .lifetimes import AbstractLifetime
from .wsj import wsj_mean, wsj_variance

__all__ = [
    "efficiency",
    "expected_makespan",
    "makespan_variance",
    "waste",
    "wsj_mean",
    "wsj_variance",
]


def expected_makespan(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Mean wall time of a job that checkpoints after every `interval` of work.

    .. math:: E[T] = e^{R/\mu} (\mu + D) \sum_{k=1}^{K} \left(e^{(w_k + C_k)/\mu} - 1\right)

    with K = ceil(W/w), w_k = w and C_k = C but for the last segment, which has the work that
    is left and, without a final checkpoint, no cost.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like or AbstractLifetime, [time]
        D, fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact: holds for any ratio of W, w, C, R, D to mu. Exponential uptimes only. A remainder of
    work below 1e-12 W counts as rounding of W/w, not as a segment with a checkpoint of its own.
    Source: derived again in tests/derivations/test_makespan.py. It is the model of [1]_, of
    which only the abstract was seen, with a shorter last segment.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> t = expected_makespan(
    ...     100.0, interval=100 / 30, mtbf=10.0, checkpoint_cost=0.3,
    ...     recovery_cost=0.4, downtime=0.5,
    ... )
    >>> round(float(t), 5)
    143.63842
    """
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    with np.errstate(over="ignore"):
        rate_cost = np.exp(job.recovery_cost / job.mtbf) * (job.mtbf + job.downtime)
        return job.sum(lambda work, cost: rate_cost * np.expm1((work + cost) / job.mtbf))


def makespan_variance(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Variance of the wall time of a job that checkpoints after every `interval` of work.

    .. math::
        V[T] &= \sum_{k=1}^{K} E[N_k] (V[X_k] + V[Y]) + V[N_k] (E[X_k] + E[Y])^2 \\
        E[N] &= e^{a/\mu} - 1, \quad V[N] = e^{a/\mu} (e^{a/\mu} - 1)

    N counts the failures of a segment that is busy for a = w + C; X is an uptime given that it
    is shorter than a; Y is the time from a failure to the end of the recovery, which is built
    in the same way from attempts of length R and the downtime that follows each failure.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like or AbstractLifetime, [time]
        D, fixed and >= 0, or a law of which mean and variance enter.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. Overflow gives inf, and so does a downtime
        without a finite variance.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact, as `expected_makespan`; segments are independent because uptimes are memoryless.
    Source: derived in tests/derivations/test_makespan.py from the transform of T; no published
    form was found. The model is that of [1]_, of which only the abstract was seen.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> v = makespan_variance(
    ...     100.0, interval=100 / 30, mtbf=10.0, checkpoint_cost=0.3,
    ...     recovery_cost=0.4, downtime=0.5,
    ... )
    >>> round(float(v), 5)
    145.92423
    """
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    variance = job.sum(lambda work, cost: _variance(work + cost, job))
    return np.where(np.isfinite(job.downtime_variance), variance, np.inf)


def efficiency(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Work over expected makespan.

    .. math:: W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : array_like, [time]
        Mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        Costs of writing and of reading a checkpoint; >= 0.
    downtime : array_like or AbstractLifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        In [0, 1). Shape: all arguments broadcast together. An infinite makespan gives 0.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact, as `expected_makespan`. It is the mean of neither W/T nor of the share of useful
    time in one run, but the share of useful time over many runs.
    Source: derived from `expected_makespan`, the model of [1]_.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> e = efficiency(100.0, interval=100 / 30, mtbf=10.0, checkpoint_cost=0.3)
    >>> round(float(e), 4)
    0.7608
    """
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    overhead = job.sum(lambda work, cost: _overhead(work, cost, job))
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + overhead / job.work))


def waste(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Share of the expected makespan that is not useful work.

    .. math:: 1 - W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : array_like, [time]
        Mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        Costs of writing and of reading a checkpoint; >= 0.
    downtime : array_like or AbstractLifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        In (0, 1]. Shape: all arguments broadcast together. An infinite makespan gives 1.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact, as `expected_makespan`, and relatively accurate however small it is: the overhead
    is summed by itself, because 1 - `efficiency` would lose it.
    Source: derived from `expected_makespan`, the model of [1]_.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> w = waste(1.0, interval=1.0, mtbf=1e14, checkpoint_cost=0.0)
    >>> print(f"{float(w):.6g}")
    5e-15
    """
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    overhead = job.sum(lambda work, cost: _overhead(work, cost, job))
    with np.errstate(over="ignore", divide="ignore"):
        return np.asarray(1.0 / (1.0 + job.work / overhead))


def _overhead(work: FloatArray, cost: FloatArray, job: Job) -> FloatArray:
    """Return mean segment time minus work, as a sum without cancellation, [time]."""
    mu, a = job.mtbf, (work + cost) / job.mtbf
    repair = job.downtime + multiply(np.expm1(job.recovery_cost / mu), mu + job.downtime)
    return np.asarray(mu * expm1_minus(a) + cost + multiply(repair, np.expm1(a)))


def _variance(busy: FloatArray, job: Job) -> FloatArray:
    """Return the variance of the time to get through a segment of `busy` time, [time^2]."""
    mean, variance = _lost(job.recovery_cost, job.downtime, job.downtime_variance, job.mtbf)
    repair = job.downtime + mean + job.recovery_cost
    return _lost(busy, repair, job.downtime_variance + variance, job.mtbf)[1]


def _lost(
    span: FloatArray, repair: FloatArray, repair_variance: FloatArray, mtbf: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the time lost until the machine stays up for `span`.

    The number of failures is geometric; each costs the uptime before it and a repair.
    """
    x = np.minimum(span / mtbf, 1e6)  # exp has overflowed long before; keeps out inf * 0
    failures = np.expm1(x)
    mean = span * truncated_exponential_mean(x) + repair
    variance = span**2 * truncated_exponential_variance(x) + repair_variance
    return (
        multiply(failures, mean),
        multiply(failures, variance) + multiply(np.exp(x) * failures, mean**2),
    )
