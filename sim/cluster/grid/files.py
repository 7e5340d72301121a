"""Descriptions of grids: TOML, and the machine files of MetaCentrum.

In TOML each cluster is a table; all keys but `name` and `machines` may be left out::

    [[cluster]]
    name = "skirit"
    machines = 36
    processors_per_machine = 4      # or a list, one entry per machine
    speed = 2.66
    properties = ["xeon", "debian"]
    owners = ["CESNET"]
    queues = { short = "2h", long = 2592000 }   # longest job: 90s, 2d12h, 4w, or seconds
    time_limit = "30d"
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import number, shown
from ...records import FloatArray, IntArray
from ...traces.parsing.limits import Limits
from ...traces.parsing.sources import Limited, Source
from ...traces.parsing.toml import read_toml
from ..failures.feed import Failures
from .machine import ClusterSpec, Grid

if TYPE_CHECKING:
    import pandas as pd

_KEYS = {
    "name",
    "machines",
    "processors_per_machine",
    "speed",
    "properties",
    "owners",
    "queues",
    "time_limit",
}
# The units of the command line, from large to small, the order in which they must stand.
_SECONDS = {
    "y": 31_557_600.0,
    "w": 604_800.0,
    "d": 86_400.0,
    "h": 3600.0,
    "min": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
}
_PIECE = re.compile(r" *+((?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?) *+([a-z]++) *+")


def read_grid(source: Source, *, need_speed: bool = False) -> Grid:
    """Read a TOML description.

    Parameters
    ----------
    source : path or file object, or Limited
        The file.
    need_speed : bool
        Whether every cluster must state its speed, as runtimes that scale with it need.

    Returns
    -------
    Grid
        Its clusters, in the order of the file.

    Raises
    ------
    ValueError
        Naming the cluster and the key that is missing, unknown or out of its domain, or the limit
        that is exceeded.
    """
    where, tree = read_toml(source)
    limits = source.limits if isinstance(source, Limited) else Limits()
    tables = tree.get("cluster")
    if set(tree) != {"cluster"} or not isinstance(tables, list):
        got = shown(sorted(tree)) if tree else "none"
        raise ValueError(f"{where} must hold [[cluster]] tables, got {got}")
    needed = ("name", "machines", "speed") if need_speed else ("name", "machines")
    clusters = tuple(_cluster(table, place, needed) for place, table in enumerate(tables, start=1))
    if sum(cluster.machines for cluster in clusters) > limits.max_machines:
        limits.refuse(where, "max_machines")
    return Grid(clusters)


def _cluster(table: Any, place: int, needed: Iterable[str]) -> ClusterSpec:
    where = f"cluster {place}"
    if not isinstance(table, dict):
        raise ValueError(f"{where} must be a table, got {shown(table)}")
    for key in table:
        if key not in _KEYS:
            raise ValueError(
                f"{where}: key must be one of {', '.join(sorted(_KEYS))}, got {shown(key)}"
            )
    for key in needed:
        if key not in table:
            why = " where runtimes scale with it" if key == "speed" else ""
            raise ValueError(f"{where}: {key} must be given{why}")
    if not isinstance(table["name"], str):
        raise ValueError(f"{where}: name must be text, got {shown(table['name'])}")
    queues = table.get("queues", {})
    if not isinstance(queues, dict):
        raise ValueError(f"{where}: queues must be a table, got {shown(queues)}")
    per_machine = table.get("processors_per_machine", 1)
    try:
        return ClusterSpec(
            name=table["name"],
            machines=table["machines"],
            processors=tuple(per_machine) if isinstance(per_machine, list) else per_machine,
            speed=table.get("speed", 1.0),
            properties=_names("properties", table),
            owners=_names("owners", table),
            queues={name: _seconds(name[:60], limit) for name, limit in queues.items()},
            time_limit=_seconds("time_limit", table.get("time_limit", float("inf"))),
        )
    except (TypeError, ValueError) as error:
        words = re.sub("^processors(?= must (be a |have ))", "processors_per_machine", str(error))
        raise ValueError(f"{where}: {words}") from None


def _names(key: str, table: Mapping[str, Any]) -> frozenset[str]:
    values = table.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key} must be a list of texts, got {shown(values)}")
    return frozenset(values)


def _seconds(name: str, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(name, value)
    seconds, last, end = 0.0, math.inf, 0
    text = value if isinstance(value, str) else ""
    while piece := _PIECE.match(text, end):
        factor = _SECONDS.get(piece[2], math.inf)
        if not factor < last:
            break
        seconds += float(piece[1]) * factor
        last, end = factor, piece.end()
    if end == 0 or end < len(text) or not seconds < math.inf:
        raise ValueError(
            f"{name} must be seconds or a text such as '24h' or '2d12h', got {shown(value)}"
        )
    return seconds


def grid_from_frame(frame: pd.DataFrame) -> Grid:
    """Build the grid of a machine file of MetaCentrum.

    Parameters
    ----------
    frame : DataFrame
        As `sim.traces.read_metacentrum_machines` returns it.

    Returns
    -------
    Grid
        One cluster per row.

    Raises
    ------
    ValueError
        If there is no row.
    """
    if frame.empty:
        raise ValueError("frame must hold clusters, got none")
    return Grid(
        tuple(
            ClusterSpec(
                name=str(row["name"]),
                machines=int(row["nodes"]),
                processors=tuple(int(count) for count in row["cpus_per_node"]),
                speed=float(row["speed"]),
                properties=frozenset(row["properties"]),
            )
            for row in frame.to_dict("records")
        )
    )


def grid_failures(
    frame: pd.DataFrame, grid: Grid, *, origin: float = 0.0, unknown_repair: float = 1200.0
) -> tuple[Failures, dict[str, int]]:
    """Build the feed of a grid from a failure table whose `system` names clusters.

    Parameters
    ----------
    frame : DataFrame
        Columns ``time`` [s], ``system``, ``node`` (from 0 within its cluster) and ``repair`` [s],
        nan where it is unknown. A node called ``cluster/name12``, as in the Failure Trace
        Archive, is machine 11 of that cluster, whatever the system.
    grid : Grid
        Whose clusters and machines are meant.
    origin : float, [s]
        Time of the log at which the clock of the submissions starts.
    unknown_repair : float, [s]
        Repair time where the log has none.

    Returns
    -------
    tuple of Failures and dict
        The feed, and rule -> count: ``unknown_cluster`` and ``unknown_machine`` (left out),
        ``unknown_repair`` (set).
    """
    place = {cluster.name: index for index, cluster in enumerate(grid.clusters)}
    machines = np.array([cluster.machines for cluster in grid.clusters])
    named = [_split(*row) for row in zip(frame["system"], frame["node"], strict=True)]
    cluster = _ints(place.get(name, -1) for name, _ in named)
    node = _ints(number for _, number in named)
    known = cluster >= 0
    inside = known & (node >= 0) & (node < machines[cluster])
    repair: FloatArray = frame["repair"].to_numpy(dtype=np.float64)
    missing = inside & np.isnan(repair)
    feed = Failures(
        time=frame["time"].to_numpy(dtype=np.float64)[inside] - origin,
        node=(np.array(grid.first_machines)[cluster] + node)[inside],
        repair=np.where(missing, unknown_repair, repair)[inside],
    )
    counts = {
        "unknown_cluster": int(np.sum(~known)),
        "unknown_machine": int(np.sum(known & ~inside)),
        "unknown_repair": int(np.sum(missing)),
    }
    return feed, {rule: count for rule, count in counts.items() if count}


def _ints(values: Iterable[int]) -> IntArray:
    return np.fromiter(values, dtype=np.int64)


def _split(system: object, node: object) -> tuple[str, int]:
    head, slash, tail = str(node).rpartition("/")
    if not slash:
        return str(system), _number(node)
    return head, _number(tail[len(tail.rstrip("0123456789")) :]) - 1


def _number(label: object) -> int:
    text = str(label)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
