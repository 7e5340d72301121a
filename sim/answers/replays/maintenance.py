"""Windows of maintenance and outages of the site, read from a file for one machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from asking.refusals import Refused

from ..logs.reports import DATED_SINCE
from ..logs.words import of_file
from .failures import refuse_endless

if TYPE_CHECKING:
    from ...cluster import Maintenance, Workload
    from ...traces import Limits


def maintenance_of(
    path: Path,
    workload: Workload,
    notes: list[str],
    *,
    nodes: int,
    origin: float,
    known_to: str | None,
    limits: Limits,
) -> Maintenance:
    """Read the windows that last beyond the first submission.

    `origin` is the Unix time of second 0 of the submissions, for windows that are dated.
    `known_to` says what has a scheduler without planned windows; None where it has.
    """
    from ...cluster import Maintenance
    from ...traces import Limited, read_maintenance

    with of_file(path):
        windows = read_maintenance(Limited(path, limits))
        dated = windows[0].start > DATED_SINCE
        if dated:
            windows = tuple(window.shifted(-origin) for window in windows)
        ranges = (sum(b - a + 1 for a, b in window.nodes) or nodes for window in windows)
        refuse_endless("maintenance", sum(min(count, nodes) for count in ranges))
        every = Maintenance(windows, nodes)
    planned = every.planned()
    if planned and known_to is not None:
        raise Refused(
            "{}, line {}: kind must be outage on {}, whose scheduler knows of no planned windows, "
            "got planned",
            *(path.name, planned[0].line, known_to),
        )
    maintenance = every.after(float(workload.submit[0]))
    left = maintenance.windows
    outages = sum(window.kind == "outage" for window in left)
    notes.append(
        f"{len(left):,} of {len(windows):,} windows of maintenance end after the first "
        f"submission: {len(left) - outages:,} planned, {outages:,} outages"
    )
    if dated and all(window.start > workload.submit[-1] for window in left):
        notes.append("windows with dates count from the UnixStartTime of the log's header")
    if outages < len(left):
        notes.append("no job is started that would reach into a planned window by its request")
    return maintenance
