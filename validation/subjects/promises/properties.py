"""Random points for promised deadlines and checkpoints by the risk-based rule."""

from __future__ import annotations

import hypothesis.strategies as st

from perfmodel.site import (
    checkpoint_gain,
    longest_promise,
    promised_probability,
    risk_based_interval,
)
from validation.judge.search import Property

from ..strategies import UNITS, points_of
from .cases import (
    gain,
    granted,
    parallel_job_of_that_length,
    parallel_job_undisturbed,
)

__all__ = ["PROPERTIES"]

PROMISES = st.builds(
    lambda load, nodes, node_mtbf: {
        "duration": load * node_mtbf / nodes,
        "nodes": nodes,
        "node_mtbf": node_mtbf,
    },
    st.sampled_from((0.5, 1.0, 0.2, 0.1)),
    st.sampled_from((1, 2, 4)),
    st.sampled_from(UNITS),
)
LONGEST = st.fixed_dictionaries(
    {
        "probability": st.sampled_from((0.5, 0.9, 0.2, 0.8)),
        "nodes": st.sampled_from((1, 2, 4)),
        "node_mtbf": st.sampled_from(UNITS),
    }
)
REQUESTS = st.fixed_dictionaries(
    {
        "failure_probability": st.sampled_from((0.5, 0.1, 0.9, 1.0, 0.0)),
        "intervals": st.integers(1, 9),
        "interval": st.sampled_from((10.0, 1.0, 3600.0)),
        "checkpoint_cost": st.sampled_from((1.0, 0.1, 7.0)),
    }
)

PROPERTIES = (
    Property(risk_based_interval, granted, points_of(risk_based_interval)),
    Property(promised_probability, parallel_job_undisturbed, PROMISES),
    Property(longest_promise, parallel_job_of_that_length, LONGEST),
    Property(checkpoint_gain, gain, REQUESTS),
)
