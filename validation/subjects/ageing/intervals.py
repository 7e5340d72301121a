"""Intervals by age, against simulated uptimes, other sequences and their own definitions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import quad

from perfmodel.ageing import (
    hazard_intervals,
    lazy_intervals,
    optimal_interval_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)
from perfmodel.lifetimes import Empirical, Exponential
from perfmodel.registry import ranges_of
from validation.judge.chance import FloatArray
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_saved_work
from ..laws import Law, predictable, sampler
from .uptimes import drawn_uptime

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_COUNT = 2000  # intervals that are added up one by one


def _costs(point: Point) -> dict[str, Any]:
    names = ("checkpoint_cost", "recovery_cost")
    return {"uptime": predictable(point["uptime"]), **{name: point[name] for name in names}}


def played(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the share by the work saved in simulated uptimes."""
    uptime, down = point["uptime"], point["downtime"]
    saved = simulate_saved_work(
        point["intervals"],
        uptime=sampler(uptime),
        checkpoint_cost=point["checkpoint_cost"],
        recovery_cost=point["recovery_cost"],
        replications=budget.replications,
        seed=budget.seed,
    )
    found = predict(point["intervals"], downtime=down, **_costs(point))
    cycle = predictable(uptime).mean + down
    return compare_mean(found, saved / cycle, alpha=budget.alpha, tolerance=budget.tolerance)


def _saved(
    sf: Callable[[FloatArray], FloatArray], intervals: Any, cost: float, recovery: float
) -> float:
    """Return the work saved in an uptime, interval by interval until none is left."""
    works = np.asarray(intervals, dtype=float)
    return float(np.sum(works * sf(recovery + np.cumsum(works + cost))))


def _constant(point: Point, interval: float) -> float:
    law = predictable(point["uptime"])
    cost, recovery = point["checkpoint_cost"], point["recovery_cost"]
    saved = _saved(law.sf, np.full(_COUNT, interval), cost, recovery)
    rest = recovery + (_COUNT + 0.5) * (interval + cost)
    if float(law.sf(rest)) > 1e-15:
        beyond = quad(lambda x: float(law.sf(math.exp(x))) * math.exp(x), math.log(rest), 60.0)
        saved += interval / (interval + cost) * float(beyond[0])
    return saved


