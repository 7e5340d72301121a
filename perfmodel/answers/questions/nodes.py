"""How many nodes finish a long job soonest."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from ...units import human_duration
from ..refusals import Field, Refused, given
from ..requests.machines import NodesRequest
from ..shown import strict

__all__ = ["NodeCount", "NodesAnswer", "nodes"]

_BESIDE = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # of the best number, shown with it


@dataclass(frozen=True, slots=True)
class NodeCount:
    """A job on so many nodes: MTBF and best interval [s], and how much faster than one it is."""

    nodes: int
    mtbf_s: float
    interval_s: float
    speedup: float
    speedup_without_failures: float


@dataclass(frozen=True, slots=True)
class NodesAnswer:
    """The best number of at most `most` nodes, and others beside it; it `finishes` on any or not.

    `node_mtbf` is in [s].
    """

    best: int
    most: int
    node_mtbf: float
    sequential_share: float
    counts: tuple[NodeCount, ...]

    @property
    def finishes(self) -> bool:
        """Whether the job ends on any number of nodes."""
        return any(row.speedup > 0.0 for row in self.counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel nodes --json`` prints it."""
        best = self.best if self.finishes else None
        found = {"best_nodes": best, "counts": [asdict(row) for row in self.counts]}
        return dict(strict(found))


def nodes(request: NodesRequest) -> NodesAnswer:
    """Compute how many nodes finish a long job soonest.

    Parameters
    ----------
    request : NodesRequest
        Durations in [s].

    Returns
    -------
    NodesAnswer
        The best number, and the speedups of others.

    Raises
    ------
    Refused
        If a field that must be given is None.

    Examples
    --------
    >>> from perfmodel.answers import NodesRequest, nodes
    >>> job = NodesRequest(nodes=100_000, node_mtbf=10 * 365.25 * 86_400.0,
    ...                    sequential_share=0.001, checkpoint_cost=60.0)
    >>> nodes(job).best
    20804
    """
    most = given(request.nodes, "nodes")
    job: dict[str, Any] = {
        "sequential_share": given(request.sequential_share, "sequential_share"),
        "node_mtbf": given(request.node_mtbf, "node_mtbf"),
        "checkpoint_cost": given(request.checkpoint_cost, "checkpoint_cost"),
        "checkpoint_cost_per_node": request.checkpoint_cost_per_node,
        "recovery_cost": request.recovery_cost,
        "downtime": request.downtime,
        "law": request.law,
    }
    if not request.checkpoint_cost_per_node * most + job["checkpoint_cost"] < math.inf:
        raise Refused(
            "{} must make a checkpoint that ends on {:,} nodes, got {}",
            Field("checkpoint_cost_per_node"),
            most,
            human_duration(request.checkpoint_cost_per_node),
        )
    from ...interval import optimal_interval
    from ...scaling import expected_speedup, optimal_nodes

    best = optimal_nodes(**job, most=most)
    counts = sorted({min(max(round(part * best), 1), most) for part in _BESIDE} | {best, most})
    rows = []
    for count in counts:
        cost = request.checkpoint_cost_per_node * count + job["checkpoint_cost"]
        mtbf = job["node_mtbf"] / count
        rows.append(
            NodeCount(
                nodes=count,
                mtbf_s=mtbf,
                interval_s=float(optimal_interval(mtbf=mtbf, checkpoint_cost=cost)),
                speedup=float(expected_speedup(count, **job)),
                speedup_without_failures=float(
                    expected_speedup(
                        count,
                        sequential_share=job["sequential_share"],
                        node_mtbf=float("inf"),
                        checkpoint_cost=0.0,
                        law=request.law,
                    )
                ),
            )
        )
    return NodesAnswer(best, most, job["node_mtbf"], job["sequential_share"], tuple(rows))
