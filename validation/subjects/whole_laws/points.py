"""Jobs for whole laws, drawn log-uniformly over the range that the catalogue documents.

A point is made of fractions in [0, 1], one for each ratio; so NumPy and hypothesis draw from the
same range, and its ends are fractions like any other. Numbers are rounded to three digits, so
that a failing call can be pasted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from perfmodel.lifetimes import Gamma, LogNormal, Weibull
from perfmodel.registry import ranges_of

from ..laws import Law

__all__ = ["FRACTIONS", "KINDS", "call_of", "job", "scaled", "task", "tasks_of"]

KINDS = (
    "LogNormal",
    "Weibull",
    "Empirical",
    "Deterministic",
    "Gamma",
    "HyperExponential",
    "Exponential",
)
FRACTIONS = 12  # of one job
VALUES = 200  # the longest record
_LEAST_CV = 1e-3  # stands for 0, which is the constant
_EVEN_CV = 1.0  # half of the laws vary less, half more

_SHAPED: dict[str, Any] = {"Gamma": Gamma, "LogNormal": LogNormal, "Weibull": Weibull}

Point = dict[str, Any]


def job(kind: str, fractions: Sequence[float], *, at_risk: bool) -> Point:
    """Return the job of `exact_makespan` at these fractions of its documented range."""
    ranges = ranges_of("exact_makespan")
    mtbf, interval, segments = _common(ranges, fractions)
    down = _between(ranges["downtime/mtbf at risk" if at_risk else "downtime/mtbf"], fractions[6])
    last = fractions[3]
    return {
        "work": _brief(interval * (segments if last < 0.5 else segments - 1.0 + last)),
        "interval": interval,
        "mtbf": mtbf,
        "checkpoint_cost": _cost(interval, ranges["checkpoint_cost/interval"], fractions[4]),
        "recovery_cost": _cost(interval, ranges["recovery_cost/interval"], fractions[5]),
        "downtime": _law(kind, _brief(down * mtbf), fractions[7:11], ranges["cv of downtime"]),
        "final_checkpoint": bool(fractions[11] < 0.7),
        "downtime_at_risk": at_risk,
    }


def task(kind: str, fractions: Sequence[float]) -> Point:
    """Return the task of `wsj_compound` at these fractions of its documented range."""
    ranges = ranges_of("wsj_compound")
    mtbf, interval, segments = _common(ranges, fractions)
    down = _between(ranges["downtime/mtbf"], fractions[6])
    return {
        "work": _brief(interval * segments),
        "mtbf": mtbf,
        "downtime": _law(kind, _brief(down * mtbf), fractions[7:11], ranges["cv of downtime"]),
        "interval": interval,
        "checkpoint_cost": _cost(interval, ranges["checkpoint_cost/interval"], fractions[4]),
    }


def tasks_of(kind: str, fractions: Sequence[Sequence[float]]) -> list[Point]:
    """Return jobs of about the same length, each with an mtbf and costs of its own."""
    jobs: list[Point] = []
    for index, own in enumerate(fractions):
        other = KINDS[(KINDS.index(kind) + index) % len(KINDS)]
        one = job(other, own, at_risk=bool(own[-1] < 0.5))
        unit = _power_of_two(jobs[0]["work"] / one["work"]) if jobs else 1.0
        jobs.append(scaled(one, unit))
    return jobs


def scaled(point: Mapping[str, Any], unit: float) -> Point:
    """Return the same point in another unit of time."""
    return {
        name: _law_in(value, unit)
        if isinstance(value, Law)
        else value
        if isinstance(value, bool)
        else unit * value
        for name, value in point.items()
    }


def call_of(name: str, point: Mapping[str, Any]) -> str:
    """Write the call that repeats a point."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in point.items())})"


def _common(
    ranges: Mapping[str, tuple[float, float]], fractions: Sequence[float]
) -> tuple[float, float, float]:
    """Return mtbf, interval and number of segments; the unit of time is drawn as well."""
    mtbf = _between((1e-6, 1e6), fractions[0])
    interval = _brief(mtbf * _between(ranges["interval/mtbf"], fractions[1]))
    segments = float(round(_between(ranges["work/interval"], fractions[2])))
    return mtbf, interval, segments


