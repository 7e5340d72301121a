"""Platforms of alike nodes, against nodes that are played one by one and against sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from perfmodel.ageing import (
    expected_makespan_ageing,
    expected_makespan_rejuvenated,
    optimal_interval_ageing,
    optimal_interval_rejuvenated,
    platform_failures_from_new,
    platform_failures_rejuvenated,
    platform_failures_stationary,
)
from perfmodel.registry import ranges_of
from sim.application import Renewal
from validation.judge.compare import compare_mean, compare_number
from validation.judge.run import Mutant
from validation.judge.trial import Budget, Case, Point
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..cached_simulators import simulate_platform_failures, simulate_platform_makespans
from ..laws import Law, predictable, sampler
from .cases import drawn_job
from .definitions import moments
from .intervals import no_other_is_better
from .uptimes import drawn_uptime

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

Predict = Callable[..., Any]

_STEPS = 3000  # of a sum over an elapsed time
_FINE = 0.004  # step of the logarithm of a time
_LONG = 60.0  # mean uptimes, after which a platform of light tails has forgotten its start


def played_failures(
    predict: Predict, budget: Budget, *, uptime: Law, renewal: Renewal, **point: Any
) -> Verdict:
    """Judge the mean number by platforms whose nodes fail one by one."""
    counts = simulate_platform_failures(
        point["time"],
        uptime=sampler(uptime),
        nodes=point["nodes"],
        renewal=renewal,
        replications=budget.replications,
        seed=budget.seed,
    )
    found = float(predict(uptime=predictable(uptime), **point))
    return compare_mean(found, counts, alpha=budget.alpha, tolerance=budget.tolerance)


def played_job(predict: Predict, budget: Budget, *, uptime: Law, **job: Any) -> Verdict:
    """Judge the mean wall time by jobs on nodes that are all renewed by each failure."""
    walls = simulate_platform_makespans(
        **job,
        uptime=sampler(uptime),
        renewal="rejuvenated",
        replications=budget.replications,
        seed=budget.seed,
    )
    found = float(predict(uptime=predictable(uptime), **job))
    return compare_mean(found, walls, alpha=budget.alpha, tolerance=budget.tolerance)


@dataclass(frozen=True, slots=True)
class _FirstOf:
    """The first of some uptimes, by its definition."""

    uptime: Law
    nodes: int

    def sf(self, t: Any) -> Any:
        return predictable(self.uptime).sf(t) ** self.nodes

    def cdf(self, t: Any) -> Any:
        return -np.expm1(-self.nodes * predictable(self.uptime).cumulative_hazard(t))

    @property
    def mean(self) -> float:
        return _tail_moment(self, 1)

    @property
    def scv(self) -> float:
        return _tail_moment(self, 2) / self.mean**2 - 1.0


@lru_cache(maxsize=256)
def _tail_moment(law: _FirstOf, order: int) -> float:
    """Return the integral of order t^(order-1) sf(t) by the trapezoidal rule in log t."""
    u = np.arange(-300.0, 12.5, _FINE)
    return float(order * _FINE * np.sum(np.exp(order * u) * law.sf(np.exp(u))))


def _first(uptime: Law, nodes: int) -> Any:
    """Return the law of the first of some uptimes: of Weibull laws it is one too."""
    if uptime.name != "Weibull":
        return _FirstOf(uptime, nodes)
    shape, scale = uptime.parameters
    return Law("Weibull", (shape, scale * nodes ** (-1.0 / shape)))


@lru_cache(maxsize=256)
def _renewals(uptime: Law | _FirstOf, time: float) -> float:
    """Return the mean number of renewals by the sums of Riemann and Stieltjes, twice."""
    law: Any = predictable(uptime) if isinstance(uptime, Law) else uptime
    if time > _LONG * law.mean:
        return float(time / law.mean + (law.scv - 1.0) / 2.0)

    def summed(steps: int) -> float:
        step = time / steps
        at = law.cdf(step * (np.arange(steps) + 0.5))
        whole = law.cdf(step * np.arange(steps + 1))
        m = np.zeros(steps + 1)
        for i in range(1, steps + 1):
            # Increments of m up to the step before, each with the cdf of half a step less.
            past = np.diff(m[:i]) @ at[i - 1 : 0 : -1]
            m[i] = (whole[i] + past - at[0] * m[i - 1]) / (1.0 - at[0])
        return float(m[-1])

    coarse, middle, fine = (summed(_STEPS * factor // 4) for factor in (1, 2, 4))
    ratio = (middle - coarse) / (fine - middle) if fine != middle else 0.0
    return fine + (fine - middle) / (ratio - 1.0) if 1.5 < ratio < 8.0 else fine


def _failures(time: float, *, uptime: Law, nodes: int, renewal: str, fault: str = "") -> float:
    law = predictable(uptime)
    if fault == "first failures only":
        return nodes * float(law.cdf(time))
    if fault == "the mean of a node over the number of nodes":
        return _renewals(_in_units(uptime, float(nodes)), time)
    if fault == "in the long run" and renewal == "rejuvenated":
        return float(time / _mean(_first(uptime, nodes)))
    if fault == "in the long run":
        return float(nodes * (time / law.mean + (law.scv - 1.0) / 2.0))
    if fault == "one node":
        nodes = 1
    if renewal == "rejuvenated":
        return _renewals(_first(uptime, nodes), time)
    return float(nodes * (_renewals(uptime, time) if renewal == "from_new" else time / law.mean))


def summed_failures(predict: Predict, budget: Budget, *, renewal: str, **point: Any) -> Verdict:
    """Judge the mean number by sums over the elapsed time, or its limit after a long one."""
    del budget
    known = _failures(renewal=renewal, **point)
    found = float(predict(**{**point, "uptime": predictable(point["uptime"])}))
    return compare_number(found, known, tolerance=2e-4)


def long_failures(
    predict: Predict, budget: Budget, *, uptime: Law, nodes: int, means: float, renewal: str
) -> Verdict:
    """Judge the number after a time in which even broad uptimes have forgotten their start."""
    del budget
    law: Any = predictable(_first(uptime, nodes) if renewal == "rejuvenated" else uptime)
    many = 1.0 if renewal == "rejuvenated" else float(nodes)
    found = float(predict(means * law.mean, uptime=predictable(uptime), nodes=nodes))
    return compare_number(found, many * (means + (law.scv - 1.0) / 2.0), tolerance=1e-6)


def whole_times(
    predict: Predict, budget: Budget, *, uptime: Law, nodes: int, **job: Any
) -> Verdict:
    """Judge the mean wall time by equations of the whole time at many digits."""
    del budget
    found = float(predict(uptime=predictable(uptime), nodes=nodes, **job))
    weibull = uptime.name == "Weibull"
    first = {"uptime": _first(uptime, nodes)} if weibull else {"uptime": uptime, "nodes": nodes}
    known = moments(**first, **job)[0]
    return compare_number(found, known, tolerance=1e-9)


def no_interval_is_better(
    predict: Predict, budget: Budget, *, uptime: Law, nodes: int, **costs: Any
) -> Verdict:
    """Judge a constant interval by the best of a fine grid for the first failure of all nodes."""

    def own(**_: Any) -> float:
        return float(predict(uptime=predictable(uptime), nodes=nodes, **costs))

    return no_other_is_better(own, budget, uptime=_first(uptime, nodes), **costs)


def _mean(law: Any) -> float:
    return float(predictable(law).mean)


def _in_units(uptime: Law, unit: float) -> Law:
    """Return the law of the uptime over a unit."""
    law = predictable(uptime).scaled(1.0 / unit)
    return Law(uptime.name, tuple(getattr(law, name) for name in law.__dataclass_fields__))


def _nodes(fraction: Callable[[], float]) -> int:
    return round(between("nodes", (1.0, 1e4), fraction()))


def _any_time(function: Predict, renewal: str, fraction: Callable[[], float]) -> Point:
    ranges = ranges_of(function.__name__)
    cv = between("cv of uptime", ranges["cv of uptime"], fraction())
    uptime, nodes = drawn_uptime(cv, fraction()), _nodes(fraction)
    time = between("time/uptime", ranges["time/uptime"], fraction())
    one: Any = predictable(_first(uptime, nodes) if renewal == "rejuvenated" else uptime)
    # A broad law has not forgotten its start after 60 uptimes, and sums over more are too coarse.
    light = float(one.sf(_LONG * one.mean)) < 1e-12
    time = time if light else min(time, _LONG * one.mean)
    return {"time": time, "uptime": uptime, "nodes": nodes, "renewal": renewal}


def _any_job(fraction: Callable[[], float]) -> Point:
    job = drawn_job(expected_makespan_ageing, 60.0, fraction)
    cv = between("cv of uptime", (0.3, 4.0), fraction())
    nodes, uptime = _nodes(fraction), drawn_uptime(cv, fraction())
    # The job is drawn in mean uptimes of the whole platform.
    unit = _mean(_first(uptime, nodes))
    return {**job, "uptime": _in_units(uptime, unit), "nodes": nodes}


def _any_costs(fraction: Callable[[], float]) -> Point:
    ranges = ranges_of("optimal_interval_ageing")
    cv = between("cv of uptime", ranges["cv of uptime"], fraction())
    nodes, uptime = _nodes(fraction), drawn_uptime(cv, fraction())
    return {
        "uptime": _in_units(uptime, _mean(_first(uptime, nodes))),
        "nodes": nodes,
        "checkpoint_cost": between("", ranges["checkpoint_cost/uptime"], fraction()),
        "recovery_cost": between("", ranges["recovery_cost/uptime"], fraction()),
    }


_BY_RENEWAL = {
    "rejuvenated": platform_failures_rejuvenated,
    "from_new": platform_failures_from_new,
    "stationary": platform_failures_stationary,
}
_NEW = Law("Weibull", (0.466, 30.0))
_EARLY, _WORN = Law("Weibull", (0.7, 30.0)), Law("Weibull", (1.8, 30.0))
_BROAD = Law("LogNormal", (3.0, 1.2))
_JOB = {
    "work": 12.0,
    "interval": 2.0,
    "checkpoint_cost": 0.3,
    "recovery_cost": 0.4,
    "uptime": _EARLY,
    "nodes": 4,
}

SWEEPS = (
    *(
        Sweep(function, summed_failures, partial(_any_time, function, renewal), quick=3, full=100)
        for renewal, function in _BY_RENEWAL.items()
    ),
    Sweep(expected_makespan_rejuvenated, whole_times, _any_job, quick=1, full=40),
    Sweep(optimal_interval_rejuvenated, no_interval_is_better, _any_costs, quick=2, full=100),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    *(
        Case(
            _BY_RENEWAL[renewal],
            played_failures,
            (
                {"time": time, "uptime": _EARLY, "nodes": 4, "renewal": renewal},
                {"time": time, "uptime": _WORN, "nodes": 4, "renewal": renewal},
            ),
            effort=effort,
        )
        for renewal, time, effort in (
            ("rejuvenated", 60.0, 0.08),
            ("from_new", 60.0, 0.1),
            ("stationary", 180.0, 0.06),
        )
    ),
    *(
        Case(
            _BY_RENEWAL[renewal],
            long_failures,
            tuple(
                {"uptime": law, "nodes": 64, "means": means, "renewal": renewal}
                for law, means in ((_NEW, 9000.0), (Law("Weibull", (0.5, 30.0)), 1000.0))
            ),
            chance=False,
        )
        for renewal in ("rejuvenated", "from_new")
    ),
    Case(
        expected_makespan_rejuvenated,
        played_job,
        (_JOB, {**_JOB, "uptime": _BROAD, "nodes": 9}),
        effort=0.02,
    ),
    Case(
        optimal_interval_rejuvenated,
        no_interval_is_better,
        ({"uptime": _EARLY, "nodes": 4, "checkpoint_cost": 0.3, "recovery_cost": 0.4},),
        chance=False,
    ),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)


def _rounded_failures(time: float, *, uptime: Any, nodes: int, renewal: str) -> float:
    """Return the number of uptimes that are rounded to the nearest of 2^15 multiples of a step."""
    many = 1.0 if renewal == "rejuvenated" else float(nodes)
    law = uptime.first_of(nodes) if renewal == "rejuvenated" else uptime
    if time < 100.0 * law.mean:  # too few to tell
        return float(_BY_RENEWAL[renewal](time, uptime=uptime, nodes=nodes))
    step = time / 2.0**15
    mean = step * float(np.sum(law.sf(step * (np.arange(2**15) + 0.5))))
    return float(many * (time / mean + (law.scv - 1.0) / 2.0))


def _wrong_failures(time: float, *, uptime: Any, nodes: int, renewal: str, fault: str) -> float:
    parameters = tuple(getattr(uptime, name) for name in uptime.__dataclass_fields__)
    law = Law(type(uptime).__name__, parameters)
    return _failures(time, uptime=law, nodes=nodes, renewal=renewal, fault=fault)


def _other_renewal(time: float, *, uptime: Any, nodes: int, other: str) -> float:
    return float(_BY_RENEWAL[other](time, uptime=uptime, nodes=nodes))


def _platform(uptime: Any, nodes: int, fault: str) -> Any:
    if fault == "one node":
        return uptime
    if fault == "the mean of a node over the number of nodes":
        return uptime.scaled(1.0 / nodes)
    return uptime.scaled(nodes ** -getattr(uptime, "shape", 1.0))  # the exponent not inverted


def _wrong_makespan(*, uptime: Any, nodes: int, fault: str, **job: Any) -> float:
    return float(expected_makespan_ageing(uptime=_platform(uptime, nodes, fault), **job))


def _wrong_interval(*, uptime: Any, nodes: int, fault: str, **costs: Any) -> float:
    return optimal_interval_ageing(uptime=_platform(uptime, nodes, fault), **costs)


_LAWS = ("one node", "the mean of a node over the number of nodes", "exponent not inverted")

MUTANTS = (
    *(
        Mutant(_BY_RENEWAL[renewal], fault, partial(_wrong_failures, renewal=renewal, fault=fault))
        for renewal, faults in (
            (
                "rejuvenated",
                (
                    "first failures only",
                    "the mean of a node over the number of nodes",
                    "in the long run",
                    "one node",
                ),
            ),
            ("from_new", ("first failures only", "in the long run", "one node")),
            ("stationary", ("first failures only", "in the long run", "one node")),
        )
        for fault in faults
    ),
    *(
        Mutant(
            _BY_RENEWAL[renewal],
            "uptimes rounded to the nearest point",
            partial(_rounded_failures, renewal=renewal),
        )
        for renewal in ("rejuvenated", "from_new")
    ),
    *(
        Mutant(_BY_RENEWAL[renewal], f"{other} instead", partial(_other_renewal, other=other))
        for renewal, other in (
            ("rejuvenated", "stationary"),
            ("from_new", "stationary"),
            ("stationary", "from_new"),
        )
    ),
    *(
        Mutant(expected_makespan_rejuvenated, fault, partial(_wrong_makespan, fault=fault))
        for fault in _LAWS
    ),
    *(
        Mutant(optimal_interval_rejuvenated, fault, partial(_wrong_interval, fault=fault))
        for fault in _LAWS
    ),
)
