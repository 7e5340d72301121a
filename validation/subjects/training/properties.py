"""Random points for the shares of a training run."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from perfmodel.training import goodput, training_shares
from validation.judge.search import Property
from validation.ranges.points import drawn
from validation.ranges.sweeps import Sweep

from ..strategies import points_of
from . import memory
from .cases import all_shares, goodput_by_definition, share, useful_share

__all__ = ["PROPERTIES", "SWEEPS"]


def _runs() -> st.SearchStrategy[dict[str, Any]]:
    """Draw runs of which snapshots are durable before the next is due."""
    return points_of(goodput).map(
        lambda run: {**run, "latency": min(run["latency"], run["interval"])}
    )


PROPERTIES = (
    Property(goodput, useful_share, _runs()),
    Property(
        training_shares,
        share,
        st.builds(
            lambda run, part: {**run, "part": part},
            _runs(),
            st.sampled_from(
                ("checkpoint_save", "wasted_progress", "checkpoint_restore", "warm_up")
            ),
        ),
        0.2,
    ),
)

SWEEPS = (
    *memory.SWEEPS,
    Sweep(
        goodput,
        goodput_by_definition,
        lambda fraction: drawn(goodput, fraction),
        quick=20,
        full=2000,
    ),
    Sweep(
        training_shares,
        all_shares,
        lambda fraction: drawn(training_shares, fraction),
        quick=20,
        full=2000,
    ),
)
