"""Wrong periods and wastes on a shared file system, each by one fault."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from perfmodel.contention import contention_multiplier, optimal_periods_shared, waste_shared
from validation.judge.run import Mutant

from ..closed_forms.definitions import exactly
from .definitions import FAULTS, WASTE_FAULTS, periods, waste

__all__ = ["MUTANTS"]


def _periods(fault: str, **machine: Any) -> Any:
    return np.array([float(p) for p in exactly(partial(periods, fault=fault), machine)])


def _multiplier(fault: str, **machine: Any) -> Any:
    right = contention_multiplier(**machine)
    if fault == "never below 0 dropped":
        return right if right > 0.0 else -1e-3
    if fault == "of a node":
        return right * np.sum(np.multiply(machine["nodes"], machine["jobs"]))
    return contention_multiplier(**{**machine, "jobs": np.ones(len(machine["nodes"]))})


def _waste(fault: str, period: Any, *, recovery_cost: Any = None, **machine: Any) -> Any:
    back = machine["checkpoint_cost"] if recovery_cost is None else recovery_cost
    point = {"period": period, **machine, "recovery_cost": back}
    return float(exactly(partial(waste, fault=fault), point))


MUTANTS = (
    *(
        Mutant(contention_multiplier, fault, partial(_multiplier, fault))
        for fault in ("never below 0 dropped", "of a node", "jobs not counted")
    ),
    *(Mutant(optimal_periods_shared, fault, partial(_periods, fault)) for fault in FAULTS),
    *(Mutant(waste_shared, fault, partial(_waste, fault)) for fault in WASTE_FAULTS),
)
