"""First come, first served: no job overtakes another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..loop.cluster import Order, Pass
from ..loop.protocols import ANY, Kind, Occupancy
from ..order.bands import is_band_empty
from ..order.submission import by_submission

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job, News


@dataclass(frozen=True, slots=True)
class Fcfs:
    """Start jobs in order until one does not fit. Any machine."""

    order: Order = by_submission

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (ANY,)

    @property
    def name(self) -> str:
        """``fcfs``."""
        return "fcfs"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""

        def schedule(_: News) -> None:
            start_from_the_head(cluster, self.order)

        return schedule


def start_from_the_head(cluster: Cluster, order: Order) -> Sequence[Job]:
    """Start jobs in order until one does not fit; return that one and those behind it."""
    waiting = order(cluster)
    for position, job in enumerate(waiting):
        placement = cluster.machine.place(job)
        if placement is None:
            return waiting[position:]
        cluster.start(job, placement)
    return start_from_the_head(cluster, order) if is_band_empty(cluster, waiting) else ()
