"""Times that many modules name, [s], and durations as text."""

from __future__ import annotations

import re

__all__ = ["DURATIONS", "HOUR", "MINUTE", "NEVER", "human_duration", "seconds"]

MINUTE = 60.0
HOUR = 3600.0
NEVER = float("inf")
# From large to small: a compound such as 2d12h must go the same way.
DURATIONS = {
    "y": 31557600.0,
    "w": 604800.0,
    "d": 86400.0,
    "h": HOUR,
    "min": MINUTE,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
}
_WORDS = {
    **{"yr": "y", "year": "y", "week": "w", "day": "d", "hr": "h", "hour": "h"},
    **{"minute": "min", "sec": "s", "second": "s"},
}
# What is matched is never given back (`*+`): else a long text would be split in every way.
_PIECE = re.compile(
    r"[ \t]*+((?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)[ \t]*+([a-z]++)[ \t]*+"
)


def seconds(text: str) -> float:
    """Return a duration such as ``90s``, ``1.5h`` or ``2d12h``, [s]; raise ValueError."""
    total, end, last = 0.0, 0, NEVER
    while piece := _PIECE.match(text, end):
        name = piece[2]
        unit = DURATIONS.get(_WORDS.get(name.removesuffix("s"), name) if len(name) > 1 else name)
        if unit is None or unit >= last:
            raise ValueError(f"unit must be one of {', '.join(DURATIONS)}, from large to small")
        total, end, last = total + float(piece[1]) * unit, piece.end(), unit
    if end == 0 or end < len(text) or not total < NEVER:
        raise ValueError(f"duration must have a unit, got {text[:60]!r}")
    return total


def human_duration(seconds: float) -> str:
    """Return a duration to four digits in the unit that suits it: ``58.31 min``.

    A number that has a `text` is what somebody typed, and is returned so.
    """
    typed: str | None = getattr(seconds, "text", None)
    if typed is not None:
        return typed
    if seconds == NEVER:
        return "unbounded"
    unit = next((u for u in ("y", "d", "h", "min") if seconds >= 2.0 * DURATIONS[u]), None)
    if unit is None:
        small = (u for u in ("s", "ms", "us") if seconds >= DURATIONS[u])
        unit = "s" if seconds == 0.0 else next(small, "ns")
    value = seconds / DURATIONS[unit]
    return f"{value:.0f} {unit}" if 1000.0 <= value < 1e7 else f"{value:.4g} {unit}"
