"""Backfilling as CQSim plays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..backfill.conservative import Reservations
from ..backfill.fcfs import start_from_the_head
from ..loop.cluster import Order, Pass
from ..loop.protocols import POOLS, Kind, Occupancy
from ..order.submission import by_submission

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job, News


@dataclass(frozen=True, slots=True)
class ConservativeByRuntime:
    """Conservative backfilling that plans waiting jobs by the time they will really run.

    Jobs start from the head of the queue while they fit. Then every waiting job is given, in order,
    the earliest time at which it fits beside the running jobs, which are planned by their wall
    times, and those before it, which are planned by their running times. The plan is made anew at
    every pass.
    """

    order: Order = by_submission

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (POOLS,)

    @property
    def name(self) -> str:
        """``conservative-by-runtime``."""
        return "conservative-by-runtime"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""

        def length(job: Job) -> float:
            return cluster.checkpointing.planned(job, job.executed - job.saved)

        plan = Reservations(cluster, self.order, length)

        def schedule(_: News) -> None:
            if start_from_the_head(cluster, self.order):
                plan.renew()

        return schedule
