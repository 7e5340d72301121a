"""Random points for the mean and the variance of a job with two levels."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.levels import (
    exact_makespan_two_levels,
    expected_makespan_two_levels,
    makespan_variance_two_levels,
)
from validation.judge.search import Property
from validation.ranges.points import points_over

from ..strategies import points_of
from .cases import mean, variance, whole_law

__all__ = ["PROPERTIES"]


def _jobs(point: dict[str, Any], rule: str) -> dict[str, Any]:
    every = max(round(point["durable_every"]), 1)
    durable = max(point["durable_cost"], point["local_cost"])
    return {**point, "durable_every": every, "durable_cost": durable, "rule": rule}


_RULES = st.sampled_from(("reinstated", "bare", "staged"))

PROPERTIES = tuple(
    Property(function, judge, st.builds(_jobs, points, _RULES), effort)
    for function, judge, points, effort in (
        (expected_makespan_two_levels, mean, points_of(expected_makespan_two_levels), 0.5),
        (makespan_variance_two_levels, variance, points_of(makespan_variance_two_levels), 4.0),
        (exact_makespan_two_levels, whole_law, points_over(exact_makespan_two_levels), 0.5),
    )
)