def _between(ends: tuple[float, float], fraction: float, *, least: float = 0.0) -> float:
    """Return the number at a fraction of the logarithmic way from one end to the other."""
    low, high = max(ends[0], least), ends[1]
    return min(max(_brief(low * (high / low) ** fraction), low), high)


def _cost(interval: float, ends: tuple[float, float], fraction: float) -> float:
    """Return a cost in multiples of the interval, now and then none at all."""
    free = 0.1
    if fraction < free:
        return 0.0
    return _brief(interval * _between(ends, (fraction - free) / (1.0 - free)))


def _law(
    kind: str, mean: float, fractions: Sequence[float], ends: tuple[float, float]
) -> float | Law:
    """Return a repair of this kind and mean, with a cv from the documented range."""
    cv = _spread(ends, fractions[0])
    if kind in _SHAPED:
        law = _SHAPED[kind].from_mean(mean, cv=cv)
        return Law(kind, tuple(_digits(value) for value in astuple(law)))
    others: dict[str, Callable[[], float | Law]] = {
        "Deterministic": lambda: mean,
        "Exponential": lambda: Law(kind, (mean,)),
        "HyperExponential": lambda: _phases(mean, fractions, ends),
        "Empirical": lambda: _record(mean, cv, fractions),
    }
    return others[kind]()


def _spread(ends: tuple[float, float], fraction: float) -> float:
    """Return a cv: half of them up to 1, half of them beyond."""
    if fraction < 0.5:
        return _between((ends[0], _EVEN_CV), 2.0 * fraction, least=_LEAST_CV)
    return _between((_EVEN_CV, ends[1]), 2.0 * fraction - 1.0)


def _phases(mean: float, fractions: Sequence[float], ends: tuple[float, float]) -> Law:
    """Return a mixture of a short and a long exponential phase; its cv is at least 1."""
    beyond = 0.5 * (_between((1.0, ends[1] ** 2 - 1.0), fractions[0], least=1e-3))
    # Below this share of long repairs the short ones still have a positive mean.
    long = _digits((0.01 + 0.98 * fractions[1]) / (1.0 + beyond))
    odds = (1.0 - long) / long
    means = (
        _digits(mean * (1.0 - math.sqrt(beyond / odds))),
        _digits(mean * (1.0 + math.sqrt(beyond * odds))),
    )
    return Law("HyperExponential", ((1.0 - long, long), means))


def _record(mean: float, cv: float, fractions: Sequence[float]) -> Law:
    """Return a record of repairs, lognormal ones or such as lie on few round values."""
    rng = np.random.default_rng(int(2**32 * fractions[2]))
    count = round(_between((1.0, VALUES), fractions[1]))
    values = np.exp(rng.standard_normal(count) * math.sqrt(math.log1p(cv * cv)))
    if fractions[3] < 0.3:
        values = np.ceil(3.0 * values / values.mean())
    values *= mean / values.mean()
    return Law("Empirical", (tuple(_digits(float(value)) for value in values),))


def _law_in(law: Law, unit: float) -> Law:
    match law.name, law.parameters:
        case "LogNormal", (mu, sigma):
            return Law(law.name, (mu + math.log(unit), sigma))
        case "HyperExponential", (shares, means):
            return Law(law.name, (shares, tuple(unit * mean for mean in means)))
        case "Empirical", (values,):
            return Law(law.name, (tuple(unit * value for value in values),))
        case _:
            *shapes, scale = law.parameters
            return Law(law.name, (*shapes, unit * scale))


def _power_of_two(ratio: float) -> float:
    return float(2.0 ** round(math.log2(ratio)))


def _brief(value: float) -> float:
    return float(f"{value:.3g}")


def _digits(value: float) -> float:
    return float(f"{value:.6g}")
