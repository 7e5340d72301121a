r"""The best pattern of checkpoints on any number of levels: which levels, how many, how often."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from ..formula import Formula, Trend
from .many import EscalationRule, Level, Machine, checked_for_a_pattern

_LEAST_COST = 1e-9  # mtbfs: a checkpoint that is free would be made all the time
_ROUNDS = 60
_FINE = np.linspace(-1.0, 1.0, 9)
_SHRINK = 0.3  # a little more than the distance of two points of `_FINE`
_PRECISE = 1e-8  # relative, of the interval; the mean then has all its digits


@dataclass(frozen=True, slots=True)
class LevelPattern:
    """When to write checkpoints on which level.

    Parameters
    ----------
    interval : float, [time]
        Work between two checkpoints of any level, checkpoint excluded.
    counts : tuple of int, [-]
        For each level but the last, checkpoints between two of the levels above; 0 for a level
        that is not used.
    efficiency : float, [-]
        Work over mean wall time of a long job.
    """

    interval: float
    counts: tuple[int, ...]
    efficiency: float


def optimal_pattern_levels(
    levels: Sequence[Level],
    *,
    mtbf: float,
    downtime: float = 0.0,
    rule: EscalationRule = "reinstated",
) -> LevelPattern:
    r"""Levels, counts and interval that minimise the mean wall time of a long job.

    .. math:: \max_{w, n} \frac{w \prod_k (1 + n_k)}{T(w, n)}

    T is `expected_pattern_time`. Counts of 0 leave a level out.

    Parameters
    ----------
    levels : sequence of Level, [-]
        From the cheapest to the last, which survives all failures.
    mtbf : float, [time]
        Mean uptime between failures of any kind, repair excluded; > 0.
    downtime : float, [time]
        Fixed, after each failure; >= 0.
    rule : {"reinstated", "escalate"}, [-]
        What a checkpoint leaves on lower levels, and when a level is given up.

    Returns
    -------
    LevelPattern
        `interval` [time], `counts` and `efficiency` [-].

    Raises
    ------
    ValueError
        If levels are not sorted by the failures that they survive, or the last does not survive
        all, or the one before it does so, too; or if a cost is not from 1e-8 to 100 mtbf, or a
        recovery above that.

    Notes
    -----
    Exact, as far as the search goes, the interval to 1e-5: for each choice of levels the best real
    counts and interval are approached from those of first order, then whole counts around them are
    compared, each at its best interval. Exhaustive search found none better at any point tried.
    Source: derived; first-order counts as in [1]_, which was not read.

    Judged for cost/mtbf 1e-5 to 0.1, recovery/mtbf 1e-5 to 0.1, downtime/mtbf 1e-5 to 0.1. Times
    must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, V. Le Fevre, Y. Robert and H. Sun, "Towards optimal multi-level
       checkpointing", IEEE Transactions on Computers 66, 2017.

    Examples
    --------
    >>> rates = (7.78e-6, 5.19e-7)
    >>> levels = [Level(9.0, 9.0, rates[0] / sum(rates)), Level(438.0, 438.0, 1.0)]
    >>> best = optimal_pattern_levels(levels, mtbf=1 / sum(rates), downtime=60.0)
    >>> round(best.interval, 2), best.counts
    (1491.82, (26,))
    """
    machine = checked_for_a_pattern(levels, mtbf=mtbf, downtime=downtime, rule=rule)
    lower = len(machine.levels) - 1
    # A level that survives no more than the one before it, and level 0 of no use, cost a count.
    useful = [k for k in range(lower) if math.fsum(machine.kinds[: k + 1]) > 0.0]
    choices = []
    for size in range(len(useful) + 1):
        for used in itertools.combinations(useful, size):
            place, value = _real_best(machine, used)
            choices.append((value, used, place))
    choices.sort(key=lambda choice: choice[0])
    best: tuple[float, float, tuple[int, ...]] | None = None
    for value, used, place in choices:
        if best is not None and value > best[0] * (1.0 + 1e-12):
            continue
        found = _whole_best(machine, used, place)
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None
    return LevelPattern(best[1], best[2], math.exp(-best[0]))


def _first_order(machine: Machine, used: tuple[int, ...]) -> FloatArray:
    """Return logarithms of interval and counts to first order."""
    chosen = (*used, len(machine.levels) - 1)
    edges = [-1, *chosen]
    mtbf = 1.0 / machine.rate
    rates = [
        max(math.fsum(machine.kinds[low + 1 : high + 1]), 1e-12) / mtbf
        for low, high in itertools.pairwise(edges)
    ]
    costs = [max(machine.levels[k].cost, _LEAST_COST * mtbf) for k in chosen]
    spans = [math.sqrt(2.0 * cost / rate) for cost, rate in zip(costs, rates, strict=True)]
    for k in reversed(range(len(spans) - 1)):
        spans[k] = min(spans[k], spans[k + 1] / 2.0)
    counts = [max(b / a - 1.0, 1.0) for a, b in itertools.pairwise(spans)]
    return np.log([min(spans[0], mtbf), *counts])


def _values(machine: Machine, used: tuple[int, ...], log: FloatArray) -> FloatArray:
    """Return the logarithm of mean time over work; log of shape (1 + used, n), interval first."""
    counts = [np.zeros(log.shape[1]) for _ in machine.levels[:-1]]
    segments = np.ones(log.shape[1])
    with np.errstate(all="ignore"):
        for k, row in zip(used, log[1:], strict=True):
            counts[k] = np.exp(row)
            segments = segments * (1.0 + counts[k])
        interval = np.exp(log[0])
        time = machine.pattern_time(interval, counts)
        found = np.log(time / (interval * segments))
    return np.where(np.isnan(found), np.inf, found)


def _real_best(machine: Machine, used: tuple[int, ...]) -> tuple[FloatArray, float]:
    """Return the logarithms of the best interval and real counts >= 1, and the value there."""
    place = _first_order(machine, used)
    steps = np.array(list(itertools.product((-1.0, 0.0, 1.0), repeat=place.size))).T
    value, step = math.inf, 0.5
    while step > 1e-3:
        near = place[:, None] + step * steps
        near[1:] = np.maximum(near[1:], 0.0)
        values = _values(machine, used, near)
        first = int(np.argmin(values))
        if values[first] < value:
            value, moved = float(values[first]), steps[:, first].any()
            place = near[:, first]
            if moved:
                continue
        step *= 0.5
    return place, value


def _whole_best(
    machine: Machine, used: tuple[int, ...], place: FloatArray
) -> tuple[float, float, tuple[int, ...]]:
    """Return the least value, its interval and its whole counts, around a place."""
    counts = np.round(np.exp(place[1:]))
    around = np.array(list(itertools.product((-1.0, 0.0, 1.0), repeat=counts.size))).T
    centre, width = place[0], 0.5
    while True:
        near = np.unique(np.maximum(counts[:, None] + around, 1.0), axis=1)
        if not counts.size:
            near = np.empty((0, 1))
        values, intervals = _best_intervals(machine, used, near, centre, width)
        first = int(np.argmin(values))
        if np.array_equal(near[:, first], counts):
            break
        counts, centre = near[:, first], intervals[first]
    found = [0] * (len(machine.levels) - 1)
    for k, count in zip(used, counts, strict=True):
        found[k] = int(count)
    return float(values[first]), math.exp(intervals[first]), tuple(found)


def _best_intervals(
    machine: Machine, used: tuple[int, ...], counts: FloatArray, centre: float, width: float
) -> tuple[FloatArray, FloatArray]:
    """Return least values and the logarithms of their intervals, for counts in columns."""
    number = counts.shape[1]
    middle = np.full(number, centre)
    rows = np.repeat(np.log(counts), _FINE.size, axis=1)
    least = np.full(number, np.inf)
    for _ in range(_ROUNDS):
        tried = middle[:, None] + width * _FINE
        log = np.vstack([tried.reshape(1, -1), rows])
        values = _values(machine, used, log).reshape(number, -1)
        first = np.argmin(values, axis=1)
        each = np.arange(number)
        middle, least = tried[each, first], values[each, first]
        inside = ((first > 0) & (first < _FINE.size - 1)).all()
        if inside:
            width *= _SHRINK
        if width < _PRECISE:
            break
    return least, middle


ROWS = (
    Formula(
        optimal_pattern_levels,
        "derived",
        "levels of checkpoints",
        "exact",
        ranges={
            "cost/mtbf": (1e-5, 0.1),
            "recovery/mtbf": (1e-5, 0.1),
            "downtime/mtbf": (1e-5, 0.1),
        },
        trend=Trend(),
    ),
)
