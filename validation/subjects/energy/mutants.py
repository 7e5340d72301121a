"""Wrong energies, intervals and curves, each by one fault."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from perfmodel.energy import (
    TimeEnergyCurve,
    energy_per_work,
    energy_per_work_first_order,
    expected_energy,
    optimal_interval_energy,
    optimal_interval_energy_first_order,
    time_energy_curve,
    waste_energy,
)
from validation.judge.run import Mutant

from ..by_definition import mutants
from .definitions import FAULTS, LONG_FAULTS, energy, per_work, waste

__all__ = ["MUTANTS"]

Function = Callable[..., Any]

# What is left out or taken for something else, before the right function is asked.
_CHANGES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "time in place of energy": lambda m: {
        "static_power": 1.0,
        "compute_power": 0.0,
        "io_power": 0.0,
        "down_power": 0.0,
    },
    "power to write dropped": lambda m: {"io_power": 0.0},
    "recovery dropped": lambda m: {"recovery_cost": 0.0},
    "downtime dropped": lambda m: {"downtime": 0.0},
    "overlap dropped": lambda m: {"overlap": 0.0},
    "checkpoint takes half": lambda m: {"checkpoint_cost": 0.5 * m["checkpoint_cost"]},
}


def _changed(function: Function, change: Function, **machine: Any) -> Any:
    return function(**{**machine, **change(machine)})


def _wrong(function: Function, *faults: str) -> tuple[Mutant, ...]:
    return tuple(
        Mutant(function, fault, partial(_changed, function, _CHANGES[fault])) for fault in faults
    )


def _period(**machine: Any) -> Any:
    """Return the period in place of the interval, which it was published as."""
    lost = (1.0 - machine["overlap"]) * machine["checkpoint_cost"]
    return optimal_interval_energy_first_order(**machine) + lost


def _whole_period_lost(**machine: Any) -> Any:
    """Return the first order with failures twice as often, but for what they cost besides."""
    own = {**machine, "mtbf": 0.5 * machine["mtbf"]}
    halved = {name: 0.5 * machine[name] for name in ("recovery_cost", "downtime")}
    return energy_per_work_first_order(**{**own, **halved})


def _swapped(**machine: Any) -> Any:
    curve = time_energy_curve(**machine)
    return TimeEnergyCurve(*(each[::-1] for each in (curve.interval, curve.time, curve.energy)))


def _of_work_alone(**machine: Any) -> Any:
    """Return the energy over that of the work, not over the least one."""
    curve = time_energy_curve(**machine)
    del machine["points"]
    useful = machine["static_power"] + machine["compute_power"]
    pace = energy_per_work(interval=curve.interval, **machine)
    return TimeEnergyCurve(curve.interval, curve.time, pace / useful)


def _evenly_in_time(**machine: Any) -> Any:
    curve = time_energy_curve(**machine)
    del machine["points"]
    spans = np.linspace(curve.interval[0], curve.interval[-1], curve.interval.size)
    time = {**machine, **_CHANGES["time in place of energy"](machine)}
    found = (energy_per_work(interval=spans, **each) for each in (time, machine))
    with np.errstate(invalid="ignore"):
        return TimeEnergyCurve(
            spans, *(each / each[end] for each, end in zip(found, (0, -1), strict=True))
        )


MUTANTS = (
    *mutants(expected_energy, energy, *FAULTS),
    *mutants(waste_energy, waste, *FAULTS),
    *mutants(energy_per_work, per_work, *LONG_FAULTS),
    *_wrong(
        optimal_interval_energy,
        "time in place of energy",
        "power to write dropped",
        "recovery dropped",
        "downtime dropped",
        "overlap dropped",
    ),
    Mutant(optimal_interval_energy, "first order", optimal_interval_energy_first_order),
    *_wrong(
        energy_per_work_first_order,
        "power to write dropped",
        "recovery dropped",
        "downtime dropped",
        "overlap dropped",
    ),
    Mutant(energy_per_work_first_order, "a failure costs a whole period", _whole_period_lost),
    *_wrong(
        optimal_interval_energy_first_order,
        "time in place of energy",
        "power to write dropped",
        "recovery dropped",
        "overlap dropped",
        "checkpoint takes half",
    ),
    Mutant(optimal_interval_energy_first_order, "period in place of interval", _period),
    *_wrong(time_energy_curve, "time in place of energy", "overlap dropped"),
    Mutant(time_energy_curve, "ends swapped", _swapped),
    Mutant(time_energy_curve, "over the energy of the work", _of_work_alone),
    Mutant(time_energy_curve, "spaced evenly", _evenly_in_time),
)
