"""The speedup on nodes that fail, from the mean time per work at the best interval.

Each fault drops or changes one rule.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp  # type: ignore[import-untyped]

__all__ = ["FAULTS", "speedup"]

FAULTS = (
    "one failure for all nodes",
    "downtime dropped",
    "recovery dropped",
    "cost per node counted once",
    "sequential share ignored",
    "other law",
    "interval of Young",
)


def speedup(
    nodes: int,
    *,
    sequential_share: Any,
    node_mtbf: Any,
    checkpoint_cost: Any,
    checkpoint_cost_per_node: Any = 0,
    recovery_cost: Any = 0,
    downtime: Any = 0,
    law: str = "amdahl",
    fault: str = "",
) -> Any:
    """Return the speedup over one node that never fails."""
    p, s = mp.mpf(int(nodes)), mp.mpf(sequential_share)
    if fault == "sequential share ignored":
        s = mp.mpf(0)
    rate = (1 if fault == "one failure for all nodes" else p) / node_mtbf
    many = 1 if fault == "cost per node counted once" else p
    cost = checkpoint_cost + many * checkpoint_cost_per_node
    back = 0 if fault == "recovery dropped" else recovery_cost
    down = 0 if fault == "downtime dropped" else downtime
    w = (1 + mp.lambertw(-mp.exp(-1 - rate * cost)).real) / rate
    if fault == "interval of Young":
        w = mp.sqrt(2 * cost / rate)
    # The mean time of a segment, its recoveries included, over its work.
    pace = mp.exp(rate * back) * (1 / rate + down) * mp.expm1(rate * (w + cost)) / w
    ideal = {"amdahl": 1 / (s + (1 - s) / p), "gustafson": s + (1 - s) * p}
    if fault == "other law":
        law = "gustafson" if law == "amdahl" else "amdahl"
    return ideal[law] / pace
