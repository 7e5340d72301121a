"""Instants as seconds: numbers are seconds already, text and dates are converted."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TypeAlias

__all__ = ["Instant", "instant", "parse_instant"]

Instant: TypeAlias = float | str | datetime | None


def parse_instant(text: str) -> float:
    """Return seconds: a number as it is, an ISO 8601 date as Unix time (no zone: UTC).

    Raises ValueError for anything else, nan and infinities included.
    """
    try:
        number = float(text)
    except ValueError:
        return _unix(datetime.fromisoformat(text.strip()))
    if not math.isfinite(number):
        raise ValueError(f"{text!r} is not an instant")
    return number


def instant(name: str, value: Instant) -> float | None:
    """Return the argument `value` in seconds, or raise naming it; None stays None."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return _unix(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"{name} must be seconds, an ISO date or a datetime, got {value!r}")
    try:
        return parse_instant(str(value))
    except ValueError:
        raise ValueError(f"{name} must be seconds or an ISO date, got {value!r}") from None


def _unix(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
