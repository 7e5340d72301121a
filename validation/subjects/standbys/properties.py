"""Random points for stops and goodputs of a job with standby blocks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import hypothesis.strategies as st

from perfmodel.standbys import degraded_goodput, mean_stop, spares_goodput, two_stage_goodput
from validation.judge.search import Property
from validation.ranges.points import points_over

from .cases import goodput, staged, stop

__all__ = ["PROPERTIES"]


def _pool(point: dict[str, Any], load: float, exposed: float) -> dict[str, Any]:
    """Return a job that fails about once in three segments, and its pool."""
    between = 100.0 / point["blocks"]
    return {
        **point,
        "block_mtbf": 100.0,
        "mttr": load * between,
        "switch_time": 0.3 * between * exposed,
        "interval": 0.3 * between,
        "checkpoint_cost": 0.03 * between,
        "recovery_cost": 0.1 * between * exposed,
        "segments": 300,
    }


_POOLS = st.builds(
    _pool,
    st.fixed_dictionaries(
        {
            "blocks": st.sampled_from((1, 2, 16, 300)),
            "standbys": st.sampled_from((0, 1, 2, 5)),
            "crews": st.sampled_from((1.0, 2.0, math.inf)),
            "standby_hazard": st.sampled_from((0.0, 0.3, 1.0)),
            "stopped_hazard": st.sampled_from((0.0, 0.5, 1.0)),
        }
    ),
    st.sampled_from((0.1, 0.5, 1.0, 2.0)),
    st.sampled_from((0.0, 1.0)),
)


def _fewer(pool: dict[str, Any], missing: int, resize: float) -> dict[str, Any]:
    """Let the job of a pool go on with fewer blocks."""
    return {
        **pool,
        "may_miss": min(missing, pool["blocks"] - 1),
        "resize_time": resize * pool["interval"],
    }


_FEWER = st.builds(_fewer, _POOLS, st.sampled_from((1, 2, 4)), st.sampled_from((0.0, 0.5)))


def _staged(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a job that forgets how it began, for all that its range allows."""
    failures = point["interval"] * point["blocks"] / point["block_mtbf"]
    return {**point, "segments": round(100.0 / failures)}


_STAGED = points_over(two_stage_goodput).map(_staged)

PROPERTIES = (
    Property(two_stage_goodput, staged, _STAGED, 4.0),
    Property(degraded_goodput, goodput, _FEWER, 4.0),
    Property(spares_goodput, goodput, _POOLS, 4.0),
    Property(mean_stop, stop, _POOLS, 4.0),
)
