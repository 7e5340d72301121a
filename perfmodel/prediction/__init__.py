"""Jobs whose predictor of failures names windows of time; exact instants: `perfmodel.interval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .windows import best_window_segments as best_window_segments
    from .windows import optimal_period_windows as optimal_period_windows
    from .windows import waste_windows as waste_windows

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
