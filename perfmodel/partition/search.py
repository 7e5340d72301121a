"""Which machines to use: exhaustive search, bisection along an order, and the simple rules."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from .._checks import ArrayLike, FloatArray, whole
from ..validity import Range
from ._slowest import slowest_moments
from .machines import Machines
from .schedule import IntArray, Prefixes, Schedule, indices, load, single

__all__ = [
    "SEARCH_RANGE",
    "schedule_bisection",
    "schedule_exhaustive",
    "schedule_random",
    "schedule_reliability",
    "schedule_speed",
    "schedule_speed_reliability",
]

# Of the objective against exhaustive search, for 2 to 6 machines whose repairs deviate by up to
# four times their mean.
SEARCH_RANGE = Range("mttr/mtbf", 0.01, 0.15)

_ALL = 128  # numbers of machines up to which a scan looks at every one
_SAMPLED = 100  # numbers of machines a scan looks at beyond
_FINE = 400  # and how finely it then looks around the best, relative to the number
_CELLS = 1 << 15  # sets times machines evaluated at once


def schedule_exhaustive(
    work: float, machines: Machines, *, processes: int | None = None, most_sets: int = 200_000
) -> Schedule:
    r"""Best set of machines for a parallel job, by looking at every set.

    .. math:: S^* = \arg\min_S E[T_S] (1 + \text{CoV}[T_S])

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
        If an argument is outside the range given above, or the sets are more than `most_sets`:
        C(q, p), or 2^q - 1 for any number of processes.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact as a minimum of the objective of `evaluate_set`: Fig. 6 of [1]_. Sets are taken by
    falling total speed, and the search ends where the mean of a subtask alone, which no
    objective can fall short of, is no better than the best found.

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
    total = single("work", work)
    everyone = indices("chosen", None, machines)
    count = _processes(processes, machines)
    number = 2**everyone.size - 1 if count is None else math.comb(everyone.size, count)
    limit = int(whole("most_sets", most_sets))
    if number > limit:
        raise ValueError(
            f"machines must have at most most_sets = {limit} sets to search, got {number}"
            f" ({everyone.size} machines{'' if count is None else f', {count} processes'})"
        )
    members = _sets(everyone.size, count)
    speed = machines.effective_speed
    # In blocks, because a product makes floats of all the flags it is given.
    blocks = np.array_split(members, 1 + members.size // _CELLS)
    bounds = total / np.concatenate([block @ speed for block in blocks])
    best, winner, evaluated = math.inf, -1, 0
    first = np.argsort(bounds, kind="stable")
    batch = max(1, _CELLS // everyone.size)
    size = min(batch, 64)
    while first.size and bounds[first[0]] < best:
        now, first = first[:size], first[size:]
        now = now[bounds[now] < best]
        shares = members[now] * speed * bounds[now, None]
        # A machine with nothing to do still needs a law: it is left out by its count of 0.
        tasks = machines.subtasks(np.where(members[now], shares, total))
        mean, std = slowest_moments(tasks, members[now].astype(np.float64))
        evaluated += now.size
        at = int(np.argmin(mean + std))
        if float((mean + std)[at]) < best:
            best, winner = float((mean + std)[at]), int(now[at])
        size = batch
    chosen = np.flatnonzero(members[winner])
    found = Prefixes(total, machines, chosen).schedule(chosen.size)
    return replace(found, sets_evaluated=evaluated)


def schedule_bisection(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    r"""Machines for a parallel job by falling effective speed, as many as pay.

    .. math:: x^* = \arg\min_x f(C(x)), \quad C(x) = \{c_1, \ldots, c_x\}

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

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Warns
    -----
    ValidityWarning
        Beyond mttr/mtbf = 0.01.

    Notes
    -----
    Approximation of `schedule_exhaustive` by Fig. 7 of [1]_: in random systems of up to 6
    machines the objective is within 15 % of the best for a given number, 8 % for one searched
    for, and mostly equal to it. The figure is
    corrected in three places. The sort key is the available power of
    its section 4; the figure has (1 - rho_c) for (1 - rho_f). The upper end of the bisection,
    w/(4(mu_f + mu_c)) with an index k that nothing binds, is taken with the mean over machines
    of the work that a repair and a rework displace, tau (mu_f + mu_c). Bisection assumes a
    single minimum; a scan follows, of every number of machines up to 128, else of a hundred
    numbers in equal ratios, refined around the best three. In random systems with the paper's
    speeds, failures and repairs the upper end made bisection miss the best number in 2 of 5;
    without it 7 % of those of 20 to 60 machines were missed, and 2 of 3 where repairs take 1 to
    30 % of the mtbf. The order can be wrong, too, as it does not look at variance; unreliable
    machines can then cost a factor.

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
    SEARCH_RANGE.warn("schedule_bisection", load(machines))
    return _along(work, machines, machines.effective_speed, processes)


def schedule_random(
    work: float, machines: Machines, *, order: ArrayLike, processes: int | None = None
) -> Schedule:
    """Take machines in an order that somebody else has drawn.

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    order : array_like of int, [-]
        Distinct indices, such as ``rng.permutation(len(machines))``: nothing here draws a
        random number.
    processes : int, optional, [-]
        How many of the order to use; searched for as in `schedule_bisection`, if not given.

    Returns
    -------
    Schedule
        As `schedule_bisection`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with shares by
    `equal_time_partition`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=500.0, mttr=2.0)
    >>> schedule_random(100.0, machines, order=[2, 0, 1], processes=2).chosen.tolist()
    [2, 0]
    """
    drawn = indices("order", order, machines)
    return _search(single("work", work), machines, drawn, processes)


def schedule_speed(work: float, machines: Machines, *, processes: int | None = None) -> Schedule:
    """Take the fastest machines, whatever their failures.

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        How many to use; searched for as in `schedule_bisection`, if not given.

    Returns
    -------
    Schedule
        As `schedule_bisection`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with shares
    by `equal_time_partition`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 500.0, 5.0], mttr=2.0)
    >>> schedule_speed(100.0, machines, processes=2).chosen.tolist()
    [2, 1]
    """
    indices("chosen", None, machines)
    return _along(work, machines, machines.columns[0], processes)


def schedule_reliability(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    """Take the machines least likely to fail.

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        How many to use; searched for as in `schedule_bisection`, if not given.

    Returns
    -------
    Schedule
        As `schedule_bisection`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, where
    reliability is the probability of no failure during execution, exp(-t/mtbf). It ranks
    machines by mtbf whatever t is.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 400.0, 5.0], mttr=2.0)
    >>> schedule_reliability(100.0, machines, processes=2).chosen.tolist()
    [0, 1]
    """
    indices("chosen", None, machines)
    return _along(work, machines, machines.columns[1], processes)


def schedule_speed_reliability(
    work: float, machines: Machines, *, processes: int | None = None
) -> Schedule:
    """Take machines by speed times reliability.

    Parameters
    ----------
    work : float, [work]
        The whole job; > 0.
    machines : Machines, [-]
        The idle machines, q of them.
    processes : int, optional, [-]
        How many to use; searched for as in `schedule_bisection`, if not given.

    Returns
    -------
    Schedule
        As `schedule_bisection`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Bound from above on the best objective: a baseline of section 5 of [1]_, with
    reliability exp(-t/mtbf). The paper does not give t: here it is the time without failures on
    `processes` machines (all, if not given) of average speed.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> machines = Machines(speed=[1.0, 2.0, 3.0], mtbf=[500.0, 400.0, 5.0], mttr=2.0)
    >>> schedule_speed_reliability(100.0, machines, processes=2).chosen.tolist()
    [1, 0]
    """
    indices("chosen", None, machines)
    speed, mtbf = machines.columns[:2]
    count = _processes(processes, machines) or len(machines)
    time = single("work", work) / (count * float(np.mean(speed)))
    # In logarithms, so that hopeless machines still have an order.
    return _along(work, machines, np.log(speed) - time / mtbf, processes)


def _along(work: float, machines: Machines, key: FloatArray, processes: int | None) -> Schedule:
    order = np.argsort(-key, kind="stable")
    return _search(single("work", work), machines, order, processes)


def _search(work: float, machines: Machines, order: IntArray, processes: int | None) -> Schedule:
    """Use the first `processes` of the order, or the best number found."""
    count = _processes(processes, machines, most=order.size)
    prefixes = Prefixes(work, machines, order)
    if count is not None:
        return prefixes.schedule(count)
    plain = _bisect(prefixes, _upper_end(work, machines.take(order)))
    best = _scan(prefixes, order.size, plain)
    return prefixes.schedule(best, plain=plain)


def _upper_end(work: float, machines: Machines) -> int:
    speed, _, mttr, *_ = machines.columns
    displaced = float(np.mean(speed * (mttr + machines.rework_mean)))
    if 4.0 * displaced * len(machines) <= work:
        return len(machines)
    return max(1, int(work / (4.0 * displaced)))


def _bisect(prefixes: Prefixes, upper: int) -> int:
    """Return where Fig. 7's bisection ends."""
    f, a, b = prefixes.objective, 1, upper
    while b - a > 1:
        c = (a + b) // 2
        least = min(f(a), f(b), f(c))
        if f(a) == least:
            b = c
        elif f(b) == least:
            a = c
        elif f(c) < f(c + 1):
            b = c
        else:
            a = c
    return a if f(a) <= f(b) else b


