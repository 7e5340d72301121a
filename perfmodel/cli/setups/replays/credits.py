"""Prices of recovery options, as --credits names them (`aucore` III-C)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from statistics import median
from typing import TYPE_CHECKING

import click

from ...requests.replay import RecoveryRequest

if TYPE_CHECKING:
    from sim.cluster import Prices

__all__ = ["prices_of", "read_prices"]

_OPTIONS = "ABCDE"
_NO_LIMIT = 1e300  # [credit], more than any jobs can save


def read_prices(text: str) -> tuple[tuple[str, float], ...]:
    """Return option and price, [credit / node h], of each part of ``A=0,B=1``; or ValueError."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, price = (word.strip() for word in part.partition("="))
        if not equals or len(name) != 1 or name not in _OPTIONS or name in found:
            raise ValueError
        found[name] = _price(price)
    return tuple(found.items())


def prices_of(request: RecoveryRequest, cases: Sequence[str]) -> Prices | None:
    """Return the prices asked for, None without, or refuse prices that some case does not have."""
    if request.credits is None:
        return None
    from sim.cluster import Prices
    from sim.cluster.recovery import CASES

    prices = dict(request.credits)
    missing = sorted({option for case in cases for option in CASES[case]} - prices.keys())
    if missing:
        raise click.UsageError(
            f"--credits must have a price for each option of the cases, got none for {missing[0]}"
        )
    allowance = median(prices.values()) if request.allowance is None else request.allowance
    if min(prices.values()) > allowance:
        raise click.UsageError(
            f"--allowance must be at least the lowest price, {min(prices.values()):g}, "
            f"got {allowance:g}"
        )
    limit = request.deposit_limit
    return Prices(prices, allowance, _NO_LIMIT if limit is None else limit, request.overdraft_limit)


def _price(text: str) -> float:
    with suppress(ValueError):
        price = float(text) if text.isascii() and "_" not in text else -1.0
        if 0.0 <= price < float("inf"):
            return price
    raise ValueError  # without Python's own words
