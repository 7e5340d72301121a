"""Node hours of a job log by how its jobs ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..shown import Lines, Part, Table, percent

if TYPE_CHECKING:
    import pandas as pd

_STRUCK = "NODE_FAIL"


@dataclass(frozen=True, slots=True)
class Measured:
    """What failures cost the jobs of a log, as shares of the node hours of all of them.

    Parameters
    ----------
    struck : float
        Of jobs that ended as NODE_FAIL, what they had saved included.
    wasted_progress : float
        Of these what came after the last checkpoint, were one written at a stated interval.
    waiting : float, optional
        From the end of such an attempt to the next start of its job, on as many nodes; None where
        none started again.
    jobs, restarted : int
        How many ended as NODE_FAIL, and how many of them started again.
    """

    struck: float
    wasted_progress: float
    waiting: float | None
    jobs: int
    restarted: int


def measured_losses(frame: pd.DataFrame, *, every: float) -> Measured | None:
    """Return what failures cost jobs if they write a checkpoint `every` so many seconds.

    None of jobs that do not tell how they ended, on how many nodes and for how long.
    """
    import pandas as pd

    if not {"nodes", "state", "runtime", "submit", "wait"} <= set(frame.columns):
        return None
    kept = frame[(frame["nodes"] > 0) & (frame["runtime"] >= 0.0)]
    nodes, runtime = (kept[name].to_numpy(dtype=np.float64) for name in ("nodes", "runtime"))
    total = float(nodes @ runtime)
    if not total > 0.0:
        return None
    struck = (kept["state"] == _STRUCK).to_numpy(dtype=np.bool_)
    start = np.where(kept["wait"] >= 0.0, kept["submit"] + kept["wait"], np.nan)
    name = pd.factorize(kept["job_id" if "job_id" in kept else "job"])[0]
    order = np.lexsort((start, name))
    gap = np.full(len(kept), np.nan)
    gap[order[:-1]] = start[order[1:]] - (start + runtime)[order[:-1]]
    gap[order[:-1][name[order[1:]] != name[order[:-1]]]] = np.nan
    again = struck & (gap >= 0.0)
    return Measured(
        struck=float(nodes[struck] @ runtime[struck]) / total,
        wasted_progress=float(nodes[struck] @ np.mod(runtime[struck], every)) / total,
        waiting=float(nodes[again] @ gap[again]) / total if again.any() else None,
        jobs=int(struck.sum()),
        restarted=int(again.sum()),
    )


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
