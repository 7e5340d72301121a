"""The pattern of first order, against a search over levels and counts, and its stated regret."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from perfmodel.levels import (
    Level,
    LevelPattern,
    expected_pattern_time,
    optimal_pattern_levels,
    optimal_pattern_levels_first_order,
)
from perfmodel.levels.first_order import FIRST_ORDER_RANGE
from validation.judge.compare import approximation_error, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import Sweep

__all__ = ["CASES", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_AGREE = 1e-11  # relative
_LEAST_RATE = 1e-12  # of all failures: a last level that none needs is kept


def _overhead(costs: Sequence[float], kinds: Sequence[float], every: Sequence[float]) -> float:
    """Return the overhead at the best interval if level k or above has each `every[k]`-th one."""
    before = (0.0, *costs)
    written = sum((c - b) / n for b, c, n in zip(before, costs, every, strict=False))
    lost = sum(kind * n for kind, n in zip(kinds, every, strict=True))
    return math.sqrt(2.0 * written * lost)


def _real_best(costs: Sequence[float], kinds: Sequence[float]) -> tuple[float, ...]:
    """Return the ratios of neighbours that are best, of all choices of levels to leave out."""
    last = len(costs) - 1
    best: tuple[float, tuple[float, ...]] = (math.inf, ())
    for size in range(last + 1):
        for chosen in itertools.combinations(range(last), size):
            spans: list[float] = []
            for low, high in itertools.pairwise((-1, *chosen, last)):
                more = costs[high] - (costs[low] if low >= 0 else 0.0)
                rate = max(sum(kinds[low + 1 : high + 1]), _LEAST_RATE)
                spans += [math.sqrt(2.0 * more / rate)] * (high - low)
            if spans[0] > 0.0 and all(a <= b for a, b in itertools.pairwise(spans)):
                value = _overhead(costs, kinds, [span / spans[0] for span in spans])
                ratios = tuple(b / a for a, b in itertools.pairwise(spans))
                best = min(best, (value, ratios))
    return best[1]


def least_to_first_order(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the overhead to first order by the least of all ways to round the best real ratios."""
    del budget
    levels, mtbf = point["levels"], point["mtbf"]
    costs = [level.cost / mtbf for level in levels]
    kinds = [float(x) for x in np.diff([0.0, *(level.survives for level in levels)])]
    kinds[-1] = max(kinds[-1], _LEAST_RATE)
    found = predict(**point)
    ends = [{max(math.floor(ratio), 1), math.ceil(ratio)} for ratio in _real_best(costs, kinds)]
    least = min(
        _overhead(costs, kinds, list(itertools.accumulate((1.0, *ratios), operator.mul)))
        for ratios in itertools.product(*ends)
    )
    interval = found.interval / mtbf
    every = list(itertools.accumulate((1.0, *(1.0 + n for n in found.counts)), operator.mul))
    written = sum((c - b) / n for b, c, n in zip((0.0, *costs), costs, every, strict=False))
    lost = sum(kind * n for kind, n in zip(kinds, every, strict=True))
    overhead = written / interval + 0.5 * lost * interval
    if abs(overhead / least - 1.0) > _AGREE:
        return compare_number(overhead, least, tolerance=_AGREE)
    # The overhead is flat about the best interval, and says nothing of the efficiency.
    if abs(interval / math.sqrt(2.0 * written / lost) - 1.0) > _AGREE:
        return compare_number(interval, math.sqrt(2.0 * written / lost), tolerance=_AGREE)
    return compare_number(found.efficiency, _efficiency(found, point), tolerance=_AGREE)


def stated_error(predict: Predict, budget: Budget, *, machines: tuple[Point, ...]) -> Verdict:
    """Judge by how much longer a job takes than by the best pattern, at the end of the range."""
    del budget
    best = [optimal_pattern_levels(**machine).efficiency for machine in machines]
    found = [_efficiency(predict(**machine), machine) for machine in machines]
    longer = np.array(best) / np.array(found)
    return approximation_error(longer, 1.0, stated=FIRST_ORDER_RANGE.error)


def _efficiency(pattern: LevelPattern, machine: Point) -> float:
    work = pattern.interval * math.prod(1 + n for n in pattern.counts)
    time = expected_pattern_time(**machine, interval=pattern.interval, counts=pattern.counts)
    return work / time


def printed_pattern(
    predict: Predict, budget: Budget, *, printed: tuple[float, int, float], **machine: Any
) -> Verdict:
    """Judge interval, count and time over work of two levels as they were computed by others."""
    del budget
    found = predict(**machine)
    interval, count, over = printed
    if found.counts != (count,) or abs(found.interval / interval - 1.0) > 1e-6:
        return compare_number(found.interval, interval, tolerance=1e-6)
    return compare_number(1.0 / found.efficiency, over, tolerance=1e-11)


