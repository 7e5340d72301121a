"""Deadlines that are negotiated: reservations, offers, and a replay with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .negotiation import Negotiated as Negotiated
    from .negotiation import Promise as Promise
    from .replay import CHECKPOINTING as CHECKPOINTING
    from .replay import PromiseReplay as PromiseReplay
    from .replay import quote_promises as quote_promises
    from .replay import replay_promises as replay_promises

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
