"""Choice of machines by local search: put one in, take one out, exchange two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray, IntArray, positive, scalar
from .._ranges import NEVER_FAIL, WILD_FLEET
from ..formula import Formula, Trend
from ..validity import Range
from ._neighbours import moves_from
from ._order import number_of, search
from .machines import Machines
from .schedule import Prefixes, Schedule, indices, load

# Of the objective against exhaustive search, for random systems of up to 10 machines.
LOCAL_RANGE = Range("mttr/mtbf", 0.4, 0.02)

_GAIN = 1e-9  # relative; less is rounding
_TRIED = 4  # changes of one or two machines that are computed before a search ends

Flags = npt.NDArray[np.bool_]


def schedule_local(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
    r"""Machines for a parallel job, such that no machine more, less or other is better.

    .. math::
        f(S^*) \le f(S^* \cup \{i\}),\ f(S^* \setminus \{j\}),\
        f(S^* \setminus \{j\} \cup \{i\}), \quad f(S) = E[T_S] (1 + \text{CoV}[T_S])

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        Number of subtasks; searched for, if not given. If given, machines are exchanged only.

    Returns
    -------
    Schedule
        `chosen` in rising order; `sets_evaluated` counts sets computed one by one.

    Warns
    -----
    ValidityWarning
        Beyond mttr/mtbf = 0.4.

    Notes
    -----
    Approximation of `schedule_exhaustive`. An order by speed ignores how rare, long repairs make
    one machine hold up all others: `schedule_bisection` was up to 13 times the best objective in
    random systems with mtbfs over three decades and a cv of repairs up to 30. Here that answer, and
    those along two orders by the deviation of a subtask, with and without its speed, are each
    improved until no change of one machine helps. In 190 random systems of 3 to 13 such machines
    the result was the best set; only 2 % are promised, because nothing is proved. Up to 32 machines
    all changes are computed; beyond, they are estimated from the laws of the subtasks before the
    change, and the best are computed, many changes at once while that pays.
    Source: derived; the objective is that of [1]_, section 4.

    Judged for mttr/mtbf 0.001 to 0.4, mttr_cv 0 to 30, interval/mtbf 0.001 to 1,
    checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, mtbf/shortest mtbf 1 to 10000,
    speed/slowest speed 1 to 100, in a model in which rework and checkpoints never fail. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    The fast machine is down for long, though rarely.

    >>> machines = Machines(speed=[5.0, 4.0, 4.0], mtbf=900.0, mttr=[90.0, 2.0, 2.0],
    ...                     mttr_cv=[20.0, 1.0, 1.0], interval=2.0)
    >>> schedule_local(900.0, machines).chosen.tolist()
    [1, 2]
    """
    total = scalar(positive, "work", work)
    indices("chosen", None, machines)
    LOCAL_RANGE.warn("schedule_local", load(machines))
    count = number_of(processes, machines)
    sets = _Sets(total, machines)
    along_speed = search(total, machines, _falling(machines.effective_speed), count)
    orders = _orders(machines, along_speed.subtask_time)
    starts = [along_speed, *(search(total, machines, order, count) for order in orders)]
    ends = []
    for start in starts:
        members = np.zeros(len(machines), dtype=np.bool_)
        members[start.chosen] = True
        if members not in sets:  # else an earlier search passed by
            ends.append(_descend(members, sets, swaps_only=count is not None))
    chosen = np.flatnonzero(min(ends, key=sets.objective))
    schedule = Prefixes(total, machines, chosen).schedule(chosen.size)
    return replace(schedule, sets_evaluated=len(sets) + sum(s.sets_evaluated for s in starts))


class _Sets:
    """Objectives of sets, computed once each."""

    def __init__(self, work: float, machines: Machines) -> None:
        self.work, self.machines = work, machines
        self._known: dict[bytes, float] = {}

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, members: Flags) -> bool:
        return members.tobytes() in self._known

    def objective(self, members: Flags) -> float:
        key = members.tobytes()
        if key not in self._known:
            chosen = np.flatnonzero(members)
            prefixes = Prefixes(self.work, self.machines, chosen)
            self._known[key] = prefixes.objective(chosen.size)
        return self._known[key]


def _orders(machines: Machines, time: float) -> list[IntArray]:
    """Return orders by the deviation of a subtask of this mean, and by speed beside it."""
    speed = machines.effective_speed
    with np.errstate(all="ignore"):
        tasks = machines.subtasks(time * speed)
        # In units of the mean: rare long repairs are what an effective speed leaves out.
        lost = tasks.scale / time * np.sqrt(tasks.failing * tasks.shape * (tasks.shape + 1.0))
    lost = np.nan_to_num(lost, nan=1e300, posinf=1e300)
    return [_falling(-lost), _falling(speed / (1.0 + lost))]


def _falling(key: FloatArray) -> IntArray:
    return np.argsort(-key, kind="stable")


def _descend(members: Flags, sets: _Sets, *, swaps_only: bool) -> Flags:
    """Return a set that no single change improves."""
    best = sets.objective(members)
    while True:
        moves = moves_from(sets.work, sets.machines, members, swaps_only=swaps_only)
        out, into = moves.several(best)
        found = None
        several = out.size
        while several > 1 and found is None:  # many at once, while that pays
            found = _better(members, out[:several], into[:several], sets, best)
            several //= 4
        for at in range(min(_TRIED, moves.out.size)):
            if found is None:
                found = _better(members, moves.out[[at]], moves.into[[at]], sets, best)
        if found is None:
            return members
        members, best = found, sets.objective(found)


def _better(
    members: Flags, out: IntArray, into: IntArray, sets: _Sets, best: float
) -> Flags | None:
    changed = members.copy()
    changed[out[out >= 0]] = False
    changed[into[into >= 0]] = True
    if not changed.any():
        return None
    return changed if sets.objective(changed) < best * (1.0 - _GAIN) else None


ROWS = (
    Formula(
        schedule_local,
        "derived",
        "insert, remove, exchange",
        "approximation",
        LOCAL_RANGE,
        ranges=WILD_FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
)
