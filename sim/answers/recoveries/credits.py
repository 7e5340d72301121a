"""Prices of recovery options (`aucore` III-C)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from asking.refusals import Field, Refused

from ..replays.requests import RecoveryRequest
from .job_options import OwnOptions

if TYPE_CHECKING:
    from ...cluster import Prices

_NO_LIMIT = 1e300  # [credit], more than any jobs can save


def prices_of(
    request: RecoveryRequest, cases: Sequence[str], own: OwnOptions | None = None
) -> Prices | None:
    """Return the prices asked for, None without, or refuse prices that some case does not have."""
    if request.credits is None:
        return None
    from ...cluster import Prices
    from ...cluster.recovery import CASES

    prices = dict(request.credits)
    asked = {option for case in cases for option in CASES.get(case, ())}
    if own is not None:
        asked |= own.names
    missing = sorted(asked - prices.keys())
    if missing:
        raise Refused(
            "{} must have a price for each option of the cases, got none for {}",
            *(Field("credits"), missing[0]),
        )
    allowance = median(prices.values()) if request.allowance is None else request.allowance
    if min(prices.values()) > allowance:
        raise Refused(
            "{} must be at least the lowest price, {:g}, got {:g}",
            *(Field("allowance"), min(prices.values()), allowance),
        )
    limit = request.deposit_limit
    return Prices(prices, allowance, _NO_LIMIT if limit is None else limit, request.overdraft_limit)
