"""EASY: a reservation for the first job that must wait; others may start if they respect it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..._units import NEVER
from ..loop.cluster import Order, Pass
from ..loop.protocols import POOLS, Closing, Kind, Occupancy, PooledOccupancy
from ..order.submission import by_submission
from .fcfs import start_from_the_head
from .profile import Profile, planned_returns

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job


@dataclass(frozen=True, slots=True)
class Easy:
    """EASY backfilling on a machine of pools.

    The head gets the earliest time at which enough processors will be free in one of its pools
    (ties: its best pool). Those behind start in order, each in its best pool with room, unless
    that is the head's pool and they would neither end by its time nor leave it enough.
    """

    order: Order = by_submission

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (POOLS,)

    @property
    def name(self) -> str:
        """``easy``."""
        return "easy"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        machine = POOLS.of(cluster.machine)
        if isinstance(machine, Closing):
            return lambda _: _pass_beside_windows(cluster, machine, self.order)
        return lambda _: _pass(cluster, machine, self.order)


def _pass(cluster: Cluster, machine: PooledOccupancy, order: Order) -> None:
    waiting = start_from_the_head(cluster, order)
    if len(waiting) < 2 or not machine.idle:
        return
    reserved, time, spare = _reservation(cluster, machine, waiting[0])
    for job in waiting[1:]:
        for pool in machine.pools(job):
            if job.processors > machine.free(pool):
                continue
            if pool == reserved and cluster.now + job.planned > time:
                if job.processors > spare:
                    continue
                spare -= job.processors
            cluster.start(job, machine.place_in(job, pool))
            break
        if not machine.idle:
            return


def _pass_beside_windows(cluster: Cluster, machine: PooledOccupancy, order: Order) -> None:
    """Let all of the planned time of a job fit beside the head's reservation and the windows."""
    waiting = start_from_the_head(cluster, order)
    if len(waiting) < 2 or not machine.idle:
        return
    head, (pool,) = waiting[0], machine.pools(waiting[0])
    profile = Profile.of(cluster, machine, pool)
    time = profile.earliest(head.processors, head.planned)
    if time < NEVER:
        profile.reserve(time, head.planned, head.processors)
    for job in waiting[1:]:
        if profile.earliest(job.processors, job.planned) > cluster.now:
            continue
        placement = machine.place_in(job, pool)
        if placement is None:
            continue
        cluster.start(job, placement)
        profile.reserve(cluster.now, job.planned, job.processors)
        if not machine.idle:
            return


def _reservation(
    cluster: Cluster, machine: PooledOccupancy, head: Job
) -> tuple[int | None, float, int]:
    """Return the head's pool, its time, and the processors it leaves free then."""
    best: tuple[int | None, float, int] = (None, NEVER, 0)
    for pool in machine.pools(head):
        free = machine.free(pool)
        returns = planned_returns(cluster, machine, pool)
        for place, (time, processors) in enumerate(returns):
            free += processors
            later = place + 1 < len(returns) and returns[place + 1][0] == time
            if free >= head.processors and not later:
                if time < best[1]:
                    best = (pool, time, free - head.processors)
                break
    return best
