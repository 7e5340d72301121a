r"""What a recovery option costs: the delay of a job it brings back, and the credits of its user.

The job of `perfmodel.makespan`. Failures strike it while it runs; what differs between options
is how long it then takes until it runs again. That is a closed form where no other job matters:
until the nodes are repaired (same nodes), or until the walltime would have ended (by hand).
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, nonnegative, positive
from .._ranges import FULL
from .._special import multiply, product, truncated_exponential_mean
from ..formula import ANY, Formula, Trend
from ..makespan.segments import Job, checked_job
from ..makespan.shares import lost_rate
from ..quantities import checked


def recovery_charge(
    runtime: ArrayLike, *, nodes: ArrayLike, price: ArrayLike, allowance: ArrayLike = 0.0
) -> FloatArray:
    r"""Credits a job is charged for its recovery option, struck by failures or not.

    .. math:: B = (\alpha_i - \beta) T N

    Without allowance this is the cost C of eq. (1), at price 0 minus the allowance S of eq. (2).

    Parameters
    ----------
    runtime : array_like, [h]
        T, real running time of the job; >= 0.
    nodes : array_like, [node]
        N; > 0.
    price : array_like, [credit/(node h)]
        alpha_i, unit price of the option; >= 0.
    allowance : array_like, [credit/(node h)]
        beta, granted with every job; >= 0.

    Returns
    -------
    ndarray, [credit]
        Shape: all arguments broadcast together. Negative if the user is given credits. Overflow
        gives inf.

    Notes
    -----
    Exact: a definition. Deposits above the limit of an account are forfeited on top of it.
    Source: [1]_, eq. (3).

    Judged for nodes 1 to 1e6, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing".

    Examples
    --------
    >>> float(recovery_charge(2.0, nodes=512, price=4.0, allowance=2.0))
    2048.0
    """
    t, n, alpha, beta = broadcast(
        runtime=nonnegative("runtime", runtime),
        nodes=positive("nodes", nodes),
        price=nonnegative("price", price),
        allowance=nonnegative("allowance", allowance),
    )
    return answer(product(alpha - beta, t, n), runtime, nodes, price, allowance)


def expected_manual_wait(
    duration: ArrayLike, *, walltime: ArrayLike, mtbf: ArrayLike
) -> FloatArray:
    r"""Mean time from a failure to the resubmission by a user who looks when the walltime ends.

    .. math:: w - \left(\mu - \frac{t}{e^{t/\mu} - 1}\right)

    Parameters
    ----------
    duration : array_like, [time]
        t, wall time of one attempt that no failure strikes; > 0.
    walltime : array_like, [time]
        w, at which the user looks, from the start of the attempt; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds; > 0, inf for failures so
        rare that they strike at any time alike.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If `walltime` is below `duration`.

    Notes
    -----
    Exact: exponential uptimes; given that a failure strikes within the attempt.
    Source: derived here for option A of [1]_, section III-B.

    Judged for walltime/duration 1 to 1e6, and any other ratio from 1e-6 to 1e6. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing".

    Examples
    --------
    >>> round(float(expected_manual_wait(2.0, walltime=4.0, mtbf=10.0)), 4)
    3.0333
    """
    t, w, mu = checked(duration=positive("duration", duration), walltime=walltime, mtbf=mtbf)
    early = w < t
    if early.any():
        raise ValueError(f"walltime must be >= duration, got {float(w[early].flat[0])!r}")
    with np.errstate(over="ignore"):
        x = t / mu
        struck = np.where(x < 1e3, t * truncated_exponential_mean(np.minimum(x, 1e3)), mu)
    return answer(w - struck, duration, walltime, mtbf)


def expected_failure_slowdown(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    downtime: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean failure slowdown of a job that runs again a fixed time after each failure.

    .. math:: \frac{E[T] - U}{U (1 - e^{-U/\mu})}

    with U its wall time without failures, checkpoints included; work is cut into segments as by
    `expected_makespan`.

    Parameters
    ----------
    work : array_like, [time]
        Failure-free compute time; > 0.
    interval : array_like, [time]
        Compute time between checkpoints; > 0, inf for none, 0 for checkpoints all the time,
        which then must be free. None is written after the last piece.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds; > 0, inf for the limit of
        rare failures.
    checkpoint_cost : array_like, [time]
        To write one checkpoint; >= 0.
    downtime : array_like, [time]
        From a failure to the restart: with the same nodes again, the repair; >= 0.
    recovery_cost : array_like, [time]
        To read a checkpoint back; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: exponential uptimes, no failure during the downtime; over the jobs that a failure
    struck at least once. Source: derived here for option C of [1]_, section III-B.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing".

    Examples
    --------
    >>> round(
    ...     float(
    ...         expected_failure_slowdown(
    ...             2.0, interval=1.0, mtbf=10.0, checkpoint_cost=0.1, downtime=1.0
    ...         )
    ...     ),
    ...     4,
    ... )
    0.8445
    """
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=nonnegative("downtime", downtime),
        final_checkpoint=False,
    )
    given = (work, interval, mtbf, checkpoint_cost, downtime, recovery_cost)
    return answer(_slowdown_of_the_struck(job), *given)


