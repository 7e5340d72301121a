"""Random points for the makespan of a checkpointed job."""

from __future__ import annotations

from perfmodel.makespan import efficiency, expected_makespan, makespan_variance, waste
from validation.judge.search import Property

from ..strategies import jobs
from .cases import mean, useful_share, useless_share, variance

__all__ = ["PROPERTIES"]

PROPERTIES = tuple(
    Property(function, judge, jobs(function), effort)
    for function, judge, effort in (
        (expected_makespan, mean, 1.0),
        (makespan_variance, variance, 8.0),
        (efficiency, useful_share, 1.0),
        (waste, useless_share, 4.0),
    )
)
