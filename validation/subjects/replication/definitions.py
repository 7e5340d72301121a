"""Pairs of nodes as they are defined in words, by sums and integrals at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]
import numpy as np

__all__ = ["NUMBER_FAULTS", "TIME_FAULTS", "WASTE_FAULTS", "failures", "mtti", "waste"]

Number = Any  # mpmath has no types

NUMBER_FAULTS = ("strikes of nodes that are down not counted", "birthday problem", "one too few")
TIME_FAULTS = ("rate of all pairs", "one node of each pair", "birthday problem")
WASTE_FAULTS = (
    "downtime dropped",
    "recovery dropped",
    "recovery never fails",
    "checkpoint never fails",
    "other rule of restart",
    "half a segment lost",
    "one node of each pair",
)


def failures(pairs: Number, fault: str = "") -> Number:
    """Return the mean number of strikes until both nodes of a pair are down."""
    b = mp.mpf(int(pairs))
    if fault == "birthday problem":
        return mp.sqrt(mp.pi * b) + mp.mpf(2) / 3
    if fault == "strikes of nodes that are down not counted":
        return mp.sqrt(mp.pi) * mp.gamma(b + 1) / mp.gamma(b + mp.mpf(1) / 2)
    less = 1 if fault == "one too few" else 0
    return 1 + mp.mpf(4) ** b / mp.binomial(2 * b, b) - less


def mtti(pairs: Number, node_mtbf: Number, fault: str = "") -> Number:
    """Return the mean time to the first interruption."""
    rate = (1 if fault == "rate of all pairs" else 2) * int(pairs) / node_mtbf
    if fault == "one node of each pair":
        return node_mtbf / int(pairs)
    return failures(pairs, fault) / rate


def _pieces(pairs: int, fault: str) -> Any:
    """Return S(t) and its integral from 0 to t, in node MTBFs."""

    def survival(t: Number) -> Number:
        if fault == "one node of each pair":
            return mp.exp(-pairs * t)
        return (1 - (1 - mp.exp(-t)) ** 2) ** pairs

    def integral(t: Number) -> Number:
        if fault == "one node of each pair":
            return -mp.expm1(-pairs * t) / pairs
        v = 1 - mp.exp(-t)
        # The integral of (1 - v^2)^b/(1 - v) dv, and 1/(1 - v) = (1 + v)/(1 - v^2).
        return _even(v, pairs) + (1 - (1 - v**2) ** pairs) / (2 * pairs)

    return survival, integral


def _even(v: Number, pairs: int) -> Number:
    """Return the integral from 0 to v of (1 - x^2)^(pairs - 1) dx."""
    half = mp.mpf(1) / 2
    if pairs <= 400:
        return v * mp.hyp2f1(half, 1 - pairs, 3 * half, v**2)
    # Beyond this, what is left of the integral has not one digit.
    if pairs * v**2 > 400:
        return mp.beta(half, pairs) / 2
    # Positive terms, of which no digit cancels: those above may converge too slowly.
    k, term = 0, v * (1 - v**2) ** pairs
    total = term
    while term > mp.eps * total:
        term *= (pairs + half + k) / (3 * half + k) * v**2
        total += term
        k += 1
    return total


def _checkpoints(start: float, span: float, pairs: int, *, only: bool) -> float:
    """Return the sum of S(start + k span) over k >= 1, as floats: it may have a million terms."""
    total, k = 0.0, np.arange(1.0, 20_001.0)
    while True:
        t = start + k * span
        terms = np.exp(-pairs * t) if only else (1.0 - (1.0 - np.exp(-t)) ** 2) ** pairs
        total += float(terms.sum())
        if terms[-1] < 1e-20:
            return total
        k += 20_000.0


def waste(
    interval: Number,
    *,
    pairs: int,
    node_mtbf: Number,
    checkpoint_cost: Number,
    recovery_cost: Number = 0,
    downtime: Number = 0,
    restart: bool = True,
    fault: str = "",
) -> Number:
    """Return 1 less the work that checkpoints keep in a cycle, over the mean length of a cycle.

    A cycle is a downtime, then nodes that all start anew until the next interruption.
    """
    recovery = 0 if fault == "recovery dropped" else recovery_cost
    downtime = 0 if fault == "downtime dropped" else downtime
    w, c, r, d = (mp.mpf(x) / node_mtbf for x in (interval, checkpoint_cost, recovery, downtime))
    survival, integral = _pieces(int(pairs), fault)
    if fault == "recovery never fails":
        d, r = d + r, mp.mpf(0)
    if fault == "other rule of restart":
        restart = not restart
    a = w if fault == "checkpoint never fails" else w + c
    extra = c if fault == "checkpoint never fails" else mp.mpf(0)
    if restart:
        first, more = survival(r + a), survival(a)
        kept = first / (1 - more)
        length = integral(r + a) + first * integral(a) / (1 - more)
        if fault == "half a segment lost":
            length = kept * a + (r + a / 2)
    else:
        only = fault == "one node of each pair"
        kept = _checkpoints(float(r), float(a), int(pairs), only=only)
        length = mtti(pairs, mp.mpf(1), fault if fault == "one node of each pair" else "")
        if fault == "half a segment lost":
            length = r + (kept + mp.mpf(1) / 2) * a
    return 1 - w * kept / (d + length + kept * extra)
