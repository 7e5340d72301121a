r"""Several tasks at once: the slowest decides, and checkpoints adapt to how many there are.

Tasks are independent, run on nodes of their own and meet at the end only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ._checks import (
    ArrayLike,
    FloatArray,
    broadcast,
    fraction,
    nonnegative,
    positive,
    scalar,
    whole,
)
from .completion import exact_makespan
from .distribution import AbstractCompletionTime
from .extremes import SlowestCompletionTime
from .interval import best_segments
from .lifetimes import AbstractLifetime

__all__ = [
    "optimal_interval_parallel",
    "slowest",
    "slowest_of",
]


def slowest_of(distribution: AbstractCompletionTime, count: int) -> SlowestCompletionTime:
    r"""Distribution of the slowest of `count` tasks of the same law.

    .. math:: P(T_{max} \le t) = P(T \le t)^m

    Parameters
    ----------
    distribution : AbstractCompletionTime, [time]
        Of one task.
    count : int, [-]
        m, number of tasks; >= 1.

    Returns
    -------
    SlowestCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If `count` is not a whole number >= 1.
    TypeError
        If `distribution` is no completion time.

    Notes
    -----
    Exact: the power is taken in log1p(-sf), so 10^6 tasks lose no digits; the moments are
    integrals of sf by Gauss-Legendre rules. Independent tasks.
    Source: [1]_, eq. (8).

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import exact_makespan
    >>> task = exact_makespan(100.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3, downtime=1.0)
    >>> round(task.mean, 2), round(slowest_of(task, 1000).mean, 2)
    (114.06, 141.9)
    """
    return SlowestCompletionTime((_law(distribution),), (scalar(whole, "count", count),))


def slowest(distributions: Sequence[AbstractCompletionTime]) -> SlowestCompletionTime:
    r"""Distribution of the slowest of several tasks, each with a law of its own.

    .. math:: P(T_{max} \le t) = \prod_{k=1}^{m} P(T_k \le t)

    Parameters
    ----------
    distributions : sequence of AbstractCompletionTime, [time]
        One per task; the same object may occur many times.

    Returns
    -------
    SlowestCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If there is no task.
    TypeError
        If an element is no completion time.

    Notes
    -----
    Exact, as `slowest_of`. Independent tasks.
    Source: [1]_, eq. (8).

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import exact_makespan
    >>> slow = exact_makespan(100.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3)
    >>> fast = exact_makespan(50.0, interval=5.0, mtbf=50.0, checkpoint_cost=0.3)
    >>> round(slow.mean, 3), round(slowest([slow, slow, fast]).mean, 3)
    (111.822, 114.404)
    """
    groups: dict[int, tuple[AbstractCompletionTime, float]] = {}
    for law in distributions:
        _, count = groups.get(id(law), (law, 0.0))
        groups[id(law)] = (_law(law), count + 1.0)
    if not groups:
        raise ValueError("distributions must be non-empty, got no task")
    laws, counts = zip(*groups.values(), strict=True)
    return SlowestCompletionTime(laws, counts)


def optimal_interval_parallel(
    tasks: ArrayLike,
    *,
    work: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: float | AbstractLifetime = 0.0,
    quantile: float | None = None,
) -> FloatArray:
    r"""Interval that makes the slowest of parallel tasks finish earliest, on average.

    .. math:: w^*_m = W/K^*, \quad K^* = \arg\min_K E[\max(T_1, \ldots, T_m)]

    Parameters
    ----------
    tasks : array_like, [-]
        m, number of tasks, each on a node of its own; whole and >= 1.
    work : array_like, [time]
        W, failure-free compute time of each task, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        Mean uptime of one node between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : array_like, [time]
        C and R; > 0 and >= 0.
    downtime : float or AbstractLifetime, [time]
        D, fixed and >= 0, or a law.
    quantile : float, optional, [-]
        In (0, 1): minimise this quantile of the slowest task instead of its mean.

    Returns
    -------
    ndarray, [time]
        Work per segment, an even share of `work`. Shape: the arrays broadcast together.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact for the process of `exact_makespan`: the minimum over equal segments, found by
    doubling and ternary search from the best number for the mean of one task. The interval falls
    as tasks grow, because the slowest task is one with many failures, for which shorter
    segments pay; [1]_, section 3, says that it does not depend on the number of nodes, which
    holds for the mean of one task only.
    Source: derived.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> optimal_interval_parallel(
    ...     [1, 128], work=120.0, mtbf=100.0, checkpoint_cost=0.2, downtime=1.0
    ... ).round(2).tolist()
    [6.32, 2.86]
    """
    if quantile is not None and not 0.0 < scalar(fraction, "quantile", quantile) < 1.0:
        raise ValueError(f"quantile must be in (0, 1), got {quantile!r}")
    arrays = broadcast(
        tasks=whole("tasks", tasks),
        work=positive("work", work),
        mtbf=positive("mtbf", mtbf),
        checkpoint_cost=positive("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
    )
    result = np.empty(arrays[0].shape)
    for index in np.ndindex(result.shape):
        m, w, mu, c, r = (float(array[index]) for array in arrays)

        def objective(segments: int, m: float = m, w: float = w, mu: float = mu) -> float:
            law = slowest_of(
                exact_makespan(
                    w,
                    interval=w / segments,
                    mtbf=mu,
                    checkpoint_cost=c,  # noqa: B023 - used within this iteration only
                    recovery_cost=r,  # noqa: B023
                    downtime=downtime,
                ),
                int(m),
            )
            return law.mean if quantile is None else float(law.ppf(quantile))

        fewest = int(best_segments(w, mtbf=mu, checkpoint_cost=c))
        result[index] = w / _least(objective, fewest)
    return result


def _least(objective: Callable[[int], float], start: int) -> int:
    """Return the whole number >= 1 at which a falling, then rising function is least."""
    known: dict[int, float] = {}

    def value(segments: int) -> float:
        if segments not in known:
            known[segments] = float(objective(segments))
        return known[segments]

    low, high = max(1, start // 2), 2 * start + 1
    while low > 1 and value(low) <= value(low + 1):
        low = max(1, low // 2)
    while value(high) <= value(high - 1):
        low, high = high, 2 * high
    while high - low > 2:
        third = (high - low) // 3
        left, right = low + third, high - third
        if left == right:
            right += 1
        if value(left) <= value(right):
            high = right
        else:
            low = left
    return min(range(low, high + 1), key=value)


def _law(value: AbstractCompletionTime) -> AbstractCompletionTime:
    if not isinstance(value, AbstractCompletionTime):
        raise TypeError(f"distribution must be a completion time, got {value!r}")
    return value
