"""An advisor that a running job asks whether a checkpoint is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .advice import CheckpointAdvisor as CheckpointAdvisor
    from .belief import Prior as Prior
    from .recommendation import Recommendation as Recommendation

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
