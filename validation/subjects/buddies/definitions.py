"""Images in memory as they are defined in words, by sums and linear equations at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["FIRST_ORDER_FAULTS", "LOSS_FAULTS", "WASTE_FAULTS", "first_order", "share", "waste"]

Number = Any  # mpmath has no types

WASTE_FAULTS = (
    "downtime dropped",
    "recovery dropped",
    "image counts at once",
    "image counts when all buddies have it",
    "images not sent again",
    "always waits",
    "never waits",
    "one buddy too few",
    "local cost dropped",
    "sending takes no longer",
    "half a period lost",
)
FIRST_ORDER_FAULTS = (
    "downtime dropped",
    "recovery dropped",
    "transfer not lost",
    "a whole period lost",
    "overhead of one buddy",
    "local cost dropped",
)
LOSS_FAULTS = (
    "rate of one node",
    "first order",
    "recovery does not begin anew",
    "a node that fails twice counts twice",
    "never together",
    "loss of a group of the other size",
)


def waste(
    interval: Number,
    *,
    mtbf: Number,
    transfer_time: Number,
    overhead: Number,
    overlap_factor: Number = 0,
    local_cost: Number = 0,
    downtime: Number = 0,
    protocol: str = "double",
    fault: str = "",
) -> Number:
    """Return 1 less the work of the images that come to count in a cycle, over its mean length.

    The k-th image after a failure counts if nothing fails until then.
    """
    w, mu, r, lost = (mp.mpf(x) for x in (interval, mtbf, transfer_time, overhead))
    factor = mp.mpf(0) if fault == "sending takes no longer" else mp.mpf(overlap_factor)
    local = mp.mpf(0) if fault == "local cost dropped" else mp.mpf(local_cost)
    buddies = 1 + (protocol == "triple" and fault != "one buddy too few")
    waits = (protocol == "double_blocking" and fault != "never waits") or fault == "always waits"
    sending = r + factor * (r - lost)
    done = buddies * (sending - lost)
    rest = max(w - done, mp.mpf(0))
    first = {
        "image counts at once": mp.mpf(0),
        "image counts when all buddies have it": buddies * sending,
    }.get(fault, sending)
    again = buddies * sending + rest
    if waits:
        again = buddies * r + w if fault == "always waits" else r + w
    elif fault == "images not sent again":
        again = w
    back = mp.mpf(0) if fault == "recovery dropped" else r
    until = back + again + local + first
    period = local + buddies * sending + rest
    if fault == "half a period lost":
        return _half_lost(w, mu, back + sending, period, mp.mpf(downtime))
    down = 0 if fault == "downtime dropped" else mp.mpf(downtime)
    kept = w * mp.exp(-until / mu) / -mp.expm1(-period / mu)
    return 1 - kept / (mu + down)


def _half_lost(w: Number, mu: Number, beside: Number, period: Number, down: Number) -> Number:
    """Return the waste if half a period is lost by each failure, but no more than all."""
    return 1 - max(1 - (down + beside + period / 2) / mu, mp.mpf(0)) * w / period


def first_order(
    interval: Number,
    *,
    mtbf: Number,
    transfer_time: Number,
    overhead: Number,
    overlap_factor: Number = 0,
    local_cost: Number = 0,
    downtime: Number = 0,
    protocol: str = "double",
    fault: str = "",
) -> Number:
    """Return the published waste, in its own symbols."""
    w, m, r, phi, alpha, delta, d = (
        mp.mpf(x)
        for x in (
            *(interval, mtbf, transfer_time, overhead, overlap_factor),
            *(local_cost, downtime),
        )
    )
    if fault == "local cost dropped":
        delta = mp.mpf(0)
    theta = r + alpha * (r - phi)
    copies = 2 if protocol == "triple" else 1
    ff = delta + (1 if fault == "overhead of one buddy" else copies) * phi
    p = max(w + ff, delta + copies * theta)
    f = theta + p / 2 + (d if fault != "downtime dropped" else 0)
    if fault != "recovery dropped":
        f += r
    if fault == "transfer not lost":
        f -= theta
    if fault == "a whole period lost":
        f += p / 2
    if protocol == "double_blocking":
        f += r + w + delta - p  # r - phi, unless the job waits for what is sent
    return 1 - max(1 - f / m, mp.mpf(0)) * w / p


def share(
    *,
    node_mtbf: Number,
    risk: Number,
    together: Number = 0,
    group: int = 2,
    fault: str = "",
) -> Number:
    """Return 1 over the mean number of failures up to a loss, by the states of one group."""
    mu, r, s = mp.mpf(node_mtbf), mp.mpf(risk), mp.mpf(together)
    if fault == "never together":
        s = mp.mpf(0)
    g = 5 - group if fault == "loss of a group of the other size" else group
    rate = (1 if fault == "rate of one node" else g) / mu
    soon = -mp.expm1(-rate * r)
    if fault == "first order":
        soon = rate * r
    if fault == "recovery does not begin anew" and g == 3:
        # The third failure has to come before the end of the first recovery.
        once = soon**2 / 2 * mp.mpf(2) / 9
        return s + (1 - s) * once
    # States: nodes whose images lack a copy; the mean number of failures still to come.
    matrix, right = mp.eye(g), mp.matrix([1] * g)
    for lacking in range(g):
        for now, chance in ((0, 1 - soon), (lacking, soon)):
            again = 0 if fault == "a node that fails twice counts twice" else now
            for next_one, how in ((now + 1, mp.mpf(g - again) / g), (now, mp.mpf(again) / g)):
                if next_one < g:
                    matrix[lacking, next_one] -= (1 - s) * chance * how
    return 1 / mp.lu_solve(matrix, right)[0]
