"""Energy of jobs, against simulated ones and against its definition at many digits."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.energy import (
    energy_per_work,
    energy_per_work_first_order,
    expected_energy,
    optimal_interval_energy,
    optimal_interval_energy_first_order,
    time_energy_curve,
    waste_energy,
)
from perfmodel.energy.first_order import ENERGY_RANGE, INTERVAL_RANGE
from perfmodel.validity import ValidityWarning
from sim.application import Powers
from validation.judge.chance import FloatArray
from validation.judge.compare import approximation_error, compare_mean
from validation.judge.compare_minimum import compare_minimiser
from validation.judge.trial import Budget, Case, table
from validation.judge.verdict import Verdict
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep, case

from ..by_definition import swept
from ..cached_simulators import simulate_energies
from ..closed_forms.cases import distance
from ..closed_forms.definitions import exactly
from ..interval.cases import printed_value
from .definitions import best_to_first_order, energy, first_order, per_work, slope, waste

__all__ = ["CASES", "FULL", "SWEEPS", "each_segment", "mean", "share_lost"]

Predict = Callable[..., Any]

_AWAY = 1e-9
_POWERS = ("static_power", "compute_power", "io_power", "down_power")
_TIME = dict(zip(_POWERS, (1.0, 0.0, 0.0, 0.0), strict=True))


def _energies(budget: Budget, *, work: float, **job: Any) -> FloatArray:
    powers = Powers(*(job.pop(name) for name in _POWERS))
    return simulate_energies(
        work, **job, powers=powers, replications=budget.replications, seed=budget.seed
    )


def mean(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the mean energy."""
    seen = _energies(budget, work=work, **job)
    found = float(predict(work, **job))
    return compare_mean(found, seen, alpha=budget.alpha, tolerance=budget.tolerance)


def share_lost(predict: Predict, budget: Budget, *, work: float, **job: Any) -> Verdict:
    """Judge the waste: the ratio of two means, to first order in that of the energy."""
    seen = _energies(budget, work=work, **job)
    middle = float(seen.mean())
    useful = work * (job["static_power"] + job["compute_power"])
    shares = 1.0 - useful / middle + (seen - middle) * useful / middle**2
    found = float(predict(work, **job))
    return compare_mean(found, shares, alpha=budget.alpha, tolerance=budget.tolerance)


def each_segment(predict: Predict, budget: Budget, *, interval: float, **job: Any) -> Verdict:
    """Judge the energy of a long job by what segments add: jobs of two and of twelve of them."""
    short, long = (
        _energies(budget, work=count * interval, interval=interval, **job) for count in (2, 12)
    )
    found = float(predict(interval=interval, **job))
    return compare_mean(
        found, (long - short) / (10.0 * interval), alpha=budget.alpha, tolerance=budget.tolerance
    )


def simulated_minimum(predict: Predict, budget: Budget, **machine: float) -> Verdict:
    """Judge by the interval at which the segments of simulated jobs take least energy per work."""

    def per_work_seen(interval: float, index: int) -> FloatArray:
        own = Budget(budget.seed + index, budget.replications, budget.alpha, budget.tolerance)
        return _energies(own, work=8.0 * interval, interval=interval, **machine) / interval

    found = float(predict(**machine))
    return compare_minimiser(
        found, per_work_seen, step=0.3, alpha=budget.alpha, tolerance=budget.tolerance
    )


def at_the_minimum(predict: Predict, budget: Budget, **machine: float) -> Verdict:
    """Judge by the slope of the energy a billionth below and above, at many digits."""
    del budget
    found = float(predict(**machine))
    passed, note = _is_least(found, machine)
    z = 0.0 if passed else math.inf
    return Verdict("exact", found, found, 0.0, z, _AWAY, passed=passed, note=note)


def _is_least(interval: float, machine: dict[str, Any]) -> tuple[bool, str]:
    """Return whether no interval of overlap times checkpoint_cost and more takes less energy."""
    least = machine["overlap"] * machine["checkpoint_cost"]
    if interval < least * (1.0 - 1e-15):
        return False, f"{interval!r} is less than {least!r}; {machine}"
    places = {sign: interval * (1.0 + sign * _AWAY) for sign in (-1.0, 1.0)}
    slopes = {s: float(exactly(slope, {"interval": w, **machine})) for s, w in places.items()}
    bound = interval <= least * (1.0 + 1e-15)  # below, checkpoints would wait for each other
    passed = slopes[1.0] > 0.0 and (bound or slopes[-1.0] < 0.0)
    return passed, "" if passed else f"slopes {slopes} at {interval!r}; {machine}"


def whole_curve(predict: Predict, budget: Budget, **machine: Any) -> Verdict:
    """Judge both ends by slopes, times and energies by the definition, and the spacing."""
    del budget
    curve = predict(**machine, points=4)
    spans = [float(w) for w in curve.interval]
    hours = {**machine, **_TIME}
    quick, note = _is_least(spans[0], hours)
    frugal, other = _is_least(spans[-1], machine)
    worst = 0.0
    for costs, seen, least in ((hours, curve.time, 0), (machine, curve.energy, -1)):
        exact = [exactly(per_work, {"interval": w, **costs}) for w in spans]
        known = [each / exact[least] for each in exact]
        worst = max(worst, *(distance(float(s), k) for s, k in zip(seen, known, strict=True)))
    logs = np.diff(np.log(spans))
    spaced = bool(np.ptp(logs) <= 1e-9)
    passed = quick and frugal and spaced and worst <= _AWAY
    why = note or other or f"off by {worst:.3g}, steps {logs}; {machine}"
    z = 0.0 if passed else math.inf
    return Verdict("exact", worst, 0.0, 0.0, z, _AWAY, passed=passed, note="" if passed else why)


