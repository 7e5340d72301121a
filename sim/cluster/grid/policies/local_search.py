"""Local search over the conservative plan (paper `grid`, section 5).

Every `period` of simulated time a random waiting job is given a random new place, in the order of
planning of the same or another suitable cluster; those behind its old place move up, those behind
its new one move down. The schedule is kept if W of eq. 2 is above 0. Slowdown, wait and response
are means over the waiting jobs, as planned. Where a previous mean is 0, its term is 0 if the new
one is 0 too, else minus infinity: no percentage makes up for a loss from zero.

W adds percentages, each of the schedule just before; gains of many steps may add up to a loss
against the first. A run that would end so is undone, whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import floor, inf
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...._checks import nonnegative, positive, whole
from ...._units import NEVER
from ....streams import LOCAL_SEARCH, stream
from ...loop.cluster import Pass
from ...loop.jobs import Job, News
from ...loop.protocols import Kind, Occupancy
from ..machine import CLUSTERS
from ..speed import ScaledRuntimes
from .planned import Plan

if TYPE_CHECKING:
    from ...loop.cluster import Cluster


@dataclass(frozen=True, slots=True)
class LocalSearch:
    """Conservative backfilling, improved by random moves.

    Parameters
    ----------
    seed : int
        Of the random moves.
    period : float, [s]
        Between two runs, of simulated time.
    rounds : float
        Moves tried in a run, per waiting job.
    budget : int
        Reservations that one run may make. It bounds the time of a run and keeps results
        repeatable, which the limit of the paper, 2 s of the clock, does not.
    weights : tuple of 3 floats, [-]
        Of the relative gains in slowdown, wait and response (eq. 2 of the paper, which weighs them
        alike); each >= 0, not all 0. Only their proportions count.
    """

    seed: int = 0
    period: float = 300.0
    rounds: int = 2
    budget: int = 20_000
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        positive("period", self.period)
        whole("rounds", self.rounds, least=0)
        whole("budget", self.budget)
        if len(self.weights) != 3:
            raise ValueError(f"weights must be 3 numbers, got {len(self.weights)}")
        for value in self.weights:
            nonnegative("weights", value)
        if not 0.0 < sum(self.weights) < inf:
            raise ValueError(f"weights must have a finite sum > 0, got {sum(self.weights)!r}")

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (CLUSTERS,)

    @property
    def name(self) -> str:
        """``ls``."""
        return "ls"

    @property
    def shares_of_gain(self) -> tuple[float, float, float]:
        """The weights, 3 in all, [-]."""
        slowdown, wait, response = (3.0 * (value / sum(self.weights)) for value in self.weights)
        return slowdown, wait, response

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        return _Search(cluster, self).schedule


class _Search(Plan):
    def __init__(self, cluster: Cluster, settings: LocalSearch) -> None:
        from ..kernels import plan, search

        super().__init__(cluster)
        self._settings = settings
        self._weights = np.array(settings.shares_of_gain)
        self._rng = stream(settings.seed, *LOCAL_SEARCH)
        self._plans: Any = plan
        self._search: Any = search.local_search
        self._submit = np.array([job.submit for job in cluster.jobs])
        self._processors = np.array([job.processors for job in cluster.jobs], np.int64)
        if cluster.jobs:
            self.improve()  # of nothing: loads or compiles it, which is not the scheduler's time
        self._next = NEVER

    def schedule(self, news: News) -> None:
        """Plan as `Planned` does; search when it is time."""
        super().schedule(news)
        now, period = self.cluster.now, self._settings.period
        if now >= self._next:
            self._next = NEVER
            if len(self.slots) > 1:
                self.improve()
                self.start_due()
        if not self.slots:
            self._next = NEVER
        elif self._next == NEVER:
            self._next = (floor(now / period) + 1) * period
            self.cluster.wake(self._next)

    def improve(self) -> tuple[int, int]:
        """Search once over the plan as it stands; return the moves tried and accepted."""
        counts = np.array([len(listed) for listed in self.lists])
        pools, count = len(self.lists), int(counts.sum())
        index = np.fromiter(chain.from_iterable(self.lists), np.int64, count)
        jobs = [job for listed in self.lists for job in listed.values()]
        start = np.array([self.slots[job.index][1] for job in jobs])
        planned = self._planned_in_pools(jobs, index)
        submit, processors = self._submit[index], self._processors[index]
        lists, place = np.zeros((pools, count), np.int64), 0
        for pool in np.flatnonzero(counts):
            lists[pool, : counts[pool]] = np.arange(place, place + counts[pool])
            place += counts[pool]
        times, free, steps = profiles = self._profiles_together(2 * count + 4)
        waiting = lists, counts, start, planned, processors
        self._plans.vacate(*profiles, *waiting)
        allowed = processors[:, None] <= free[np.arange(pools), steps - 1]
        if self.machine.grid.suitability is not None:
            allowed &= self.machine.grid.suitability[index]
        tried, accepted = self._search(
            times,
            free,
            steps,
            lists,
            counts,
            np.repeat(np.arange(pools), counts),
            start,
            processors,
            planned,
            submit,
            allowed,
            self._rng.random((self._settings.rounds * count, 3)),
            self._weights,
            self._settings.budget,
        )
        if (
            accepted or not count
        ):  # of nothing too, so that all that is compiled is loaded at the start
            self._plans.fill(*profiles, *waiting)
            self._adopt(jobs, lists, counts, start, profiles)
        return tried, accepted

    def _planned_in_pools(self, jobs: list[Job], index: Any) -> Any:
        """Return how long each job is planned to run in each pool [pool, job], [s]."""
        planned = np.array([job.planned for job in jobs])
        checkpointing = self.cluster.checkpointing
        if isinstance(checkpointing, ScaledRuntimes):
            return np.ascontiguousarray(checkpointing.scale[index].T * planned)
        return np.tile(planned, (len(self.lists), 1))

    def _adopt(
        self, jobs: list[Job], lists: Any, counts: Any, start: Any, profiles: tuple[Any, Any, Any]
    ) -> None:
        ordered = [
            [jobs[place] for place in lists[pool, : counts[pool]]] for pool in range(counts.size)
        ]
        starts = start.tolist()
        self.replace_all(ordered, {job.index: starts[place] for place, job in enumerate(jobs)})
        times, free, steps = profiles
        for pool, size in enumerate(steps.tolist()):
            profile = self.profile(pool)
            profile.times, profile.free, profile.size = times[pool], free[pool], size

    def _profiles_together(self, room: int) -> tuple[Any, Any, Any]:
        """Return the profiles of all pools [pool, step], with room for more steps, and sizes."""
        profiles = [self.profile(pool) for pool in range(len(self.lists))]
        steps = np.array([profile.size for profile in profiles])
        times = np.empty((len(profiles), int(steps.max()) + room))
        free = np.empty(times.shape, np.int64)
        for pool, profile in enumerate(profiles):
            times[pool, : profile.size] = profile.times[: profile.size]
            free[pool, : profile.size] = profile.free[: profile.size]
        return times, free, steps
