"""What a log says of the failures to come, for the job of a plan."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..completion import CompletionTime
from ..estimate import CONFIDENCE, Estimate, to_come
from ..forecasts import ForecastMakespan, Outlook, PlannedJob, outlook_of
from ..protocols.protocol import Losses
from ..protocols.situation import Situation
from ._chosen import Chosen
from .answers import Completion, ConstantRate, Foretold, Percentile
from .case import Case

_COUNTED = 50.0  # failures at the mean rate, of which the few rates give the law


@dataclass(frozen=True, slots=True, eq=False)
class Ahead:
    """Failures to come, and the job at its best under them.

    `mtbf` is that of clusters to come, with limits; `law` is that of the time of the job, [s].
    """

    outlook: Outlook
    planned: PlannedJob
    chosen: Chosen
    mtbf: Estimate
    law: ForecastMakespan | CompletionTime

    def mean(self, case: Case, of: Callable[[Case], Losses]) -> Losses:
        """Return the means over the rates to come of the shares that a case has under each."""
        rates, weights = self.outlook.rates.rates(_COUNTED / self.outlook.rates.mean)
        found: dict[str, float] = {}
        for rate, weight in zip(rates.tolist(), weights.tolist(), strict=True):
            for name, share in of(case.at(1.0 / rate)).items():
                found[name] = found.get(name, 0.0) + weight * share
        return found

    def useful_share(self, job: Situation, interval: float) -> float:
        """Return the mean share of its time in which a long job gets on at an interval [s], [-]."""
        return self.outlook.useful_share(interval, **_costs(job))


def ahead_of(case: Case) -> Ahead | str | None:
    """Return what is to come, or why it is not known; None without the times of a log."""
    scenario, history = case.scenario, case.scenario.failures.history
    if history is None:
        return None
    job, steady = case.job, case.chosen
    if not steady.protocol.predictive:
        return f"none is made for {steady.protocol.plural}"
    if job.ages:
        return "none is made for uptimes that are not exponential"
    if job.waits:
        return "none is made where failures wait for spares"
    planned = PlannedJob.of(job, nodes=scenario.machine.nodes if history.machine else None)
    outlook = outlook_of(history, planned)
    step = steady.protocol.step(job)
    interval, steps = outlook.best_interval(job.work, step, **_costs(job))
    planned = replace(planned, interval=min(interval, job.work))
    law = outlook.law(planned)
    time = law.mean if math.isfinite(law.mean) else steady.mean(job, interval)
    return Ahead(
        outlook,
        planned,
        replace(
            steady,
            interval=interval,
            expected_time=time,
            efficiency=job.work / time,
            steps=steps,
        ),
        to_come(outlook, scenario.questions.confidence or CONFIDENCE),
        law,
    )


def by_forecast(
    steady: Completion, ahead: Ahead, *, interval: float, goodput: float, brief: bool
) -> Completion:
    """Return when the job ends by what is to come, beside what is so at a constant rate.

    At that rate the job has the `interval` [s] and the `goodput` [-]; promises so far are not
    counted if `brief`.
    """
    law, deadline = ahead.law, steady.deadline
    return replace(
        steady,
        mean=ahead.chosen.expected_time,
        percentiles=tuple(
            Percentile(each.q, float(law.ppf(each.q)), None, None) for each in steady.percentiles
        ),
        predictive=False,
        on_time=None if deadline is None else float(law.cdf(deadline)),
        on_time_low=None,
        on_time_high=None,
        foretold=Foretold(
            ahead.outlook.name,
            ahead.outlook.why or None,
            mtbf=ahead.mtbf,
            error_of_probabilities=law.error,
            past=None if brief else ahead.outlook.past(ahead.planned),
        ),
        constant_rate=ConstantRate(
            interval,
            steady.mean if math.isfinite(law.mean) else None,
            goodput,
            steady.percentiles,
            steady.on_time,
        ),
    )


def _costs(job: Situation) -> dict[str, float]:
    return {
        "checkpoint_cost": job.checkpoint_cost,
        "recovery_cost": job.recovery_cost,
        "downtime": job.downtime,
    }
