r"""Failures of one job that a scheduler can expect: their probability, number and lost time.

The job of `perfmodel.makespan`, alone on its nodes: failures come at rate 1/mtbf while it holds
them. For a job on some of the equal parts of a machine, mtbf is that of the machine times all
parts over those used.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer
from .._ranges import JOB, LOST, PLAYED
from .._special import expm1_minus, multiply
from ..formula import ANY, Formula, Trend
from ..makespan.segments import checked_job
from ..quantities import checked


def failure_probability(duration: ArrayLike, *, mtbf: ArrayLike) -> FloatArray:
    r"""Probability that a failure strikes within a duration.

    .. math:: P = 1 - e^{-t/\mu}

    Parameters
    ----------
    duration : array_like, [time]
        t, wall time of one attempt of the job; >= 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds, repair excluded; > 0, inf if
        they never fail.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together.

    Notes
    -----
    Exact: exponential uptimes, nodes that are up at the start. How far it is off where failures
    come in bursts is measured by validation/subjects/job_failures/cases.py.
    Source: the exponential law itself [1]_.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Fault-aware, utility-based job scheduling
       on Blue Gene/P systems", Cluster 2009, section VI-A (Weibull of shape 1).

    Examples
    --------
    >>> round(float(failure_probability(3600.0, mtbf=36_000.0)), 6)
    0.095163
    """
    t, mu = checked(duration=duration, mtbf=mtbf)
    with np.errstate(over="ignore"):
        return answer(-np.expm1(-(t / mu)), duration, mtbf)


def expected_failures(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Mean number of failures that strike a job until it is done.

    .. math:: E[N] = e^{R/\mu} \sum_{k=1}^{K} \left(e^{(w_k + C_k)/\mu} - 1\right)

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a
        single segment. 0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds, repair excluded; > 0, inf
        if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: the time the job holds its nodes, over mu, because failures come at rate 1/mu all that
    time (Wald). Exponential uptimes only.
    Source: derived from the makespan of [1]_, of which only the abstract was seen; again in
    tests/derivations/test_job_failures.py.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> n = expected_failures(4.0, interval=2.0, mtbf=8.0, checkpoint_cost=0.25)
    >>> round(float(n), 5)
    0.64957
    """
    cut = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=0.0,
        final_checkpoint=final_checkpoint,
    )
    with np.errstate(over="ignore"):
        reading = cut.recovery_cost / cut.mtbf

    def struck(work: FloatArray, cost: FloatArray) -> FloatArray:
        x = (work + cost) / cut.mtbf
        often = np.exp(reading) * np.expm1(x)
        # In logarithms where recovery hardly ever succeeds: segment/mtbf may underflow.
        log_x = np.log(work + cost) - np.log(cut.mtbf)
        hopeless = np.exp(reading + log_x + np.log(special.exprel(x)))
        return np.where(reading < 700.0, often, hopeless)

    with np.errstate(all="ignore"):
        count = cut.sum(struck)
        # Where a segment holds next to no mtbf, it has no number of failures, but all have a time.
        time = cut.sum(lambda work, cost: np.exp(reading) * (work + cost))
        longest = np.where(cut.whole > 0.0, cut.segment + cut.checkpoint_cost, 0.0)
        longest = np.maximum(longest, cut.last + cut.last_cost)
        rare = (longest / cut.mtbf < 1e-290) & np.isfinite(time)
        count = np.where(rare, time / cut.mtbf, count)
    return answer(count, work, interval, mtbf, checkpoint_cost, recovery_cost)


def expected_lost_time(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Mean time a job loses to failures: work and checkpoints that were struck and done again.

    .. math:: E[L] = \sum_{k=1}^{K} \mu \left(e^{a_k/\mu} - 1 - a_k/\mu\right), a_k = w_k + C_k

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a
        single segment. 0 for checkpoints all the time, which then must be free.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds, repair excluded; > 0, inf
        if there are none.
    checkpoint_cost : array_like, [time]
        C; >= 0.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: time since the last completed checkpoint at every failure; reading checkpoints back is
    not in it. The service unit loss of a set of jobs is the sum of nodes x E[L] over the sum of
    nodes x expected_makespan. Exponential uptimes only.
    Source: derived in tests/derivations/test_job_failures.py; the model is that of [1]_, of which
    only the abstract was seen.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> lost = expected_lost_time(4.0, interval=2.0, mtbf=8.0, checkpoint_cost=0.25)
    >>> round(float(lost), 5)
    0.69656
    """
    cut = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=0.0,
        downtime=0.0,
        final_checkpoint=final_checkpoint,
    )
    with np.errstate(over="ignore"):
        lost = cut.sum(lambda work, cost: multiply(expm1_minus((work + cost) / cut.mtbf), cut.mtbf))
    return answer(lost, work, interval, mtbf, checkpoint_cost)


ROWS = (
    Formula(
        failure_probability,
        "textbook",
        "exponential law",
        "exact",
        ranges={"duration/mtbf": ANY},
        domain={"duration": (0.2, 2.0), "mtbf": (1.0, 1.0)},
        trend=Trend(rising=("duration",), falling=("mtbf",)),
    ),
    Formula(
        expected_failures,
        "derived",
        "expected_makespan/mtbf",
        "exact",
        ranges=PLAYED,
        domain={name: ends for name, ends in JOB.items() if name != "downtime"},
        trend=Trend(rising=("work", "checkpoint_cost", "recovery_cost"), falling=("mtbf",)),
    ),
    Formula(
        expected_lost_time,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=LOST,
        domain={
            "work": (0.1, 3.0),
            "interval": (0.1, 3.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (1e-3, 0.5),
        },
        trend=Trend(rising=("work", "checkpoint_cost"), falling=("mtbf",)),
    ),
)
