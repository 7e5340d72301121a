"""Local search over the conservative plan (paper `grid`, section 5).

Every `period` of simulated time a random waiting job is given a random new place, in the order of
planning of the same or another suitable cluster; those behind its old place move up, those behind
its new one move down. The schedule is kept if W of eq. 2 is above 0. Slowdown, wait and response
are means over the waiting jobs, as planned. Where a previous mean is 0, its term is 0 if the new
one is 0 too, else minus infinity: no percentage makes good a loss from nothing.

W adds percentages, each of the schedule just before; gains of many steps may add up to a loss
against the first. A run that would end so is undone, whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import positive, whole
from ...streams import stream
from ..jobs import Job, News
from ..policy import Pass
from .planned import Plan, PoolProfile

if TYPE_CHECKING:
    from ..loop import Cluster

__all__ = ["LocalSearch"]

_NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class LocalSearch:
    """Conservative backfilling, improved by chance.

    Parameters
    ----------
    seed : int
        Of the random choices.
    period : float, [s]
        Between two runs, of simulated time.
    rounds : float
        Moves tried in a run, per waiting job.
    budget : int
        Reservations that one run may make, which bounds its time and not its outcome's
        repeatability: the paper stops at 2 s of the clock.
    """

    seed: int = 0
    period: float = 300.0
    rounds: int = 2
    budget: int = 20_000

    def __post_init__(self) -> None:
        positive("period", self.period)
        whole("rounds", self.rounds, least=0)
        whole("budget", self.budget)

    @property
    def name(self) -> str:
        """``ls``."""
        return "ls"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        return _Search(cluster, self).schedule


class _Search(Plan):
    def __init__(self, cluster: Cluster, settings: LocalSearch) -> None:
        from ..kernels.plan import local_search

        super().__init__(cluster)
        self._settings = settings
        self._rng = stream(settings.seed, 0)
        self._search: Any = local_search
        if cluster.jobs:
            self.improve()  # of nothing: loads or compiles it, which is not the scheduler's time
        self._next = _NEVER

    def schedule(self, news: News) -> None:
        """Plan as `Planned` does; search when it is time."""
        super().schedule(news)
        now, period = self.cluster.now, self._settings.period
        if now >= self._next:
            self._next = _NEVER
            if len(self.slots) > 1:
                self.improve()
                self.start_due()
        if not self.slots:
            self._next = _NEVER
        elif self._next == _NEVER:
            self._next = (floor(now / period) + 1) * period
            self.cluster.wake(self._next)

    def improve(self) -> tuple[int, int]:
        """Search once over the plan as it stands; return the moves tried and accepted."""
        jobs = [job for listed in self.lists for job in listed.values()]
        place = {job.index: position for position, job in enumerate(jobs)}
        count, pools = len(jobs), len(self.lists)
        lists = np.zeros((pools, count), np.int64)
        counts = np.zeros(pools, np.int64)
        pool_of, start = np.empty(count, np.int64), np.empty(count)
        for pool, listed in enumerate(self.lists):
            for position, index in enumerate(listed):
                lists[pool, position] = place[index]
                pool_of[place[index]], start[place[index]] = self.slots[index]
            counts[pool] = len(listed)
        times, free, steps, capacity = self._profiles_alone(count)
        processors = np.array([job.processors for job in jobs])
        allowed = np.zeros((count, pools), dtype=np.bool_)
        for position, job in enumerate(jobs):
            allowed[position, list(self.machine.pools(job))] = True
        allowed &= processors[:, None] <= capacity
        draws = self._rng.random((self._settings.rounds * count, 3))
        tried, accepted = self._search(
            times,
            free,
            steps,
            lists,
            counts,
            pool_of,
            start,
            processors,
            np.array([job.planned for job in jobs]),
            np.array([job.submit for job in jobs]),
            allowed,
            draws,
            self._settings.budget,
        )
        if accepted:
            self._adopt(jobs, lists, counts, start)
        return tried, accepted

    def _adopt(self, jobs: list[Job], lists: Any, counts: Any, start: Any) -> None:
        ordered = [
            [jobs[place] for place in lists[pool, : counts[pool]]] for pool in range(counts.size)
        ]
        self.replace_all(ordered, {job.index: start[place] for place, job in enumerate(jobs)})

    def _profiles_alone(self, jobs: int) -> tuple[Any, Any, Any, Any]:
        """Return the profiles of all pools without waiting jobs, with room for all of them."""
        now, machine = self.cluster.now, self.machine
        returns: list[list[tuple[float, int]]] = [[] for _ in self.lists]
        for attempt in self.cluster.running.values():
            end = attempt.planned_end
            returns[attempt.placement.cluster].append((end if end > now else now, attempt.units))
        for pool, coming in enumerate(returns):
            coming += [item for item in machine.returns(pool) if item[0] < _NEVER]
            coming.sort()
        profiles = [PoolProfile(now, machine.free(p), coming) for p, coming in enumerate(returns)]
        width = max(profile.size for profile in profiles) + 2 * jobs + 4
        times = np.zeros((len(profiles), width))
        free = np.zeros((len(profiles), width), np.int64)
        steps = np.array([profile.size for profile in profiles])
        for pool, profile in enumerate(profiles):
            times[pool, : profile.size] = profile.times[: profile.size]
            free[pool, : profile.size] = profile.free[: profile.size]
        capacity = np.array([free[pool, size - 1] for pool, size in enumerate(steps)])
        return times, free, steps, capacity
