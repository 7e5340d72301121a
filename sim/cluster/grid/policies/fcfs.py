"""FCFS for grids: in order, on the best cluster with room, or on any of them at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ....streams import LOAD_BALANCING, stream
from ...loop.cluster import Order, Pass
from ...loop.jobs import News
from ...loop.protocols import Kind, Occupancy
from ..machine import CLUSTERS

if TYPE_CHECKING:
    from ...loop.cluster import Cluster


@dataclass(frozen=True, slots=True)
class GridFcfs:
    """Start jobs in order until one does not fit: of submission, or another.

    With a `seed` (FCFS-LB) the cluster is drawn uniformly among the suitable ones with room.
    """

    seed: int | None = None
    order: Order | None = None

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (CLUSTERS,)

    @property
    def name(self) -> str:
        """``fcfs`` or ``fcfs-lb``."""
        return "fcfs" if self.seed is None else "fcfs-lb"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        machine = CLUSTERS.of(cluster.machine)
        rng = None if self.seed is None else stream(self.seed, *LOAD_BALANCING)

        def schedule(_: News) -> None:
            for job in cluster.queue if self.order is None else self.order(cluster):
                if rng is None:
                    placement = machine.place(job)
                else:
                    room = [p for p in machine.pools(job) if job.processors <= machine.free(p)]
                    pool = room[int(rng.integers(len(room)))] if room else -1
                    placement = machine.place_in(job, pool) if room else None
                if placement is None:
                    return
                cluster.start(job, placement)

        return schedule
