"""Wrong forecasts: too sure, of another rate, of other weights, and without memory of time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from perfmodel import optimal_interval
from perfmodel.forecasts import (
    forecast_failures,
    mixed_makespan,
    mixed_useful_share,
    optimal_interval_mixed,
    outlook_of,
)
from perfmodel.forecasts.law import RateMixture
from validation.judge.run import Mutant

from ..counted_failures import between_nodes

__all__ = ["MUTANTS"]


def _without_spread(function: Callable[..., Any], *work: float, shapes: Any, **given: Any) -> Any:
    return function(*work, shapes=np.full(np.shape(shapes), math.inf), **given)


def _faster(function: Callable[..., Any], *work: float, means: Any, **given: Any) -> Any:
    return function(*work, means=1.5 * np.asarray(means), **given)


def _equal_weights(function: Callable[..., Any], *work: float, weights: Any, **given: Any) -> Any:
    return function(*work, weights=np.ones(np.shape(weights)), **given)


class _Raw:
    """A law whose weights were not divided by their sum."""

    def __init__(self, right: Any, total: float) -> None:
        self._right, self._total = right, total

    def __getattr__(self, name: str) -> Any:
        return getattr(self._right, name)

    @property
    def mean(self) -> float:
        return float(self._total * self._right.mean)

    def cdf(self, t: Any) -> Any:
        return self._total * self._right.cdf(t)


def _not_normalised(work: float, *, weights: Any, **given: Any) -> Any:
    return _Raw(mixed_makespan(work, weights=weights, **given), float(np.sum(weights)))


def _without_downtime(work: float, *, downtime: float, **given: Any) -> Any:
    del downtime
    return mixed_makespan(work, **given)


def _recovery_never_fails(
    work: float, *, recovery_cost: float, downtime: float, **given: Any
) -> Any:
    return mixed_makespan(work, downtime=downtime + recovery_cost, **given)


def _by_few_rates(interval: float, **given: Any) -> float:
    """Let few rates stand for all, which give a count at the mean rate nearly its law."""
    law = RateMixture.of(*(given.pop(name) for name in ("weights", "shapes", "means")))
    rates, shares = law.rates(50.0 / law.mean)
    at = [mixed_useful_share(interval, weights=1, shapes=math.inf, means=r, **given) for r in rates]
    return float(shares @ np.array(at))


def _of_the_mean_rate(*, weights: Any, shapes: Any, means: Any, **given: Any) -> float:
    """Take the interval of a constant rate."""
    del shapes
    mean = float(np.average(means, weights=weights))
    return float(optimal_interval(mtbf=1.0 / mean, checkpoint_cost=given["checkpoint_cost"]))


def _forgets_nothing(failures: Any, *, half_lives: Any, **given: Any) -> Any:
    del half_lives
    return forecast_failures(failures, half_lives=(math.inf,), **given)


def _no_drift(failures: Any, *, spreads: Any, **given: Any) -> Any:
    del spreads
    return forecast_failures(failures, spreads=(0.0,), **given)


def _hours(failures: Any, **given: Any) -> Any:
    """Take all failures that follow within an hour for a cluster, at any rate."""
    return forecast_failures(failures, cluster_gap=3600.0, **given)


def _untold(failures: Any, **given: Any) -> Any:
    """Let all pairs weigh the same, whatever they would have said."""
    found = forecast_failures(failures, **given)
    return replace(found, weights=np.full(found.weights.shape, 1.0 / found.weights.size))


def _rate_off(failures: Any, **given: Any) -> Any:
    found = forecast_failures(failures, **given)
    return replace(found, means=1.5 * found.means)


def _jumps(history: Any, job: Any) -> Any:
    found = outlook_of(history, job)
    return replace(
        found, forecasts=tuple(replace(one, means=2.0 * one.means) for one in found.forecasts)
    )


MUTANTS = (
    Mutant(mixed_makespan, "spread ignored", partial(_without_spread, mixed_makespan)),
    Mutant(mixed_makespan, "1.5 times the rate", partial(_faster, mixed_makespan)),
    Mutant(mixed_makespan, "weights not normalised", _not_normalised),
    Mutant(mixed_makespan, "all laws weigh the same", partial(_equal_weights, mixed_makespan)),
    Mutant(mixed_makespan, "downtime dropped", _without_downtime),
    Mutant(mixed_makespan, "recovery that never fails", _recovery_never_fails),
    Mutant(mixed_makespan, "cusps ignored", partial(between_nodes, mixed_makespan)),
    Mutant(mixed_useful_share, "spread ignored", partial(_without_spread, mixed_useful_share)),
    Mutant(mixed_useful_share, "1.5 times the rate", partial(_faster, mixed_useful_share)),
    Mutant(
        mixed_useful_share, "all laws weigh the same", partial(_equal_weights, mixed_useful_share)
    ),
    Mutant(mixed_useful_share, "few rates stand for all", _by_few_rates),
    Mutant(optimal_interval_mixed, "spread ignored", _of_the_mean_rate),
    Mutant(optimal_interval_mixed, "1.5 times the rate", partial(_faster, optimal_interval_mixed)),
    Mutant(forecast_failures, "forgets nothing", _forgets_nothing),
    Mutant(forecast_failures, "no drift to come", _no_drift),
    Mutant(forecast_failures, "all pairs weigh the same", _untold),
    Mutant(forecast_failures, "1.5 times the rate", _rate_off),
    Mutant(forecast_failures, "an hour for any rate", _hours),
    Mutant(outlook_of, "twice the rate where a forecast takes over", _jumps),
)
