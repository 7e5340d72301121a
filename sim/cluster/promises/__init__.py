"""Deadlines that are negotiated: reservations, offers, and a replay with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .replay import Promised as Promised
    from .replay import replay_promises as replay_promises

# Module -> what it offers, loaded when first asked for; a test compares it with the imports above.
_HOMES = {
    "replay": (
        "Promised",
        "replay_promises",
    ),
}
__all__ = [name for names in _HOMES.values() for name in names]

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __getattr__, __dir__ = loading(__name__, _HOMES)
