r"""Parallel tasks that meet several times: after each phase they wait for the slowest.

Each phase gives every task an equal share of its work, cut into segments with a checkpoint after
each, the last one included, so that what was done before a barrier is never lost. A node fails
while it computes, checkpoints or recovers, which sets back its own task only; a node that waits at
a barrier does not fail. The phases are then independent and alike.
"""

from __future__ import annotations

from .._checks import nonnegative, positive, positive_or_inf, scalar, whole
from ..completion import exact_makespan
from ..formula import Formula, Trend
from .tasks import slowest_of


def expected_makespan_phases(
    work: float,
    *,
    phases: int,
    tasks: int,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
) -> float:
    r"""Mean wall time of parallel tasks that wait for each other after every phase.

    .. math:: B \int_0^\infty \left[1 - F(t)^m\right] dt

    with F the law of `exact_makespan` for the work W/B of one task in one phase.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of each task, over all phases; > 0.
    phases : int, [-]
        B, a whole number >= 1.
    tasks : int, [-]
        m, each on a node of its own; a whole number >= 1.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From W/B on, inf too: checkpoints at
        barriers only.
    mtbf : float, [time]
        mu of one node, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : float, [time]
        C and R; >= 0.
    downtime : float, [time]
        D, after each failure; >= 0.

    Returns
    -------
    float, [time]
        inf where a float cannot hold it.

    Notes
    -----
    Exact but for the error of the law, see `exact_makespan` and `slowest_of`. One phase is the
    slowest of m tasks; one task is `expected_makespan`. Nodes that fail while they wait would
    make it longer.
    Source: derived: the phases are independent, as every node starts each of them up.

    Judged for phases 1 to 10, tasks 1 to 30, work/mtbf 0.2 to 4, interval/mtbf 0.05 to 4,
    checkpoint_cost/mtbf 0.01 to 0.2, recovery_cost/mtbf 0.01 to 0.3, downtime/mtbf 0.01 to 0.5.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007: eq. (8), the slowest of several tasks.

    Examples
    --------
    >>> job = {"interval": 5.0, "mtbf": 50.0, "checkpoint_cost": 0.2}
    >>> t = expected_makespan_phases(
    ...     20.0, phases=4, tasks=16, **job, recovery_cost=0.3, downtime=0.5
    ... )
    >>> round(t, 8)
    35.55193521
    """
    count = scalar(whole, "phases", phases)
    law = exact_makespan(
        scalar(positive, "work", work) / count,
        interval=scalar(positive_or_inf, "interval", interval),
        mtbf=scalar(positive_or_inf, "mtbf", mtbf),
        checkpoint_cost=scalar(nonnegative, "checkpoint_cost", checkpoint_cost),
        recovery_cost=scalar(nonnegative, "recovery_cost", recovery_cost),
        downtime=scalar(nonnegative, "downtime", downtime),
    )
    return float(count * slowest_of(law, scalar(whole, "tasks", tasks)).mean)


ROWS = (
    Formula(
        expected_makespan_phases,
        "derived",
        "phases of (8) of wsj",
        "exact",
        ranges={
            "phases": (1.0, 10.0),
            "tasks": (1.0, 30.0),
            "work/mtbf": (0.2, 4.0),
            "interval/mtbf": (0.05, 4.0),
            "checkpoint_cost/mtbf": (0.01, 0.2),
            "recovery_cost/mtbf": (0.01, 0.3),
            "downtime/mtbf": (0.01, 0.5),
        },
        trend=Trend(
            rising=("tasks", "checkpoint_cost", "recovery_cost", "downtime"), falling=("mtbf",)
        ),
    ),
)
