"""The catalogue: every public formula with its source, kind and range.

Each row stands under its formula; here they are added up, in the order in which they are shown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from ._checks import BoolArray, FloatArray, shown
from .ageing import law as ageing_law
from .ageing import makespan as ageing_makespan
from .ageing import plan as ageing_plan
from .ageing import platform as ageing_platform
from .ageing import sequence as ageing_sequence
from .ageing import share as ageing_share
from .buddies import images as buddy_images
from .buddies import losses as buddy_losses
from .bursts import strikes
from .chains import makespan as chain_makespan
from .chains import optimum as chain_optimum
from .completion import asynchronous as completion_async
from .completion import exact as completion_exact
from .completion import predictive as completion_predictive
from .completion import wsj as completion_wsj
from .completion.repairs import busy_period
from .contention import shared
from .energy import exact as energy_exact
from .energy import first_order as energy_first_order
from .energy import optimum as energy_optimum
from .fitting import bathtub, change, clusters, lifetime, mean, mtbf, pattern, posterior
from .forecasts import interval as interval_mixed
from .forecasts import law as makespan_mixed
from .forecasts import mixture
from .formula import Ends, Formula
from .interval import asynchronous as interval_async
from .interval import optimum, predicted_failures, reservation
from .interval import rules as interval_rules
from .lemons import first_failure, removal, repaired, suspects
from .levels import first_order as many_levels_first_order
from .levels import law as two_levels_law
from .levels import many as many_levels
from .levels import optimum as two_levels_optimum
from .levels import pattern as many_levels_pattern
from .levels import two as two_levels
from .makespan import asynchronous as makespan_async
from .makespan import exact as makespan_exact
from .makespan import iterations, random_cost, shares
from .makespan import wsj as makespan_wsj
from .parallel import phases, spares, tasks
from .partition import local, schedule, search
from .partition import rules as partition_rules
from .prediction import windows as prediction_windows
from .protocols import choice as protocol_choice
from .replication import optimum as pairs_optimum
from .replication import pairs
from .scaling import optimum as nodes_optimum
from .scaling import speedup
from .silent import late as silent_late
from .silent import late_optimum as silent_late_optimum
from .silent import optimum as silent_optimum
from .silent import verified as silent_verified
from .site import job_failures, promises, queue_delay, recovery_options
from .spot import deadline as spot_deadline
from .spot import laws as spot_laws
from .standbys import degraded, needed, one_job, two_stage, wait
from .training import ettr, losses
from .training import memory as training_memory
from .validity import ValidityWarning

__all__ = ["FORMULAS", "Evaluation", "evaluate_formula", "ranges_of"]

FORMULAS: tuple[Formula, ...] = (
    *makespan_exact.ROWS,
    *makespan_async.ROWS,
    *shares.ROWS,
    *random_cost.ROWS,
    *iterations.ROWS,
    *completion_exact.ROWS,
    *completion_async.ROWS,
    *completion_predictive.ROWS,
    *busy_period.ROWS,
    *completion_wsj.ROWS,
    *spares.ROWS,
    *wait.ROWS,
    *needed.ROWS,
    *degraded.ROWS,
    *two_stage.ROWS,
    *one_job.ROWS,
    *makespan_wsj.ROWS,
    *optimum.ROWS,
    *interval_async.ROWS,
    *interval_rules.ROWS,
    *recovery_options.ROWS,
    *queue_delay.ROWS,
    *job_failures.ROWS,
    *predicted_failures.ROWS,
    *prediction_windows.ROWS,
    *ageing_makespan.ROWS,
    *ageing_law.ROWS,
    *ageing_share.ROWS,
    *ageing_sequence.ROWS,
    *ageing_plan.ROWS,
    *ageing_platform.ROWS,
    *two_levels.ROWS,
    *two_levels_law.ROWS,
    *two_levels_optimum.ROWS,
    *reservation.ROWS,
    *chain_makespan.ROWS,
    *chain_optimum.ROWS,
    *losses.ROWS,
    *ettr.ROWS,
    *training_memory.ROWS,
    *silent_verified.ROWS,
    *silent_optimum.ROWS,
    *silent_late.ROWS,
    *silent_late_optimum.ROWS,
    *spot_deadline.ROWS,
    *spot_laws.ROWS,
    *first_failure.ROWS,
    *removal.ROWS,
    *repaired.ROWS,
    *suspects.ROWS,
    *strikes.ROWS,
    *buddy_images.ROWS,
    *buddy_losses.ROWS,
    *pairs.ROWS,
    *pairs_optimum.ROWS,
    *many_levels.ROWS,
    *many_levels_pattern.ROWS,
    *many_levels_first_order.ROWS,
    *speedup.ROWS,
    *nodes_optimum.ROWS,
    *shared.ROWS,
    *protocol_choice.ROWS,
    *energy_exact.ROWS,
    *energy_optimum.ROWS,
    *energy_first_order.ROWS,
    *promises.ROWS,
    *lifetime.ROWS,
    *mtbf.ROWS,
    *posterior.ROWS,
    *mean.ROWS,
    *bathtub.ROWS,
    *change.ROWS,
    *clusters.ROWS,
    *pattern.ROWS,
    *makespan_mixed.ROWS,
    *interval_mixed.ROWS,
    *mixture.ROWS,
    *tasks.ROWS,
    *phases.ROWS,
    *schedule.ROWS,
    *search.ROWS,
    *local.ROWS,
    *partition_rules.ROWS,
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
