"""Objectives of many sets of machines at once.

Every subtask of a set takes the same mean time t, which decides the law of each machine's
subtask. So the logarithms of the cdfs are tabulated by machine, time since the start in multiples
of t, and a few Chebyshev points in log t; for a set they are added up, which is a product of
matrices, and interpolated. The integral of a set begins at its largest failure-free time: sets in
which this is the time of the same machine are computed together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._checks import FloatArray
from .._special import chebyshev
from ._slowest import farthest, log_cdfs, panels
from .machines import Machines

_POINTS = 6  # in log t
_RATIO = 1.5  # largest by smallest t of one table
_SETS = 2048  # at a time, to keep sums in the cache
_FLOOR = -80.0  # a cdf of e^-80 adds no digit, and logarithms stay finite

_CHEBYSHEV, _SIGNS = chebyshev(_POINTS)


def objectives(machines: Machines, members: npt.NDArray[np.bool_], times: FloatArray) -> FloatArray:
    """Return mean plus deviation of the slowest subtask of each set, within 1e-5, [time].

    `members` has a row of flags for each set, `times` its mean time of a subtask.
    """
    with np.errstate(all="ignore"):  # what a float cannot hold is inf
        return _objectives(machines, members, times)


def _objectives(
    machines: Machines, members: npt.NDArray[np.bool_], times: FloatArray
) -> FloatArray:
    stretch = machines.subtasks(machines.effective_speed).start  # at t = 1
    order = np.argsort(-stretch, kind="stable")
    latest = order[np.argmax(members[:, order], axis=1)]
    result = np.empty(times.shape)
    by_time = np.argsort(times, kind="stable")
    first = 0
    while first < times.size:
        low = times[by_time[first]]
        last = int(np.searchsorted(times[by_time], low * _RATIO, side="right"))
        window = by_time[first:last]
        for machine in np.unique(latest[window]):
            some = window[latest[window] == machine]
            result[some] = _of_one_start(
                machines, members[some], times[some], float(stretch[machine])
            )
        first = last
    return result


def _of_one_start(
    machines: Machines, members: npt.NDArray[np.bool_], times: FloatArray, stretch: float
) -> FloatArray:
    logs = np.log(times)
    middle, half = 0.5 * (logs.max() + logs.min()), max(0.5 * np.ptp(logs), 1e-9)
    nodes = np.exp(middle + half * _CHEBYSHEV)
    used = np.flatnonzero(members.any(axis=0))
    some = machines.take(used)
    tasks = some.subtasks(nodes[:, None] * some.effective_speed)
    start = stretch * nodes
    number = np.full(nodes.shape, float(used.size))
    far = farthest(tasks, tasks.failing, number, start) / nodes
    top = float(far.max())
    if not top > 0.0:
        return stretch * times
    x, weights, end = panels(tasks, tasks.failing, number, start, top * nodes)
    # Points in log t, times since the start, machines.
    at = nodes[:, None] * (stretch + top * x)
    table = np.maximum(log_cdfs(tasks, at), _FLOOR)
    gaps = (logs[:, None] - middle) / half - _CHEBYSHEV
    shares = _SIGNS / np.where(gaps == 0.0, 1e-300, gaps)
    shares /= shares.sum(axis=1)[:, None]
    result = np.empty(times.shape)
    for begin in range(0, times.size, _SETS):
        block = slice(begin, begin + _SETS)
        flags = members[block][:, used].astype(np.float64)
        total = np.zeros((len(flags), x.size))
        for point, share in zip(table, shares[block].T, strict=True):
            total += share[:, None] * (flags @ point.T)
        sf = -np.expm1(np.minimum(total, 0.0))
        rest = end * sf[:, -1]
        first = sf @ weights + rest
        second = sf @ (2.0 * weights * x) + end * rest
        spread = np.sqrt(np.maximum(second - first * first, 0.0))
        result[block] = times[block] * (stretch + top * (first + spread))
    return result
