r"""What failures and checkpoints cost of a makespan, as shares of it.

The job is that of `perfmodel.makespan`. Time beyond the work is summed by itself, because
1 - W/E[T] would lose it where it is small.
"""

from __future__ import annotations

import numpy as np

from ._checks import ArrayLike, FloatArray
from ._segments import Job
from ._segments import job as checked_job
from ._special import expm1_minus, multiply
from .lifetimes import AbstractLifetime

__all__ = ["efficiency", "waste"]


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
    overhead = _overhead(job)
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
    overhead = _overhead(job)
    with np.errstate(over="ignore", divide="ignore"):
        return np.asarray(1.0 / (1.0 + job.work / overhead))


def _overhead(job: Job) -> FloatArray:
    """Return the mean makespan minus the work, as a sum without cancellation, [time]."""

    def beyond(work: FloatArray, cost: FloatArray) -> FloatArray:
        mu, a = job.mtbf, (work + cost) / job.mtbf
        repair = job.downtime + multiply(np.expm1(job.recovery_cost / mu), mu + job.downtime)
        return np.asarray(mu * expm1_minus(a) + cost + multiply(repair, np.expm1(a)))

    return job.sum(beyond)
