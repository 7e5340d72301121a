"""What the time of nodes went to, by how the jobs ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..._checks import shown

if TYPE_CHECKING:
    import pandas as pd


def node_hours_by_state(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the node hours of jobs by the state in which they ended: the measured badput.

    Parameters
    ----------
    frame : DataFrame
        Jobs of a log that says how they ended and on how many nodes: `nodes`, `runtime` [s] and
        `state`.

    Returns
    -------
    DataFrame
        By state, that of most node hours first: `jobs`, `node_hours` [h], and `share` of all node
        hours. Jobs of unknown size or length are left out; a state that is not told is UNKNOWN.

    Raises
    ------
    ValueError
        If no job has a length and a number of nodes.
    TypeError
        If `frame` lacks one of the columns.

    Notes
    -----
    The whole time of a job counts as that of its end, also what it saved before it failed: the
    share of NODE_FAIL is an upper limit of what failures cost where jobs write checkpoints.

    Examples
    --------
    >>> import pandas as pd
    >>> jobs = pd.DataFrame(
    ...     {"nodes": [4, 2, 2], "runtime": [3600.0, 7200.0, 1800.0],
    ...      "state": ["COMPLETED", "NODE_FAIL", "COMPLETED"]}
    ... )
    >>> node_hours_by_state(jobs)["node_hours"].to_dict()
    {'COMPLETED': 5.0, 'NODE_FAIL': 4.0}
    """
    if not hasattr(frame, "columns") or not {"nodes", "runtime", "state"} <= set(frame.columns):
        raise TypeError(f"frame must have columns nodes, runtime and state, got {shown(frame)}")
    import pandas as pd

    nodes, runtime = frame["nodes"].to_numpy(), frame["runtime"].to_numpy()
    kept = (nodes > 0) & (runtime >= 0.0)
    if not kept.any():
        raise ValueError(f"frame must hold jobs with nodes and a length, got {len(frame)} without")
    hours = pd.DataFrame(
        {
            "state": np.where(frame["state"] == "", "UNKNOWN", frame["state"])[kept],
            "node_hours": nodes[kept] * runtime[kept] / 3600.0,
        }
    )
    by_state = hours.groupby("state")["node_hours"].agg(["size", "sum"])
    by_state.columns = pd.Index(["jobs", "node_hours"])
    total = float(by_state["node_hours"].sum())
    by_state["share"] = by_state["node_hours"] / total if total > 0.0 else np.nan
    return by_state.sort_values("node_hours", ascending=False, kind="stable")
