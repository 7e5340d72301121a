"""Random points for the makespan with asynchronous checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st

from perfmodel.completion import exact_makespan_async
from perfmodel.interval import optimal_interval_async
from perfmodel.makespan import expected_makespan_async, makespan_variance_async
from validation.judge.search import Property
from validation.ranges.points import drawn, strategy
from validation.ranges.sweeps import Sweep

from ..strategies import points_of
from .cases import least_cost, mean, variance, whole_law

__all__ = ["PROPERTIES", "SWEEPS", "jobs"]

RULES = ("overlap", "single_buffer", "skip")


def jobs(function: Callable[..., Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw jobs from the domain of a formula, with each rule."""
    return st.builds(
        lambda point, rule: {**point, "in_flight": rule},
        points_of(function),
        st.sampled_from(RULES),
    )


def _law_of_a_job(fraction: Callable[[], float]) -> dict[str, Any]:
    """Draw a job from the documented range of the law, with each rule."""
    point = drawn(exact_makespan_async, fraction)
    return {**point, "in_flight": RULES[round(2.0 * fraction())]}


PROPERTIES = (
    Property(expected_makespan_async, mean, jobs(expected_makespan_async)),
    Property(makespan_variance_async, variance, jobs(makespan_variance_async), 8.0),
    Property(exact_makespan_async, whole_law, strategy(_law_of_a_job), 0.5),
)

SWEEPS = (
    Sweep(
        optimal_interval_async,
        least_cost,
        lambda fraction: drawn(optimal_interval_async, fraction),
        quick=5,
        full=300,
    ),
)
