"""Conservative backfilling: every waiting job has a reservation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from ..._units import NEVER
from ..loop.cluster import Order, Pass
from ..loop.jobs import Job, News
from ..loop.protocols import POOLS, Kind, Occupancy
from ..order.bands import is_band_empty
from ..order.submission import by_submission
from .profile import Profile

if TYPE_CHECKING:
    from ..loop.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Conservative:
    """Conservative backfilling on a machine of pools.

    Each job is given, in order, the earliest time at which one of its pools (ties: its best pool)
    has room for all its planned time beside the reservations given before. Without `compress`
    all are given anew at every pass. With it they are kept: after an end, jobs move one by one
    to their earliest time, never later; all are given anew only when a failure, a repair, a job
    that outran its planned end or another band of the queue upset the plan.
    """

    order: Order = by_submission
    compress: bool = False

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (POOLS,)

    @property
    def name(self) -> str:
        """``conservative`` or ``conservative-compress``."""
        return "conservative-compress" if self.compress else "conservative"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        plan = Reservations(cluster, self.order)
        return plan.compress if self.compress else plan.renew


class Reservations:
    """The reservations: job -> (pool, start); one profile per pool.

    `length` is for how long a waiting job is planned, [s]; its planned time by default.
    """

    def __init__(
        self, cluster: Cluster, order: Order, length: Callable[[Job], float] | None = None
    ) -> None:
        self._cluster, self._order = cluster, order
        self._length = length or attrgetter("planned")
        self._machine = POOLS.of(cluster.machine)
        self._reservations: dict[int, tuple[int, float]] = {}
        self._profiles: dict[int, Profile] = {}
        self._asked = NEVER  # when the next job is due by the plan

    def renew(self, news: News | None = None) -> None:
        """Plan from nothing, then start what is planned for now."""
        del news
        self._profiles.clear()
        self._reservations.clear()
        waiting = self._order(self._cluster)
        for job in waiting:
            self._reserve(job)
            self._start_if_due(job)
        self._go_on(waiting)

    def compress(self, news: News) -> None:
        """Keep the plan; move jobs up if any job ended, then add the new ones."""
        now = self._cluster.now
        waiting = self._order(self._cluster)
        upset = news.struck or news.repaired
        if (
            upset
            or any(start < now for _, start in self._reservations.values())
            or not self._reservations.keys() <= {job.index for job in waiting}
        ):
            self.renew()
        else:
            self._profiles.clear()
            for job in waiting:
                if job.index in self._reservations:
                    self._hold(job, 1)
            for job in waiting:
                if job.index not in self._reservations:
                    self._reserve(job)
                elif news.ended:
                    self._hold(job, -1)
                    self._reserve(job)
            for job in waiting:
                self._start_if_due(job)
            self._go_on(waiting)
        # What an earlier plan had due says nothing of this one.
        self._cluster.let_sleep(self._asked)
        starts = (start for _, start in self._reservations.values() if start > now)
        self._asked = min(starts, default=NEVER)
        self._cluster.wake(self._asked)

    def _go_on(self, considered: Sequence[Job]) -> None:
        """Plan a lower band where all jobs of the one above have started."""
        if not self._reservations and is_band_empty(self._cluster, considered):
            self.renew()

    def _reserve(self, job: Job) -> None:
        best: tuple[float, int] | None = None
        for pool in self._machine.pools(job):
            start = self._profile(pool).earliest(job.processors, self._length(job))
            if best is None or start < best[0]:
                best = (start, pool)
        start, pool = best if best is not None else (NEVER, -1)
        self._reservations[job.index] = (pool, start)
        self._hold(job, 1)

    def _hold(self, job: Job, sign: int) -> None:
        pool, start = self._reservations[job.index]
        if start < NEVER:
            self._profile(pool).reserve(start, self._length(job), sign * job.processors)

    def _start_if_due(self, job: Job) -> None:
        pool, start = self._reservations[job.index]
        if start > self._cluster.now:
            return
        # The processors of a job that was planned to end by now may still be held.
        placement = self._machine.place_in(job, pool)
        if placement is not None:
            self._cluster.start(job, placement)
            del self._reservations[job.index]

    def _profile(self, pool: int) -> Profile:
        if pool not in self._profiles:
            self._profiles[pool] = Profile.of(self._cluster, self._machine, pool)
        return self._profiles[pool]
