"""How often nodes fail, told by the jobs that ran on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..._checks import shown
from ..parsing.report import Argument, LogRefused
from .uptimes import Uptimes

if TYPE_CHECKING:
    import pandas as pd

_STATES = ("NODE_FAIL",)


def uptimes_of_jobs(frame: pd.DataFrame, *, state: Sequence[str] = _STATES) -> Uptimes:
    """Count the failures of nodes, and the time of nodes in which jobs would have met one.

    Parameters
    ----------
    frame : DataFrame
        Jobs of any log that says how they ended and on how many nodes, such as `read_sacct`,
        `read_pbs`, `read_lsf` or `read_job_table` return them: `nodes`, `runtime` and `state`.
    state : sequence of str
        Of jobs that a failure of a node ended. Default: NODE_FAIL.

    Returns
    -------
    Uptimes
        `failures`, jobs that ended in one of these states, and `observed`, the nodes of each job
        times its runtime, [s]: of one node, together. There are no durations: no node's age is
        known.

    Raises
    ------
    ValueError
        If no job has a length and a number of nodes, none says how it ended, or no job ended in a
        `state` that is given.
    TypeError
        If `frame` has no column `nodes` or `state`.

    Notes
    -----
    Counted rules: `size-unknown` and `length-unknown`, jobs that are left out. A node that fails
    while it is idle is not seen, so that this is the rate that jobs meet. Of several nodes that
    fail together one ends the job.
    """
    if not hasattr(frame, "columns") or not {"nodes", "runtime", "state"} <= set(frame.columns):
        raise TypeError(f"frame must have columns nodes, runtime and state, got {shown(frame)}")
    nodes, runtime = frame["nodes"].to_numpy(), frame["runtime"].to_numpy()
    sized, ran = nodes > 0, runtime >= 0.0
    kept = sized & ran
    observed = float(np.sum(nodes[kept] * runtime[kept]))
    if not observed > 0.0:
        raise ValueError(
            f"frame must hold jobs with nodes (AllocNodes or NNodes) and a length, got {len(frame)}"
            " without"
        )
    if not (frame["state"] != "").any():
        raise ValueError(f"frame must say of jobs how they ended (state), got {len(frame)} without")
    ended = frame["state"].str.upper()
    wanted = [name.upper() for name in state]
    if missing := sorted({*wanted} - {*ended, *_STATES}):
        known = ", ".join(sorted({*ended} - {""}))[:200]
        raise LogRefused(Argument("state"), f" must be one of {known}, got {shown(missing[0])}")
    left_out = {"size-unknown": int(np.sum(~sized)), "length-unknown": int(np.sum(sized & ~ran))}
    return Uptimes(
        durations=np.array([]),
        censored=np.array([], dtype=np.bool_),
        failures=int(np.sum(kept & ended.isin(wanted).to_numpy())),
        observed=observed,
        repairs=np.array([]),
        counts={rule: count for rule, count in left_out.items() if count},
    )
