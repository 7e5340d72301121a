r"""What a recovery option costs: the delay of a job it brings back, and the credits of its user.

The job of `perfmodel.makespan`. Failures strike it while it runs; what differs between options
is how long it then takes until it runs again. That is a closed form where nobody else matters:
until the nodes are repaired (same nodes), or until the walltime would have ended (by hand).
"""

from __future__ import annotations

import numpy as np

from ._checks import ArrayLike, FloatArray, broadcast, finite, nonnegative, positive
from .makespan import expected_makespan

__all__ = ["expected_failure_slowdown", "expected_manual_wait", "recovery_charge"]


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
        Shape: all arguments broadcast together. Negative if the user is given credits.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact: a definition. Deposits above the limit of an account are forfeited on top of it.
    Source: [1]_, eq. (3).

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
    return np.asarray((alpha - beta) * t * n)


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
        mu, mean uptime between failures of the nodes the job holds; > 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above, or walltime < duration.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact: exponential uptimes; given that a failure strikes within the attempt.
    Source: derived here for option A of [1]_, section III-B.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing".

    Examples
    --------
    >>> round(float(expected_manual_wait(2.0, walltime=4.0, mtbf=10.0)), 4)
    3.0333
    """
    t, w, mu = broadcast(
        duration=positive("duration", duration),
        walltime=positive("walltime", walltime),
        mtbf=positive("mtbf", mtbf),
    )
    early = w < t
    if early.any():
        raise ValueError(f"walltime must be >= duration, got {float(w[early].flat[0])!r}")
    return np.asarray(w - _mean_failure_time(t, mu))


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

    with U its wall time without failures, checkpoints included.

    Parameters
    ----------
    work : array_like, [time]
        Failure-free compute time; > 0.
    interval : array_like, [time]
        Compute time between checkpoints; > 0. None is written after the last piece.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the nodes the job holds; > 0.
    checkpoint_cost : array_like, [time]
        To write one checkpoint; >= 0.
    downtime : array_like, [time]
        From a failure to the restart: with the same nodes again, the repair; >= 0.
    recovery_cost : array_like, [time]
        To read a checkpoint back; >= 0.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If an argument is nan, infinite or outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact: exponential uptimes, no failure during the downtime; over the jobs that a failure
    struck at least once. Source: derived here for option C of [1]_, section III-B.

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
    total = expected_makespan(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=nonnegative("downtime", downtime),
        final_checkpoint=False,
    )
    w, tau = positive("work", work), positive("interval", interval)
    undisturbed = w + (np.ceil(w / tau) - 1.0) * finite("checkpoint_cost", checkpoint_cost)
    struck = -np.expm1(-undisturbed / positive("mtbf", mtbf))
    return np.asarray((total - undisturbed) / (undisturbed * struck))


def _mean_failure_time(t: FloatArray, mu: FloatArray) -> FloatArray:
    """Mean of an exponential time given that it is below t; by series where t << mu."""
    x = t / mu
    with np.errstate(over="ignore"):
        plain = mu - t / np.expm1(x)
    return np.where(x < 1e-4, t * (0.5 - x / 12.0), plain)
