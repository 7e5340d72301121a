"""From a failure log to the feed of one machine: clock and node names are matched, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..records import IntArray
from .faults import Failures

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["failures_from_frame"]


def failures_from_frame(
    frame: pd.DataFrame,
    *,
    nodes: int,
    names: Sequence[str] = (),
    origin: float = 0.0,
    unknown_repair: float = 1200.0,
) -> tuple[Failures, dict[str, int]]:
    """Build the feed of a machine from a table of `sim.traces`.

    Parameters
    ----------
    frame : DataFrame
        Columns ``time`` [s], ``node`` and ``repair`` [s], nan where it is unknown.
    nodes : int
        Nodes of the machine.
    names : sequence of str
        Their names, where the log may call a part of a node: a location belongs to the name it
        begins with. Without names, whole numbers below `nodes` are taken as they are if the log
        is of one `system`; any other labels are numbered in sorted order. Empty is unknown.
    origin : float, [s]
        Time of the log at which the clock of the submissions starts.
    unknown_repair : float, [s]
        Repair time where the log has none.

    Returns
    -------
    tuple of Failures and dict
        The feed, and rule -> count: ``unknown_node`` (left out), ``unknown_repair`` (set).

    Raises
    ------
    ValueError
        If the log names more nodes than the machine has.
    """
    node = _named(frame, names) if names else _numbered(frame, nodes)
    known = node >= 0
    repair = frame["repair"].to_numpy(dtype=np.float64)
    missing = np.isnan(repair) & known
    counts = {"unknown_node": int(np.sum(~known)), "unknown_repair": int(np.sum(missing))}
    feed = Failures(
        time=frame["time"].to_numpy(dtype=np.float64)[known] - origin,
        node=node[known],
        repair=np.where(missing, unknown_repair, repair)[known],
    )
    return feed, {rule: count for rule, count in counts.items() if count}


def _named(frame: pd.DataFrame, names: Sequence[str]) -> IntArray:
    place = {name: index for index, name in enumerate(names)}
    width = max(map(len, names))
    labels = frame["node"].astype(str)
    return np.array([_find(label, place, width) for label in labels], dtype=np.int64)


def _find(label: str, place: dict[str, int], width: int) -> int:
    for end in range(min(width, len(label)), 0, -1):
        if label[:end] in place:
            return place[label[:end]]
    return -1


def _numbered(frame: pd.DataFrame, nodes: int) -> IntArray:
    labels = frame["node"]
    several = "system" in frame.columns and frame["system"].nunique() > 1
    whole = labels.dtype.kind in "iu" and not several
    if whole and bool(((labels >= -1) & (labels < nodes)).all()):
        return labels.to_numpy(dtype=np.int64)
    systems = frame["system"].tolist() if several else [0] * len(frame)
    # Nodes of one number in two systems are two nodes.
    names = list(zip(systems, labels.tolist(), strict=True))
    known = (labels.notna() & (labels != "")).tolist()
    distinct = sorted(
        {name for name, is_known in zip(names, known, strict=True) if is_known},
        key=lambda name: [(str(type(part)), part) for part in name],
    )
    if len(distinct) > nodes:
        raise ValueError(f"nodes must be >= {len(distinct)}, as many as the log names, got {nodes}")
    place = {label: index for index, label in enumerate(distinct)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)
