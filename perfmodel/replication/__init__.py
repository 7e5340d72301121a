"""Every process twice: how long pairs of nodes last, and when that beats single nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .optimum import optimal_interval_pairs as optimal_interval_pairs
    from .optimum import (
        optimal_interval_pairs_first_order as optimal_interval_pairs_first_order,
    )
    from .optimum import pairs_crossover as pairs_crossover
    from .pairs import failures_to_interruption as failures_to_interruption
    from .pairs import mtti_of_pairs as mtti_of_pairs
    from .pairs import waste_of_pairs as waste_of_pairs

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
