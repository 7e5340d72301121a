"""Several values under names, as a user writes them: ``cost=10s,survives=85%``."""

from __future__ import annotations


def named(text: str) -> dict[str, str]:
    """Read ``NAME=VALUE,NAME=VALUE``; raise ValueError for a name that comes twice."""
    pairs = [piece.partition("=")[::2] for piece in text.split(",")]
    values = {name.strip(): value.strip() for name, value in pairs}
    if len(values) < len(pairs):
        raise ValueError("a name comes twice")
    return values