def _slowdown_of_the_struck(job: Job) -> FloatArray:
    """Sum what each segment loses by its share of the time without failures: no cancellation."""
    first, last = job.segment + job.checkpoint_cost, job.last
    with np.errstate(all="ignore"):
        # More segments than a float counts still have a length.
        worked = job.work - last
        many = worked + multiply(worked, job.checkpoint_cost / job.segment)
        before = np.where(np.isinf(job.whole), many, multiply(job.whole, first))
        undisturbed = before + last
        part = np.where(np.isinf(before), 1.0, before / undisturbed)
        load = np.where(np.isinf(job.mtbf), 0.0, undisturbed / job.mtbf)
        # Where failures are rare, loss and chance of one are both taken over the load.
        rare = load < 1e-8
        losses = [
            np.where(rare, _lost_rarely(busy, undisturbed, job), lost_rate(busy, job))
            for busy in (first, last)
        ]
        lost = multiply(part, losses[0]) + multiply(1.0 - part, losses[1])
        return np.asarray(lost / np.where(rare, 1.0 - 0.5 * load, -np.expm1(-load)))


def _lost_rarely(busy: FloatArray, undisturbed: FloatArray, job: Job) -> FloatArray:
    """Return `lost_rate` over undisturbed/mtbf, where that is small, to first order."""
    half = 0.5 + busy / job.mtbf / 6.0
    reading = job.recovery_cost / job.mtbf
    recovery = np.where(reading < 1e-16, job.recovery_cost, job.mtbf * np.expm1(reading))
    repair = job.downtime + multiply(recovery, 1.0 + job.downtime / job.mtbf)
    return half * (busy / undisturbed) + repair / undisturbed * (1.0 + 0.5 * busy / job.mtbf)


ROWS = (
    Formula(
        recovery_charge,
        "aucore",
        "(3)",
        "exact",
        ranges={"runtime": ANY, "nodes": (1.0, 1e6), "price": ANY, "allowance": ANY},
        trend=Trend(rising=("price",), falling=("allowance",)),
    ),
    Formula(
        expected_manual_wait,
        "derived",
        "option A of aucore III-B",
        "exact",
        ranges={"duration/mtbf": ANY, "walltime/duration": (1.0, 1e6)},
        trend=Trend(rising=("walltime",), falling=("duration", "mtbf")),
    ),
    Formula(
        expected_failure_slowdown,
        "derived",
        "option C of aucore III-B",
        "exact",
        ranges=FULL,
        domain={
            "work": (0.2, 2.0),
            "interval": (0.1, 1.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (0.01, 0.2),
            "downtime": (0.1, 2.0),
            "recovery_cost": (0.01, 0.2),
        },
        trend=Trend(rising=("downtime", "recovery_cost")),
    ),
)
