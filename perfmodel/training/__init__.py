"""Training runs: the share of their time that advances them, and where the rest goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from .ettr import ettr_first_order as ettr_first_order
    from .losses import TrainingShares as TrainingShares
    from .losses import goodput as goodput
    from .losses import training_shares as training_shares
    from .memory import MemoryShares as MemoryShares
    from .memory import training_shares_memory as training_shares_memory

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
