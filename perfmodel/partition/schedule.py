"""What a schedule is, and the objective by which schedules are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, IntArray, positive, scalar, shown, whole
from .._ranges import LOAD, MILD_FLEET, NEVER_FAIL
from .._shown import rows_html
from ..formula import ANY, Formula, Trend
from ..validity import Range
from ._slowest import slowest_moments
from .machines import Machines

# Of the mean and the objective, for up to 30,000 machines with mttr/mtbf and mttr_cv as below.
# Only what the slowest subtask takes beyond the mean of one can be wrong.
SET_RANGE = Range("expected_time/subtask_time - 1", 0.1, 0.08)
_SHORT = Range("mttr/mtbf", 0.01, SET_RANGE.error)
_EVEN = Range("mttr_cv", 4.0, SET_RANGE.error)


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Which machines work on a parallel job, their shares, and how long it takes.

    Parameters
    ----------
    chosen : ndarray of int, [-]
        Indices of the machines, in the order in which the algorithm took them.
    shares : ndarray, [work]
        Work of each of them; they add up to the whole job.
    subtask_time : float, [time]
        Mean completion time of every subtask, the same for all; inf, as all times are, where a
        float cannot hold it.
    expected_time, std : float, [time]
        Mean and standard deviation of the completion of the slowest subtask, and so of the job.
    objective : float, [time]
        expected_time (1 + coefficient of variation) = expected_time + std.
    sets_evaluated : int, [-]
        Sets of machines for which the objective was computed.
    plain_processes : int, optional, [-]
        For a search along an order: the number of machines that bisection alone finds.
    plain_objective : float, optional, [time]
        The objective there.
    """

    chosen: IntArray
    shares: FloatArray
    subtask_time: float
    expected_time: float
    std: float
    sets_evaluated: int
    plain_processes: int | None = None
    plain_objective: float | None = None

    @property
    def objective(self) -> float:
        """Mean plus standard deviation, wsj's E (1 + coefficient of variation), [time]."""
        return self.expected_time + self.std

    @property
    def missed(self) -> bool:
        """Whether bisection without a scan would have stopped at a worse number of machines."""
        plain = self.plain_objective
        return plain is not None and plain > self.objective * (1.0 + 1e-9)

    def plot(self, ax: Any = None, *, unit: str | None = None) -> Any:
        """Draw the work of each machine, the largest share first; return the axes.

        `unit` names the unit of work at the axis; new axes are made where `ax` is None.
        ImportError without matplotlib, the extra `plot`.
        """
        from ..figures import draw_schedule

        return draw_schedule(self.chosen, self.shares, unit=unit, ax=ax)

    def __repr__(self) -> str:
        return (
            f"<schedule on {self.chosen.size:,} machines: mean {self.expected_time:.6g}, "
            f"std {self.std:.6g}, {self.sets_evaluated:,} sets evaluated>"
        )

    def _repr_html_(self) -> str:
        title = f"Mean {self.expected_time:.6g}, standard deviation {self.std:.6g}"
        rows = zip(self.chosen, self.shares, strict=True)
        return rows_html(title, ("machine", "work"), rows)


def equal_time_partition(work: ArrayLike, machines: Machines) -> FloatArray:
    r"""Shares of work that all machines finish at the same time, on average.

    .. math::
        w_k = w \frac{\tau_k/a_k}{\sum_j \tau_j/a_j}, \quad
        a_k = \frac{1}{1 - \rho_{f,k}} + \rho_{c,k} + \frac{\alpha_k}{\gamma_k}

    with rho_f = lambda mu_f, rho_c = lambda mu_c.

    Parameters
    ----------
    work : array_like, [work]
        w, the whole job; > 0.
    machines : Machines, [-]
        Those that take part.

    Returns
    -------
    ndarray, [work]
        Shape: that of `work`, and a last axis over the machines.

    Notes
    -----
    Exact inside the model of `wsj_mean`: eq. (14) of [1]_, which has no storage cost alpha; here
    it is part of the slowdown, as in eq. (12).

    Judged for mttr/mtbf 1e-6 to 0.999, and any other ratio from 1e-6 to 1e6, in a model in which
    rework and checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 5.0], mtbf=512.0, mttr=2.0, interval=2.0)
    >>> equal_time_partition(800.0, machines).round(6).tolist()
    [100.0, 200.0, 500.0]
    """
    total = positive("work", work)
    if not isinstance(machines, Machines):
        raise TypeError(f"machines must be Machines, got {shown(machines)}")
    speed = machines.effective_speed
    share = speed / np.max(speed)  # or their sum might overflow
    return np.asarray(total[..., None] * (share / np.sum(share)))


