"""Random points for tasks that meet after every phase."""

from __future__ import annotations

import hypothesis.strategies as st

from perfmodel.parallel import expected_makespan_phases
from validation.judge.search import Property

from ..strategies import in_units, times
from .cases import mean

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(
        expected_makespan_phases,
        mean,
        in_units(
            work=times(1.0, 0.2, 0.5, 2.0, 4.0),
            phases=st.sampled_from((2, 1, 3, 10)),
            tasks=st.sampled_from((2, 1, 5, 30)),
            interval=times(0.5, 0.05, 0.2, 1.0, 4.0),
            mtbf=times(1.0),
            checkpoint_cost=times(0.1, 0.01, 0.05, 0.2),
            recovery_cost=times(0.1, 0.01, 0.3),
            downtime=times(0.1, 0.01, 0.5),
        ),
        0.1,
    ),
)