def _scan(prefixes: Prefixes, most: int, start: int) -> int:
    """Return the best number of machines among all, or among many and what lies between."""
    best = start

    def look(count: int) -> float:
        nonlocal best
        # No objective is below the mean of a single subtask.
        if prefixes.subtask_time(count) >= prefixes.objective(best):
            return math.inf
        if prefixes.objective(count) < prefixes.objective(best):
            best = count
        return prefixes.objective(count)

    if most <= _ALL:
        for count in range(1, most + 1):
            look(count)
        return best
    ratios = np.geomspace(1.0, most, _SAMPLED)
    grid = [int(count) for count in np.unique(np.round(ratios))]
    values = [look(count) for count in grid]
    valleys = [
        at
        for at in range(len(grid))
        if values[at] < math.inf and values[at] == min(values[max(0, at - 1) : at + 2])
    ]
    for at in sorted(valleys, key=lambda at: values[at])[:3]:
        low, high = grid[max(0, at - 1)], grid[min(len(grid) - 1, at + 1)]
        middle = grid[at]
        while high - low > max(2, middle // _FINE):
            left, right = (low + middle) // 2, (middle + high + 1) // 2
            around = (low, left, middle, right, high)
            nearest = min((left, middle, right), key=look)
            place = around.index(nearest)
            low, middle, high = around[max(0, place - 1)], nearest, around[min(4, place + 1)]
    return best


def _sets(machines: int, processes: int | None) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return every set as a row of flags."""
    if processes is None:
        codes = np.arange(1, 2**machines)
        return np.asarray(codes[:, None] >> np.arange(machines) & 1, dtype=np.bool_)
    chosen = np.array(list(itertools.combinations(range(machines), processes)))
    flags = np.zeros((len(chosen), machines), dtype=np.bool_)
    np.put_along_axis(flags, chosen, True, axis=1)
    return flags


def _processes(value: int | None, machines: Machines, *, most: int | None = None) -> int | None:
    if value is None:
        return None
    array = whole("processes", value)
    limit = len(machines) if most is None else most
    if array.ndim != 0 or array > limit:
        raise ValueError(
            f"processes must be a whole number <= {limit}, one per machine, got {value!r}"
        )
    return int(array)
