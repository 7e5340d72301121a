"""Machines in an order, and how many of them to use: Fig. 7's bisection, and a scan."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._checks import FloatArray, IntArray, positive, scalar, shown, whole
from .machines import Machines
from .schedule import Prefixes, Schedule, indices

_ALL = 128  # numbers of machines up to which a scan looks at every one
_SAMPLED = 100  # numbers of machines that a scan looks at where there are more
_FINE = 400  # around the best it looks at steps down to this part of the number


def along(
    work: float,
    machines: Machines,
    key: Callable[[Machines], FloatArray],
    processes: int | None,
) -> Schedule:
    """Use machines by falling `key`, as many as asked for, or the best number found."""
    indices("chosen", None, machines)
    order = np.argsort(-key(machines), kind="stable")
    return search(work, machines, order, processes)


def search(work: float, machines: Machines, order: IntArray, processes: int | None) -> Schedule:
    """Use the first `processes` of the order, or the best number found."""
    total = scalar(positive, "work", work)
    count = number_of(processes, machines, most=order.size)
    prefixes = Prefixes(total, machines, order)
    if count is not None:
        return prefixes.schedule(count)
    plain = _bisect(prefixes, _upper_end(total, machines.take(order)))
    best = _scan(prefixes, order.size, plain)
    return prefixes.schedule(best, plain=plain)


def _upper_end(work: float, machines: Machines) -> int:
    speed, _, mttr, *_ = machines.columns
    with np.errstate(over="ignore"):
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
    """Return the best number of machines: of all, or of a grid refined around its best."""
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


def number_of(value: int | None, machines: Machines, *, most: int | None = None) -> int | None:
    if value is None:
        return None
    array = whole("processes", value)
    limit = len(machines) if most is None else most
    if array.ndim != 0 or array > limit:
        raise ValueError(
            f"processes must be a whole number <= {limit}, one per machine, got {shown(value)}"
        )
    return int(array)
