"""Checkpoints on many levels, against simulated jobs and against the solved Markov chain."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from perfmodel.levels import Level, LevelPattern, expected_pattern_time, optimal_pattern_levels
from sim.samplers import Exponential
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.sweeps import Sweep

from ..cached_simulators import simulate_level_makespans
from .chain import FAULTS, mean_time

__all__ = ["CASES", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_RULES = ("reinstated", "escalate")
_AGREE = 1e-9  # relative; the chain is solved in floats


def simulated_time(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the mean time of a pattern by simulated jobs of several patterns."""
    levels, mtbf, patterns = point.pop("levels"), point.pop("mtbf"), point.pop("patterns")
    walls = simulate_level_makespans(
        uptime=Exponential(mtbf),
        costs=tuple(level.cost for level in levels),
        recoveries=tuple(level.recovery for level in levels),
        survives=tuple(level.survives for level in levels),
        patterns=patterns,
        replications=budget.replications,
        seed=budget.seed,
        **point,
    )
    found = patterns * float(predict(levels, mtbf=mtbf, **point))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


def from_the_chain(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the mean time of a pattern by its Markov chain."""
    del budget
    return compare_number(float(predict(**point)), mean_time(**point), tolerance=_AGREE)


def least_of_all(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Expect no other pattern near, far, or on other levels to be more efficient."""
    del budget
    best = predict(**point)
    base = np.array(best.counts, dtype=float)
    others = {(0,) * base.size, (1,) * base.size}
    for k in range(base.size):
        for count in (0, 1, base[k] - 1, base[k] + 1, 0.5 * base[k], 2.0 * base[k], base[k] + 3):
            other = base.copy()
            other[k] = max(round(count), 0)
            others.add(tuple(int(n) for n in other))
            for j in range(k):  # one more here, one less there
                moved = other.copy()
                moved[j] = max(moved[j] + (1 if count < base[k] else -1), 0)
                others.add(tuple(int(n) for n in moved))
    found = _inefficiency(best.interval, best.counts, point)
    least = found
    for counts in sorted(others):
        work = best.interval * math.prod(1 + n for n in best.counts)
        for start in {best.interval, work / math.prod(1 + n for n in counts)}:
            for factor in (0.5, 0.7, 0.85, 0.93, 0.97, 1.0, 1.03, 1.07, 1.15, 1.4, 2.0):
                least = min(least, _inefficiency(factor * start, counts, point))
    return compare_number(1.0 + max(found - least, 0.0), 1.0, tolerance=1e-9)


def _inefficiency(interval: float, counts: Sequence[int], point: Any) -> float:
    """Return the logarithm of time over work."""
    time = expected_pattern_time(**point, interval=interval, counts=[int(n) for n in counts])
    return math.log(time / (interval * math.prod(1 + n for n in counts)))


def _machine(fraction: Callable[[], float], number: int) -> Point:
    """Return levels of random costs and shares on a machine with mtbf 1."""
    costs = sorted(1e-5 * 1e4 ** fraction() for _ in range(number))
    shares = [*sorted(fraction() for _ in range(number - 1)), 1.0]
    levels = tuple(
        Level(cost, 1e-5 * 1e4 ** fraction(), share)
        for cost, share in zip(costs, shares, strict=True)
    )
    rule = _RULES[fraction() < 0.5]
    return {"levels": levels, "mtbf": 1.0, "downtime": 1e-5 * 1e4 ** fraction(), "rule": rule}


def _pattern(fraction: Callable[[], float]) -> Point:
    number = min(1 + int(4.0 * fraction()), 4)
    counts = tuple(min(int(4.0 * fraction()), 3) for _ in range(number - 1))
    interval = 1e-4 * 1e3 ** fraction()
    return {**_machine(fraction, number), "interval": interval, "counts": counts}


def _costs(fraction: Callable[[], float]) -> Point:
    machine = dict(_machine(fraction, min(1 + int(4.0 * fraction()), 4)))
    # A level that survives what the last one does is refused beside it.
    *lower, last = machine["levels"]
    lower = [replace(level, survives=min(level.survives, 0.999)) for level in lower]
    return {**machine, "levels": (*lower, last)}


_LEVELS = (Level(0.2, 0.9, 0.5), Level(0.4, 1.5, 0.8), Level(1.0, 3.0, 1.0))
_PLAYED: tuple[Point, ...] = tuple(
    {
        "levels": _LEVELS,
        "mtbf": 12.0,
        "downtime": 1.0,
        "rule": rule,
        "interval": 0.8,
        "counts": (1, 2),
        "patterns": 3,
    }
    for rule in _RULES
)
_ATLAS = (Level(9.0, 9.0, 7.78 / 8.299), Level(438.0, 438.0, 1.0))
_BEST: tuple[Point, ...] = (
    {"levels": _ATLAS, "mtbf": 1.0 / 8.299e-6, "downtime": 60.0, "rule": "reinstated"},
    {"levels": _LEVELS, "mtbf": 30.0, "downtime": 1.0, "rule": "escalate"},
)

CASES = (
    Case(expected_pattern_time, simulated_time, _PLAYED, effort=0.04),
    Case(optimal_pattern_levels, least_of_all, _BEST, chance=False),
)
SWEEPS = (
    Sweep(expected_pattern_time, from_the_chain, _pattern, quick=10, full=300),
    Sweep(optimal_pattern_levels, least_of_all, _costs, quick=1, full=100),
)


def _best(*, fault: str, **machine: Any) -> LevelPattern:
    """Return the best pattern of another machine, or a pattern beside the best."""
    levels = list(machine["levels"])
    if fault == "the last level alone":
        machine["levels"] = levels[-1:]
        best = optimal_pattern_levels(**machine)
        return replace(best, counts=(0,) * (len(levels) - 1))
    if fault == "all failures survived by the lowest level":
        lower = [replace(level, survives=1.0 - 1e-9) for level in levels[:-1]]
        machine["levels"] = [*lower, levels[-1]]
    if fault == "no failure survived but by the last level":
        lower = [replace(level, survives=0.0) for level in levels[:-1]]
        machine["levels"] = [*lower, levels[-1]]
    if fault == "all levels cost the same":
        machine["levels"] = [replace(level, cost=levels[0].cost) for level in levels]
    best = optimal_pattern_levels(**machine)
    if fault == "period for the interval":
        return replace(best, interval=best.interval + levels[0].cost)
    if fault == "the checkpoint above counted":
        return replace(best, counts=tuple(n + 1 for n in best.counts))
    return best


MUTANTS = (
    *(Mutant(expected_pattern_time, fault, partial(mean_time, fault=fault)) for fault in FAULTS),
    *(
        Mutant(optimal_pattern_levels, fault, partial(_best, fault=fault))
        for fault in (
            "the last level alone",
            "all failures survived by the lowest level",
            "no failure survived but by the last level",
            "all levels cost the same",
            "period for the interval",
            "the checkpoint above counted",
        )
    ),
)
