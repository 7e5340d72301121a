"""Checkpoints in the memory of buddies: waste, best interval, and what no buddy brings back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .images import optimal_interval_buddies as optimal_interval_buddies
    from .images import waste_of_buddies as waste_of_buddies
    from .images import waste_of_buddies_first_order as waste_of_buddies_first_order
    from .losses import share_lost_with_buddies as share_lost_with_buddies

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
