"""When the job ends: percentiles and the probability to keep to a deadline, with limits."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..completion import CompletionTime, predictive_makespan
from ..estimate import Estimate
from ..protocols.situation import Situation
from ._chosen import Chosen
from .answers import Completion, Percentile
from .case import Case


def completion_of(case: Case, estimate: Estimate, *, brief: bool) -> Completion:
    """Return when the job ends at a constant rate; without the posterior of the MTBF if `brief`."""
    scenario, job, chosen = case.scenario, case.job, case.chosen
    law = chosen.law(job)
    deadline = scenario.deadline.time
    if law is None:
        why = chosen.protocol.why_not(job, "law")
        return Completion(chosen.expected_time, (), False, deadline, None, None, None, why)
    mixed = None if brief or scenario.failures.history else predictive(job, chosen, estimate)
    ends = [_at(case, mtbf) for mtbf in (estimate.low, estimate.high)]
    asked = scenario.questions.percentiles
    times = [_times(each, asked) for each in (mixed or law, ends[1], ends[0])]
    sure = [_on_time(each, deadline) for each in (mixed or law, *ends)]
    return Completion(
        mean=chosen.expected_time,
        percentiles=tuple(
            Percentile(q, time, low, high) for q, time, low, high in zip(asked, *times, strict=True)
        ),
        predictive=mixed is not None,
        deadline=deadline,
        on_time=sure[0],
        on_time_low=sure[1],
        on_time_high=sure[2],
        why_not=None,
    )


def _on_time(law: CompletionTime | None, deadline: float | None) -> float | None:
    """Return the probability to end by the deadline [s], [-]."""
    if law is None or deadline is None:
        return None
    return float(law.cdf(deadline))


def _at(case: Case, mtbf: float | None) -> CompletionTime | None:
    """Return the law under a limit of the MTBF, where there is one."""
    return None if mtbf is None or math.isinf(mtbf) else case.chosen.law(case.at(mtbf).job)


def _times(law: CompletionTime | None, asked: tuple[float, ...]) -> list[Any]:
    if law is None or not asked:
        return [None] * len(asked)
    return [float(time) for time in law.ppf(np.array(asked))]


def predictive(job: Situation, chosen: Chosen, estimate: Estimate) -> CompletionTime | None:
    """Return the law under all that the failures seen leave open, where it is known."""
    if estimate.failures is None or not chosen.protocol.predictive:
        return None
    try:
        return _mixed(estimate, job, chosen.interval)
    except ValueError:  # so many failures to be expected that the mixture has no end
        return None


@lru_cache(maxsize=4)  # as for a law: pages ask again
def _mixed(known: Estimate, job: Situation, interval: float) -> CompletionTime:
    assert known.failures is not None
    assert known.observed is not None
    return predictive_makespan(
        job.work,
        failures=known.failures,
        observed_time=known.observed,
        truncation=known.truncation,
        interval=min(interval, job.work),
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
        downtime=job.downtime,
    )
