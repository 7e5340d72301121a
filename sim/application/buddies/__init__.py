"""Images of nodes in the memory of buddies: a long job with them, and groups that lose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .groups import simulate_failures_to_loss as simulate_failures_to_loss
    from .job import simulate_buddy_cycles as simulate_buddy_cycles

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
