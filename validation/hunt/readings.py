"""Any result of a public function as a list of named numbers with units."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import perfmodel

from .docstrings import Unit, arguments_of, result_of

__all__ = ["LEVELS", "Reading", "readings"]

# What a search over a flat minimum finds: half of the digits of a float, with a margin.
_SEARCHED = {
    "optimal_interval_ageing": 1e-5,
    "optimal_interval_rejuvenated": 1e-5,
    "optimal_checkpoint_margin": 1e-6,
    "LevelPattern.interval": 1e-5,
    "optimal_interval_async": 1e-7,
}
LEVELS = (0.01, 0.3, 0.5, 0.9, 0.99, 0.999)

_TIME = {"time": 1}
_MULTIPLES = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 30.0])


@dataclass(frozen=True, slots=True)
class Reading:
    """One number, or array of numbers, of a result.

    Parameters
    ----------
    label : str
        The part of the result; empty for the result itself.
    unit : mapping of str to int
        Exponents of its base units.
    value : ndarray
        The numbers.
    slack : float
        Largest relative difference of two right results; absolute for the probabilities of a law.
    infinite : bool
        Whether inf is documented.
    error : float
        Largest error that the result states of this number.
    """

    label: str
    unit: Unit
    value: npt.NDArray[Any]
    slack: float = 1e-9
    infinite: bool = False
    error: float = 0.0


def readings(name: str, result: Any) -> list[Reading]:
    """Return every number in the result of a public name."""
    if name == "compare_extra_node":
        return [
            reading
            for use in ("worker", "replica", "spare")
            for reading in _of_completion(getattr(result, use), f"{use}.")
        ]
    for kind, read in _READERS.items():
        if isinstance(result, kind):
            return read(result)
    if is_dataclass(result):
        return _of_fields(result)
    stated = result_of(getattr(perfmodel, name))
    slack = _SEARCHED.get(name, 1e-9)
    return [Reading("", stated.unit, np.asarray(result), slack, infinite=stated.may_be_infinite)]


def _of_fields(result: Any) -> list[Reading]:
    """Return the numbers of a frozen result, with the units that its docstring states."""
    kind: Callable[..., Any] = type(result)
    documented = arguments_of(kind)
    return [
        Reading(
            field.name,
            documented[field.name].unit,
            np.asarray(getattr(result, field.name)),
            _slack(type(result).__name__, field.name),
            infinite=documented[field.name].infinite,
            error=_stated_error(result, field.name),
        )
        for field in fields(result)
    ]


def _slack(result: str, name: str) -> float:
    """Return how finely a number is compared; a stated error may be rounding for a part."""
    return 0.1 if name.endswith("_error") else _SEARCHED.get(f"{result}.{name}", 1e-9)


def _stated_error(result: Any, name: str) -> float:
    """Return the error that a result states of one of its numbers, as `cost_error` of `cost`."""
    if name.endswith("_error"):
        return 0.0
    return float(getattr(result, f"{name.partition('_')[0]}_error", 0.0))


def _of_estimate(estimate: perfmodel.MtbfConfidence) -> list[Reading]:
    return [
        Reading(label, _TIME, np.asarray(getattr(estimate, label)), infinite=True)
        for label in ("mtbf", "lower", "upper")
    ]


def _of_posterior(
    posterior: perfmodel.MtbfPosterior | perfmodel.MeanPosterior,
) -> list[Reading]:
    return [
        Reading("median", _TIME, np.asarray(posterior.median), infinite=True),
        Reading("ppf(0.025)", _TIME, np.asarray(posterior.ppf(0.025)), infinite=True),
        Reading("ppf(0.975)", _TIME, np.asarray(posterior.ppf(0.975)), infinite=True),
    ]


def _of_change(found: perfmodel.fitting.RateChange) -> list[Reading]:
    lower, upper = np.asarray(found.lower), np.asarray(found.upper)
    # Where nothing ever failed any ratio is possible, and the one that is given is nan.
    unknown = (lower == 0.0) & np.isinf(upper) & np.isnan(found.ratio)
    return [
        Reading("ratio", {}, np.where(unknown, np.inf, found.ratio), infinite=True),
        Reading("lower", {}, lower),
        Reading("upper", {}, upper, infinite=True),
        Reading("p_value", {}, np.asarray(found.p_value)),
    ]


def _of_clusters(found: perfmodel.FailureClusters) -> list[Reading]:
    return [
        Reading("mtbf", _TIME, np.asarray(found.mtbf)),
        Reading("effective_mtbf", _TIME, np.asarray(found.effective_mtbf)),
        Reading("scv", {}, np.asarray(found.scv)),
        Reading("limit", {}, np.asarray(found.limit)),
    ]


def _of_pattern_of_failures(found: perfmodel.FailurePattern) -> list[Reading]:
    return [
        Reading("mtbf", _TIME, np.asarray(found.mtbf)),
        Reading("interval_mtbf", _TIME, np.asarray(found.interval_mtbf)),
    ]


def _of_forecast(found: perfmodel.FailureForecast) -> list[Reading]:
    return [
        Reading("mean_rate", {"s": -1}, np.asarray(found.mean_rate)),
        Reading("cluster_size", {}, np.asarray(found.cluster_size)),
        Reading("weights", {}, found.weights),
        Reading("means", {"s": -1}, found.means),
        Reading("shapes", {}, found.shapes),
    ]


def _of_schedule(schedule: perfmodel.Schedule) -> list[Reading]:
    return [
        Reading("shares", {"work": 1}, schedule.shares),
        Reading("subtask_time", _TIME, np.asarray(schedule.subtask_time), infinite=True),
        Reading("expected_time", _TIME, np.asarray(schedule.expected_time), 1e-6, infinite=True),
        Reading("std", _TIME, np.asarray(schedule.std), 1e-4, infinite=True),
    ]


def _of_pattern(pattern: perfmodel.TwoLevelPattern) -> list[Reading]:
    return [
        Reading("interval", _TIME, np.asarray(pattern.interval)),
        Reading("durable_every", {}, np.asarray(pattern.durable_every), infinite=True),
    ]


def _of_plan(plan: perfmodel.AgeingPlan) -> list[Reading]:
    return [Reading("mean", _TIME, np.asarray(plan.mean), 1e-5, infinite=True)]


def _of_curve(curve: perfmodel.TimeEnergyCurve) -> list[Reading]:
    return [
        Reading("interval", _TIME, curve.interval, infinite=True),
        Reading("time", {}, curve.time, infinite=True),
        Reading("energy", {}, curve.energy, infinite=True),
    ]


def _of_choice(found: perfmodel.Recommendation) -> list[Reading]:
    # A pattern of two levels is searched, to 1e-4 of the least mean.
    plans = sorted(found.protocols, key=lambda plan: plan.protocol)
    return [
        Reading(plan.protocol, _TIME, np.asarray(plan.expected_time), 2e-4, infinite=True)
        for plan in plans
    ]


def _of_machines(machines: perfmodel.Machines) -> list[Reading]:
    return [
        Reading("slowdown", {}, machines.slowdown),
        Reading("effective_speed", {"work": 1, "time": -1}, machines.effective_speed),
    ]


def _of_fits(fits: perfmodel.LifetimeFits) -> list[Reading]:
    return [reading for row in fits for reading in _of_fit(row)]


def _of_completion(law: perfmodel.CompletionTime, prefix: str = "") -> list[Reading]:
    start, mass = law.atom
    mean = law.mean
    found = [
        Reading("mean", _TIME, np.asarray(mean), 1e-6, infinite=True),
        Reading("atom[0]", _TIME, np.asarray(start), infinite=True),
        Reading("atom[1]", {}, np.asarray(mass)),
    ]
    error = getattr(law, "error", 0.0)
    if not law.std < 1e-10 * mean:  # of a smaller one rounding of the mean leaves no digit
        found.append(Reading("std", _TIME, np.asarray(law.std), 1e-4, infinite=True))
    if error <= 1e-7:  # a percentile is as exact as the probability over the density there
        label = f"ppf({list(LEVELS)})"
        found.append(Reading(label, _TIME, law.ppf(LEVELS), 1e-5, infinite=True))
    if math.isfinite(mean) and mean > start:
        times = start + (mean - start) * _MULTIPLES
        slack = max(1e-7, error)
        found.append(Reading("cdf(times)", {}, law.cdf(times), slack))
        found.append(Reading("sf(times)", {}, law.sf(times), slack))
    return [Reading(prefix + r.label, r.unit, r.value, r.slack, r.infinite) for r in found]


def _of_lifetime(law: perfmodel.Lifetime) -> list[Reading]:
    found = [
        Reading("mean", _TIME, np.asarray(law.mean), infinite=True),
        Reading("std", _TIME, np.asarray(law.std), infinite=True),
        Reading("scv", {}, np.asarray(law.scv), infinite=True),
        Reading(f"ppf({list(LEVELS)})", _TIME, law.ppf(LEVELS), infinite=True),
    ]
    if 1e-290 < law.mean < 1e290:
        times = law.mean * _MULTIPLES
        found += [
            Reading("cdf(times)", {}, law.cdf(times)),
            Reading("sf(times)", {}, law.sf(times)),
            Reading("laplace(s)", {}, law.laplace(1.0 / times[1:])),
        ]
    return found


def _of_fit(row: perfmodel.LifetimeFit) -> list[Reading]:
    label = f"[{row.family!r}]."
    return [
        Reading(f"{label}mean", _TIME, np.asarray(row.mean), 1e-5, infinite=True),
        Reading(f"{label}mean_interval", _TIME, np.asarray(row.mean_interval), 1e-4, infinite=True),
        Reading(f"{label}ks_distance", {}, np.asarray(row.ks_distance), 1e-5),
    ]


_READERS: Mapping[type, Callable[[Any], list[Reading]]] = {
    perfmodel.CompletionTime: _of_completion,
    perfmodel.Lifetime: _of_lifetime,
    perfmodel.MtbfConfidence: _of_estimate,
    perfmodel.MtbfPosterior: _of_posterior,
    perfmodel.MeanPosterior: _of_posterior,
    perfmodel.FailureClusters: _of_clusters,
    perfmodel.fitting.RateChange: _of_change,
    perfmodel.FailurePattern: _of_pattern_of_failures,
    perfmodel.FailureForecast: _of_forecast,
    perfmodel.Schedule: _of_schedule,
    perfmodel.LifetimeFits: _of_fits,
    perfmodel.LifetimeFit: _of_fit,
    perfmodel.Machines: _of_machines,
    perfmodel.TimeEnergyCurve: _of_curve,
    perfmodel.Recommendation: _of_choice,
    perfmodel.TwoLevelPattern: _of_pattern,
    perfmodel.AgeingPlan: _of_plan,
}
