"""Random points for the slowest of parallel tasks."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.parallel import optimal_interval_parallel, slowest, slowest_of
from validation.judge.search import Property

from ..strategies import JOB, in_units, repairs, times
from .cases import distribution_of_equal_tasks, distribution_of_unequal_tasks, neighbours

__all__ = ["PROPERTIES"]


def unequal() -> st.SearchStrategy[dict[str, Any]]:
    """Draw two or three tasks that differ."""
    task = st.fixed_dictionaries(
        {
            "downtime": repairs(0.1, 0.02, 0.3),
            "interval": times(1.0, 0.2, 3.0),
            "mtbf": times(1.0, 2.0, 0.5),
            "checkpoint_cost": times(0.1, 0.01, 0.3),
            "recovery_cost": times(0.1, 0.0, 0.5),
            "speed": times(1.0, 2.0, 0.5),
        }
    )
    return st.lists(st.tuples(times(1.0, 2.0, 0.5), task), min_size=2, max_size=3).map(
        lambda pairs: {
            "works": tuple(work for work, _ in pairs),
            "tasks": tuple(each for _, each in pairs),
        }
    )


PROPERTIES = (
    Property(
        slowest_of,
        distribution_of_equal_tasks,
        in_units(tasks=st.sampled_from((2, 1, 3, 8, 20)), **JOB),
    ),
    Property(slowest, distribution_of_unequal_tasks, unequal()),
    Property(
        optimal_interval_parallel,
        neighbours,
        in_units(
            tasks=st.sampled_from((1, 2, 8)),
            work=times(1.0, 2.0, 4.0),
            mtbf=times(1.0),
            checkpoint_cost=times(0.05, 0.01, 0.02),
            quantile=st.sampled_from((None, 0.5, 0.9)),
        ),
        0.5,
    ),
)
