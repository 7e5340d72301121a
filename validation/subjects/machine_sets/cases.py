"""Shares and sets of machines, for machines drawn from the documented range."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

from perfmodel.completion import wsj_compound
from perfmodel.lifetimes import Gamma
from perfmodel.parallel import slowest
from perfmodel.partition import (
    Machines,
    equal_time_partition,
    evaluate_set,
    schedule_bisection,
    schedule_exhaustive,
    schedule_local,
    schedule_random,
    schedule_reliability,
    schedule_speed,
    schedule_speed_reliability,
)
from perfmodel.partition.search import SEARCH_RANGE
from perfmodel.registry import ranges_of
from perfmodel.validity import ValidityWarning
from validation.judge.trial import Budget, Point
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..partition.cases import FEW_MACHINES, Fleet, objective, within_the_stated_error

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]
Fraction = Callable[[], float]

_SPEEDS = (1.0, 5.0)
_MTBFS = (250.0, 1000.0)  # of the machines of a fleet, in one unit
_MOST = 6  # machines of a drawn fleet


def shares_in_proportion(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Judge shares by the time per work of each machine by eq. (12), at 50 digits."""
    del budget
    found = np.asarray(predict(work, _machines(fleet)))
    with mp.workdps(50):
        power = [_power(row) for row in fleet]
        right = [work * each / sum(power) for each in power]
        away = max(float(abs(mine / his - 1)) for mine, his in zip(found, right, strict=True))
    return _verdict(away, 1e-12, work, fleet)


