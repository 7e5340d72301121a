"""The catalogue: every public formula with its source, kind and range.

Each row stands under its formula; here they are added up, in the order in which they are shown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np

from ._checks import BoolArray, FloatArray, shown
from .formula import Ends, Formula
from .validity import ValidityWarning

__all__ = ["FORMULAS", "Evaluation", "evaluate_formula", "ranges_of"]

_MODULES = """
    makespan.exact makespan.asynchronous makespan.shares makespan.random_cost
    makespan.iterations completion.exact completion.asynchronous completion.predictive
    completion.repairs.busy_period completion.wsj parallel.spares standbys.wait standbys.needed
    standbys.degraded standbys.two_stage standbys.one_job makespan.wsj interval.optimum
    interval.asynchronous interval.rules site.recovery_options site.queue_delay
    site.job_failures interval.predicted_failures prediction.windows ageing.makespan ageing.law
    ageing.share ageing.sequence ageing.plan ageing.platform levels.two levels.law
    levels.optimum interval.reservation chains.makespan chains.optimum training.losses
    training.ettr training.memory silent.verified silent.optimum silent.late silent.late_optimum
    spot.deadline spot.laws lemons.first_failure lemons.removal lemons.repaired lemons.suspects
    bursts.strikes buddies.images buddies.losses replication.pairs replication.optimum
    levels.many levels.pattern levels.first_order scaling.speedup scaling.optimum
    contention.shared protocols.choice energy.exact energy.optimum energy.first_order
    site.promises fitting.lifetime fitting.mtbf fitting.posterior fitting.mean fitting.bathtub
    fitting.change fitting.clusters fitting.pattern forecasts.law forecasts.interval
    forecasts.mixture parallel.tasks parallel.phases partition.schedule partition.search
    partition.local partition.rules
"""
FORMULAS: tuple[Formula, ...] = tuple(
    row for module in _MODULES.split() for row in import_module(f".{module}", __package__).ROWS
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `evaluate_formula` found.

    Parameters
    ----------
    value : ndarray
        The formula where it may be trusted, its fallback elsewhere.
    fell_back : ndarray of bool, [-]
        Which elements come from the fallback; broadcasts against `value`.
    formula : Formula
        The row that was evaluated.
    """

    value: FloatArray
    fell_back: BoolArray
    formula: Formula


def evaluate_formula(function: Callable[..., FloatArray], *args: Any, **kwargs: Any) -> Evaluation:
    """Evaluate a formula inside its range and its exact fallback beyond, element by element.

    Parameters
    ----------
    function : callable
        A function of the catalogue.
    *args, **kwargs
        Its arguments.

    Returns
    -------
    Evaluation
        The values, with a record of which elements fell back.

    Raises
    ------
    ValueError
        If the function is not in the catalogue, or refuses an argument.

    Notes
    -----
    Where the `range` of its row holds, an approximation gives the value itself; elsewhere its
    `fallback` does, called with the same arguments. No `ValidityWarning` is issued. A row that
    has no range or no fallback, as exact ones have not, gives all values by its own function.

    Examples
    --------
    >>> from perfmodel import optimal_interval_young
    >>> found = evaluate_formula(optimal_interval_young, mtbf=10.0, checkpoint_cost=[0.1, 5.0])
    >>> found.value.round(4).tolist(), found.fell_back.tolist()
    ([1.4142, 6.9829], [False, True])
    """
    row = _row(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        value = np.asarray(function(*args, **kwargs))
    if row.range is None or row.range.of is None or row.fallback is None:
        return Evaluation(value, np.zeros(value.shape, dtype=np.bool_), row)
    bound = signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    arguments = {name: np.asarray(given, dtype=float) for name, given in bound.arguments.items()}
    fell_back = np.broadcast_to(~row.range.holds(row.range.of(**arguments)), value.shape)
    known = signature(row.fallback).parameters
    exact = row.fallback(**{name: a for name, a in arguments.items() if name in known})
    return Evaluation(np.where(fell_back, exact, value), fell_back, row)


def _row(function: Callable[..., Any]) -> Formula:
    for row in FORMULAS:
        if row.function is function:
            return row
    raise ValueError(
        f"function must be in the catalogue, got {shown(function)}: perfmodel.FORMULAS lists all"
    )


def ranges_of(name: str) -> Mapping[str, Ends]:
    """Return the documented range of each ratio of the formula of this name.

    Parameters
    ----------
    name : str
        A public function.

    Returns
    -------
    mapping of str to (float, float), [-]
        Lowest and highest value of each ratio.

    Raises
    ------
    ValueError
        If no formula has this name.

    Examples
    --------
    >>> ranges_of("exact_makespan")["interval/mtbf"]
    (0.0001, 50.0)
    """
    for row in FORMULAS:
        if row.name == name:
            return row.ranges
    raise ValueError(f"name must be that of a formula, got {shown(name)}")
