"""Checkpoints on several levels: cheap copies that survive some failures, and a durable one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .first_order import (
        optimal_pattern_levels_first_order as optimal_pattern_levels_first_order,
    )
    from .law import exact_makespan_two_levels as exact_makespan_two_levels
    from .many import Level as Level
    from .many import expected_pattern_time as expected_pattern_time
    from .optimum import TwoLevelPattern as TwoLevelPattern
    from .optimum import optimal_pattern_two_levels as optimal_pattern_two_levels
    from .pattern import LevelPattern as LevelPattern
    from .pattern import optimal_pattern_levels as optimal_pattern_levels
    from .two import expected_makespan_two_levels as expected_makespan_two_levels
    from .two import makespan_variance_two_levels as makespan_variance_two_levels

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
