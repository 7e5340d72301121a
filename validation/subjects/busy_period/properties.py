"""Random points for repairs that failures prolong."""

from __future__ import annotations

from perfmodel.completion import busy_period_mean, busy_period_variance
from validation.judge.search import Property

from ..strategies import in_units, repairs, times
from .cases import mean, variance

__all__ = ["PROPERTIES"]

PROPERTIES = (
    Property(
        busy_period_mean,
        mean,
        in_units(mtbf=times(1.0), downtime=repairs(0.2, 0.01, 0.05, 0.5)),
    ),
    Property(
        busy_period_variance,
        variance,
        in_units(mtbf=times(1.0), downtime=repairs(0.2, 0.01, 0.05, 0.4)),
        8.0,
    ),
)
