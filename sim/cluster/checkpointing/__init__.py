"""What a job does with its time while it runs: periodic and cooperative checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._doors import loading

if TYPE_CHECKING:
    from .cooperative import Cooperative as Cooperative
    from .periodic import NoCheckpoints as NoCheckpoints
    from .periodic import Periodic as Periodic

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
