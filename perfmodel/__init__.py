"""Performance under failures: completion times, checkpoint intervals, partitions."""

from __future__ import annotations

from .validity import Range, ValidityWarning

__all__ = ["Range", "ValidityWarning"]
