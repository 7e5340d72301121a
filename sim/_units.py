"""Times that many modules name, [s]."""

from __future__ import annotations

__all__ = ["HOUR", "MINUTE", "NEVER"]

MINUTE = 60.0
HOUR = 3600.0
NEVER = float("inf")
