"""Times that many modules name, [s]."""

from __future__ import annotations

__all__ = ["HOUR", "NEVER"]

HOUR = 3600.0
NEVER = float("inf")
