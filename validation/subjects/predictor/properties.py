"""Random points for waste and best period with a predictor of failures."""

from __future__ import annotations

from perfmodel.interval import optimal_period_predicted, waste_predicted
from validation.judge.search import Property
from validation.ranges.points import points_over

from ..strategies import points_of
from .cases import EFFORT, period_within_range, within_range

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(waste_predicted, within_range, points_of(waste_predicted), EFFORT),
    Property(optimal_period_predicted, period_within_range, points_over(optimal_period_predicted)),
)
