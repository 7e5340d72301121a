"""Random points for one more node: as worker, replica or spare."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.parallel import compare_extra_node
from perfmodel.registry import ranges_of
from validation.judge.search import Property
from validation.ranges.points import STEPS, between, points_over

from ..laws import Law
from ..strategies import TASK, in_units
from .cases import distribution, spare_within_error

__all__ = ["PROPERTIES"]


def spared() -> st.SearchStrategy[dict[str, Any]]:
    """Draw jobs with a spare node from the documented range."""

    def job(cv: float, point: dict[str, Any]) -> dict[str, Any]:
        repair = Law("Gamma", (cv**-2.0, point["downtime"] * cv**2))
        return {**point, "downtime": repair}

    ends = ranges_of("compare_extra_node")["cv of downtime"]
    spread = st.integers(0, STEPS).map(lambda n: between("cv", ends, n / STEPS))
    return st.builds(job, spread, points_over(compare_extra_node))


PROPERTIES = (
    Property(
        compare_extra_node,
        distribution,
        in_units(use=st.sampled_from(("worker", "replica")), nodes=st.integers(1, 5), **TASK),
    ),
    Property(compare_extra_node, spare_within_error, spared(), 0.15),
)