def stated_error(predict: Predict, budget: Budget, *, of: str) -> Verdict:
    """Judge the error of the first order over its range: shares of costs, powers, overlaps."""
    del budget
    grid = _costs_and_powers(ENERGY_RANGE.limit if of == "energy" else INTERVAL_RANGE.limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        if of == "energy":
            found, known = predict(**grid), energy_per_work(**grid)
            return approximation_error(found, known, stated=ENERGY_RANGE.error)
        del grid["interval"]
        used = predict(**grid)
    assert INTERVAL_RANGE.of is not None
    inside = INTERVAL_RANGE.holds(INTERVAL_RANGE.of(**grid))
    least = energy_per_work(interval=optimal_interval_energy(**grid), **grid)
    more = (energy_per_work(interval=used, **grid) / least)[inside]
    return approximation_error(more, np.ones_like(more), stated=INTERVAL_RANGE.error)


def _costs_and_powers(total: float) -> dict[str, FloatArray]:
    """Return costs of at most `total` mtbf together, the interval at least a checkpoint's."""
    rng = np.random.default_rng(1)
    count = 20_000
    shares = rng.dirichlet((0.3, 0.3, 0.3, 0.3), count).T * total
    checkpoint = np.minimum(shares[0], shares[1]) + 1e-9
    grid = {
        "interval": np.maximum(shares[0], shares[1]) + 1e-9,
        "mtbf": np.ones(count),
        "checkpoint_cost": checkpoint,
        "recovery_cost": 0.999999 * shares[2],
        "downtime": 0.999999 * shares[3],
        "overlap": rng.choice((0.0, 0.5, 0.9, 1.0), count),
        "static_power": np.ones(count),
    }
    grid["interval"] *= 0.999999
    return grid | {name: 10.0 ** rng.uniform(-6.0, 6.0, count) for name in _POWERS[1:]}


_NAMES = ("work", "interval", "mtbf", "checkpoint_cost", "recovery_cost", "downtime", "overlap")
# Costs comparable to the mtbf, where every rule shows, and powers that tell states apart; in the
# last ones the last segment is done beside the checkpoint before it.
JOBS = table(
    (*_NAMES, *_POWERS),
    (2.5, 1.0, 2.0, 0.5, 0.6, 0.8, 0.6, 1.0, 2.0, 3.0, 1.5),
    (2.0, 1.0, 2.5, 0.4, 0.3, 0.5, 0.0, 0.5, 1.0, 0.2, 1.5),
    (2.1, 1.0, 3.0, 0.8, 0.3, 0.2, 0.9, 1.0, 5.0, 0.1, 0.5),
)
LONG = tuple({name: value for name, value in job.items() if name != "work"} for job in JOBS)
_SOURCE = {
    "mtbf": 300.0,
    "checkpoint_cost": 10.0,
    "recovery_cost": 10.0,
    "downtime": 1.0,
    "overlap": 0.5,
    "compute_power": 10.0,
    "io_power": 100.0,
}
_HARSH = {name: value for name, value in LONG[1].items() if name != "interval"}


def _printed(predict: Predict, budget: Budget, *, period: float, **machine: float) -> Verdict:
    """Compare with a period of the source, which counts what a checkpoint costs in time."""
    lost = (1.0 - machine["overlap"]) * machine["checkpoint_cost"]

    def counted(**given: float) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ValidityWarning)
            return float(predict(**given)) + lost

    return printed_value(counted, budget, printed=period, tolerance=5e-5, **machine)


SWEEPS = (
    swept(expected_energy, energy, quick=10),
    swept(waste_energy, waste, quick=10),
    swept(energy_per_work, per_work, quick=10),
    Sweep(
        optimal_interval_energy,
        at_the_minimum,
        partial(drawn, optimal_interval_energy),
        quick=8,
        full=500,
    ),
    Sweep(time_energy_curve, whole_curve, partial(drawn, time_energy_curve), quick=5, full=300),
    swept(energy_per_work_first_order, first_order, quick=10),
    swept(optimal_interval_energy_first_order, best_to_first_order, quick=10),
)
CASES = (
    *(case(sweep) for sweep in SWEEPS),  # first, because they reject most mutants
    Case(expected_energy, mean, JOBS[:1], effort=0.17),
    Case(waste_energy, share_lost, JOBS[:1], effort=0.17),
    Case(energy_per_work, each_segment, LONG[:1], effort=0.17),
    Case(energy_per_work_first_order, stated_error, ({"of": "energy"},), chance=False),
    Case(optimal_interval_energy_first_order, stated_error, ({"of": "regret"},), chance=False),
    Case(
        optimal_interval_energy_first_order,
        _printed,
        (
            {"period": 128.07, "static_power": 10.0, **_SOURCE},
            {"period": 138.99, "static_power": 5.0, **_SOURCE},
            {"period": 53.29, **_SOURCE, **_TIME},
        ),
        chance=False,
    ),
)
FULL = (
    Case(expected_energy, mean, JOBS, effort=0.17),
    Case(optimal_interval_energy, simulated_minimum, (_HARSH,), effort=0.2),
    *(case(sweep, full=True) for sweep in SWEEPS),
)
