"""How many nodes finish a long job soonest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from asking.plain import strict
from asking.refusals import Field, Refused, given
from asking.units import human_duration

from ..requests.machines import NodesRequest
from ..shown import Answer, Facts, Lines, Part, Table

_BESIDE = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # of the best number, shown with it
_HOPELESS = 0.01  # a speedup, over one node that never fails
_LEAST, _WHOLE = 0.01, 99_999.5  # a speedup below is as good as none; one above has no decimals


@dataclass(frozen=True, slots=True)
class NodeCount:
    """A job on so many nodes: MTBF and best interval [s], and how much faster than one it is."""

    nodes: int
    mtbf_s: float
    interval_s: float
    speedup: float
    speedup_without_failures: float


@dataclass(frozen=True, slots=True)
class NodesAnswer(Answer):
    """The best number of at most `most` nodes, and others beside it; it `finishes` on any or not.

    `node_mtbf` is in [s], `speed_law` the law of the speedup if nothing failed. `to_frame` has
    a row for every number of nodes.
    """

    best: int
    most: int
    node_mtbf: float
    sequential_share: float
    counts: tuple[NodeCount, ...]
    speed_law: str

    @property
    def finishes(self) -> bool:
        """Whether the job ends on any number of nodes."""
        return any(row.speedup > 0.0 for row in self.counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel nodes --json`` prints it."""
        best = self.best if self.finishes else None
        found = {"best_nodes": best, "counts": [asdict(row) for row in self.counts]}
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield what the job does on each number of nodes."""
        yield from map(asdict, self.counts)

    def parts(self) -> Iterator[Part]:
        """Yield the machine, the numbers of nodes, and which of them to use."""
        yield Facts.of(
            [
                ("nodes", f"up to {self.most:,}"),
                ("node MTBF", human_duration(self.node_mtbf)),
                ("sequential", f"{100.0 * self.sequential_share:.4g} % of the work"),
                ("speedup", f"by {self.speed_law.capitalize()}'s law, if nothing failed"),
            ]
        )
        best = self.best if self.finishes else 0
        headings = ["nodes", "MTBF", "best interval", "speedup", "without\nfailures"]
        rows = [count_row(row, best) for row in self.counts]
        place = next((at for at, row in enumerate(self.counts) if row.nodes == best), None)
        yield Table.of(headings, rows, best=place)
        if self.finishes:
            speedup = max(row.speedup for row in self.counts)
            yield Lines.of(*advice_lines(self.best, self.most, speedup))
        else:
            yield Lines.of(
                "No number of nodes finishes the job: they fail before a checkpoint ends."
            )


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
    shares = (job["node_mtbf"], job["sequential_share"])
    return NodesAnswer(best, most, *shares, tuple(rows), request.law)


def advice_lines(best: int, most: int, speedup: float) -> list[str]:
    """Say how many nodes to use, and whether that gets far."""
    lines = [f"Use {best:,} of {most:,} nodes."]
    if best == most:
        lines = ["Use the one node." if most == 1 else f"Use all {most:,} nodes."]
    if speedup < _HOPELESS:
        lines.append("Yet even so they fail so often that the job hardly advances.")
    return lines


def count_row(row: NodeCount, best: int) -> list[str]:
    """Return a number of nodes as a row; a star stands at the best."""
    return [
        f"{row.nodes:,}{' *' if row.nodes == best else ''}",
        human_duration(row.mtbf_s),
        human_duration(row.interval_s),
        _speedup(row.speedup),
        _speedup(row.speedup_without_failures),
    ]


def _speedup(value: float) -> str:
    """Return a speedup in five digits, all of them before the point, and never a false zero."""
    if value < _LEAST:
        return f"<{_LEAST:g}"
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:,.5g}"
