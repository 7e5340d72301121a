"""Random points for a job on unequal machines."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.partition import equal_time_partition, evaluate_set
from validation.judge.search import Property

from ..strategies import times
from .cases import distance, equal_times

__all__ = ["PROPERTIES"]


def fleets(mttr: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw two or three machines; a repair is given as a share of the mtbf."""
    machine = st.tuples(
        times(1.0, 2.0, 5.0, 1.5),
        times(100.0, 20.0, 50.0),
        mttr,
        times(1.0, 0.5, 2.0),
        times(10.0, 1.0, 30.0),
        times(0.1, 0.0, 1.0),
    )
    fixed = machine.map(lambda m: (m[0], m[1], m[2] * m[1], *m[3:]))
    return st.lists(fixed, min_size=2, max_size=3).map(tuple)


PROPERTIES = (
    Property(
        equal_time_partition,
        equal_times,
        st.fixed_dictionaries(
            {"work": times(100.0, 30.0, 300.0), "fleet": fleets(times(0.1, 0.01, 0.4))}
        ),
    ),
    Property(
        evaluate_set,
        distance,
        st.fixed_dictionaries({"work": times(1000.0, 3000.0), "fleet": fleets(times(0.01, 0.001))}),
    ),
)
