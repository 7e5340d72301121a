"""Wrong ways to carry a count of failures on: too sure, too few, the wrong way round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from perfmodel import (
    CredibleInterval,
    FailureClusters,
    MtbfPosterior,
    credible_interval,
    failure_clusters,
    mtbf_posterior,
    predictive_makespan,
)
from perfmodel.fitting import AbstractPosterior
from validation.judge.run import Mutant

from ..counted_failures import between_nodes

__all__ = ["MUTANTS"]


def _shape_off(by: float, *, of: str | None = None) -> Callable[..., MtbfPosterior]:
    def wrong(failures: Any, observed_time: Any, *, truncation: Any = "time") -> MtbfPosterior:
        right = mtbf_posterior(failures, observed_time, truncation=truncation)
        if of not in (None, truncation):
            return right
        return MtbfPosterior(np.asarray(right.shape) + by, right.observed_time)

    return wrong


def _of_the_rate(failures: Any, observed_time: Any, **options: Any) -> MtbfPosterior:
    """Take T for the scale of the gamma law, not for its rate."""
    right = mtbf_posterior(failures, observed_time, **options)
    return MtbfPosterior(right.shape, 1.0 / np.asarray(right.observed_time))


def _sure(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, confidence: float = 0.95
) -> CredibleInterval:
    """Take medians for known."""
    middle = credible_interval(function, arguments, confidence=1e-9).median
    return CredibleInterval(middle, middle, middle, confidence)


def _one_deviation(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, confidence: float = 0.95
) -> CredibleInterval:
    return credible_interval(function, arguments, confidence=0.68 * confidence / 0.95)


def _one_sided(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, confidence: float = 0.95
) -> CredibleInterval:
    return credible_interval(function, arguments, confidence=2.0 * confidence - 1.0)


def _ends_swapped(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, confidence: float = 0.95
) -> CredibleInterval:
    found = credible_interval(function, arguments, confidence=confidence)
    return replace(found, lower=found.upper, upper=found.lower)


def _first_alone(
    function: Callable[..., Any], arguments: Mapping[str, Any], *, confidence: float = 0.95
) -> CredibleInterval:
    """Leave one argument uncertain and take the others at their medians."""
    taken, seen = {}, False
    for name, value in arguments.items():
        uncertain = isinstance(value, AbstractPosterior)
        middle = uncertain and seen
        taken[name] = value.at(np.full((1, value.dimensions), 0.5))[0] if middle else value
        seen |= uncertain
    return credible_interval(function, taken, confidence=confidence)


def _count(change: Callable[[int], float], *, time: float = 1.0) -> Callable[..., Any]:
    def wrong(work: float, *, failures: int, observed_time: float, **job: Any) -> Any:
        return predictive_makespan(
            work, failures=change(failures), observed_time=time * observed_time, **job
        )

    return wrong


def _known_mtbf(work: float, *, failures: int, observed_time: float, **job: Any) -> Any:
    """Take the MTBF for that of the count, as if there had been a thousand times as many."""
    return predictive_makespan(
        work, failures=1000 * failures, observed_time=1000.0 * observed_time, **job
    )


def _without_downtime(work: float, *, downtime: float, **job: Any) -> Any:
    del downtime
    return predictive_makespan(work, **job)


def _recovery_never_fails(work: float, *, recovery_cost: float, downtime: float, **job: Any) -> Any:
    return predictive_makespan(work, downtime=downtime + recovery_cost, **job)


def _law_of_one(work: float, *, failures: int, observed_time: float, **job: Any) -> Any:
    """Return the right mean with the law of a known MTBF."""
    right = predictive_makespan(work, failures=failures, observed_time=observed_time, **job)
    sure = _known_mtbf(work, failures=failures, observed_time=observed_time, **job)
    return replace(right, mixture=sure.mixture)


def _mean_gap(gaps: Any) -> FailureClusters:
    found = failure_clusters(gaps)
    return replace(found, effective_mtbf=found.mtbf)


def _gap_met(gaps: Any) -> FailureClusters:
    """Take the whole gap that an instant falls into, not what is left of it."""
    found = failure_clusters(gaps)
    return replace(found, effective_mtbf=2.0 * found.effective_mtbf)


def _limit_of(share: float) -> Callable[[Any], FailureClusters]:
    def wrong(gaps: Any) -> FailureClusters:
        found = failure_clusters(gaps)
        return replace(found, limit=1.0 + share * (found.limit - 1.0))

    return wrong


MUTANTS = (
    Mutant(mtbf_posterior, "one failure more", _shape_off(1.0)),
    Mutant(mtbf_posterior, "no prior for a time", _shape_off(-0.5, of="time")),
    Mutant(mtbf_posterior, "an even prior", _shape_off(0.5, of="time")),
    Mutant(mtbf_posterior, "a failure taken for a time", _shape_off(0.5, of="failure")),
    Mutant(mtbf_posterior, "rate and scale confused", _of_the_rate),
    Mutant(credible_interval, "medians taken for known", _sure),
    Mutant(credible_interval, "limits of one deviation", _one_deviation),
    Mutant(credible_interval, "each limit takes the whole error", _one_sided),
    Mutant(credible_interval, "limits swapped", _ends_swapped),
    Mutant(credible_interval, "one of two uncertain arguments taken for known", _first_alone),
    Mutant(predictive_makespan, "one failure more", _count(lambda n: n + 1)),
    Mutant(predictive_makespan, "half of the time", _count(lambda n: n, time=0.5)),
    Mutant(predictive_makespan, "the mtbf taken for known", _known_mtbf),
    Mutant(predictive_makespan, "downtime dropped", _without_downtime),
    Mutant(predictive_makespan, "recovery that never fails", _recovery_never_fails),
    Mutant(predictive_makespan, "the law of a known mtbf", _law_of_one),
    Mutant(predictive_makespan, "cusps ignored", partial(between_nodes, predictive_makespan)),
    Mutant(failure_clusters, "the mean gap as effective mtbf", _mean_gap),
    Mutant(failure_clusters, "the gap that an instant meets", _gap_met),
    Mutant(failure_clusters, "a limit for 5 %", _limit_of(0.6)),
    Mutant(failure_clusters, "no limit", _limit_of(0.0)),
)
