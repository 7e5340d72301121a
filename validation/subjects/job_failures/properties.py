"""Random points for the expected failures of one job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perfmodel.site import expected_failures, expected_lost_time, failure_probability
from validation.judge.search import Property
from validation.judge.trial import Budget
from validation.judge.verdict import Verdict

from ..strategies import jobs, points_of
from .cases import failures_of_a_job, loss_of_a_job, share_of_jobs_hit

__all__ = ["PROPERTIES"]

Predict = Callable[..., Any]


def share_of_jobs_struck(
    predict: Predict, budget: Budget, *, duration: float, mtbf: float
) -> Verdict:
    """Judge the probability that a failure strikes within a duration."""
    return share_of_jobs_hit(predict, budget, work=duration, mtbf=mtbf)


PROPERTIES = (
    Property(failure_probability, share_of_jobs_struck, points_of(failure_probability)),
    Property(expected_failures, failures_of_a_job, jobs(expected_failures)),
    Property(expected_lost_time, loss_of_a_job, jobs(expected_lost_time), 8.0),
)
