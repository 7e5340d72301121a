"""The waiting jobs by a score, computed anew at every pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...records import FloatArray
from .utility import Utility, Waiting, utility_from_expression

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job
    from ..workload import Workload


@dataclass(frozen=True, slots=True)
class ByScore:
    """An order of the queue: bands, in each the highest score first, ties in queue order.

    A score sees how long each job has waited since it was submitted (or came back as new), the
    time planned for its next attempt, its processors, and 1 as the smallest of a machine.

    Parameters
    ----------
    utility : Utility
        Its threshold does not count.
    """

    utility: Utility

    def __call__(self, cluster: Cluster) -> Sequence[Job]:
        """Return the waiting jobs; raise ValueError if a score is not a number."""
        queue = cluster.queue
        if len(queue) < 2:
            return queue
        columns = np.array(
            [(job.queued_at, job.planned, job.processors, job.band) for job in queue], np.float64
        )
        wait = cluster.now - columns[:, 0]
        tags = tags_of(cluster.workload, queue)
        jobs = Waiting(wait, columns[:, 1], columns[:, 2], 1.0, *tags, time=cluster.now)
        scores = self.utility.scores(jobs)
        return tuple(queue[place] for place in np.lexsort((-scores, columns[:, 3])).tolist())


def tags_of(workload: Workload, queue: Sequence[Job]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return user, project and queue of waiting jobs, [-], as scores see them."""
    rows = [job.index for job in queue]
    return (
        workload.user[rows].astype(np.float64),
        workload.group[rows].astype(np.float64),
        workload.queue[rows].astype(np.float64),
    )


def order_from_expression(text: str) -> ByScore:
    """Return the order that a site writes as arithmetic, e.g. ``-walltime`` for the shortest first.

    Parameters
    ----------
    text : str
        As for `utility_from_expression`.

    Returns
    -------
    ByScore
        For the field `order` of a policy.

    Raises
    ------
    ValueError
        If `text` is not plain arithmetic over these names.

    Examples
    --------
    >>> from sim.cluster import Easy, Workload, flat, replay
    >>> jobs = Workload([0, 1, 2], [9, 8, 4], [10, 8, 5], [4, 4, 4])
    >>> shortest = Easy(order=order_from_expression("-walltime"))
    >>> replay(jobs, flat(4), policy=shortest).jobs["start"].tolist()
    [0.0, 13.0, 9.0]
    """
    return ByScore(utility_from_expression(text))
