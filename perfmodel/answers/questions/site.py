"""What the jobs and failures of a site say of its present window, and what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from asking.refusals import Field, Refused, given

from ..logs import site_logs
from ..parts.watched import Watched, watched
from ..requests.advise import AdviseRequest
from ..shown import Answer, Part
from ..words.watched import watched_parts


@dataclass(frozen=True, slots=True)
class SiteAnswer(Answer):
    """What was found at a site where a checkpoint takes `cost` [s].

    `to_frame` has a row for every class of jobs, with its change of the rate of failures.
    """

    found: Watched
    cost: float

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel advise --json`` prints it."""
        return self.found.to_dict()

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the classes of jobs."""
        for each in self.found.classes:
            row = asdict(each)
            change = row.pop("change")
            yield row | {f"change_{name}": value for name, value in change.items()}

    def parts(self) -> Iterator[Part]:
        """Yield what to do now, what has changed, and which nodes are bad."""
        yield from watched_parts(self.found, cost=self.cost)


def site(request: AdviseRequest) -> SiteAnswer:
    """Answer for each size of job of a site: interval, goodput, promise, and what changed.

    Parameters
    ----------
    request : AdviseRequest
        With `sacct`, a log of jobs, and `cost`, the time of a checkpoint [s]; `failures` may be a
        log of them.

    Returns
    -------
    SiteAnswer
        In `found`, the site as a whole, its classes of jobs, and the nodes that fail too often.

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
    return SiteAnswer(watched(logs, cost=cost, recovery_cost=request.recovery_cost), cost)
