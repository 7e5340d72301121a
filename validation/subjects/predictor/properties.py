"""Random points for waste and best period with a predictor of failures."""

from __future__ import annotations

from perfmodel.interval import optimal_period_aupy, waste_aupy
from validation.judge.search import Property
from validation.ranges.points import points_over

from ..strategies import points_of
from .cases import EFFORT, period_within_range, within_range

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(waste_aupy, within_range, points_of(waste_aupy), EFFORT),
    Property(optimal_period_aupy, period_within_range, points_over(optimal_period_aupy)),
)
