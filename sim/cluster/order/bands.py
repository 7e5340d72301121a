"""A queue of bands: a lower band is considered only when the higher ones are empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .submission import by_submission

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job

# `aucore` Fig. 2: ordinary jobs stand in the middle.
HEAD, MIDDLE, REAR = -1, 0, 1


def first_band(cluster: Cluster) -> Sequence[Job]:
    """Return the waiting jobs of the highest band that has any, in queue order (`aucore` III-B).

    Parameters
    ----------
    cluster : Cluster
        The state of the replay.

    Returns
    -------
    sequence of Job
        Empty if no job waits.
    """
    queue = cluster.queue
    return tuple(job for job in queue if job.band == queue[0].band)


def all_bands(cluster: Cluster) -> Sequence[Job]:
    """Return all waiting jobs, higher bands first, so that lower ones may backfill.

    That is `by_submission`, under the name that tells it from `first_band`.

    Parameters
    ----------
    cluster : Cluster
        The state of the replay.

    Returns
    -------
    sequence of Job
        In queue order.
    """
    return by_submission(cluster)


def is_band_empty(cluster: Cluster, considered: Sequence[Job]) -> bool:
    """Return whether a pass that started all it `considered` has come to a lower band.

    Parameters
    ----------
    cluster : Cluster
        The state of the replay, after those were started.
    considered : sequence of Job
        What the order gave before.

    Returns
    -------
    bool
    """
    return bool(considered and cluster.queue) and cluster.queue[0].band > considered[0].band


COMPILED = (by_submission, all_bands, first_band)  # what the cores take
