"""Prices of recovery options, as a user writes them: ``A=0,B=1``."""

from __future__ import annotations

from contextlib import suppress

__all__ = ["read_prices"]

_OPTIONS = "ABCDE"


def read_prices(text: str) -> tuple[tuple[str, float], ...]:
    """Return option and price, [credit / node h], of each part of ``A=0,B=1``; or ValueError."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, price = (word.strip() for word in part.partition("="))
        if not equals or len(name) != 1 or name not in _OPTIONS or name in found:
            raise ValueError
        found[name] = _price(price)
    return tuple(found.items())


def _price(text: str) -> float:
    with suppress(ValueError):
        price = float(text) if text.isascii() and "_" not in text else -1.0
        if 0.0 <= price < float("inf"):
            return price
    raise ValueError  # without Python's own words
