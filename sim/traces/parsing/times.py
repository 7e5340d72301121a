"""Instants as seconds: numbers are seconds already, text and dates are converted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeAlias

from ..._checks import shown
from .numbers import finite

Instant: TypeAlias = float | str | datetime | None


def parse_instant(text: str) -> float:
    """Return seconds: a number as it is, an ISO 8601 date as Unix time (no zone: UTC).

    Raises ValueError for anything else, nan and infinities included.
    """
    number = finite(text)
    return _unix(datetime.fromisoformat(text.strip())) if number is None else number


def wall_clock(text: str) -> float:
    """Return Unix seconds of ``YYYY?MM?DD?hh?mm?ss[.f]`` with any separators, as if in UTC."""
    if not text.isascii() or len(text) < 19:
        raise ValueError(f"{shown(text)} is not a date and time")
    parts = (text[0:4], text[5:7], text[8:10], text[11:13], text[14:16], text[17:19])
    fraction = finite(text[19:] or "0")
    if fraction is None or not 0.0 <= fraction < 1.0 or not all(map(str.isdigit, parts)):
        raise ValueError(f"{shown(text)} is not a date and time")
    year, month, day, hour, minute, second = map(int, parts)
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp() + fraction


def instant(name: str, value: Instant) -> float | None:
    """Return the argument `value` in seconds, or raise naming it; None stays None."""
    if value is None:
        return None
    if isinstance(value, datetime):
        return _unix(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"{name} must be seconds, an ISO date or a datetime, got {shown(value)}")
    try:
        return parse_instant(str(value))
    except ValueError:
        raise ValueError(f"{name} must be seconds or an ISO date, got {shown(value)}") from None


def _unix(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
