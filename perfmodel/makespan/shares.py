r"""Shares of a makespan: useful work, and what failures and checkpoints cost.

The job is that of `perfmodel.makespan`. Time beyond the work is summed by itself, because
1 - W/E[T] would lose it where it is small.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer
from .._ranges import FULL, JOB
from .._special import expm1_minus, multiply
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from .segments import Job, checked_job


def efficiency(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Work over expected makespan.

    .. math:: W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0. From `work` on, inf too: a
        single segment. 0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        Costs of writing and of reading a checkpoint; >= 0.
    downtime : array_like or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        In [0, 1). Shape: all arguments broadcast together. An infinite makespan gives 0.

    Notes
    -----
    Exact, as `expected_makespan`. It is the mean of neither W/T nor of the share of useful
    time in one run, but the share of useful time over many runs.
    Source: derived from `expected_makespan`, the model of [1]_.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

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
    share = 1.0 / (1.0 + _overhead_per_work(job))
    return answer(share, work, interval, mtbf, checkpoint_cost, recovery_cost, downtime)


def waste(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Share of the expected makespan that is not useful work.

    .. math:: 1 - W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0. From `work` on, inf too: a
        single segment. 0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        Costs of writing and of reading a checkpoint; >= 0.
    downtime : array_like or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        In (0, 1]. Shape: all arguments broadcast together. An infinite makespan gives 1.

    Notes
    -----
    Exact, as `expected_makespan`, and relatively accurate however small it is: the overhead
    is summed by itself, because 1 - `efficiency` would lose it.
    Source: derived from `expected_makespan`, the model of [1]_.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

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
    with np.errstate(over="ignore", divide="ignore"):
        share = 1.0 / (1.0 + 1.0 / _overhead_per_work(job))
    return answer(share, work, interval, mtbf, checkpoint_cost, recovery_cost, downtime)


def _overhead_per_work(job: Job) -> FloatArray:
    """Return (mean makespan - work)/work, as a sum without cancellation."""

    def beyond(work: FloatArray, cost: FloatArray) -> FloatArray:
        busy = work + cost
        return np.asarray(cost / work + multiply(lost_rate(busy, job), busy / work))

    with np.errstate(all="ignore"):
        before = 1.0 - job.last / job.work  # the share of the work in whole segments
        whole = multiply(before, beyond(job.segment, job.checkpoint_cost))
        return np.asarray(whole + multiply(1.0 - before, beyond(job.last, job.last_cost)))


def lost_rate(busy: FloatArray, job: Job) -> FloatArray:
    """Return the mean time lost to failures by a segment, over its own `busy` time, [-].

    In ratios to the mtbf, so that nothing overflows or underflows that the result does not.
    """
    with np.errstate(all="ignore"):
        a, down = busy / job.mtbf, job.downtime / job.mtbf
        repair = down + multiply(np.expm1(job.recovery_cost / job.mtbf), 1.0 + down)
        tiny = a < 1e-16
        rework = np.where(tiny, 0.5 * a, expm1_minus(a) / a)
        failures = np.where(tiny, 1.0, np.expm1(a) / a)
        rework, failures = (np.where(np.isinf(a), a, x) for x in (rework, failures))
        return np.asarray(rework + multiply(repair, failures))


ROWS = (
    Formula(
        efficiency,
        "derived",
        "work/expected_makespan",
        "exact",
        ranges=FULL,
        domain=JOB,
        trend=Trend(rising=("mtbf",), falling=("checkpoint_cost", "recovery_cost", "downtime")),
    ),
    Formula(
        waste,
        "derived",
        "1 - efficiency",
        "exact",
        ranges=FULL,
        domain=JOB,
        trend=Trend(rising=("checkpoint_cost", "recovery_cost", "downtime"), falling=("mtbf",)),
    ),
)
