"""Which checkpoint protocol suits a machine and a job, and how far ahead it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .choice import ProtocolTime as ProtocolTime
    from .choice import Recommendation as Recommendation
    from .choice import recommend as recommend

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
