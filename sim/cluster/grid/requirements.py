"""What jobs require of a cluster, and which clusters have it: a matrix of jobs x clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..._checks import one_of, shown
from ...records import FloatArray, IntArray
from ..workload import Workload
from .machine import ClusterSpec, Grid

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Requirement",
    "reconstruct",
    "requirements_from_frame",
    "suitability",
    "suitability_cdf",
]

BoolMatrix = npt.NDArray[np.bool_]
KEYS = ("executable", "user", "group", "queue")


@dataclass(frozen=True, slots=True)
class Requirement:
    """What one job names; what it does not name may be anything.

    Parameters
    ----------
    properties : frozenset of str
        All of them must be there.
    clusters : frozenset of str
        One of them it must be.
    queue : str
        The cluster must serve it, for as long as the job asks.
    owner : str
        The cluster must be theirs.
    time_limit : float, [s]
        What the job asks for, against the limits of queue and cluster.
    """

    properties: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()
    queue: str | None = None
    owner: str | None = None
    time_limit: float = 0.0

    def suits(self, cluster: ClusterSpec) -> bool:
        """Return whether a cluster meets all of it."""
        limit = cluster.time_limit
        if self.queue is not None and cluster.queues:
            limit = min(limit, cluster.queues.get(self.queue, -1.0))
        return (
            self.properties <= cluster.properties
            and (not self.clusters or cluster.name in self.clusters)
            and (self.owner is None or self.owner in cluster.owners)
            and self.time_limit <= limit
        )


def suitability(requirements: Sequence[Requirement], grid: Grid) -> BoolMatrix:
    """Return which jobs suit which clusters.

    Parameters
    ----------
    requirements : sequence of Requirement
        One per job.
    grid : Grid
        Whose clusters are meant.

    Returns
    -------
    ndarray of bool, [-]
        Shape (jobs, clusters); a job whose row is all False can run nowhere.
    """
    rows: dict[Requirement, list[bool]] = {}
    for requirement in requirements:
        if requirement not in rows:
            rows[requirement] = [requirement.suits(cluster) for cluster in grid.clusters]
    matrix = [rows[requirement] for requirement in requirements]
    return np.array(matrix, dtype=np.bool_).reshape(len(requirements), len(grid.clusters))


def requirements_from_frame(
    frame: pd.DataFrame, workload: Workload
) -> tuple[list[Requirement], dict[str, int]]:
    """Match a table of requirements with the jobs of a workload by their numbers.

    Parameters
    ----------
    frame : DataFrame
        Column ``job``; ``properties`` and ``clusters`` (text with blanks between, or tuples),
        ``queue``, ``owner`` and ``time_limit`` [s] where present; empty is: not named.
    workload : Workload
        Its jobs, in its order.

    Returns
    -------
    tuple of list and dict
        One requirement per job, and counts: ``without`` (jobs that the table does not name, which
        may run anywhere), ``unknown`` (jobs named that are not of the workload) and ``repeated``
        (rows of a job that a later row names again; the last one counts).

    Raises
    ------
    ValueError
        If there is no column ``job``, or a time limit is not a number >= 0.
    """
    if "job" not in frame.columns:
        raise ValueError(f"frame must have a column 'job', got {shown(list(frame.columns))}")
    known: dict[int, Requirement] = {}
    rows = frame.to_dict("records")
    for row in rows:
        known[int(row["job"])] = Requirement(
            properties=frozenset(_words(row.get("properties"))),
            clusters=frozenset(_words(row.get("clusters"))),
            queue=_word(row.get("queue")),
            owner=_word(row.get("owner")),
            time_limit=_limit(row.get("time_limit")),
        )
    jobs = workload.job.tolist()
    anything = Requirement()
    found = [known.get(job, anything) for job in jobs]
    there = set(jobs)
    counts = {
        "without": sum(job not in known for job in jobs),
        "unknown": sum(job not in there for job in known),
        "repeated": len(rows) - len(known),
    }
    return found, {rule: count for rule, count in counts.items() if count}


def reconstruct(
    workload: Workload,
    cluster_of_partition: Mapping[int, int],
    *,
    clusters: int,
    by: Sequence[str] = ("executable",),
) -> tuple[BoolMatrix, dict[str, int]]:
    """Return as suitable the clusters on which jobs of a kind ran (paper `grid`, section 4.2).

    Parameters
    ----------
    workload : Workload
        `partition` says where each job ran.
    cluster_of_partition : mapping
        Number of the partition in the log -> cluster, from 0.
    clusters : int
        How many there are.
    by : sequence of str
        Columns that together name the kind: the paper takes ``("executable",)``; a log without
        application identifiers leaves ``("user", "queue")``, or one of them.

    Returns
    -------
    tuple of ndarray and dict
        The matrix, and counts: ``no_history`` (jobs of a kind never seen on a known cluster, or
        of no known kind; they suit every cluster).

    Raises
    ------
    ValueError
        If `by` is empty or names a column that does not say what makes jobs alike.
    """
    for name in by:
        one_of("by", name, KEYS)
    if not by:
        raise ValueError("by must name at least one column, got none")
    columns = np.stack([getattr(workload, name) for name in by], axis=1)
    _, kind = np.unique(columns, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    ran = np.array([cluster_of_partition.get(p, -1) for p in workload.partition.tolist()], np.int64)
    history = np.zeros((int(kind.max(initial=-1)) + 1, clusters), dtype=np.bool_)
    known = (columns != -1).all(axis=1)
    usable = known & (ran >= 0)
    history[kind[usable], ran[usable]] = True
    matrix = history[kind]
    without = ~known | ~matrix.any(axis=1)
    matrix[without] = True
    return matrix, {"no_history": int(without.sum())} if without.any() else {}


def suitability_cdf(suits: BoolMatrix, grid: Grid) -> tuple[FloatArray, FloatArray]:
    """Return how many jobs suit at most a share of the machines.

    Parameters
    ----------
    suits : ndarray of bool, [-]
        Shape (jobs, clusters), see `suitability`.
    grid : Grid
        Whose machines are counted.

    Returns
    -------
    tuple of ndarray, [-]
        Shares of the machines, rising, and for each the share of jobs that suit at most so many.
    """
    machines = np.array([cluster.machines for cluster in grid.clusters], dtype=np.float64)
    share: FloatArray = suits @ machines / machines.sum()
    values, counts = np.unique(share, return_counts=True)
    return values, np.cumsum(counts) / max(len(suits), 1)


def partitions_in_order(partition: IntArray) -> dict[int, int]:
    """Return partition number -> cluster where both are in one order: 1 is the first."""
    return {int(number): int(number) - 1 for number in np.unique(partition) if number > 0}


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, tuple | list | set | frozenset):
        return tuple(map(str, value))
    return tuple(str(value).split()) if _given(value) else ()


def _word(value: object) -> str | None:
    return str(value).strip() if _given(value) else None


def _limit(value: object) -> float:
    if not _given(value):
        return 0.0
    try:
        limit = float(str(value))
    except ValueError:
        raise ValueError(f"time_limit must be a number, got {shown(value)}") from None
    if not limit >= 0.0:
        raise ValueError(f"time_limit must be >= 0, got {limit!r}")
    return limit


def _given(value: object) -> bool:
    return value is not None and str(value).strip() not in ("", "nan", "-1", "None")
