"""Node hours of a job log by how its jobs ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..shown import Lines, Part, Table, percent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["node_hours_parts", "plain_node_hours"]


def plain_node_hours(frame: pd.DataFrame) -> list[dict[str, Any]] | None:
    """Return node hours and their share by end state; None of jobs that do not tell them."""
    from sim.traces import node_hours_by_state

    told = {"nodes", "state"} <= set(frame.columns)
    if not told or not ((frame["nodes"] > 0) & (frame["runtime"] > 0.0)).any():
        return None
    found = node_hours_by_state(frame)
    return [
        {"state": state, "jobs": int(jobs), "node_hours": float(hours), "share": float(share)}
        for state, jobs, hours, share in found.reset_index().to_numpy().tolist()
    ]


def node_hours_parts(rows: Sequence[dict[str, Any]] | None) -> Iterator[Part]:
    """Yield node hours by end state as a table, where they are known."""
    if not rows:
        return
    yield Lines.of("Node hours by how their jobs ended:")
    yield Table.of(
        ["state", "jobs", "node\nhours", "share\n[%]"],
        [
            [
                row["state"],
                f"{row['jobs']:,}",
                f"{row['node_hours']:,.1f}",
                percent(row["share"], 2),
            ]
            for row in rows
        ],
    )
