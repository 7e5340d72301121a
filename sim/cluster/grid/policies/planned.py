"""Conservative backfilling for grids: it keeps its plan and plans anew only what is upset.

With runtimes known exactly and no failures the plan never changes but for the newcomers, so that
it is the one `Conservative` makes at every pass. A job that ends before its planned end, outruns
it, or comes back ahead of others upsets the whole plan. A machine that fails or returns upsets
the reservations of its own cluster; their jobs may get one on another, those of others stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...._units import NEVER
from ....records import FloatArray, IntArray, Outcome
from ...backfill.profile import planned_returns
from ...loop.cluster import Order, Pass
from ...loop.jobs import Attempt, Job, News
from ...loop.protocols import Kind, Occupancy
from ..machine import CLUSTERS
from ..speed import planned_in

if TYPE_CHECKING:
    from ...loop.cluster import Cluster

_KEY = attrgetter("key")


@dataclass(frozen=True, slots=True)
class Planned:
    """Conservative backfilling on a grid: every job has a reservation, given in order.

    In an `order` other than that of submission all are given anew at every pass.
    """

    order: Order | None = None

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (CLUSTERS,)

    @property
    def name(self) -> str:
        """``cons``."""
        return "cons"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        return Plan(cluster, self.order).schedule


class PoolProfile:
    """Free processors of one pool against time, with the reservations of waiting jobs."""

    def __init__(self, now: float, free: int, returns: Iterable[tuple[float, int]]) -> None:
        coming = list(returns)
        self.times: FloatArray = np.empty(2 * len(coming) + 64)
        self.free: IntArray = np.empty(2 * len(coming) + 64, np.int64)
        self.times[0], self.free[0], self.size = now, free, 1
        for time, count in coming:
            last = self.size - 1
            if time > self.times[last]:
                self.times[self.size], self.free[self.size] = time, self.free[last]
                self.size += 1
            self.free[self.size - 1] += count

    def reserve(self, kernels: Any, start: float, end: float, processors: int) -> None:
        """Take processors out of [start, end)."""
        if self.size + 2 > self.times.size:
            self.times = np.concatenate([self.times, np.empty_like(self.times)])
            self.free = np.concatenate([self.free, np.empty_like(self.free)])
        self.size = kernels.reserve(self.times, self.free, self.size, start, end, processors)


class Plan:
    """The reservations: where each waiting job will start, and when."""

    def __init__(self, cluster: Cluster, order: Order | None = None) -> None:
        from ...kernels import structures
        from ..kernels import plan

        self.cluster, self._order = cluster, order
        self.machine = CLUSTERS.of(cluster.machine)
        self.planned = planned_in(cluster)
        self.slots: dict[int, tuple[int, float]] = {}  # job -> pool, start
        self.unplaced: dict[int, Job] = {}  # that no pool can hold while its machines are out
        self._pools = range(len(self.machine.grid.clusters))
        self.lists: list[dict[int, Job]] = [{} for _ in self._pools]  # in order of planning
        self._profiles: list[PoolProfile | None] = [None for _ in self._pools]
        self._due: list[tuple[float, int]] = []
        self._ends: list[tuple[float, int, Attempt]] = []
        self._starts = 0
        self._turn: dict[int, int] = {}
        self._earliest: Any = plan.earliest_or_never
        self._structures: Any = structures
        profile = PoolProfile(0.0, 1, [])  # loads or compiles what is not the scheduler's time
        profile.reserve(structures, 0.0, 1.0, 1)
        self._earliest(profile.times, profile.free, profile.size, 1, 1.0)
        structures.forget_past(profile.times, profile.free, profile.size, 0.0)

    def schedule(self, news: News) -> None:
        """Bring the plan up to date, then start what is planned for now."""
        for job in [job for job in self.unplaced.values() if job.outcome is Outcome.CANCELLED]:
            del self.unplaced[job.index]
        newcomers = [job for job in news.submitted if job.outcome is Outcome.UNFINISHED]
        if self._order is not None or self._upset(news, newcomers):
            self._renew()
        else:
            nodes = {*news.struck, *news.repaired}
            if nodes:
                self.rebuild({self.machine.cluster_of[node] for node in nodes})
            for job in newcomers:
                self._reserve(job)
        self.start_due()

    def _upset(self, news: News, newcomers: list[Job]) -> bool:
        now, queue = self.cluster.now, self.cluster.queue
        if any(attempt.planned_end != now for attempt in news.ended):
            return True
        while self._due and self.slots.get(self._due[0][1], (-1, NEVER))[1] != self._due[0][0]:
            heappop(self._due)  # of a reservation that was given up
        if self._due and self._due[0][0] < now:
            return True
        ends = self._ends
        while ends and ends[0][2].ended:
            heappop(ends)
        if ends and ends[0][0] <= now:
            return True
        return bool(newcomers) and queue[-len(newcomers) :] != newcomers

    def _renew(self) -> None:
        """Plan everything from nothing, in order."""
        for listed in self.lists:
            listed.clear()
        self.slots.clear()
        self.unplaced.clear()
        self._due.clear()
        self._profiles = [None for _ in self._pools]
        waiting = self.cluster.queue if self._order is None else self._order(self.cluster)
        self._turn = {job.index: turn for turn, job in enumerate(waiting)}
        for job in waiting:
            self._reserve(job)

    def rebuild(self, pools: Iterable[int]) -> None:
        """Plan anew, in queue order, the jobs that wait for these pools, and the unplaced."""
        jobs = list(self.unplaced.values())
        self.unplaced.clear()
        for pool in pools:
            jobs += self.lists[pool].values()
            self.lists[pool].clear()
            self._profiles[pool] = None
        for job in sorted(jobs, key=_KEY):
            self.slots.pop(job.index, None)
            if job.outcome is Outcome.UNFINISHED:
                self._reserve(job)

    def _reserve(self, job: Job) -> None:
        best, where = NEVER, -1
        for pool in self.machine.pools(job):
            profile = self.profile(pool)
            start = self._earliest(
                profile.times, profile.free, profile.size, job.processors, self.planned(job, pool)
            )
            if start < best:
                best, where = start, pool
                if start <= self.cluster.now:
                    break
        if where < 0:
            self.unplaced[job.index] = job
        else:
            self.hold(job, where, best)

    def hold(self, job: Job, pool: int, start: float) -> None:
        """Give a job its reservation, behind the others of the pool."""
        self.profile(pool).reserve(
            self._structures, start, start + self.planned(job, pool), job.processors
        )
        self.slots[job.index] = pool, start
        self.lists[pool][job.index] = job
        heappush(self._due, (start, job.index))

    def profile(self, pool: int) -> PoolProfile:
        """Return the profile of a pool as of now, reservations included."""
        profile, now = self._profiles[pool], self.cluster.now
        if profile is None:
            profile = self.empty_profile(pool)
            for job in self.lists[pool].values():
                start = self.slots[job.index][1]
                end = start + self.planned(job, pool)
                profile.reserve(self._structures, start, end, job.processors)
            self._profiles[pool] = profile
        elif profile.times[0] < now:
            profile.size = self._structures.forget_past(
                profile.times, profile.free, profile.size, now
            )
        return profile

    def empty_profile(self, pool: int) -> PoolProfile:
        """Return the profile with running jobs alone."""
        free = self.machine.free(pool)
        returns = planned_returns(self.cluster, self.machine, pool)
        return PoolProfile(self.cluster.now, free, returns)

    def start_due(self) -> None:
        """Start what is planned for now and finds its processors, in order."""
        now, due = self.cluster.now, []
        while self._due and self._due[0][0] <= now:
            start, index = heappop(self._due)
            if index in self.slots and self.slots[index][1] == start:
                due.append(self.cluster.jobs[index])
        key = _KEY if self._order is None else (lambda job: self._turn[job.index])
        for job in sorted(set(due), key=key):
            pool, start = self.slots[job.index]
            placement = self.machine.place_in(job, pool)
            if placement is None:  # still held by a job that was planned to end by now
                heappush(self._due, (start, job.index))
                continue
            attempt = self.cluster.start(job, placement)
            del self.slots[job.index], self.lists[pool][job.index]
            heappush(self._ends, (attempt.planned_end, self._starts, attempt))
            self._starts += 1

    def replace_all(self, lists: list[list[Job]], starts: dict[int, float]) -> None:
        """Replace the plan of these jobs by another; the caller updates the profiles."""
        self.slots.clear()
        for pool, jobs in enumerate(lists):
            self.lists[pool] = {job.index: job for job in jobs}
            for job in jobs:
                self.slots[job.index] = pool, starts[job.index]
        self._due = [(start, index) for index, (_, start) in self.slots.items()]
        heapify(self._due)
