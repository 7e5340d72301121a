"""After which tasks of a chain to write a checkpoint, by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ArrayLike, BoolArray, flag
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..makespan import expected_makespan
from .makespan import RANGES, checked_chain

_MOST = 5000  # tasks; the time rises with their square


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """Where to write checkpoints in a chain.

    Parameters
    ----------
    checkpoint_after : ndarray of bool, [-]
        After which tasks; shape (tasks,).
    expected_makespan : float, [time]
        The mean that this brings; inf where it overflows.
    """

    checkpoint_after: BoolArray
    expected_makespan: float


def optimal_checkpoints_chain(
    works: ArrayLike,
    *,
    mtbf: float,
    checkpoint_costs: ArrayLike,
    recovery_costs: ArrayLike = 0.0,
    input_recovery: float = 0.0,
    downtime: float | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> ChainPlan:
    r"""Checkpoints that minimise the mean makespan of a chain of tasks.

    .. math:: E_j = \min_{i \le j} E_{i-1} + E[S_{i..j}]

    over the segments of tasks i to j that end with the checkpoint after j.

    Parameters
    ----------
    works : array_like, [time]
        Failure-free time of each task; >= 0, some > 0. Shape (tasks,), at most 5000.
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_costs, recovery_costs : array_like, [time]
        To write the checkpoint after each task and to read it back; >= 0. A number, or shape
        (tasks,).
    input_recovery : float, [time]
        To read the input back after a failure; >= 0.
    downtime : float or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether a checkpoint follows the last task.

    Returns
    -------
    ChainPlan
        Of equal plans one with longer segments. A mean that overflows is inf.

    Raises
    ------
    ValueError
        If arrays differ in length.

    Notes
    -----
    Exact, in a time that rises with the square of the tasks. Of a graph of tasks that is not a
    chain the best checkpoints are hard to find.
    Source: [1]_, derived anew; the paper was not read.

    Judged for works/mtbf 0.001 to 1, checkpoint_costs/mtbf 0.001 to 1, recovery_costs/mtbf 0.001 to
    1, input_recovery/mtbf 0.001 to 1, downtime/mtbf 0.001 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Toueg and O. Babaoglu, "On the optimum checkpoint selection problem", SIAM Journal on
       Computing 13(3), 1984.

    Examples
    --------
    The checkpoint after the second task is cheap.

    >>> plan = optimal_checkpoints_chain(
    ...     [3.0, 2.0, 5.0], mtbf=20.0, checkpoint_costs=[2.0, 0.1, 2.0], final_checkpoint=False
    ... )
    >>> plan.checkpoint_after.tolist(), round(plan.expected_makespan, 4)
    ([False, True, False], 11.4897)
    """
    chain = checked_chain(
        works,
        mtbf=mtbf,
        checkpoint_costs=checkpoint_costs,
        recovery_costs=recovery_costs,
        input_recovery=input_recovery,
        downtime=downtime,
    )
    ending = flag("final_checkpoint", final_checkpoint)
    count = chain.works.size
    if count > _MOST:
        raise ValueError(f"works must be at most {_MOST} tasks, got {count}")
    unit, chain = chain.in_own_unit()
    best, previous = np.zeros(count + 1), np.zeros(count, dtype=np.intp)
    with np.errstate(all="ignore"):
        for j in range(count):
            first = np.arange(j + 1)
            written = np.full(j + 1, ending or j + 1 < count)
            segments = chain.segments(first, np.full(j + 1, j), written, expected_makespan)
            means = best[: j + 1] + segments
            previous[j] = int(np.argmin(means))
            best[j + 1] = means[previous[j]]
    after = np.zeros(count, dtype=np.bool_)
    j = count
    while j > 0:
        after[j - 1] = True
        j = int(previous[j - 1])
    after[-1] = ending
    return ChainPlan(after, unit * float(best[-1]))


ROWS = (
    Formula(
        optimal_checkpoints_chain,
        "derived",
        "dynamic programme over segments",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
)