def _machine(fraction: Callable[[], float]) -> Point:
    number = min(1 + int(4.0 * fraction()), 4)
    costs = sorted(1e-5 * 1e4 ** fraction() for _ in range(number))
    # A level that survives what the last one does is refused beside it.
    shares = [*sorted(min(fraction(), 0.999) for _ in range(number - 1)), 1.0]
    levels = tuple(
        Level(cost, 1e-5 * 1e4 ** fraction(), share)
        for cost, share in zip(costs, shares, strict=True)
    )
    return {"levels": levels, "mtbf": 1.0, "downtime": 1e-5 * 1e4 ** fraction()}


def _levels(*rows: tuple[float, float, float]) -> Point:
    return {"levels": tuple(Level(*row) for row in rows), "mtbf": 1.0}


# The worst of some ten thousand machines drawn at random, and some plain ones.
_END: tuple[Point, ...] = (
    _levels((5.1e-5, 0.00822, 0.9993), (7e-5, 0.00035, 0.99988), (0.01, 0.00065, 1.0)),
    _levels((0.00025, 0.00786, 0.684), (0.000451, 0.00019, 0.939), (0.01, 0.00031, 1.0)),
    _levels((0.006075, 0.00126, 0.755), (0.01, 0.00633, 1.0)),
    _levels((0.001, 0.001, 0.7), (0.01, 0.01, 1.0)),
    _levels((0.01, 0.01, 1.0)),
)
_ATLAS: Point = {
    "levels": (Level(9.0, 9.0, 7.78 / 8.299), Level(438.0, 438.0, 1.0)),
    "mtbf": 1.0 / 8.299e-6,
    "downtime": 60.0,
    "printed": (1511.329790, 26, 1.034558867979),
}
_COASTAL: Point = {
    "levels": (Level(15.0, 15.0, 8.54 / 10.55), Level(1835.0, 1835.0, 1.0)),
    "mtbf": 1.0 / 1.055e-6,
    "downtime": 60.0,
    "printed": (5862.848336, 22, 1.033306023797),
}

CASES = (
    Case(
        optimal_pattern_levels_first_order,
        printed_pattern,
        (_ATLAS, _COASTAL),
        chance=False,
    ),
    Case(
        optimal_pattern_levels_first_order,
        stated_error,
        ({"machines": _END},),
        chance=False,
    ),
)
SWEEPS = (
    Sweep(optimal_pattern_levels_first_order, least_to_first_order, _machine, quick=20, full=1000),
)


def _wrong(*, fault: str, **machine: Any) -> LevelPattern:
    """Return the pattern of another machine, or another pattern."""
    levels = list(machine["levels"])
    if fault == "whole costs for what a level adds":
        sums = np.cumsum([level.cost for level in levels])
        machine["levels"] = [
            replace(level, cost=float(total)) for level, total in zip(levels, sums, strict=True)
        ]
    if fault == "the last level alone":
        found = optimal_pattern_levels_first_order(**{**machine, "levels": levels[-1:]})
        return replace(found, counts=(0,) * (len(levels) - 1))
    if fault == "all failures lose half a pattern":
        machine["levels"] = [*(replace(level, survives=0.0) for level in levels[:-1]), levels[-1]]
    found = optimal_pattern_levels_first_order(**machine)
    if fault == "a whole interval lost":
        return replace(found, interval=found.interval / math.sqrt(2.0))
    if fault == "the checkpoint above counted":
        return replace(found, counts=tuple(n + 1 for n in found.counts))
    if fault == "period for the interval":
        return replace(found, interval=found.interval + levels[0].cost)
    if fault == "efficiency to first order":
        costs = [level.cost / machine["mtbf"] for level in levels]
        kinds = [float(x) for x in np.diff([0.0, *(level.survives for level in levels)])]
        every = list(itertools.accumulate((1.0, *(1.0 + n for n in found.counts)), operator.mul))
        return replace(found, efficiency=1.0 / (1.0 + _overhead(costs, kinds, every)))
    return found


MUTANTS = tuple(
    Mutant(optimal_pattern_levels_first_order, fault, partial(_wrong, fault=fault))
    for fault in (
        "whole costs for what a level adds",
        "the last level alone",
        "all failures lose half a pattern",
        "a whole interval lost",
        "the checkpoint above counted",
        "period for the interval",
        "efficiency to first order",
    )
)
