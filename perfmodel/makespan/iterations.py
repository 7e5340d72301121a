r"""Jobs that can be saved only at the ends of their iterations, which take a random time.

The job is that of `perfmodel.makespan.exact`, but its segments are whole iterations: a checkpoint
follows every so many of them, and the last. A failure loses all iterations since the last
checkpoint. When they are done again each takes a new time, as where the machine decides, or as
long as before, as where the data decide.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, positive, shown
from .._special import expm1_minus, optimal_ratio
from ..formula import ANY, Formula, Trend
from ..lifetimes import Lifetime
from ..quantities import checked
from .exact import expected_makespan
from .random_cost import effective_checkpoint_cost

Redone: TypeAlias = Literal["anew", "alike"]


def expected_makespan_iterations(
    iterations: ArrayLike,
    *,
    every: ArrayLike,
    iteration_time: ArrayLike | Lifetime,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    redone: Redone = "anew",
) -> FloatArray:
    r"""Mean wall time of a job that is saved after every so many iterations of random length.

    .. math::
        E[T] = e^{R/\mu} (\mu + D) \sum_k \left(e^{C/\mu} g^{n_k} - 1\right), \quad
        g = 1 / E[e^{-X/\mu}] \text{ or } E[e^{X/\mu}]

    for iterations of length X that take a new time when they are done again, or the same.

    Parameters
    ----------
    iterations : array_like, [-]
        How many the job has; a whole number >= 1.
    every : array_like, [-]
        n, iterations from checkpoint to checkpoint; a whole number >= 1. The last segment may have
        fewer.
    iteration_time : array_like or Lifetime, [time]
        A law of the lengths of iterations, or fixed and > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.
    redone : {"anew", "alike"}, [-]
        Whether an iteration that is done again takes a new time or the same.

    Returns
    -------
    ndarray, [time]
        Inf for ``alike`` where the tail of the law is so heavy that the mean is infinite, and where
        it overflows. Shape: all arguments but a law broadcast together.

    Notes
    -----
    Exact for exponential uptimes and iterations that are independent of each other and of
    failures. It is `expected_makespan` with iterations of a fixed length that acts like the law.
    Source: derived in tests/derivations/test_iterations.py; [1]_ treats such jobs, which was
    not read.

    Judged for iterations 1 to 1e6, every 1 to 1000, cv of iteration_time 0 to 3,
    iteration_time/mtbf 1e-6 to 10, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Y. Du, L. Marchal, G. Pallez and Y. Robert, "Optimal checkpointing strategies for
       iterative applications", IEEE Transactions on Parallel and Distributed Systems 33(3), 2022.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> t = expected_makespan_iterations(
    ...     100, every=5, iteration_time=Exponential(2.0), mtbf=100.0, checkpoint_cost=1.0,
    ... )
    >>> round(float(t), 4)
    230.354
    """
    given = (iterations, every, mtbf, checkpoint_cost, recovery_cost, downtime)
    total, n, mu, c, r, d = checked(
        iterations=iterations,
        every=every,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
    )
    length = _length(iteration_time, mu, redone)
    with np.errstate(over="ignore"):
        work, interval = total * length, n * length
    endless = np.isinf(work)
    found = expected_makespan(
        np.where(endless, 1.0, work),
        interval=np.where(endless, 1.0, interval),
        mtbf=mu,
        checkpoint_cost=c,
        recovery_cost=r,
        downtime=d,
    )
    return answer(np.where(endless, np.inf, found), *given, iteration_time)


def optimal_iterations(
    *,
    iteration_time: ArrayLike | Lifetime,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    redone: Redone = "anew",
) -> FloatArray:
    r"""Whole number of iterations between checkpoints with the least mean time of a long job.

    .. math:: \operatorname{arg}\min_n \frac{e^{C/\mu} g^n - 1}{n}

    with g as in `expected_makespan_iterations`.

    Parameters
    ----------
    iteration_time : array_like or Lifetime, [time]
        A law of the lengths of iterations, or fixed and > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C; >= 0. Neither recovery nor downtime changes the best number.
    redone : {"anew", "alike"}, [-]
        Whether an iteration that is done again takes a new time or the same.

    Returns
    -------
    ndarray, [-]
        A whole number >= 1, inf without failures if checkpoints cost anything. 1 where the mean is
        infinite whatever one does. Shape: all arguments but a law broadcast together.

    Notes
    -----
    Exact: the best fixed number, for any ratio of its arguments. A rule that looks at how long the
    iterations since the last checkpoint took may be a little better.
    Source: derived in tests/derivations/test_iterations.py; [1]_ treats both, which was
    not read.

    Judged for cv of iteration_time 0 to 3, iteration_time/mtbf 1e-6 to 10, and any other ratio from
    1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Y. Du, L. Marchal, G. Pallez and Y. Robert, "Optimal checkpointing strategies for
       iterative applications", IEEE Transactions on Parallel and Distributed Systems 33(3), 2022.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> float(
    ...     optimal_iterations(iteration_time=Exponential(2.0), mtbf=100.0, checkpoint_cost=1.0)
    ... )
    7.0
    """
    given = (mtbf, checkpoint_cost)
    mu, c = checked(mtbf=mtbf, checkpoint_cost=checkpoint_cost)
    mu, c, length = np.broadcast_arrays(mu, c, _length(iteration_time, mu, redone))
    with np.errstate(all="ignore"):
        step, cost = length / mu, c / mu
        root = np.sqrt(2.0 * c) / np.sqrt(mu)  # roots apart: the cost may underflow
        rare = np.sqrt(2.0 * c) * np.sqrt(mu) / length
        best = np.where(root < 1e-8, rare, optimal_ratio(root) / step)
        found = np.maximum(np.floor(best) - 1.0, 1.0)
        for _ in range(3):  # the best whole number is a neighbour of the best one
            found = np.where(_rises(found, step, cost), found, found + 1.0)
    found = np.where(np.isinf(length), 1.0, found)
    found = np.where(c == 0.0, 1.0, np.where(np.isinf(mu), np.inf, found))
    return answer(found, *given, iteration_time)


def _rises(n: FloatArray, step: FloatArray, cost: FloatArray) -> FloatArray:
    """Return whether n + 1 iterations are no better than n, by differences that keep digits."""
    exposed = n * step + cost
    near = n * expm1_minus(step) + expm1_minus(-exposed) >= cost
    return np.where(exposed < 1.0, near, n * np.expm1(step) >= -np.expm1(-exposed))


def _length(iteration_time: ArrayLike | Lifetime, mtbf: FloatArray, redone: Redone) -> FloatArray:
    """Return the fixed length of iterations that gives the same mean makespan, [time]."""
    if redone not in get_args(Redone):
        raise ValueError(f"redone must be 'anew' or 'alike', got {shown(redone)}")
    if not isinstance(iteration_time, Lifetime):
        fixed, _ = broadcast(iteration_time=positive("iteration_time", iteration_time), mtbf=mtbf)
        return fixed
    drawn: Literal["attempt", "segment"] = "attempt" if redone == "anew" else "segment"
    # One by one: in a long segment the last digits of an exponent count.
    each, places = np.unique(mtbf, return_inverse=True)
    found = [float(effective_checkpoint_cost(iteration_time, mtbf=mu, drawn=drawn)) for mu in each]
    return np.asarray(found)[places].reshape(mtbf.shape)


_LAW = {"cv of iteration_time": (0.0, 3.0), "iteration_time/mtbf": (1e-6, 10.0)}
ROWS = (
    Formula(
        expected_makespan_iterations,
        "derived",
        "renewal, random iterations",
        "exact",
        ranges={
            "iterations": (1.0, 1e6),
            "every": (1.0, 1e3),
            **_LAW,
            "checkpoint_cost/mtbf": ANY,
            "recovery_cost/mtbf": ANY,
            "downtime/mtbf": ANY,
        },
        trend=Trend(rising=("iterations", "checkpoint_cost", "recovery_cost", "downtime")),
    ),
    Formula(
        optimal_iterations,
        "derived",
        "least mean, random iterations",
        "exact",
        ranges={**_LAW, "checkpoint_cost/mtbf": ANY},
        trend=Trend(rising=("checkpoint_cost",)),
    ),
)
