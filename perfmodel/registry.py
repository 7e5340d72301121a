"""The catalogue: every public formula with its source, kind and range."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Literal

import numpy as np

from . import (
    completion,
    downtime,
    fitting,
    interval,
    interval_rules,
    makespan,
    parallel,
    partition,
    prediction,
    proactive,
    qos,
    recovery,
    recovery_delay,
    spares,
    wsj_completion,
)
from ._checks import BoolArray, FloatArray
from .validity import Range, ValidityWarning

__all__ = ["FORMULAS", "Evaluation", "Formula", "evaluate"]

Kind = Literal["exact", "approximation", "bound"]


@dataclass(frozen=True, slots=True)
class Formula:
    """One row of the catalogue.

    Parameters
    ----------
    function : callable
        The public function.
    source, equation : str
        Short name of the source and the place in it; ``derived`` where we derived it ourselves.
    kind : {"exact", "approximation", "bound"}
        What `validation` must show: agreement, an error within its range, or one side.
    range : Range, optional
        For an approximation: where its error is stated.
    fallback : callable, optional
        For an approximation: the exact function of the same arguments that takes over beyond.
        Arguments it does not have are left out, because its value does not depend on them.
    domain : mapping of str to (float, float)
        For each numeric argument the lowest and highest value at which the formula is put on
        trial by `validation` and by the tests, with every duration in multiples of the mtbf.
        An approximation's domain reaches beyond its range, where the fallback must take over.
    """

    function: Callable[..., Any]
    source: str
    equation: str
    kind: Kind
    range: Range | None = None
    fallback: Callable[..., Any] | None = None
    domain: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The function's public name."""
        return self.function.__name__


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `evaluate` found.

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


def evaluate(function: Callable[..., FloatArray], *args: Any, **kwargs: Any) -> Evaluation:
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
    An approximation speaks for itself where its row's `range` holds; beyond, its `fallback` is
    asked with the same arguments, and no `ValidityWarning` is given. Of a row without either, and
    of every exact one, all elements are the function's own.

    Examples
    --------
    >>> from perfmodel import optimal_interval_young
    >>> found = evaluate(optimal_interval_young, mtbf=10.0, checkpoint_cost=[0.1, 5.0])
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
    raise ValueError(f"function must be in the catalogue, got {function!r}")


_JOB = {
    "work": (0.01, 10.0),
    "interval": (0.01, 3.0),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-4, 1.0),
    "recovery_cost": (1e-4, 1.0),
    "downtime": (1e-4, 1.0),
}
_TASK = {
    "work": (0.1, 10.0),
    "mtbf": (1.0, 1.0),
    "downtime": (1e-3, 0.5),
    "interval": (0.01, 3.0),
    "checkpoint_cost": (1e-4, 1.0),
}
_COSTS = {"mtbf": (1.0, 1.0), "checkpoint_cost": (1e-4, 2.0)}
_PREDICTED = {
    "period": (0.02, 0.4),
    "mtbf": (1.0, 1.0),
    "checkpoint_cost": (1e-3, 0.01),
    "proactive_cost": (1e-3, 0.01),
    "recall": (0.1, 0.9),
    "precision": (0.1, 1.0),
    "recovery_cost": (1e-3, 0.1),
    "downtime": (1e-3, 0.1),
}

