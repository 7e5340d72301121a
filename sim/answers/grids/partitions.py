"""On which cluster of a grid each job of a log ran."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from asking.refusals import Field, Refused

from ..logs.csv_rows import csv_rows
from ..logs.words import of_file
from .request import GridRequest

if TYPE_CHECKING:
    from ...cluster import Grid, Workload
    from ...traces import Limits, Trace

__all__ = ["clusters_of_jobs"]

IntArray = npt.NDArray[np.int64]

_SOME = 20  # names in an error


def clusters_of_jobs(
    request: GridRequest, trace: Trace, workload: Workload, grid: Grid, notes: list[str]
) -> IntArray:
    """Return the cluster on which each job ran, -1 where the log or the map does not say.

    Partitions, or queues in a file that names those, are matched with clusters as given, else by
    name, else by order.
    """
    cluster = {spec.name: index for index, spec in enumerate(grid.clusters)}
    if request.partition_map is not None:
        with of_file(request.partition_map):
            kind, pairs = _map(request.partition_map, request.limits, trace, cluster, notes)
        named, how = _names(trace, kind), ""
    else:
        kind, named = "partition", _names(trace, "partition")
        pairs, how = _pairs(request.partitions, trace, named, cluster)
    notes.append(f"{kind} {', '.join(f'{k} is {v}' for k, v in pairs.items())}{how}")
    place = {number: cluster[pairs[name]] for number, name in named.items() if name in pairs}
    ran = getattr(workload, kind)
    found = np.array([place.get(number, -1) for number in ran.tolist()], dtype=np.int64)
    if elsewhere := int(np.sum(found < 0)):
        notes.append(f"jobs that ran on {kind}s left out: {elsewhere:,}")
    return found


def _names(trace: Trace, kind: str) -> dict[int, str]:
    """Return what the partitions or queues of the log are called, or else their numbers."""
    frame = trace.frame
    if kind not in frame.columns:
        return {}
    numbers = [int(number) for number in np.unique(frame[kind]) if number >= 0]
    if f"{kind}_name" not in frame.columns:
        return {number: str(number) for number in numbers}
    names = dict(zip(frame[kind].tolist(), frame[f"{kind}_name"], strict=True))
    return {number: str(names[number]) for number in numbers if number in names}


def _map(
    path: Path, limits: Limits, trace: Trace, clusters: Mapping[str, int], notes: list[str]
) -> tuple[str, dict[str, str]]:
    """Read a table of partitions or queues and their clusters."""
    columns, rows = csv_rows(
        path,
        ("partition", "queue", "cluster"),
        needed=(("partition", "queue"), ("cluster",)),
        notes=notes,
        limits=limits,
    )
    if len(columns) > 2:
        raise ValueError("line 1: columns must be partition or queue, got both")
    kind = columns[0]
    known = set(_names(trace, kind).values())
    pairs: dict[str, str] = {}
    for number, (name, cluster) in rows:
        if name not in known:
            some = f"one of {_some(known)}, as in LOG" if known else f"in LOG, which has no {kind}s"
            raise ValueError(f"line {number}: {kind} must be {some}, got {name[:60]!r}")
        if cluster not in clusters:
            raise ValueError(
                f"line {number}: cluster must be one of {_some(clusters)}, got {cluster[:60]!r}"
            )
        if name in pairs:
            raise ValueError(f"line {number}: {kind} must be named once, got {name[:60]!r} again")
        pairs[name] = cluster
    if not pairs:
        raise Refused("{} must hold {}s and their clusters, got none", path.name, kind)
    return kind, pairs


def _pairs(
    given: str | None, trace: Trace, named: Mapping[int, str], clusters: Mapping[str, int]
) -> tuple[dict[str, str], str]:
    """Return partition -> cluster, and in words where that is from."""
    if not named:
        raise Refused(
            "{} must say on which cluster jobs ran; {} can say it by queue",
            *(Field("log"), Field("partition_map")),
        )
    if given is not None:
        return _given(given, set(named.values()), clusters), ""
    if "partition_name" in trace.frame.columns:
        pairs, how = {name: name for name in named.values() if name in clusters}, ", by name"
    else:
        # As many clusters as the largest number of a partition in the whole log.
        order = dict(zip(map(str, range(1, len(clusters) + 1)), clusters, strict=True))
        pairs = order if max(named) == len(clusters) and min(named) == 1 else {}
        how = ", by order"
    if not pairs:
        raise Refused(
            "{} must say on which cluster each partition of {} was, as in 1=a,2=b, got {} for {}",
            *(Field("partitions"), Field("log"), _some(named.values()), _some(clusters)),
        )
    return pairs, how


def _given(text: str, partitions: set[str], clusters: Mapping[str, int]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for piece in text.split(","):
        partition, equals, cluster = (part.strip() for part in piece.partition("="))
        if not equals:
            raise Refused(
                "{} must be pairs such as 1=a,2=b, got {!r}", Field("partitions"), piece.strip()
            )
        if partition not in partitions:
            raise Refused(
                "{} must name partitions of {}, {}, got {!r}",
                *(Field("partitions"), Field("log"), _some(partitions), partition),
            )
        if cluster not in clusters:
            raise Refused(
                "{} must name clusters of the machines, {}, got {!r}",
                *(Field("partitions"), _some(clusters), cluster),
            )
        if partition in pairs:
            raise Refused(
                "{} must name each partition once, got {!r} again", Field("partitions"), partition
            )
        pairs[partition] = cluster
    return pairs


def _some(names: Iterable[str]) -> str:
    """Return the first few names, numbers by size and others as they stand."""
    ordered = sorted(names, key=lambda name: int(name) if name.isdecimal() else 0)
    return ", ".join(ordered[:_SOME]) + (", ..." if len(ordered) > _SOME else "")
