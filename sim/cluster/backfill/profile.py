"""Free processors of one pool against time, as planned now."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from ..._units import NEVER
from ..loop.protocols import Closing

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.protocols import PooledOccupancy


def planned_returns(
    cluster: Cluster, machine: PooledOccupancy, pool: int
) -> list[tuple[float, int]]:
    """Return (time [s], processors) that come free in `pool`, sorted, none before now.

    Running jobs return theirs at their planned end, nodes out of order at their repair. A job
    that has outrun its planned end is expected to end now.
    """
    now = cluster.now
    returns = [
        (max(attempt.planned_end, now), attempt.units)
        for attempt in cluster.running.values()
        if machine.pool_of(attempt.placement) == pool
    ]
    returns += [(time, count) for time, count in machine.returns(pool) if time < NEVER]
    returns.sort()
    return returns


class Profile:
    """A step function: from `times[i]` on, `free[i]` processors are free."""

    def __init__(self, now: float, free: int, returns: Iterable[tuple[float, int]] = ()) -> None:
        self.times = [now]
        self.free = [free]
        for time, processors in returns:
            if time > self.times[-1]:
                self.times.append(time)
                self.free.append(self.free[-1])
            self.free[-1] += processors

    @classmethod
    def of(cls, cluster: Cluster, machine: PooledOccupancy, pool: int) -> Self:
        """Return the profile of a pool with its running jobs, outages and planned windows."""
        profile = cls(cluster.now, machine.free(pool), planned_returns(cluster, machine, pool))
        if isinstance(machine, Closing):
            for start, end, processors in machine.closures():
                profile.reserve(start, end - start, processors)
        return profile

    def earliest(self, processors: int, duration: float, *, after: float = -NEVER) -> float:
        """Return the first time >= `after` at which so many are free for `duration`, or inf."""
        times, free = self.times, self.free
        start = None
        for place, count in enumerate(free):
            if count < processors:
                start = None
                continue
            if start is None:
                start = max(times[place], after)
            end = times[place + 1] if place + 1 < len(times) else NEVER
            if end <= after:
                start = None
            elif end >= start + duration:
                return start
        return NEVER

    def reserve(self, start: float, duration: float, processors: int) -> None:
        """Take `processors` out of [start, start + duration); negative puts them back."""
        first, last = self._cut(start), self._cut(start + duration)
        for place in range(first, last):
            self.free[place] -= processors

    def _cut(self, time: float) -> int:
        place = bisect_left(self.times, time)
        if place == len(self.times) or self.times[place] != time:
            self.times.insert(place, time)
            self.free.insert(place, self.free[place - 1])
        return place
