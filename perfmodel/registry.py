"""The catalogue: every public formula with its source, kind and range."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, Literal

import numpy as np

from . import completion, fitting, interval, makespan, parallel, partition, site
from ._checks import BoolArray, FloatArray
from .interval import predicted_failures
from .interval import rules as interval_rules
from .validity import Range, ValidityWarning

__all__ = ["ANY", "FORMULAS", "Evaluation", "Formula", "evaluate", "ranges_of"]

Kind = Literal["exact", "approximation", "bound"]
Ends = tuple[float, float]

ANY: Ends = (1e-6, 1e6)  # what the catalogue calls any ratio


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
    ranges : mapping of str to (float, float)
        What the formula is documented for, all of which is judged: for each ratio of two
        arguments, ``"interval/mtbf"``, or argument without a unit its lowest and highest value;
        ``"cv of downtime"`` is that of a law, ``"... at risk"`` where failures strike repairs.
    within : str
        Of a formula that is exact for a model and not for the machine: what the model leaves out.
    domain : mapping of str to (float, float)
        The part of the documented range where simulated jobs can tell, each duration in multiples
        of the mtbf. An approximation's domain reaches beyond its range, where the fallback must
        take over.
    """

    function: Callable[..., Any]
    source: str
    equation: str
    kind: Kind
    range: Range | None = None
    fallback: Callable[..., Any] | None = None
    ranges: Mapping[str, Ends] = field(default_factory=dict)
    within: str = ""
    domain: Mapping[str, Ends] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The function's public name."""
        return self.function.__name__

    @property
    def documented(self) -> str:
        """The documented range in words: ``any``, or the ratios that have narrower ends."""
        narrow = [
            f"{ratio} {_brief(low)} to {_brief(high)}"
            for ratio, (low, high) in self.ranges.items()
            if not (low <= ANY[0] and high >= ANY[1])
        ]
        return ", ".join(narrow) or "any"

    @property
    def statement(self) -> str:
        """The sentence of the docstring that states the documented range."""
        if self.documented == "any":
            where = "any ratio of its arguments from 1e-6 to 1e6"
        elif any(ends == ANY for ends in self.ranges.values()):
            where = f"{self.documented}, and any other ratio from 1e-6 to 1e6"
        else:
            where = self.documented
        model = f", in a model in which {self.within}" if self.within else ""
        return f"Judged for {where}{model}."


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


def _brief(value: float) -> str:
    """Write a number as people do: 1e-6, not 1e-06, and 1e-4, not 0.0001."""
    text = f"{value:g}" if value == 0.0 or value >= 1e-3 else f"{value:.0e}"
    return text.replace("e-0", "e-").replace("e+0", "e")


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
    raise ValueError(f"name must be that of a formula, got {name!r}")


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

_LOAD = (1e-6, 0.999)  # of downtime to mtbf where failures strike repairs too
_LOST = {"work/mtbf": ANY, "interval/mtbf": ANY, "checkpoint_cost/mtbf": ANY}
_PLAYED = {**_LOST, "recovery_cost/mtbf": ANY}
_FULL = {**_PLAYED, "downtime/mtbf": ANY}
_WSJ = {**_LOST, "downtime/mtbf": _LOAD}
_COST = {"checkpoint_cost/mtbf": ANY}
_QUEUE = {"places": (1.0, 1e3), "load": (1e-3, 0.999)}
_LAW = {
    "interval/mtbf": (1e-4, 50.0),
    "work/interval": (1.0, 1e6),
    "checkpoint_cost/interval": (1e-4, 10.0),
    "cv of downtime": (0.0, 30.0),
}
_LAW_OF_TASK = {**_LAW, "downtime/mtbf": (1e-3, 0.95)}
_LAW_OF_JOB = {
    **_LAW,
    "recovery_cost/interval": (1e-4, 10.0),
    "downtime/mtbf": (1e-3, 1e3),
    "downtime/mtbf at risk": (1e-3, 0.95),
}
_FLEET = {
    "mttr/mtbf": (1e-3, 0.4),
    "mttr_cv": (0.5, 4.0),
    "interval/mtbf": (1e-3, 1.0),
    "checkpoint_cost/interval": (1e-3, 0.3),
    "share/mtbf": (0.1, 10.0),
}
_MILD_FLEET = {**_FLEET, "mttr/mtbf": (1e-3, 0.01)}
_PREDICTOR = {"recall": (0.1, 0.9), "precision": (0.1, 1.0)}
_NEVER_FAIL = "rework and checkpoints never fail"

