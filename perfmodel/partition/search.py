"""Fault-aware choice of machines: exhaustive search, and a search along an order."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from .._checks import positive, scalar, whole
from .._ranges import FLEET, MILD_FLEET, NEVER_FAIL
from ..formula import Formula, Trend
from ..validity import Range
from ._order import along, number_of
from ._sweep import objectives
from .machines import Machines
from .schedule import Prefixes, Schedule, indices, load

# Of the objective against exhaustive search, for random systems of 2 to 6 machines whose repairs
# deviate by up to four times their mean.
SEARCH_RANGE = Range("max(mttr, interval/5)/mtbf", 0.01, 0.15)
_EVEN = Range("mttr_cv", 4.0, SEARCH_RANGE.error)
_ALIKE = Range("mtbf/shortest mtbf", 4.0, SEARCH_RANGE.error)

_CELLS = 1 << 18  # sets times machines evaluated at once
_AGAIN = 8  # sets of a batch that are computed on their own


def schedule_exhaustive(
    work: float, machines: Machines, *, processes: int | None = None, most_sets: int = 200_000
) -> Schedule:
    r"""Best set of machines for a parallel job, by looking at every set.

    .. math:: S^* = \operatorname{arg}\min_S E[T_S] (1 + \text{CoV}[T_S])

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        p, number of subtasks, one per machine; any number from 1 to q, if not given.
    most_sets : int, [-]
        Refuse to search more sets than this.

    Returns
    -------
    Schedule
        `chosen` in rising order; `sets_evaluated` may be fewer than there are sets.

    Raises
    ------
    ValueError
        If the sets are more than `most_sets`: C(q, p), or 2^q - 1 for any number of processes.

    Notes
    -----
    Exact as a minimum of the objective of `evaluate_set`: Fig. 6 of [1]_. Sets are taken by
    falling total speed, and the search ends where the mean of a subtask alone, which no
    objective can fall short of, is not better than the best found.

    Judged for mttr/mtbf 0.001 to 0.4, mttr_cv 0.5 to 4, interval/mtbf 0.001 to 1,
    checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[5.0, 5.0, 4.0, 1.0], mtbf=[900.0, 900.0, 900.0, 20.0],
    ...                     mttr=10.0, interval=2.0)
    >>> schedule_exhaustive(5000.0, machines).chosen.tolist()
    [0, 1, 2]
    """
    total = scalar(positive, "work", work)
    everyone = indices("chosen", None, machines)
    count = number_of(processes, machines)
    number = 2**everyone.size - 1 if count is None else math.comb(everyone.size, count)
    limit = int(whole("most_sets", most_sets))
    if number > limit:
        raise ValueError(
            f"machines must have at most most_sets = {limit} sets to search, "
            f"got {_in_words(number)} "
            f"({everyone.size} machines{'' if count is None else f', {count} processes'})"
        )
    members = _sets(everyone.size, count)
    speed = machines.effective_speed
    # In blocks, because a product converts all its flags to floats.
    blocks = np.array_split(members, 1 + members.size // _CELLS)
    with np.errstate(over="ignore"):
        bounds = total / np.concatenate([block @ speed for block in blocks])
    best, winner, evaluated = math.inf, -1, 0
    first = np.argsort(bounds, kind="stable")
    batch = max(1, _CELLS // everyone.size)
    size = min(batch, 512)
    while first.size and bounds[first[0]] < best:
        now, first = first[:size], first[size:]
        now = now[bounds[now] < best]
        found = objectives(machines, members[now], bounds[now])
        evaluated += now.size
        # No slowest task is faster than a task on average: where the tables say so, they are wrong.
        found = np.maximum(found, bounds[now])
        # The tables err by up to 1e-5: sets near the best are computed again, one by one.
        near = now[np.argsort(found, kind="stable")[:_AGAIN]]
        near = near[np.sort(found)[:_AGAIN] <= min(best, found.min()) * (1.0 + 1e-4)]
        exact = [Prefixes(total, machines, np.flatnonzero(members[at])) for at in near]
        for at, one in zip(near, exact, strict=True):
            value = one.objective(int(members[at].sum()))
            if value < best:
                best, winner = value, int(at)
        size = min(batch, 4 * size)
    chosen = np.flatnonzero(members[winner])
    schedule = Prefixes(total, machines, chosen).schedule(chosen.size)
    return replace(schedule, sets_evaluated=evaluated)


def schedule_bisection(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    r"""Machines for a parallel job by falling effective speed, as many as pay.

    .. math:: x^* = \operatorname{arg}\min_x f(C(x)), \quad C(x) = \{c_1, \ldots, c_x\}

    with machines ordered by tau (1 - rho_f)/(1 + rho_c - rho_c rho_f).

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        Number of subtasks; searched for, if not given.

    Returns
    -------
    Schedule
        `plain_processes` and `plain_objective` say where bisection alone would have stopped,
        `missed` whether that is worse.

    Warns
    -----
    ValidityWarning
        Beyond max(mttr, interval/5)/mtbf = 0.01. Also beyond mttr_cv = 4 or mtbf/shortest mtbf = 4.

    Notes
    -----
    Approximation of `schedule_exhaustive` by Fig. 7 of [1]_: in random systems of up to 6 machines
    the objective is within 15 % of the best for a given number, 4 % for one searched for, and
    mostly equal to it, up to the limits above; beyond, with mtbfs over three decades, 74 %, with
    mttr_cv 30 three times the best; in systems made to be unfavourable it was 17 and 29 % above,
    for a number searched for and for a given one. In any system the best x machines take no less
    than the mean t_x of a subtask on the first x of the order, so the objective is at most max_x
    f(C(x))/t_x times the best. The figure is corrected in three places. The sort key is the
    available power of its section 4; the figure has (1 - rho_c) for (1 - rho_f). The upper end of
    the bisection, w/(4(mu_f + mu_c)) with an index k that the figure does not define, is taken with
    the mean over machines of the work lost to a repair and a rework, tau (mu_f + mu_c). Bisection
    assumes a single minimum; a scan follows, of every number of machines up to 128, else of a
    hundred numbers in equal ratios, refined around the best three. In random systems with the
    paper's speeds, failures and repairs the upper end made bisection miss the best number in 2 of
    5; without it bisection missed the best in 7 % of those of 20 to 60 machines, and in 2 of 3
    where repairs take 1 to 30 % of the mtbf. The order can be wrong, too, because it ignores the
    variance: with intervals as long as the mtbf the objective was up to three times the best.

    Judged for mttr/mtbf 0.001 to 0.01, mttr_cv 0.5 to 4, interval/mtbf 0.001 to 1,
    checkpoint_cost/interval 0.001 to 0.3, share/mtbf 0.1 to 10, mtbf/shortest mtbf 1 to 4, in a
    model in which rework and checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[5.0, 5.0, 4.0, 1.0], mtbf=900.0, mttr=2.0, interval=2.0)
    >>> found = schedule_bisection(50.0, machines)
    >>> found.chosen.tolist(), found.plain_processes, found.missed
    ([0, 1, 2, 3], 1, True)
    """
    indices("chosen", None, machines)
    mtbf, interval = machines.columns[1], machines.columns[4]
    with np.errstate(over="ignore"):
        measure = np.maximum(load(machines), interval / mtbf / 5.0)
        others = mtbf / np.min(mtbf)
    SEARCH_RANGE.warn("schedule_bisection", measure)
    _EVEN.warn("schedule_bisection", machines.columns[3])
    _ALIKE.warn("schedule_bisection", others)
    return along(work, machines, lambda idle: idle.effective_speed, processes)


def _in_words(number: int) -> str:
    """Return the number, or its power of ten: Python refuses to write out thousands of digits."""
    return str(number) if number < 10**40 else f"about 10^{math.floor(math.log10(number))}"


def _sets(machines: int, processes: int | None) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return every set as a row of flags."""
    if processes is None:
        codes = np.arange(1, 2**machines)
        return np.asarray(codes[:, None] >> np.arange(machines) & 1, dtype=np.bool_)
    chosen = np.array(list(itertools.combinations(range(machines), processes)))
    flags = np.zeros((len(chosen), machines), dtype=np.bool_)
    np.put_along_axis(flags, chosen, True, axis=1)
    return flags


ROWS = (
    Formula(
        schedule_exhaustive,
        "wsj",
        "Fig. 6",
        "exact",
        ranges=FLEET,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
    Formula(
        schedule_bisection,
        "wsj",
        "Fig. 7, corrected",
        "approximation",
        SEARCH_RANGE,
        ranges={**MILD_FLEET, "mtbf/shortest mtbf": (1.0, _ALIKE.limit)},
        within=NEVER_FAIL,
        trend=Trend(),
    ),
)
