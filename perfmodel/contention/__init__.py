"""Jobs whose checkpoints share one file system: how often each may write one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .shared import contention_multiplier as contention_multiplier
    from .shared import optimal_periods_shared as optimal_periods_shared
    from .shared import waste_shared as waste_shared

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