FORMULAS: tuple[Formula, ...] = (
    Formula(
        makespan.expected_makespan,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=_FULL,
        domain=_JOB,
    ),
    Formula(
        makespan.makespan_variance,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=_FULL,
        domain=_JOB,
    ),
    Formula(
        makespan.efficiency, "derived", "work/expected_makespan", "exact", ranges=_FULL, domain=_JOB
    ),
    Formula(makespan.waste, "derived", "1 - efficiency", "exact", ranges=_FULL, domain=_JOB),
    Formula(
        completion.exact_makespan,
        "derived",
        "transform of bougeret2011",
        "exact",
        ranges=_LAW_OF_JOB,
    ),
    Formula(
        completion.busy_period_mean,
        "wsj",
        "moments of Y before (3)",
        "exact",
        ranges={"downtime/mtbf": _LOAD},
    ),
    Formula(
        completion.busy_period_variance,
        "wsj",
        "moments of Y before (3)",
        "exact",
        ranges={"downtime/mtbf": _LOAD},
    ),
    Formula(
        completion.busy_period_transform,
        "textbook",
        "M/G/1 busy period",
        "exact",
        ranges={"downtime/mtbf": _LOAD, "s*mtbf": ANY},
    ),
    Formula(
        completion.wsj_makespan,
        "wsj",
        "(5)-(7)",
        "approximation",
        completion.GAMMA_RANGE,
        ranges=_LAW_OF_TASK,
        within=_NEVER_FAIL,
    ),
    Formula(
        completion.wsj_compound,
        "derived",
        "process of (1)",
        "exact",
        ranges=_LAW_OF_TASK,
        within=_NEVER_FAIL,
    ),
    Formula(
        completion.gamma_error,
        "derived",
        "distance of the two laws",
        "exact",
        ranges=_LAW_OF_TASK,
        within=_NEVER_FAIL,
    ),
    Formula(
        parallel.compare_extra_node,
        "wsj",
        "section 3",
        "approximation",
        parallel.EXTRA_NODE_RANGE,
        ranges={
            "nodes": (1.0, 100.0),
            "downtime/mtbf": (1e-3, 0.2),
            "cv of downtime": (0.3, 4.0),
            "work/mtbf": (0.2, 400.0),
            "interval/mtbf": (0.01, 0.3),
            "checkpoint_cost/interval": (0.01, 0.3),
        },
        within=_NEVER_FAIL,
    ),
    Formula(
        parallel.spares_needed,
        "derived",
        "M/G/infinity",
        "exact",
        ranges={"nodes": (1.0, 1e6), "mttr/mtbf": (1e-6, 1.0), "confidence": (1e-3, 0.999999)},
    ),
    Formula(
        makespan.wsj_mean,
        "wsj",
        "(3), (11), (12)",
        "exact",
        ranges=_WSJ,
        within=_NEVER_FAIL,
        domain=_TASK,
    ),
    Formula(
        makespan.wsj_variance,
        "wsj",
        "(4), (11), (13)",
        "exact",
        ranges=_WSJ,
        within=_NEVER_FAIL,
        domain=_TASK,
    ),
    Formula(
        interval.optimal_interval,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=_COST,
        domain=_COSTS,
    ),
    Formula(
        interval.best_segments,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges={"work/mtbf": ANY, **_COST},
        domain={"work": (0.1, 10.0), **_COSTS},
    ),
    Formula(
        interval.regret,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges={"interval/mtbf": ANY, **_COST},
        domain={"interval": (0.01, 3.0), **_COSTS},
    ),
    Formula(
        interval.optimal_interval_young,
        "young1974",
        "interval rule",
        "approximation",
        interval_rules.YOUNG_RANGE,
        interval.optimal_interval,
        ranges=_COST,
        domain=_COSTS,
    ),
    Formula(
        interval.optimal_interval_daly,
        "daly2006",
        "(37)",
        "approximation",
        interval_rules.DALY_RANGE,
        interval.optimal_interval,
        ranges=_COST,
        domain=_COSTS,
    ),
    Formula(
        interval.optimal_interval_daly_first_order,
        "daly2003",
        "first-order rule, not seen",
        "approximation",
        interval_rules.DALY_FIRST_ORDER_RANGE,
        interval.optimal_interval,
        ranges={**_COST, "recovery_cost/mtbf": ANY},
        domain={**_COSTS, "recovery_cost": (1e-4, 1.0)},
    ),
    Formula(
        interval.optimal_interval_wsj,
        "wsj",
        "d(12)/dgamma = 0",
        "exact",
        ranges=_COST,
        within=_NEVER_FAIL,
        domain=_COSTS,
    ),
    Formula(
        site.recovery_charge,
        "aucore",
        "(3)",
        "exact",
        ranges={"runtime": ANY, "nodes": (1.0, 1e6), "price": ANY, "allowance": ANY},
    ),
    Formula(
        site.expected_manual_wait,
        "derived",
        "option A of aucore III-B",
        "exact",
        ranges={"duration/mtbf": ANY, "walltime/duration": (1.0, 1e6)},
    ),
    Formula(
        site.expected_failure_slowdown,
        "derived",
        "option C of aucore III-B",
        "exact",
        ranges=_FULL,
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
        site.expected_head_delay,
        "derived",
        "options D, E of aucore III-B, M/M/c",
        "exact",
        ranges={**_QUEUE, "downtime/service_time": ANY},
    ),
    Formula(
        site.expected_rear_delay,
        "derived",
        "option B of aucore III-B, M/G/1",
        "exact",
        ranges={"load": _QUEUE["load"], "scv": ANY, "downtime/service_time": ANY},
    ),
    Formula(
        site.expected_resubmission_delay,
        "derived",
        "option A of aucore III-B, M/M/c",
        "exact",
        ranges={**_QUEUE, "remaining/service_time": ANY},
    ),
    Formula(
        site.failure_probability,
        "textbook",
        "exponential law",
        "exact",
        ranges={"duration/mtbf": ANY},
        domain={"duration": (0.2, 2.0), "mtbf": (1.0, 1.0)},
    ),
    Formula(
        site.expected_failures,
        "derived",
        "expected_makespan/mtbf",
        "exact",
        ranges=_PLAYED,
        domain={name: ends for name, ends in _JOB.items() if name != "downtime"},
    ),
    Formula(
        site.expected_lost_time,
        "derived",
        "model of bougeret2011",
        "exact",
        ranges=_LOST,
        domain={
            "work": (0.1, 3.0),
            "interval": (0.1, 3.0),
            "mtbf": (1.0, 1.0),
            "checkpoint_cost": (1e-3, 0.5),
        },
    ),
    Formula(
        predicted_failures.waste_aupy,
        "aupy2014",
        "waste, not seen",
        "approximation",
        predicted_failures.WASTE_RANGE,
        ranges={
            "period/mtbf": (0.02, 0.4),
            "checkpoint_cost/mtbf": (1e-3, 0.01),
            "proactive_cost/mtbf": (1e-3, 0.01),
            **_PREDICTOR,
            "recovery_cost/mtbf": (1e-3, 0.1),
            "downtime/mtbf": (1e-3, 0.1),
        },
        domain=_PREDICTED,
    ),
    Formula(
        predicted_failures.optimal_period_aupy,
        "aupy2014",
        "best period, not seen",
        "approximation",
        predicted_failures.PERIOD_RANGE,
        ranges={
            "checkpoint_cost/mtbf": (1e-3, 0.01),
            "proactive_cost/mtbf": (1e-4, 0.01),
            **_PREDICTOR,
        },
    ),
    Formula(
        site.promised_probability,
        "qos",
        "3.5, constant rate",
        "exact",
        ranges={"nodes": (1.0, 1e6), "duration/node_mtbf": ANY},
    ),
    Formula(
        site.longest_promise,
        "qos",
        "(3), constant rate",
        "exact",
        ranges={"nodes": (1.0, 1e6), "probability": (1e-6, 0.999999)},
    ),
    Formula(
        site.checkpoint_gain,
        "qos",
        "(1)",
        "exact",
        ranges={"failure_probability": (0.0, 1.0), "unsaved/checkpoint_cost": ANY},
    ),
    Formula(
        site.risk_based_interval,
        "qos",
        "(1), constant rate",
        "exact",
        ranges={"interval/mtbf": ANY, **_COST},
        domain={"interval": (0.05, 1.0), "mtbf": (1.0, 1.0), "checkpoint_cost": (1e-3, 0.5)},
    ),
    Formula(
        fitting.fit_lifetime,
        "textbook",
        "likelihood with censoring",
        "exact",
        ranges={"cv of law": (0.4, 2.0), "watched/law": (2.0, 20.0)},
    ),
    Formula(
        fitting.mtbf_confidence,
        "textbook",
        "chi-square limits",
        "bound",
        ranges={"failures": (0.0, 1e6), "confidence": (1e-3, 0.999)},
    ),
    Formula(
        parallel.slowest_of,
        "wsj",
        "(8)",
        "exact",
        ranges={"count": (1.0, 1e6), **_LAW_OF_JOB},
    ),
    Formula(
        parallel.slowest,
        "wsj",
        "(8)",
        "exact",
        ranges=_LAW_OF_JOB,
    ),
    Formula(
        parallel.optimal_interval_parallel,
        "derived",
        "minimum of (8)",
        "exact",
        ranges={"tasks": (1.0, 1e3), "work/mtbf": (0.1, 10.0), "checkpoint_cost/mtbf": (1e-3, 0.1)},
    ),
    Formula(
        partition.equal_time_partition,
        "wsj",
        "(14)",
        "exact",
        ranges={"mttr/mtbf": _LOAD, "interval/mtbf": ANY, "checkpoint_cost/interval": ANY},
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.evaluate_set,
        "wsj",
        "(5)-(8), (14)",
        "approximation",
        partition.SET_RANGE,
        ranges=_MILD_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_exhaustive,
        "wsj",
        "Fig. 6",
        "exact",
        ranges=_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_bisection,
        "wsj",
        "Fig. 7, corrected",
        "approximation",
        partition.SEARCH_RANGE,
        ranges=_MILD_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_random,
        "wsj",
        "section 5",
        "bound",
        ranges=_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_speed,
        "wsj",
        "section 5",
        "bound",
        ranges=_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_reliability,
        "wsj",
        "section 5",
        "bound",
        ranges=_FLEET,
        within=_NEVER_FAIL,
    ),
    Formula(
        partition.schedule_speed_reliability,
        "wsj",
        "section 5",
        "bound",
        ranges=_FLEET,
        within=_NEVER_FAIL,
    ),
)
