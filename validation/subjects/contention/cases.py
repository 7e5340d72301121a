"""Periods on a shared file system, against their definition and a minimiser that knows no price."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize

from perfmodel.contention import contention_multiplier, optimal_periods_shared, waste_shared
from perfmodel.registry import ranges_of
from validation.judge.compare import compare_number
from validation.judge.trial import Budget, Case
from validation.judge.verdict import Verdict
from validation.ranges.points import between
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..closed_forms.cases import distance
from ..closed_forms.definitions import exactly
from ..interval.cases import printed_value
from .definitions import multiplier, periods, waste

__all__ = ["CASES", "FULL", "SWEEPS"]

Predict = Callable[..., Any]
Draw = Callable[[], float]

_MOST_KINDS = 4
_AGREE = 1e-11
_FLAT = 1e-6  # by how much the least waste that was found may be missed
_OVER = 1e-9


def each_period(predict: Predict, budget: Budget, **machine: Any) -> Verdict:
    """Judge the period of each kind by the definition."""
    del budget
    known = exactly(periods, machine)
    found = np.asarray(predict(**machine))
    away = max(distance(float(p), k) for p, k in zip(found, known, strict=True))
    note = "" if away <= _AGREE else f"off by {away:.3g} relative; {machine}"
    z = 0.0 if away <= _AGREE else math.inf
    first, right = float(found[0]), float(known[0])
    return Verdict("exact", first, right, 0.0, z, _AGREE, passed=away <= _AGREE, note=note)


def least_waste(predict: Predict, budget: Budget, **machine: Any) -> Verdict:
    """Judge periods by those of a constrained minimiser, which the first orders start."""
    del budget
    q, n, c = (np.asarray(machine[name]) for name in ("nodes", "jobs", "checkpoint_cost"))
    rate, share = q / machine["node_mtbf"], n * q / np.sum(n * q)
    young = np.sqrt(2.0 * c / rate)
    start = young * max(1.0, float(np.sum(n * c / young)))

    def lost(logs: Any) -> Any:
        p = start * np.exp(logs)
        return np.sum(share * (c / p + 0.5 * rate * p))

    scale = float(lost(np.zeros(q.size)))
    at_most_all_of_the_time = {
        "type": "ineq",
        "fun": lambda logs: 1.0 - np.sum(n * c / (start * np.exp(logs))),
    }
    least: Any = minimize  # of which no overload takes these options
    found = least(
        lambda logs: lost(logs) / scale,
        np.zeros(q.size),
        method="SLSQP",
        bounds=[(-10.0, 10.0)] * q.size,
        constraints=at_most_all_of_the_time,
        options={"maxiter": 500, "ftol": 1e-13},
    )
    own = np.asarray(predict(**machine))
    load = float(np.sum(n * c / own))
    # The minimiser may step over the bound by a little, which buys it as little. Whether it says
    # that it succeeded is left aside: its line search stops at rounding, at the minimum.
    excess = float(lost(np.log(own / start)) / lost(found.x)) - 1.0
    passed = load <= 1.0 + _OVER and abs(excess) <= _FLAT
    note = "" if passed else f"load {load:.9g}, waste {excess:.3g} above the least; {machine}"
    z = 0.0 if passed else math.inf
    return Verdict("exact", excess, 0.0, 0.0, z, _FLAT, passed=passed, note=note)


def printed_period(
    predict: Predict, budget: Budget, *, printed: tuple[float, ...], **machine: Any
) -> Verdict:
    """Compare the periods with numbers computed elsewhere, in hours."""
    del budget
    found = np.asarray(predict(**machine)) / 3600.0
    off = float(np.max(np.abs(found - printed)))
    return compare_number(1.0 + off, 1.0, tolerance=5e-4)


def _machine(fraction: Draw) -> dict[str, Any]:
    """Draw some kinds of jobs, from the documented range."""
    ends = ranges_of("contention_multiplier")
    kinds = range(1 + int(fraction() * (_MOST_KINDS - 1e-9)))
    mtbf = between("node_mtbf", (1e-6, 1e6), fraction())
    point: dict[str, Any] = {
        name: tuple(between(name, ends[name], fraction()) for _ in kinds)
        for name in ("nodes", "jobs")
    }
    ratio = "checkpoint_cost*nodes/node_mtbf"
    costs = tuple(between(ratio, ends[ratio], fraction()) * mtbf / q for q in point["nodes"])
    return {**point, "checkpoint_cost": costs, "node_mtbf": mtbf}


def _with_periods(fraction: Draw) -> dict[str, Any]:
    """Draw periods in which the checkpoints find time."""
    ends = ranges_of("waste_shared")
    point = _machine(fraction)
    kinds, costs = len(point["nodes"]), point["checkpoint_cost"]
    part = (between("writing", ends["checkpoint_cost/period"], fraction()) for _ in costs)
    period = tuple(
        c / min(p, 1.0 / (kinds * n)) for c, p, n in zip(costs, part, point["jobs"], strict=True)
    )
    back = ends["recovery_cost/checkpoint_cost"]
    recovery = tuple(between("recovery", back, fraction()) * c for c in costs)
    return {"period": period, **point, "recovery_cost": recovery}


_KINDS = {
    "nodes": (1024.0, 256.0, 2048.0, 1875.0),
    "jobs": (8.1666, 11.1611, 1.96587, 1.35360),
    "checkpoint_cost": (1310.72, 378.88, 5734.4, 1275.0),
}
_HOUR = 3600.0 * 17784.0  # of a node, for an hour of the machine
_ENDS = (
    {"nodes": (1.0,), "jobs": (1.0,), "checkpoint_cost": (1.0,), "node_mtbf": 1.0},
    {"nodes": (1e5,), "jobs": (1000.0,), "checkpoint_cost": (1.0,), "node_mtbf": 1e11},
)
_WASTE_ENDS = (
    {"period": (1.0,), "recovery_cost": (1e-3,), **_ENDS[0]},
    {"period": (1e6,), "recovery_cost": (1e3,), **_ENDS[1]},
)


def wasted_hours(predict: Predict, budget: Budget, *, hours: float, printed: float) -> Verdict:
    """Compare the least waste of a published set of jobs with numbers computed elsewhere."""
    del budget
    machine: dict[str, Any] = {**_KINDS, "node_mtbf": hours * _HOUR}
    found = float(predict(period=optimal_periods_shared(**machine), **machine))
    return compare_number(found, printed, tolerance=5e-5 / printed)


SWEEPS = (
    swept(contention_multiplier, multiplier, agree=1e-9, quick=10, full=500, draw=_machine),
    Sweep(optimal_periods_shared, each_period, _machine, quick=10, full=500),
    Sweep(optimal_periods_shared, least_waste, _machine, quick=10, full=500),
    swept(waste_shared, waste, agree=1e-12, quick=20, draw=_with_periods),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),
    Case(
        contention_multiplier,
        printed_value,
        (
            {"printed": 0.1696, "tolerance": 3e-4, "node_mtbf": _HOUR, **_KINDS},
            {"printed": 0.0487, "tolerance": 1e-3, "node_mtbf": 2.0 * _HOUR, **_KINDS},
        ),
        chance=False,
    ),
    Case(
        optimal_periods_shared,
        printed_period,
        ({"printed": (6.833, 11.322, 8.873, 4.432), "node_mtbf": 2.0 * _HOUR, **_KINDS},),
        chance=False,
    ),
    Case(optimal_periods_shared, each_period, _ENDS, chance=False),
    Case(
        waste_shared,
        wasted_hours,
        (
            {"hours": 1.0, "printed": 0.3889},
            {"hours": 2.0, "printed": 0.2344},
            {"hours": 4.0, "printed": 0.1549},
            {"hours": 8.0, "printed": 0.1066},
            {"hours": 24.0, "printed": 0.0598},
        ),
        chance=False,
    ),
    Case(waste_shared, SWEEPS[3].judge, _WASTE_ENDS, chance=False),
    Case(contention_multiplier, SWEEPS[0].judge, _ENDS, chance=False),
)
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
