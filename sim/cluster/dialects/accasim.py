"""EASY backfilling as AccaSim plays it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..._units import NEVER
from ..backfill.profile import planned_returns
from ..loop.cluster import Order, Pass
from ..loop.protocols import POOLS, Kind, Occupancy
from ..order.submission import by_submission

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job, News


@dataclass(frozen=True, slots=True)
class UnenforcedEasy:
    """EASY with a reservation that binds only the job that has it.

    The first job that does not fit is given the earliest time at which it will, by the wall times
    of the running jobs. Until then it is not tried, even if it would fit; all behind it start as
    they fit, whatever they take from it. From that time on it is tried first at every pass, and
    it keeps the reservation until it starts.

    Notes
    -----
    As version 1.1.3 plays it.
    """

    order: Order = by_submission

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (POOLS,)

    @property
    def name(self) -> str:
        """``unenforced-easy``."""
        return "unenforced-easy"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        return _Blocked(cluster, self.order).schedule


class _Blocked:
    """The job that has the reservation, and its time; None and never without."""

    def __init__(self, cluster: Cluster, order: Order) -> None:
        self._cluster, self._order = cluster, order
        self._machine = POOLS.of(cluster.machine)
        self._job: Job | None = None
        self._time = NEVER

    def schedule(self, news: News) -> None:
        """Try the blocked job if its time has come, else the head; then all that fit."""
        del news
        waiting = list(self._order(self._cluster))
        if self._job not in waiting:
            self._job, self._time = None, NEVER
        if self._job is not None:
            waiting.remove(self._job)
            if self._time <= self._cluster.now and self._start(self._job):
                self._job, self._time = None, NEVER
        if self._job is None:
            waiting = self._from_the_head(waiting)
        for job in waiting:
            self._start(job)
        # Passes come with events; once there are none left, AccaSim counts on second by second.
        over = self._cluster.now >= float(self._cluster.workload.submit[-1])
        if self._job is not None and over and not self._cluster.running:
            self._cluster.wake(self._time)

    def _from_the_head(self, waiting: Sequence[Job]) -> list[Job]:
        """Start jobs in order; the first that does not fit is blocked. Return those behind it."""
        for place, job in enumerate(waiting):
            if not self._start(job):
                self._job, self._time = job, self._earliest(job)
                return list(waiting[place + 1 :])
        return []

    def _start(self, job: Job) -> bool:
        placement = self._machine.place(job)
        if placement is None:
            return False
        self._cluster.start(job, placement)
        return True

    def _earliest(self, job: Job) -> float:
        """Return when the job fits by the planned ends, [s]."""
        best = NEVER
        for pool in self._machine.pools(job):
            free = self._machine.free(pool)
            for time, processors in planned_returns(self._cluster, self._machine, pool):
                free += processors
                if free >= job.processors:
                    best = min(best, time)
                    break
        return best
