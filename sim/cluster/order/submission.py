"""The order of submission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job


def by_submission(cluster: Cluster) -> Sequence[Job]:
    """Return the waiting jobs in queue order: band, submission, position in the log.

    Parameters
    ----------
    cluster : Cluster
        The state of the replay.

    Returns
    -------
    sequence of Job
        Empty if no job waits.
    """
    return cluster.queue
