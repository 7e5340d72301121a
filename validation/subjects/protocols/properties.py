"""Random jobs: each protocol and its regret, by simulated jobs."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.protocols import recommend
from validation.judge.search import Property

from ..strategies import UNITS, is_time, times
from .cases import simulated_means, simulated_regrets

__all__ = ["PROPERTIES"]

_DURATIONS = {
    "work": times(5.0, 1.0, 2.0, 10.0),
    "mtbf": times(1.0),
    "checkpoint_cost": times(0.1, 0.01, 0.3, 0.5),
    "recovery_cost": times(0.1, 0.01, 0.5),
    "downtime": times(0.1, 0.01, 0.5),
}
_OPTIONAL: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "asynchronous": {
        "snapshot_cost": times(0.01, 0.05, 0.2),
        "latency": times(0.1, 0.01, 0.5, 1.0),
        "slowdown": st.sampled_from((0.0, 0.2, 1.0)),
        "in_flight": st.sampled_from(("overlap", "single_buffer", "skip")),
    },
    "two_levels": {
        "local_cost": times(0.01, 0.001, 0.1),
        "survived": st.sampled_from((0.8, 0.3, 0.95)),
        "local_recovery": times(0.01, 0.1, 0.3),
    },
    "pairs": {"nodes": st.sampled_from((10, 2, 5, 100))},
}


@st.composite
def _jobs(draw: st.DrawFn) -> dict[str, Any]:
    job: dict[str, Any] = dict(draw(st.fixed_dictionaries(_DURATIONS)))
    for name in draw(st.sets(st.sampled_from(sorted(_OPTIONAL)), min_size=1)):
        job |= draw(st.fixed_dictionaries(_OPTIONAL[name]))
    unit = draw(st.sampled_from(UNITS))
    job["quantity"] = None
    return {name: unit * v if is_time(name) else v for name, v in job.items()}


PROPERTIES = tuple(
    Property(recommend, judge, _jobs(), effort=0.5)
    for judge in (simulated_means, simulated_regrets)
)
