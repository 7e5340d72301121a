"""Random points for the waste, the period and the segments with predicted windows."""

from __future__ import annotations

from perfmodel.prediction import (
    best_window_segments,
    optimal_period_windows,
    waste_windows,
)
from validation.judge.search import Property
from validation.ranges.points import points_over

from .cases import EFFORT, period_within_range, segments_within_range, within_range

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(waste_windows, within_range, points_over(waste_windows), EFFORT),
    Property(
        optimal_period_windows,
        period_within_range,
        points_over(optimal_period_windows),
        EFFORT,
    ),
    Property(
        best_window_segments, segments_within_range, points_over(best_window_segments), EFFORT
    ),
)