def evaluate_set(work: float, machines: Machines, chosen: ArrayLike | None = None) -> Schedule:
    r"""Schedule a job on given machines: shares by eq. (14), the slowest task by eq. (8).

    .. math:: P(T \le t) = \prod_k P(T_k \le t), \quad f = E[T] (1 + \sqrt{V[T]}/E[T])

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        All there are.
    chosen : array_like of int, optional, [-]
        Indices of those to use; all, if not given.

    Returns
    -------
    Schedule
        With `sets_evaluated` 1.

    Raises
    ------
    ValueError
        If `chosen` is empty, repeats or is out of range.

    Warns
    -----
    ValidityWarning
        Beyond expected_time/subtask_time - 1 = 0.1. Also beyond mttr/mtbf = 0.01 or mttr_cv = 4.

    Notes
    -----
    Approximation: each task is an atom and a Gamma law of exact mean and variance
    (`wsj_makespan`). Without a warning mean and objective are within 8 % of those of `wsj_compound`
    tasks, for up to 30,000 machines with gamma repairs; of up to three machines within 1 %. The
    slowest of many short tasks may be farther off: of 1,000 with mttr/mtbf = 0.01, mttr_cv = 4 and
    a tenth of an mtbf of work each by 11 %, the objective by 19 %. The maximum itself is integrated
    to 1e-7 relative.
    Source: [1]_, sections 2 and 4.

    Judged for mttr/mtbf 0.001 to 0.01, mttr_cv 0.5 to 4, interval/mtbf 0.001 to 1,
    checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=1.0, mtbf=[512.0] * 128, mttr=2.0, interval=2.0)
    >>> found = evaluate_set(128.0 * 128, machines)
    >>> round(found.subtask_time, 2), round(found.expected_time, 2), round(found.std, 2)
    (128.75, 138.18, 2.66)
    """
    order = indices("chosen", chosen, machines)
    some = machines.take(order)
    found = Prefixes(scalar(positive, "work", work), machines, order).schedule(order.size)
    _SHORT.warn("evaluate_set", load(some))
    _EVEN.warn("evaluate_set", some.columns[3])
    with np.errstate(all="ignore"):
        later = np.divide(found.expected_time, found.subtask_time) - 1.0
    SET_RANGE.warn("evaluate_set", later)
    return found


class Prefixes:
    """Schedules on the first x machines of an order, computed when asked for and kept."""

    def __init__(self, work: float, machines: Machines, order: IntArray) -> None:
        self._work, self._order = work, order
        self._ordered = machines.take(order)
        self._speed = self._ordered.effective_speed
        self._total = np.cumsum(self._speed)
        if not self._total[0] > 0.0:
            raise ValueError(
                "machines must each do some work within any time that a float can hold, "
                f"got an effective speed of {float(self._total[0])!r}: leave such machines out"
            )
        self._known: dict[int, tuple[float, float]] = {}
        # Machines come in batches of the same kind: each kind is computed once.
        self._kind: IntArray = np.arange(order.size)
        self._kinds: Machines | None = None
        columns = self._ordered.columns
        # One column alone often shows that there are too many kinds.
        if 2 * max(np.unique(column).size for column in columns) <= order.size:
            kinds, kind = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
            if 2 * len(kinds) <= order.size:
                self._kind, self._kinds = kind.reshape(-1), Machines(*kinds.T)

    @property
    def evaluated(self) -> int:
        """Number of sets computed so far."""
        return len(self._known)

    def subtask_time(self, count: int) -> float:
        """Return the mean completion time of each subtask: a lower bound of the objective."""
        with np.errstate(over="ignore"):
            return float(self._work / self._total[count - 1])

    def moments(self, count: int) -> tuple[float, float]:
        """Return mean and standard deviation of the slowest subtask, [time]."""
        if count not in self._known:
            time = self.subtask_time(count)
            if self._kinds is None:
                some = self._ordered.take(np.arange(count))
                mean, std = slowest_moments(some.subtasks(time * self._speed[:count]))
            else:
                counts = np.bincount(self._kind[:count], minlength=len(self._kinds))
                tasks = self._kinds.subtasks(time * self._kinds.effective_speed)
                mean, std = slowest_moments(tasks, counts.astype(np.float64))
            self._known[count] = float(mean), float(std)
        return self._known[count]

    def objective(self, count: int) -> float:
        """Return mean plus standard deviation, [time]."""
        mean, std = self.moments(count)
        return mean + std

    def schedule(self, count: int, *, plain: int | None = None) -> Schedule:
        """Return the schedule on the first `count` machines."""
        mean, std = self.moments(count)
        share = self._speed[:count] / self._total[count - 1]
        return Schedule(
            chosen=self._order[:count],
            shares=self._work * share,
            subtask_time=self.subtask_time(count),
            expected_time=mean,
            std=std,
            sets_evaluated=self.evaluated,
            plain_processes=plain,
            plain_objective=None if plain is None else self.objective(plain),
        )


def load(machines: Machines) -> FloatArray:
    """Return mttr/mtbf, the measure of the ranges here."""
    return machines.columns[2] / machines.columns[1]


def indices(name: str, chosen: ArrayLike | None, machines: Machines) -> IntArray:
    """Return distinct indices of machines, or raise naming the argument."""
    if not isinstance(machines, Machines):
        raise TypeError(f"machines must be Machines, got {shown(machines)}")
    if chosen is None:
        return np.arange(len(machines))
    found = np.atleast_1d(whole(name, chosen, least=0)).astype(np.intp)
    rule = f"distinct indices below {len(machines)}"
    if found.ndim != 1 or found.max() >= len(machines) or np.unique(found).size != found.size:
        raise ValueError(f"{name} must be {rule}, got {shown(found.tolist())}")
    return found


ROWS = (
    Formula(
        equal_time_partition,
        "wsj",
        "(14)",
        "exact",
        ranges={"mttr/mtbf": LOAD, "interval/mtbf": ANY, "checkpoint_cost/interval": ANY},
        within=NEVER_FAIL,
        trend=Trend(rising=("work",)),
    ),
    Formula(
        evaluate_set,
        "wsj",
        "(5)-(8), (14)",
        "approximation",
        SET_RANGE,
        ranges=MILD_FLEET,
        within=NEVER_FAIL,
        trend=Trend(rising=("work",)),
    ),
)
