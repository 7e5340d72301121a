r"""Makespan of one job with coordinated checkpoint/restart under exponential failures.

A job computes for `interval`, writes a checkpoint, computes on, and so on until its work is
done; period = interval + checkpoint_cost. The last segment is shorter if `work` is not a
multiple of `interval`. A failure loses everything since the last completed checkpoint; the machine
is then down for `downtime` and reads the last checkpoint (or the input) back in `recovery_cost`.
Failures strike during compute, checkpoint and recovery, never during downtime.

An interval of at least `work`, such as inf, means no intermediate checkpoint; for no checkpoint
at all, set ``final_checkpoint=False`` too. The moments of the other process, in which rework
never fails, are `wsj_mean` and `wsj_variance`.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer
from .._ranges import FULL, JOB
from .._special import multiply, truncated_exponential_mean, truncated_exponential_variance
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from .segments import Job, checked_job


def expected_makespan(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
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
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like or Lifetime, [time]
        D, fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: holds for any ratio of W, w, C, R, D to mu. Exponential uptimes only. A remainder of
    work below 2^-48 W counts as rounding of W/w, not as a segment with a checkpoint of its own.
    Source: derived again in tests/derivations/test_makespan.py. It is the model of [1]_, of
    which only the abstract was seen, with a shorter last segment.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

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
    with np.errstate(over="ignore", invalid="ignore"):
        longer = np.exp(job.recovery_cost / job.mtbf) * (1.0 + job.downtime / job.mtbf)

        def segment(work: FloatArray, cost: FloatArray) -> FloatArray:
            # mu (e^x - 1) is the length times (e^x - 1)/x, which is 1 where nothing ever fails.
            return longer * ((work + cost) * special.exprel((work + cost) / job.mtbf))

        found = job.sum(segment)
    return answer(found, work, interval, mtbf, checkpoint_cost, recovery_cost, downtime)


def makespan_variance(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
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
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like or Lifetime, [time]
        D, fixed and >= 0, or a law of which mean and variance enter.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. Overflow gives inf, and so does a downtime
        without a finite variance.

    Notes
    -----
    Exact, as `expected_makespan`; segments are independent because uptimes are memoryless.
    Source: derived in tests/derivations/test_makespan.py from the transform of T; no published
    form was found. The model is that of [1]_, of which only the abstract was seen.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

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
    never = np.isinf(job.mtbf) | np.isfinite(job.downtime_variance)
    found = np.where(never, variance, np.inf)
    return answer(found, work, interval, mtbf, checkpoint_cost, recovery_cost, downtime)


def _variance(busy: FloatArray, job: Job) -> FloatArray:
    """Return the variance of the time to get through a segment of `busy` time, [time^2]."""
    mean, variance = time_lost(job.recovery_cost, job.downtime, job.downtime_variance, job.mtbf)
    repair = job.downtime + mean + job.recovery_cost
    return time_lost(busy, repair, job.downtime_variance + variance, job.mtbf)[1]


def time_lost(
    span: FloatArray, repair: FloatArray, repair_variance: FloatArray, mtbf: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the time lost until the machine stays up for `span`.

    The number of failures is geometric; each costs the uptime before it and a repair.
    """
    x = np.minimum(span / mtbf, 1e6)  # exp has overflowed long before; keeps out inf * 0
    failures = np.expm1(x)
    mean = span * truncated_exponential_mean(x) + repair
    variance = span**2 * truncated_exponential_variance(x) + repair_variance
    # The root is squared last: the square of a mean may underflow where the product does not.
    between = multiply(np.exp(0.5 * x) * np.sqrt(failures), mean) ** 2
    endless = np.isinf(failures) & (mean > 0.0)  # also where a tiny mean has no square
    return multiply(failures, mean), np.where(
        endless, np.inf, multiply(failures, variance) + between
    )


ROWS = (
    Formula(
        expected_makespan,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=FULL,
        domain=JOB,
        trend=Trend(
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime"), falling=("mtbf",)
        ),
    ),
    Formula(
        makespan_variance,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=FULL,
        domain=JOB,
        trend=Trend(
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime"), falling=("mtbf",)
        ),
    ),
)
