"""What became of the time of each cluster of a grid, and what its failures did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..._units import HOUR
from ...records import AttemptRecords, FloatArray, IntArray, JobRecords, Outage, Outcome
from ..failures.feed import Failures
from .machine import Grid


@dataclass(frozen=True, slots=True)
class ClusterUse:
    """One cluster from the first submission to the last end of an attempt on the grid.

    `utilization` and `down` are shares of its processors' time, [-]; `down_machine_h` counts
    machines, [h]. `failures` are those of its machines in that time, `striking_failures` those of
    them that ended an attempt; `kills` counts attempts that a failure ended, `killed` jobs that
    were given up after it.
    """

    utilization: float
    down: float
    down_machine_h: float
    failures: int
    striking_failures: int
    kills: int
    killed: int


def use_by_cluster(
    jobs: JobRecords,
    attempts: AttemptRecords,
    *,
    grid: Grid,
    failures: Failures,
    outages: Sequence[Outage],
) -> dict[str, ClusterUse]:
    """Return what became of the time of each cluster.

    Parameters
    ----------
    jobs, attempts : JobRecords, AttemptRecords
        Of a replay on the grid, with placements.
    grid : Grid
        The clusters.
    failures : Failures
        What the replay was given, machines numbered over the whole grid.
    outages : sequence of Outage
        Of the machines, as the replay tells them.

    Returns
    -------
    dict of str to ClusterUse
        By name, in the order of the grid; shares are 0 where no attempt ended.

    Raises
    ------
    ValueError
        If the attempts have no placements.
    """
    if attempts.placement is None:
        raise ValueError("placement must be known for every attempt, got none")
    count = len(grid.clusters)
    cluster = np.array([place.cluster for place in attempts.placement], dtype=np.int64)
    first = float(jobs.submit[0]) if jobs.submit.size else 0.0
    last = float(attempts.end.max()) if attempts.end.size else first
    size = np.array([spec.size for spec in grid.clusters], dtype=np.float64)
    of_machine = np.repeat(np.arange(count), [spec.machines for spec in grid.clusters])
    per_machine = np.array([p for spec in grid.clusters for p in spec.per_machine], np.float64)

    held = np.bincount(cluster, (attempts.end - attempts.start) * attempts.processors, count)
    down = _down_times(outages, grid.nodes, first, last)
    capacity = size * (last - first)
    came = (failures.time >= first) & (failures.time <= last)
    failed = np.flatnonzero(attempts.outcome == Outcome.FAILED)
    given_up = {
        position: place
        for position, place in zip(attempts.position[failed].tolist(), cluster[failed], strict=True)
        if jobs.outcome[position] == Outcome.DROPPED
    }
    columns = (
        _shares(held, capacity),
        _shares(np.bincount(of_machine, down * per_machine, count), capacity),
        np.bincount(of_machine, down, count) / HOUR,
        np.bincount(of_machine[failures.node[came]], minlength=count),
        np.bincount(of_machine[_striking(attempts, failed, failures)], minlength=count),
        np.bincount(cluster[failed], minlength=count),
        np.bincount(np.array(list(given_up.values()), dtype=np.int64), minlength=count),
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {spec.name: ClusterUse(*row) for spec, row in zip(grid.clusters, rows, strict=True)}


def _shares(part: npt.NDArray[Any], whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.zeros(whole.size), where=whole > 0.0))


def _down_times(outages: Sequence[Outage], machines: int, first: float, last: float) -> FloatArray:
    """Return how long each machine was out between `first` and `last`, [s]."""
    begins: dict[tuple[int, float], float] = {}
    for outage in outages:  # by start; overlapping outages of a machine end together
        begins.setdefault((outage.node, outage.end), outage.start)
    times = np.zeros(machines)
    for (machine, end), start in begins.items():
        times[machine] += max(0.0, min(end, last) - max(start, first))
    return times


def _striking(attempts: AttemptRecords, failed: IntArray, failures: Failures) -> IntArray:
    """Return the machines of the failures that ended an attempt, one entry per failure."""
    assert attempts.placement is not None
    ends = attempts.end[failed]
    begin = np.searchsorted(failures.time, ends, side="left").tolist()
    stop = np.searchsorted(failures.time, ends, side="right").tolist()
    node = failures.node
    struck = {
        next(k for k in range(low, high) if node[k] in attempts.placement[place].machines)
        for place, low, high in zip(failed.tolist(), begin, stop, strict=True)
    }
    return node[sorted(struck)]
