"""What the jobs and failures of a site say of its present window, and what changed."""

from __future__ import annotations

from ..logs import site_logs
from ..parts.watched import Watched, watched
from ..refusals import Field, Refused, given
from ..requests.advise import AdviseRequest

__all__ = ["site"]


def site(request: AdviseRequest) -> Watched:
    """Answer for each size of job of a site: interval, goodput, promise, and what changed.

    Parameters
    ----------
    request : AdviseRequest
        With `sacct`, a log of jobs, and `cost`, the time of a checkpoint [s]; `failures` may be a
        log of them.

    Returns
    -------
    Watched
        The site as a whole, its classes of jobs, and the nodes that fail too often.

    Raises
    ------
    Refused
        If what must be given is not, or a field says nothing of a site.
    """
    of_a_job = ("state", "step", "events", "end", "latency", "least", "mtbf", "node_mtbf")
    for name in (*of_a_job, "observed", "levels", "on_level"):
        if request.says(name):
            raise Refused("{} must be left out with {}", Field(name), Field("sacct"))
    if isinstance(request.failures, int):
        raise Refused(
            "{} must be a log with {}, got {}", Field("failures"), Field("sacct"), request.failures
        )
    cost = given(request.cost, "cost")
    logs = site_logs(
        given(request.sacct, "sacct"),
        request.failures,
        since=request.since,
        now=request.now,
        nodes=request.nodes,
        reading=request,
    )
    return watched(logs, cost=cost, recovery_cost=request.recovery_cost)