def no_other_is_better(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge a constant interval by the best of a fine grid, summed to the end."""
    del budget
    found = float(predict(**_costs(point)))
    own = _constant(point, found)
    young = math.sqrt(2.0 * point["checkpoint_cost"] * predictable(point["uptime"]).mean)
    near = found * (1.0 + np.array([-0.1, -0.03, -0.01, 0.01, 0.03, 0.1]))
    grid = np.concatenate([near, young * np.geomspace(0.05, 20.0, 40)])
    most = max(_constant(point, float(other)) for other in grid)
    return compare_number(max(most / own, 1.0) if own > 0.0 else math.inf, 1.0, tolerance=1e-9)


def no_end_is_better(
    predict: Predict,
    budget: Budget,
    *,
    record: tuple[float, ...],
    checkpoint_cost: float,
    recovery_cost: float,
) -> Verdict:
    """Judge a constant interval for recorded uptimes by all that end just before one of them."""
    del budget
    costs = {"checkpoint_cost": checkpoint_cost, "recovery_cost": recovery_cost}
    found = float(predict(uptime=Empirical(np.array(record)), **costs))
    left = np.maximum(np.array(record) - recovery_cost, 0.0)

    def saved(intervals: FloatArray) -> FloatArray:
        count = np.ceil(left / (intervals[:, None] + checkpoint_cost)) - 1.0
        return np.asarray(intervals * np.maximum(count, 0.0).sum(axis=1))

    many = np.arange(1.0, min(float(left.max()) / checkpoint_cost, 3000.0))
    ends = (1.0 - 1e-12) * np.divide.outer(left, many).ravel() - checkpoint_cost
    most, own = float(saved(ends[ends > 0.0]).max()), float(saved(np.array([found]))[0])
    return compare_number(max(most / own, 1.0) if own > 0.0 else math.inf, 1.0, tolerance=1e-9)


def no_change_is_better(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge a sequence by others: constant ones, and itself with one checkpoint moved."""
    del budget
    law, cost, recovery = (
        predictable(point["uptime"]),
        point["checkpoint_cost"],
        point["recovery_cost"],
    )
    found = np.atleast_1d(predict(**_costs(point)))
    own = _saved(law.sf, found, cost, recovery)
    young = math.sqrt(2.0 * cost * law.mean)
    most = max(_constant(point, young * factor) for factor in np.geomspace(0.2, 5.0, 25))
    for place in range(min(found.size - 1, 12)):
        for share in (-0.02, -0.002, 0.002, 0.02):
            other = found.copy()
            moved = share * min(other[place], other[place + 1])
            other[place] += moved
            other[place + 1] -= moved
            most = max(most, _saved(law.sf, other, cost, recovery))
    return compare_number(max(most / own, 1.0) if own > 0.0 else math.inf, 1.0, tolerance=1e-9)


def follows_the_hazard(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge each interval by the equation that defines it."""
    del budget
    law, cost = predictable(point["uptime"]), point["checkpoint_cost"]
    found = np.atleast_1d(predict(**_costs(point)))
    ages = point["recovery_cost"] + np.concatenate([[0.0], np.cumsum(found + cost)[:-1]])
    ratio = found**2 * law.hazard(ages + 0.5 * found) / (2.0 * cost)
    inner = ratio[: max(1, found.size - 1)]  # the last may be cut by the end of the tail
    return compare_number(float(inner[np.argmax(np.abs(np.log(inner)))]), 1.0, tolerance=1e-8)


def grows_with_age(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the lazy rule by the sum of its intervals up to some age."""
    del budget
    law, cost = predictable(point["uptime"]), point["checkpoint_cost"]
    found = np.atleast_1d(predict(**_costs(point)))
    oci = math.sqrt(2.0 * cost * law.mean)
    age, known = point["recovery_cost"] + oci + cost, [oci]
    for _ in range(min(found.size, 20) - 1):
        known.append(oci**law.shape * age ** (1.0 - law.shape))
        age += known[-1] + cost
    ratio = found[: len(known)] / np.array(known)
    worst = float(ratio[np.argmax(np.abs(np.log(ratio)))])
    return compare_number(worst, 1.0, tolerance=1e-12)


def _point(function: Callable[..., Any], fraction: Callable[[], float]) -> Point:
    ranges = ranges_of(function.__name__)
    known = {name: between(name, ends, fraction()) for name, ends in ranges.items()}
    which = 0.0 if function is lazy_intervals else fraction()
    return {
        "uptime": drawn_uptime(known["cv of uptime"], which),
        "checkpoint_cost": known["checkpoint_cost/uptime"],
        "recovery_cost": known["recovery_cost/uptime"],
    }


def _recorded(fraction: Callable[[], float]) -> Point:
    """Draw up to eight uptimes, from alike to far apart, and costs in their mean."""
    spread, count = 3.0 * fraction(), 1 + int(7.0 * fraction())
    record = tuple(math.exp(spread * (fraction() - 0.5)) for _ in range(count))
    ranges, mean = ranges_of("optimal_interval_ageing"), sum(record) / count
    names = ("checkpoint_cost", "recovery_cost")
    costs = {name: mean * between(name, ranges[f"{name}/uptime"], fraction()) for name in names}
    return {"record": record, **costs}


def _share_point(fraction: Callable[[], float]) -> Point:
    point = _point(useful_share_ageing, fraction)
    young = math.sqrt(2.0 * point["checkpoint_cost"])
    return {**point, "intervals": young * 4.0 ** (2.0 * fraction() - 1.0)}


def summed(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge the share of a constant interval by the sum over all of an uptime."""
    del budget
    found = float(predict(point["intervals"], **_costs(point)))
    law = predictable(point["uptime"])
    return compare_number(found, _constant(point, point["intervals"]) / law.mean, tolerance=1e-8)


def rare_beyond_the_first(predict: Predict, budget: Budget, **point: Any) -> Verdict:
    """Judge what few uptimes save, those that outlast a long first interval, by a geometric sum."""
    del budget
    first, again, mean = point["first"], point["again"], 12.0
    found = predict(
        (first, again), uptime=Exponential(mean), checkpoint_cost=0.0, recovery_cost=0.0
    )
    share = math.exp(-first / mean) * (first + again / math.expm1(again / mean)) / mean
    return compare_number(float(found), share, tolerance=1e-12)


_JUDGES: tuple[tuple[Callable[..., Any], Any], ...] = (
    (optimal_interval_ageing, no_other_is_better),
    (optimal_intervals_ageing, no_change_is_better),
    (hazard_intervals, follows_the_hazard),
    (lazy_intervals, grows_with_age),
)
SWEEPS = (
    Sweep(useful_share_ageing, summed, _share_point, quick=3, full=300),
    *(Sweep(f, judge, partial(_point, f), quick=1, full=60) for f, judge in _JUDGES),
    Sweep(optimal_interval_ageing, no_end_is_better, _recorded, quick=5, full=200),
)
_BATHTUB = {
    "uptime": Law("Bathtub", (0.45, 1.0, 0.8, 24.0)),
    "checkpoint_cost": 0.25,
    "recovery_cost": 0.25,
}
_WEIBULL = {"uptime": Law("Weibull", (0.5, 12.0)), "checkpoint_cost": 0.5, "recovery_cost": 0.75}
_SEQUENCE = {**_WEIBULL, "intervals": (3.0, 4.0, 5.0), "downtime": 2.0}
_PLAYED = (_SEQUENCE, {**_BATHTUB, "intervals": 3.0, "downtime": 1.0})
_RARE = ({"first": 240.0, "again": 0.003}, {"first": 300.0, "again": 2.0})
CASES = (
    Case(useful_share_ageing, played, _PLAYED, effort=0.25),
    Case(useful_share_ageing, rare_beyond_the_first, _RARE, chance=False),
    Case(optimal_interval_ageing, no_other_is_better, (_WEIBULL, _BATHTUB), chance=False),
    Case(optimal_intervals_ageing, no_change_is_better, (_WEIBULL, _BATHTUB), chance=False),
    Case(hazard_intervals, follows_the_hazard, (_WEIBULL,), chance=False),
    Case(lazy_intervals, grows_with_age, (_WEIBULL,), chance=False),
    *(case(sweep) for sweep in SWEEPS),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)


def _wrong_share(intervals: Any, *, fault: str, **job: Any) -> float:
    down = job.pop("downtime", 0.0)
    if fault == "last interval not repeated":
        law = job["uptime"]
        saved = _saved(
            law.sf, np.atleast_1d(intervals), job["checkpoint_cost"], job["recovery_cost"]
        )
        return saved / float(law.mean + down)
    if fault == "checkpoint dropped":
        job["checkpoint_cost"] = 0.0
    if fault == "recovery dropped":
        job["recovery_cost"] = 0.0
    if fault == "downtime dropped":
        down = 0.0
    if fault == "what is left as the mean less the rest":
        share = useful_share_ageing(intervals, downtime=down, **job)
        return (1.0 + share) - 1.0
    return useful_share_ageing(intervals, downtime=down, **job)


def _wrong_interval(*, fault: str, **costs: Any) -> float:
    if fault == "first order":
        return math.sqrt(2.0 * costs["checkpoint_cost"] * costs["uptime"].mean)
    if fault == "recovery ignored":
        costs["recovery_cost"] = 0.0
    if fault == "tried in even ratios alone":
        tries = costs["uptime"].mean * np.geomspace(1e-3, 3.0, 300)
        shares = [useful_share_ageing(interval, **costs) for interval in tries]
        return float(tries[np.argmax(shares)])
    own = optimal_interval_ageing(**costs)
    return own + costs["checkpoint_cost"] if fault == "period for the interval" else own


def _wrong_sequence(*, fault: str, **costs: Any) -> FloatArray:
    law, cost = costs["uptime"], costs["checkpoint_cost"]
    if fault == "hazard rule":
        return hazard_intervals(**costs)
    if fault == "one interval for all ages":
        return np.full(400, optimal_interval_ageing(**costs))
    if fault == "recovery ignored":
        return optimal_intervals_ageing(uptime=law, checkpoint_cost=cost)
    return optimal_intervals_ageing(**costs)[::-1]


def _wrong_rule(*, fault: str, **costs: Any) -> FloatArray:
    law, cost = costs["uptime"], costs["checkpoint_cost"]
    age, found = costs["recovery_cost"], []
    for _ in range(30):
        if fault == "hazard at the start of an interval":
            found.append(math.sqrt(2.0 * cost / float(law.hazard(max(age, 0.01)))))
        elif fault == "hazard of the whole life":
            found.append(math.sqrt(2.0 * cost * law.mean))
        age += found[-1] + cost
    return np.array(found)


def _wrong_lazy(*, fault: str, **costs: Any) -> FloatArray:
    law, cost = costs["uptime"], costs["checkpoint_cost"]
    right = lazy_intervals(**costs)
    if fault == "never lazy":
        return np.full_like(right, right[0])
    age = costs["recovery_cost"] + np.cumsum(right + cost)[:-1]
    return np.append(right[0], right[0] * (age / right[0]) ** (law.shape - 1.0))


MUTANTS = tuple(
    Mutant(function, fault, partial(wrong, fault=fault))
    for function, wrong, faults in (
        (
            useful_share_ageing,
            _wrong_share,
            (
                "last interval not repeated",
                "checkpoint dropped",
                "recovery dropped",
                "downtime dropped",
                "what is left as the mean less the rest",
            ),
        ),
        (
            optimal_interval_ageing,
            _wrong_interval,
            ("first order", "period for the interval", "tried in even ratios alone"),
        ),
        (
            optimal_intervals_ageing,
            _wrong_sequence,
            ("hazard rule", "one interval for all ages", "recovery ignored", "in reverse"),
        ),
        (
            hazard_intervals,
            _wrong_rule,
            ("hazard at the start of an interval", "hazard of the whole life"),
        ),
        (lazy_intervals, _wrong_lazy, ("never lazy", "exponent reversed")),
    )
    for fault in faults
)
