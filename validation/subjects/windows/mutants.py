"""Wrong wastes, periods and segments with predicted windows, each by one fault."""

from __future__ import annotations

from perfmodel.prediction import (
    best_window_segments,
    optimal_period_windows,
    waste_windows,
)

from ..by_definition import mutants
from .definitions import PERIOD_FAULTS, SEGMENTS_FAULTS, WASTE_FAULTS, period, segments, waste

__all__ = ["MUTANTS"]

MUTANTS = (
    *mutants(waste_windows, waste, *WASTE_FAULTS),
    *mutants(optimal_period_windows, period, *PERIOD_FAULTS),
    *mutants(best_window_segments, segments, *SEGMENTS_FAULTS),
)
