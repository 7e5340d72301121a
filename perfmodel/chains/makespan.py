r"""Makespan of a chain of tasks, with checkpoints after some of them.

Tasks follow each other; after some the state is written, at a cost and to be read back at a cost
that are those of the task. A failure sets the chain back to the last checkpoint, or to its input.
The tasks between two checkpoints are one segment of `expected_makespan`, and segments are
independent, since exponential uptimes have no memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._checks import (
    ArrayLike,
    BoolArray,
    FloatArray,
    nonnegative,
    positive_or_inf,
    scalar,
    shown,
)
from .._special import power_of_two
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..makespan import expected_makespan, makespan_variance


@dataclass(frozen=True, slots=True)
class Chain:
    """Checked tasks: arrays of one entry for each; `recovery_costs` has the input before them."""

    works: FloatArray
    mtbf: float
    checkpoint_costs: FloatArray
    recovery_costs: FloatArray
    downtime: float | Lifetime

    def in_own_unit(self) -> tuple[float, Chain]:
        """Return a unit, a power of two, and the chain in it: no mean overflows that need not."""
        unit = power_of_two(self.mtbf if self.mtbf < np.inf else float(self.works.max()))
        down = self.downtime
        if isinstance(down, Lifetime) and down.mean < np.inf:
            down = down.mean
        with np.errstate(over="ignore", under="ignore"):
            other = Chain(
                self.works / unit,
                self.mtbf / unit,
                self.checkpoint_costs / unit,
                self.recovery_costs / unit,
                down if isinstance(down, Lifetime) else down / unit,
            )
        times = (*other.works, *other.checkpoint_costs, *other.recovery_costs)
        ended = np.isfinite(times).all() and other.downtime != np.inf
        return (unit, other) if ended else (1.0, self)

    def segments(
        self,
        first: npt.NDArray[np.intp],
        last: npt.NDArray[np.intp],
        written: BoolArray,
        moment: Callable[..., FloatArray],
    ) -> FloatArray:
        """Return a moment of each segment of tasks `first` to `last`, with its checkpoint or not.

        Segments without work take no time but that of their checkpoint.
        """
        sums = np.append(0.0, np.cumsum(self.works))
        work = sums[last + 1] - sums[first]
        cost = np.where(written, self.checkpoint_costs[last], 0.0)
        # A segment is one piece of work, of which the checkpoint is a part like any other.
        busy = np.asarray(work + cost)
        some = busy > 0.0
        found = np.zeros(busy.shape)
        if some.any():
            recovery = np.broadcast_to(self.recovery_costs[first], busy.shape)
            found[some] = moment(
                busy[some],
                interval=busy[some],
                mtbf=self.mtbf,
                checkpoint_cost=0.0,
                recovery_cost=recovery[some],
                downtime=self.downtime,
            )
        return found


def expected_makespan_chain(
    works: ArrayLike,
    *,
    checkpoint_after: npt.ArrayLike,
    mtbf: float,
    checkpoint_costs: ArrayLike,
    recovery_costs: ArrayLike = 0.0,
    input_recovery: float = 0.0,
    downtime: float | Lifetime = 0.0,
) -> float:
    r"""Mean wall time of a chain of tasks with checkpoints after some of them.

    .. math:: E[T] = \sum_{\text{segments}} e^{\lambda R} (1/\lambda + D)
        \left(e^{\lambda (\sum w + C)} - 1\right)

    Parameters
    ----------
    works : array_like, [time]
        Failure-free time of each task; >= 0, some > 0. Shape (tasks,).
    checkpoint_after : array_like of bool, [-]
        After which tasks a checkpoint is written. Shape (tasks,).
    mtbf : float, [time]
        1/lambda, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_costs, recovery_costs : array_like, [time]
        C and R, to write the checkpoint after each task and to read it back; >= 0. A number, or
        shape (tasks,).
    input_recovery : float, [time]
        R of the first segment, to read the input back after a failure; >= 0.
    downtime : float or Lifetime, [time]
        D, fixed and >= 0, or a law of which the mean enters.

    Returns
    -------
    float, [time]
        Overflow gives inf.

    Raises
    ------
    ValueError
        If arrays differ in length.

    Notes
    -----
    Exact. Exponential uptimes only; failures strike tasks, checkpoints and recoveries.
    Source: [1]_; derived for segments as `expected_makespan`; the paper was not read.

    Judged for works/mtbf 0.001 to 1, checkpoint_costs/mtbf 0.001 to 1, recovery_costs/mtbf 0.001 to
    1, input_recovery/mtbf 0.001 to 1, downtime/mtbf 0.001 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Toueg and O. Babaoglu, "On the optimum checkpoint selection problem", SIAM Journal on
       Computing 13(3), 1984.

    Examples
    --------
    >>> mean = expected_makespan_chain(
    ...     [3.0, 2.0, 5.0], checkpoint_after=[False, True, False], mtbf=20.0, checkpoint_costs=0.1
    ... )
    >>> round(mean, 4)
    11.4897
    """
    chain = checked_chain(
        works,
        mtbf=mtbf,
        checkpoint_costs=checkpoint_costs,
        recovery_costs=recovery_costs,
        input_recovery=input_recovery,
        downtime=downtime,
    )
    return _summed(chain, checkpoint_after, expected_makespan)


def makespan_variance_chain(
    works: ArrayLike,
    *,
    checkpoint_after: npt.ArrayLike,
    mtbf: float,
    checkpoint_costs: ArrayLike,
    recovery_costs: ArrayLike = 0.0,
    input_recovery: float = 0.0,
    downtime: float | Lifetime = 0.0,
) -> float:
    r"""Variance of the wall time of a chain of tasks with checkpoints after some of them.

    .. math:: V[T] = \sum_{\text{segments}} V[S]

    with V[S] as for a job of one segment, `makespan_variance`.

    Parameters
    ----------
    works : array_like, [time]
        Failure-free time of each task; >= 0, some > 0. Shape (tasks,).
    checkpoint_after : array_like of bool, [-]
        After which tasks a checkpoint is written. Shape (tasks,).
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_costs, recovery_costs : array_like, [time]
        To write the checkpoint after each task and to read it back; >= 0. A number, or shape
        (tasks,).
    input_recovery : float, [time]
        To read the input back after a failure; >= 0.
    downtime : float or Lifetime, [time]
        Fixed and >= 0, or a law of which mean and variance enter.

    Returns
    -------
    float, [time^2]
        Overflow gives inf.

    Raises
    ------
    ValueError
        If arrays differ in length.

    Notes
    -----
    Exact, as `expected_makespan_chain`.
    Source: derived for segments as `makespan_variance`, the model of [1]_.

    Judged for works/mtbf 0.001 to 1, checkpoint_costs/mtbf 0.001 to 1, recovery_costs/mtbf 0.001 to
    1, input_recovery/mtbf 0.001 to 1, downtime/mtbf 0.001 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Toueg and O. Babaoglu, "On the optimum checkpoint selection problem", SIAM Journal on
       Computing 13(3), 1984.

    Examples
    --------
    >>> variance = makespan_variance_chain(
    ...     [3.0, 2.0, 5.0], checkpoint_after=[False, True, False], mtbf=20.0, checkpoint_costs=0.1
    ... )
    >>> round(variance, 4)
    5.5457
    """
    chain = checked_chain(
        works,
        mtbf=mtbf,
        checkpoint_costs=checkpoint_costs,
        recovery_costs=recovery_costs,
        input_recovery=input_recovery,
        downtime=downtime,
    )
    return _summed(chain, checkpoint_after, makespan_variance)


def _summed(
    chain: Chain, checkpoint_after: npt.ArrayLike, moment: Callable[..., FloatArray]
) -> float:
    """Return the sum of a moment over the segments of a chain."""
    try:
        flags = np.asarray(checkpoint_after)
    except ValueError:  # lists of different lengths
        flags = np.empty(0)
    if flags.dtype != np.bool_ or flags.shape != chain.works.shape:
        raise ValueError(
            f"checkpoint_after must be {chain.works.size} flags, one for each task, "
            f"got {shown(checkpoint_after)}"
        )
    last = np.union1d(np.flatnonzero(flags), chain.works.size - 1)
    first = np.append(0, last[:-1] + 1)
    with np.errstate(all="ignore"):
        return float(np.sum(chain.segments(first, last, flags[last], moment)))


def checked_chain(
    works: ArrayLike,
    *,
    mtbf: float,
    checkpoint_costs: ArrayLike,
    recovery_costs: ArrayLike,
    input_recovery: float,
    downtime: float | Lifetime,
) -> Chain:
    """Check the arguments of a chain."""
    tasks = nonnegative("works", works)
    if tasks.ndim != 1 or not (tasks > 0.0).any():
        raise ValueError(f"works must be a list of times, some of them > 0, got {shown(works)}")

    def each(name: str, value: ArrayLike) -> FloatArray:
        costs = nonnegative(name, value)
        if costs.ndim and costs.shape != tasks.shape:
            raise ValueError(
                f"{name} must be a number or {tasks.size} numbers, one for each task, "
                f"got {costs.size}"
            )
        return np.broadcast_to(costs, tasks.shape)

    back = scalar(nonnegative, "input_recovery", input_recovery)
    if not isinstance(downtime, Lifetime):
        downtime = scalar(nonnegative, "downtime", downtime)
    return Chain(
        tasks,
        scalar(positive_or_inf, "mtbf", mtbf),
        each("checkpoint_costs", checkpoint_costs),
        np.append(back, each("recovery_costs", recovery_costs)),
        downtime,
    )


RANGES = {
    f"{name}/mtbf": (1e-3, 1.0)
    for name in ("works", "checkpoint_costs", "recovery_costs", "input_recovery", "downtime")
}
ROWS = tuple(
    Formula(
        function,
        "derived",
        "segments of a chain",
        "exact",
        ranges=RANGES,
        trend=Trend(rising=("input_recovery",), falling=()),
    )
    for function in (expected_makespan_chain, makespan_variance_chain)
)