FORMULAS: tuple[Formula, ...] = (
    Formula(makespan.expected_makespan, "derived", "model of bougeret2011", "exact", domain=_JOB),
    Formula(makespan.makespan_variance, "derived", "model of bougeret2011", "exact", domain=_JOB),
    Formula(makespan.efficiency, "derived", "work/expected_makespan", "exact", domain=_JOB),
    Formula(makespan.waste, "derived", "1 - efficiency", "exact", domain=_JOB),
    Formula(completion.exact_makespan, "derived", "transform of bougeret2011", "exact"),
    Formula(downtime.busy_period_mean, "wsj", "moments of Y before (3)", "exact"),
    Formula(downtime.busy_period_variance, "wsj", "moments of Y before (3)", "exact"),
    Formula(downtime.busy_period_transform, "textbook", "M/G/1 busy period", "exact"),
    Formula(
        wsj_completion.wsj_makespan, "wsj", "(5)-(7)", "approximation", wsj_completion.GAMMA_RANGE
    ),
    Formula(wsj_completion.wsj_compound, "derived", "process of (1)", "exact"),
    Formula(wsj_completion.gamma_error, "derived", "distance of the two laws", "exact"),
    Formula(
        spares.compare_extra_node, "wsj", "section 3", "approximation", spares.EXTRA_NODE_RANGE
    ),
    Formula(spares.spares_needed, "derived", "M/G/infinity", "exact"),
    Formula(makespan.wsj_mean, "wsj", "(3), (11), (12)", "exact", domain=_TASK),
    Formula(makespan.wsj_variance, "wsj", "(4), (11), (13)", "exact", domain=_TASK),
    Formula(interval.optimal_interval, "derived", "model of bougeret2011", "exact", domain=_COSTS),
    Formula(
        interval.best_segments,
        "derived",
        "model of bougeret2011",
        "exact",
        domain={"work": (0.1, 10.0), **_COSTS},
    ),
    Formula(
        interval.regret,
        "derived",
        "model of bougeret2011",
        "exact",
        domain={"interval": (0.01, 3.0), **_COSTS},
    ),
    Formula(
        interval.optimal_interval_young,
        "young1974",
        "interval rule",
        "approximation",
        interval_rules.YOUNG_RANGE,
        interval.optimal_interval,
        domain=_COSTS,
    ),
    Formula(
        interval.optimal_interval_daly,
        "daly2006",
        "(37)",
        "approximation",
        interval_rules.DALY_RANGE,
        interval.optimal_interval,
        domain=_COSTS,
    ),
    Formula(
        interval.optimal_interval_daly_first_order,
        "daly2003",
        "first-order rule, not seen",
        "approximation",
        interval_rules.DALY_FIRST_ORDER_RANGE,
        interval.optimal_interval,
        domain={**_COSTS, "recovery_cost": (1e-4, 1.0)},
    ),
    Formula(interval.optimal_interval_wsj, "wsj", "d(12)/dgamma = 0", "exact", domain=_COSTS),
    Formula(recovery.recovery_charge, "aucore", "(3)", "exact"),
    Formula(
        recovery.expected_manual_wait,
        "derived",
        "option A of aucore III-B",
        "exact",
    ),
    Formula(
        recovery.expected_failure_slowdown,
        "derived",
        "option C of aucore III-B",
        "exact",
        domain={
            "work": (0.2, 2.0),
            "interval": (0.1, 1.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (0.01, 0.2),
            "downtime": (0.1, 2.0),
            "recovery_cost": (0.01, 0.2),
        },
    ),
    Formula(
        recovery_delay.expected_head_delay,
        "derived",
        "options D, E of aucore III-B, M/M/c",
        "exact",
    ),
    Formula(
        recovery_delay.expected_rear_delay,
        "derived",
        "option B of aucore III-B, M/G/1",
        "exact",
    ),
    Formula(
        recovery_delay.expected_resubmission_delay,
        "derived",
        "option A of aucore III-B, M/M/c",
        "exact",
    ),
    Formula(
        prediction.failure_probability,
        "textbook",
        "exponential law",
        "exact",
        domain={"duration": (0.2, 2.0), "mtbf": (1.0, 1.0)},
    ),
    Formula(
        prediction.expected_failures,
        "derived",
        "expected_makespan/mtbf",
        "exact",
        domain={name: ends for name, ends in _JOB.items() if name != "downtime"},
    ),
    Formula(
        prediction.expected_lost_time,
        "derived",
        "model of bougeret2011",
        "exact",
        domain={
            "work": (0.1, 3.0),
            "interval": (0.1, 3.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (1e-3, 0.5),
        },
    ),
    Formula(
        proactive.waste_aupy,
        "aupy2014",
        "waste, not seen",
        "approximation",
        proactive.WASTE_RANGE,
        domain=_PREDICTED,
    ),
    Formula(
        proactive.optimal_period_aupy,
        "aupy2014",
        "best period, not seen",
        "approximation",
        proactive.PERIOD_RANGE,
    ),
    Formula(qos.promised_probability, "qos", "3.5, constant rate", "exact"),
    Formula(qos.longest_promise, "qos", "(3), constant rate", "exact"),
    Formula(qos.checkpoint_gain, "qos", "(1)", "exact"),
    Formula(
        qos.risk_based_interval,
        "qos",
        "(1), constant rate",
        "exact",
        domain={"interval": (0.05, 1.0), "mtbf": (1.0, 1.0), "checkpoint_cost": (1e-3, 0.5)},
    ),
    Formula(fitting.fit_lifetime, "textbook", "likelihood with censoring", "exact"),
    Formula(fitting.mtbf_confidence, "textbook", "chi-square limits", "bound"),
    Formula(parallel.slowest_of, "wsj", "(8)", "exact"),
    Formula(parallel.slowest, "wsj", "(8)", "exact"),
    Formula(parallel.optimal_interval_parallel, "derived", "minimum of (8)", "exact"),
    Formula(partition.equal_time_partition, "wsj", "(14)", "exact"),
    Formula(partition.evaluate_set, "wsj", "(5)-(8), (14)", "approximation", partition.SET_RANGE),
    Formula(partition.schedule_exhaustive, "wsj", "Fig. 6", "exact"),
    Formula(
        partition.schedule_bisection,
        "wsj",
        "Fig. 7, corrected",
        "approximation",
        partition.SEARCH_RANGE,
    ),
    Formula(partition.schedule_random, "wsj", "section 5", "bound"),
    Formula(partition.schedule_speed, "wsj", "section 5", "bound"),
    Formula(partition.schedule_reliability, "wsj", "section 5", "bound"),
    Formula(partition.schedule_speed_reliability, "wsj", "section 5", "bound"),
)
