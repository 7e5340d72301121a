"""Periods and waste on a shared file system as they are defined, at many digits.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["FAULTS", "WASTE_FAULTS", "multiplier", "periods", "waste"]

Number = Any  # mpmath has no types
Numbers = tuple[Any, ...]

FAULTS = (
    "bandwidth without end",
    "periods stretched alike",
    "jobs not counted",
    "mtbf of the machine",
    "half the cost",
)
WASTE_FAULTS = (
    "checkpoints dropped",
    "rework dropped",
    "recovery dropped",
    "a failure costs a whole period",
    "jobs weigh alike",
    "mtbf of the machine",
)
_HALVINGS = 170


def multiplier(
    *,
    nodes: Numbers,
    jobs: Numbers,
    checkpoint_cost: Numbers,
    node_mtbf: Number,
    fault: str = "",
) -> Number:
    """Return L, by bisection on its logarithm."""

    def load(price: Number) -> Number:
        found = _at(price, nodes, jobs, checkpoint_cost, node_mtbf, fault)
        counts = (1 for _ in jobs) if fault == "jobs not counted" else jobs
        return sum(
            n * mp.mpf(c) / p for n, c, p in zip(counts, checkpoint_cost, found, strict=True)
        )

    if fault == "bandwidth without end" or load(mp.mpf(0)) <= 1:
        return mp.mpf(0)
    low, high = mp.mpf(-120), mp.mpf(120)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if load(mp.exp(middle)) > 1 else (low, middle)
    return mp.exp(low)


def periods(
    *,
    nodes: Numbers,
    jobs: Numbers,
    checkpoint_cost: Numbers,
    node_mtbf: Number,
    fault: str = "",
) -> list[Number]:
    """Return the period of each kind."""
    if fault == "periods stretched alike":
        young = _at(mp.mpf(0), nodes, jobs, checkpoint_cost, node_mtbf, "")
        load = sum(n * mp.mpf(c) / p for n, c, p in zip(jobs, checkpoint_cost, young, strict=True))
        return [max(load, mp.mpf(1)) * p for p in young]
    given = {"nodes": nodes, "jobs": jobs, "checkpoint_cost": checkpoint_cost}
    price = multiplier(**given, node_mtbf=node_mtbf, fault=fault)
    return _at(price, nodes, jobs, checkpoint_cost, node_mtbf, fault)


def waste(
    *,
    period: Numbers,
    nodes: Numbers,
    jobs: Numbers,
    checkpoint_cost: Numbers,
    recovery_cost: Numbers,
    node_mtbf: Number,
    fault: str = "",
) -> Number:
    """Return the share of the nodes' time that is lost, kind by kind."""
    used = sum(n * mp.mpf(q) for n, q in zip(jobs, nodes, strict=True))
    lost = mp.mpf(0)
    kinds = zip(period, nodes, jobs, checkpoint_cost, recovery_cost, strict=True)
    for p, q, n, c, r in kinds:
        share = mp.mpf(n) * q / used
        if fault == "jobs weigh alike":
            share = mp.mpf(n) / sum(map(mp.mpf, jobs))
        mtbf = node_mtbf / (used if fault == "mtbf of the machine" else q)
        again = mp.mpf(p) / (1 if fault == "a failure costs a whole period" else 2)
        again = 0 if fault == "rework dropped" else again
        back = 0 if fault == "recovery dropped" else mp.mpf(r)
        writing = 0 if fault == "checkpoints dropped" else mp.mpf(c) / p
        lost += share * (writing + (again + back) / mtbf)
    return lost


def _at(  # noqa: PLR0917 (as the formula has them)
    price: Number,
    nodes: Numbers,
    jobs: Numbers,
    checkpoint_cost: Numbers,
    node_mtbf: Number,
    fault: str,
) -> list[Number]:
    """Return the periods at a price of the bandwidth."""
    used = sum(n * mp.mpf(q) for n, q in zip(jobs, nodes, strict=True))
    scale = node_mtbf * used * (1 if fault == "half the cost" else 2)
    found = []
    for q, c in zip(nodes, checkpoint_cost, strict=True):
        across = used if fault == "mtbf of the machine" else q
        found.append(mp.sqrt(scale * (mp.mpf(q) / used + price) * c) / across)
    return found
