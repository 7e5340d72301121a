"""Facts of forecasts: of one rate they are today's formulas, and of counts alone a gamma law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]

_COSTS = ("checkpoint_cost", "recovery_cost", "downtime")


def _one_rate(given: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Return the first of the rates, and the laws that are that rate alone."""
    rate = float(np.ravel(given["means"])[0])
    return rate, {"weights": given["weights"], "shapes": math.inf, "means": rate}


def _one_rate_has_todays_law(public: Public, **given: Any) -> str:
    rate, laws = _one_rate(given)
    job = {key: given[key] for key in given.keys() - laws.keys()}
    known = public.exact_makespan(mtbf=1.0 / rate, **job)
    found = public.mixed_makespan(**job, **laws)
    times = known.ppf([0.1, 0.5, 0.9])
    return first(
        (
            same("mean and that of one rate", found.mean, known.mean),
            same("percentiles and those of one rate", found.ppf([0.1, 0.5, 0.9]), times),
        )
    )


def _mixed_mean_is_that_of_its_laws(public: Public, **given: Any) -> str:
    names = ("weights", "shapes", "means")
    laws = np.broadcast_arrays(*(np.ravel(given[key]) for key in names))
    job = {key: given[key] for key in given.keys() - set(names)}
    whole = public.mixed_makespan(**given).mean
    each = [
        public.mixed_makespan(**job, weights=1.0, shapes=shape, means=mean).mean
        for _, shape, mean in zip(*laws, strict=True)
    ]
    used = laws[0] > 0.0
    share = laws[0][used] / laws[0].sum()
    with np.errstate(all="ignore"):
        return same("mean and that of its laws", whole, share @ np.array(each)[used], 1e-6)


def _share_of_one_rate_is_efficiency(public: Public, interval: Any, **given: Any) -> str:
    rate, laws = _one_rate(given)
    costs = {key: given.get(key, 0.0) for key in _COSTS}
    share = public.mixed_useful_share(interval, **laws, **costs)
    known = public.efficiency(interval, interval=interval, mtbf=1.0 / rate, **costs)
    return same("share of one rate and efficiency", share, known, 1e-9, least=1e-250)


def _share_is_below_that_of_checkpoints(public: Public, interval: Any, **given: Any) -> str:
    work = np.asarray(interval)
    alone = work / (work + given["checkpoint_cost"])
    share = public.mixed_useful_share(interval, **given)
    return first((ordered("0 and share", 0.0, share), ordered("share and w/(w + C)", share, alone)))


def _no_mixed_interval_does_better(public: Public, **given: Any) -> str:
    best = public.optimal_interval_mixed(**given)
    share = public.mixed_useful_share(best, **given)
    return first(
        ordered("share elsewhere", public.mixed_useful_share(factor * best, **given), share)
        for factor in (0.3, 0.99, 1.01, 3.0)
    )


def _mixed_interval_of_one_rate(public: Public, **given: Any) -> str:
    rate, laws = _one_rate(given)
    found = public.optimal_interval_mixed(**{**given, **laws})
    known = public.optimal_interval(mtbf=1.0 / rate, checkpoint_cost=given["checkpoint_cost"])
    return same("interval of one rate", found, known)


def _forecast_of_counts_alone(public: Public, **given: Any) -> str:
    failures, now = np.ravel(given["failures"]), given["observed_time"]
    plain = {"half_lives": math.inf, "spreads": 0.0, "cluster_gap": 0.0}
    found = public.forecast_failures(**{**given, **plain})
    mean = (failures.size + 1.0) / (now + now / (failures.size + 0.5))
    return same("mean rate and that of a count", found.mean_rate, mean, 1e-6)


def _forecast_in_any_order(public: Public, **given: Any) -> str:
    one = public.forecast_failures(**given)
    two = public.forecast_failures(**{**given, "failures": np.ravel(given["failures"])[::-1]})
    return first(
        (
            same("mean rate in another order", two.mean_rate, one.mean_rate),
            same("weights and 1", one.weights.sum(), 1.0),
        )
    )


FACTS: tuple[Fact, ...] = (
    Fact("one rate has today's law", "mixed_makespan", _one_rate_has_todays_law, 20.0),
    Fact("mean is that of its laws", "mixed_makespan", _mixed_mean_is_that_of_its_laws, 20.0),
    Fact("share is efficiency", "mixed_useful_share", _share_of_one_rate_is_efficiency),
    Fact("share is below w/(w + C)", "mixed_useful_share", _share_is_below_that_of_checkpoints),
    Fact("no mixed interval is better", "optimal_interval_mixed", _no_mixed_interval_does_better),
    Fact("mixed interval of one rate", "optimal_interval_mixed", _mixed_interval_of_one_rate),
    Fact("a forecast of counts alone", "forecast_failures", _forecast_of_counts_alone),
    Fact("a forecast in any order", "forecast_failures", _forecast_in_any_order),
)
