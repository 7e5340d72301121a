"""Runtimes that depend on the speed of the cluster: a job of a slow one is done sooner on a fast.

A log says how long a job ran where it ran. Elsewhere it runs for that time the ratio of the speeds,
and so does its request: the user of a job knows its cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...records import FloatArray, IntArray
from ..loop.jobs import Timeline

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job
    from .machine import Grid


def runtime_scale(grid: Grid, ran_on: npt.ArrayLike) -> FloatArray:
    """Return how much longer each job runs on each cluster than its log says.

    Parameters
    ----------
    grid : Grid
        With the speeds of its clusters, on any one scale.
    ran_on : array of int
        The cluster of each job in the log, -1 where unknown.

    Returns
    -------
    ndarray, [-]
        Shape (jobs, clusters): the speed of the log's cluster over that of the other; 1 where the
        log's is unknown.

    Raises
    ------
    ValueError
        If `ran_on` names a cluster that is not there.

    Examples
    --------
    >>> from sim.cluster.grid import ClusterSpec, Grid
    >>> grid = Grid((ClusterSpec("slow", 1, speed=2.0), ClusterSpec("fast", 1, speed=3.0)))
    >>> runtime_scale(grid, [0, 1, -1]).round(3).tolist()
    [[1.0, 0.667], [1.5, 1.0], [1.0, 1.0]]
    """
    places: IntArray = np.asarray(ran_on, dtype=np.int64)
    clusters = len(grid.clusters)
    outside = (places < -1) | (places >= clusters)
    if outside.any():
        raise ValueError(f"ran_on must be in [-1, {clusters - 1}], got {int(places[outside][0])}")
    speed = np.array([cluster.speed for cluster in grid.clusters])
    return np.where(places[:, None] >= 0, speed[places][:, None] / speed, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class ScaledRuntimes:
    """Attempts without checkpoints that last as long as their cluster makes them.

    Parameters
    ----------
    scale : ndarray, [-]
        Jobs x clusters, see `runtime_scale`.
    """

    scale: FloatArray

    def planned(self, job: Job, work: float) -> float:
        """Return `work`, [s]; what a cluster makes of it is said by `planned_in`."""
        del job
        return work

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Return plain execution, scaled."""
        del start
        scale = float(self.scale[job.index, placement.cluster])
        return Timeline(work * scale, work * scale, scale=scale)


def planned_in(cluster: Cluster) -> Callable[[Job, int], float]:
    """Return a function of a waiting job and a pool: the wall time to plan for it there, [s]."""
    checkpointing = cluster.checkpointing
    if not isinstance(checkpointing, ScaledRuntimes):
        return lambda job, _: job.planned
    scale = checkpointing.scale
    return lambda job, pool: job.planned * float(scale[job.index, pool])