def error_of_the_set(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Compare mean and objective with those of the exact laws of the subtasks."""
    del budget
    found = predict(work, _machines(fleet))
    laws = []
    for share, (speed, mtbf, mttr, cv, interval, cost) in zip(found.shares, fleet, strict=True):
        repair = Gamma.from_mean(mttr, cv=cv)
        task = {"mtbf": mtbf, "interval": interval, "checkpoint_cost": cost}
        laws.append(wsj_compound(float(share) / speed, downtime=repair, **task))
    law = slowest(laws)
    away = max(
        abs(found.expected_time / law.mean - 1.0),
        abs(found.objective / (law.mean + law.std) - 1.0),
    )
    return _verdict(away, FEW_MACHINES, work, fleet)


def least_of_all_sets(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Expect the least objective of all sets."""
    del budget
    found = predict(work, _machines(fleet))
    least = _least(work, fleet)
    away = max(
        abs(found.objective / least - 1.0),
        abs(objective(work, _machines(fleet), found.chosen) / least - 1.0),
    )
    return _verdict(away, 1e-6, work, fleet)


def near_the_least(predict: Predict, budget: Budget, *, work: float, fleet: Fleet) -> Verdict:
    """Expect an objective within the stated error of the least one, and no less than it.

    Beyond the range of the stated error, within the bound that holds for any machines.
    """
    del budget
    found = predict(work, _machines(fleet))
    least = _least(work, fleet)
    if found.objective < least * (1.0 - 1e-6):
        return _verdict(1.0 - found.objective / least, 1e-6, work, fleet)
    reach = max(max(mttr, interval / 5.0) / mtbf for _, mtbf, mttr, _, interval, _ in fleet)
    inside = bool(SEARCH_RANGE.holds(np.asarray(reach)))
    allowed = SEARCH_RANGE.error if inside else _most_above(work, fleet) + 1e-6
    return _verdict(found.objective / least - 1.0, allowed, work, fleet)


def no_less_than_the_least(
    predict: Predict, budget: Budget, *, work: float, fleet: Fleet, **order: tuple[int, ...]
) -> Verdict:
    """Expect the objective to be that of the chosen set, and not below the least of all sets."""
    del budget
    found = predict(work, _machines(fleet), **order)
    right = objective(work, _machines(fleet), found.chosen)
    away = max(
        abs(found.objective / right - 1.0),
        1.0 - found.objective / _least(work, fleet),
    )
    return _verdict(away, 1e-6, work, fleet)


def _power(row: tuple[float, ...]) -> Any:
    """Return the work that a machine does in a unit of time, by eq. (12)."""
    speed, mtbf, mttr, _, interval, cost = map(mp.mpf, row)
    x = interval / mtbf
    lost = mttr / (mtbf - mttr) + 1 - x / mp.expm1(x)
    return speed / (1 + cost / interval + lost)


def _most_above(work: float, fleet: Fleet) -> float:
    """Return how far above the least the best of the sets of fastest machines may be, [-].

    No x machines take less than a subtask on the x fastest does, which all take equally long.
    """
    power = np.array([float(_power(row)) for row in fleet])
    order = np.argsort(-power, kind="stable")
    return (
        max(
            objective(work, _machines(fleet), order[:x]) * float(power[order[:x]].sum()) / work
            for x in range(1, len(fleet) + 1)
        )
        - 1.0
    )


def _least(work: float, fleet: Fleet) -> float:
    machines, everyone = _machines(fleet), range(len(fleet))
    sets = (
        chosen
        for size in range(1, len(fleet) + 1)
        for chosen in itertools.combinations(everyone, size)
    )
    return min(objective(work, machines, chosen) for chosen in sets)


def _machines(fleet: Fleet) -> Machines:
    return Machines(*np.array(fleet).T)


def _verdict(found: float, allowed: float, work: float, fleet: Fleet) -> Verdict:
    passed = found <= allowed
    columns = ", ".join(str(list(column)) for column in zip(*fleet, strict=True))
    note = "" if passed else f"{found:.3g}, allowed {allowed:.3g}; {work!r}, Machines({columns})"
    z = 0.0 if passed else float("inf")
    return Verdict("exact", 0.0, found, 0.0, z, 1e-6, passed=passed, note=note)


def _fleet(name: str, most: int, fraction: Fraction) -> Point:
    """Return a job and machines, each at fractions of the documented ranges of the formula."""
    ranges = ranges_of(name)
    rows = []
    for _ in range(1 + round((most - 1) * fraction())):
        mtbf = between("mtbf", _MTBFS, fraction())
        interval = mtbf * between("interval/mtbf", ranges["interval/mtbf"], fraction())
        rows.append(
            (
                between("speed", _SPEEDS, fraction()),
                mtbf,
                mtbf * between("mttr/mtbf", ranges["mttr/mtbf"], fraction()),
                between("mttr_cv", ranges.get("mttr_cv", (0.5, 4.0)), fraction()),
                interval,
                interval * between("cost", ranges["checkpoint_cost/interval"], fraction()),
            )
        )
    power = sum(row[0] for row in rows)
    least = min(row[1] for row in rows)
    load = between("share/mtbf", ranges.get("share/mtbf", (0.1, 10.0)), fraction())
    return {"work": load * least * power, "fleet": tuple(rows)}


def _wild_fleet(name: str, most: int, fraction: Fraction) -> Point:
    """Return a job and machines of mtbfs and speeds over decades."""
    ranges = ranges_of(name)

    def one_of(ratio: str) -> float:
        return between(ratio, ranges[ratio], fraction())

    rows = []
    for _ in range(2 + round((most - 2) * fraction())):
        mtbf = _MTBFS[0] * one_of("mtbf/shortest mtbf")
        interval = mtbf * one_of("interval/mtbf")
        repair = mtbf * one_of("mttr/mtbf"), one_of("mttr_cv")
        cost = interval * one_of("checkpoint_cost/interval")
        rows.append((one_of("speed/slowest speed"), mtbf, *repair, interval, cost))
    # The mtbf of any of them may be the one that shares are compared with.
    mtbf = sorted(row[1] for row in rows)[round((len(rows) - 1) * fraction())]
    work = one_of("share/mtbf") * mtbf * sum(row[0] for row in rows)
    processes = round(len(rows) * fraction()) or None
    return {"work": work, "fleet": tuple(rows), "processes": processes}


def _in_some_order(name: str, most: int, fraction: Fraction) -> Point:
    point = _fleet(name, most, fraction)
    keys = [fraction() for _ in point["fleet"]]
    return {**point, "order": tuple(int(at) for at in np.argsort(keys))}


def _quietly(judge: Callable[..., Verdict]) -> Callable[..., Verdict]:
    """Return the judge without warnings: its points leave ranges of approximations on purpose."""

    def quiet(predict: Predict, budget: Budget, **point: Any) -> Verdict:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            return judge(predict, budget, **point)

    quiet.__name__ = judge.__name__
    return quiet


def _sweep(
    function: Callable[..., Any],
    judge: Callable[..., Verdict],
    *,
    most: int = 4,
    quick: int = 3,
    full: int = 60,
    draw: Callable[..., Point] = _fleet,
) -> Sweep:
    drawing = partial(draw, function.__name__, most)
    return Sweep(function, _quietly(judge), drawing, quick=quick, full=full)


SWEEPS = (
    _sweep(equal_time_partition, shares_in_proportion, most=_MOST, quick=30, full=300),
    _sweep(evaluate_set, error_of_the_set, most=3, quick=1, full=20),
    _sweep(schedule_exhaustive, least_of_all_sets),
    _sweep(schedule_bisection, near_the_least),
    _sweep(schedule_local, within_the_stated_error, most=9, draw=_wild_fleet),
    _sweep(schedule_random, no_less_than_the_least, draw=_in_some_order),
    *(
        _sweep(rule, no_less_than_the_least)
        for rule in (schedule_speed, schedule_reliability, schedule_speed_reliability)
    ),
)
CASES = tuple(case(sweep) for sweep in SWEEPS)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
