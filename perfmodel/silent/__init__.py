"""Silent errors: found by a verification before each checkpoint, or by themselves but late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .late import expected_makespan_detected_late as expected_makespan_detected_late
    from .late import waste_detected_late as waste_detected_late
    from .late_optimum import optimal_interval_detected_late as optimal_interval_detected_late
    from .optimum import optimal_interval_silent as optimal_interval_silent
    from .optimum import (
        optimal_interval_silent_first_order as optimal_interval_silent_first_order,
    )
    from .verified import expected_makespan_silent as expected_makespan_silent
    from .verified import waste_silent as waste_silent

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
