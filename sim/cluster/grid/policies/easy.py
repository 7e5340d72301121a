"""EASY for grids: as `Easy`, but it looks again only where something changed.

After a pass, jobs behind the head can only have become startable where processors came free,
unless the head's reservation changed. So ends are followed pool by pool, not by a new search.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import merge
from typing import TYPE_CHECKING, Any, ClassVar

from ...._units import NEVER
from ....records import Outcome
from ...loop.cluster import Order, Pass
from ...loop.jobs import Attempt, Job, News
from ...loop.protocols import Kind, Occupancy
from ..machine import CLUSTERS
from ..speed import planned_in

if TYPE_CHECKING:
    from ...loop.cluster import Cluster

_NONE: tuple[int | None, float, int] = (None, NEVER, 0)


@dataclass(frozen=True, slots=True)
class GridEasy:
    """EASY backfilling on a grid, best cluster first, in order of submission or another."""

    order: Order | None = None

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (CLUSTERS,)

    @property
    def name(self) -> str:
        """``easy``."""
        return "easy"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        return _State(cluster, self.order).schedule


class _State:
    def __init__(self, cluster: Cluster, order: Order | None) -> None:
        self._cluster, self._order = cluster, order
        self._machine = CLUSTERS.of(cluster.machine)
        self._planned = planned_in(cluster)
        self._pools = range(len(self._machine.grid.clusters))
        # Planned ends of running jobs by pool: (planned end, order of start, attempt), sorted.
        self._ends: list[list[tuple[float, int, Attempt]]] = [[] for _ in self._pools]
        self._starts = 0
        self._free = [self._machine.free(pool) for pool in self._pools]
        self._head: Job | None = None
        self._reservation = _NONE

    def schedule(self, news: News) -> None:
        """Start the head as long as it fits, then those behind it that may."""
        machine = self._machine
        # By the machine, which may know of ends that are still to be announced.
        changed = {pool for pool in self._pools if machine.free(pool) != self._free[pool]}
        changed |= {machine.cluster_of[node] for node in (*news.struck, *news.repaired)}
        for pool in changed:
            self._ends[pool] = [entry for entry in self._ends[pool] if not entry[2].ended]
        if self._order is None:
            self._decide(news, changed)
        else:
            self._decide_anew(list(self._order(self._cluster)))
        self._free = [machine.free(pool) for pool in self._pools]

    def _decide(self, news: News, changed: set[int]) -> None:
        machine, moved = self._machine, False
        while (head := self._cluster.head) is not None:
            placement = machine.place(head)
            if placement is None:
                break
            self._start(head, placement)
            moved = True
        queue = self._cluster.queue
        if len(queue) < 2 or not machine.idle:
            self._head = None
            return
        newcomers = [job for job in news.submitted if job.outcome is Outcome.UNFINISHED]
        known = self._head is queue[0] and not moved
        if not known or changed or self._reservation[1] <= self._cluster.now:
            before, self._reservation = self._reservation, self._reserve(queue[0])
            known = known and before == self._reservation
        if known and newcomers and queue[-len(newcomers) :] != newcomers:
            known = False
        self._head = queue[0]
        if not known:
            self._backfill(queue[1:], set(self._pools))
        else:
            if changed:
                self._backfill(queue[1 : len(queue) - len(newcomers)], changed)
            self._backfill([job for job in newcomers if job is not queue[0]], set(self._pools))

    def _decide_anew(self, waiting: list[Job]) -> None:
        """Decide in an order that may change with time, so that nothing is known from before."""
        place = 0
        while place < len(waiting):
            placement = self._machine.place(waiting[place])
            if placement is None:
                break
            self._start(waiting[place], placement)
            place += 1
        if len(waiting) - place < 2 or not self._machine.idle:
            return
        self._reservation = self._reserve(waiting[place])
        self._backfill(waiting[place + 1 :], set(self._pools))

    def _backfill(self, jobs: Sequence[Job], where: set[int]) -> None:
        machine, now = self._machine, self._cluster.now
        room = max((machine.free(pool) for pool in where), default=0)
        reserved, time, spare = self._reservation
        for job in jobs:
            processors = job.processors
            if processors > room:
                continue
            for pool in machine.pools(job):
                if pool not in where or processors > machine.free(pool):
                    continue
                if pool == reserved and now + self._planned(job, pool) > time:
                    if processors > spare:
                        continue
                    spare -= processors
                    self._reservation = reserved, time, spare
                self._start(job, machine.place_in(job, pool))
                room = max(machine.free(pool) for pool in where)
                break
            if not room:
                return

    def _start(self, job: Job, placement: Any) -> None:
        attempt = self._cluster.start(job, placement)
        insort(self._ends[placement.cluster], (attempt.planned_end, self._starts, attempt))
        self._starts += 1

    def _reserve(self, head: Job) -> tuple[int | None, float, int]:
        """Return the head's pool, its time, and the processors it leaves free then."""
        machine, now = self._machine, self._cluster.now
        best = _NONE
        for pool in machine.pools(head):
            free, at = machine.free(pool), NEVER
            returns: Any = ((end, attempt.units) for end, _, attempt in self._ends[pool])
            if back := machine.returns(pool):
                returns = merge(returns, sorted(item for item in back if item[0] < NEVER))
            for planned_end, processors in returns:
                time = planned_end if planned_end > now else now
                if free >= head.processors and time > at:
                    break
                if time >= best[1]:
                    break
                free += processors
                at = time
            if free >= head.processors and at < best[1]:
                best = (pool, at, free - head.processors)
        return best
