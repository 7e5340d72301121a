"""A parallel job whose nodes share one spare: it takes over from whichever node is down.

The rules, those of `wsj_job` with one node more than tasks:

- Every task works on a node of its own. Failures strike its first-time work only, as a Poisson
  process of mean spacing `mtbf`; the node that is struck goes to repair.
- If a node is free, the task moves there at once and at no cost; otherwise it waits, in order of
  failure, for the first node that comes back. Nodes are all alike; a free one does not fail.
- A node under repair is struck again at the same rate, and each such failure adds a repair.
- On its node the task first does the rework, which cannot fail: the time since its last
  checkpoint, by a clock of its own as in `wsj_job`. Then it goes on where it was struck.
- Storing checkpoints adds share/interval * checkpoint_cost to each task, and nothing else.
- The makespan of the job is that of its slowest task.
"""

from __future__ import annotations

import heapq
from collections import deque

import numpy as np
import numpy.typing as npt

from .._checks import nonnegative, positive, whole
from ..samplers import FloatArray, Sampler, as_sampler
from ._arguments import unplayed
from ._replications import drawn_downtime, replicate


class _Job:
    """Tasks, nodes under repair and, while no task waits, how many nodes are free."""

    def __init__(
        self,
        tasks: int,
        *,
        share: float,
        interval: float,
        mtbf: float,
        downtime: Sampler,
        rng: np.random.Generator,
    ) -> None:
        self._interval, self._mtbf, self._downtime, self._rng = interval, mtbf, downtime, rng
        self._free, self._repairs = 1, 0
        self._waiting: deque[float] = deque()  # work left of each task without a node
        # (time, struck or repaired, work left): of tasks at work and of nodes under repair.
        self._events: list[tuple[float, bool, float]] = []
        self.end = 0.0
        for _ in range(tasks):
            self._work(0.0, share)

    def run(self) -> float:
        while self._events:
            now, struck, left = heapq.heappop(self._events)
            if struck:
                heapq.heappush(self._events, (now + self._time_down(), False, 0.0))
                self._waiting.append(left)
            else:
                self._free += 1
            if self._waiting and self._free:
                self._free -= 1
                rework = self._gap() % self._interval
                self._work(now + rework, self._waiting.popleft())
        return self.end

    def _work(self, now: float, left: float) -> None:
        gap = self._gap()
        if gap > left:
            # Its node has nothing to do any more.
            self.end = max(self.end, now + left)
            heapq.heappush(self._events, (now + left, False, 0.0))
        else:
            heapq.heappush(self._events, (now + gap, True, left - gap))

    def _time_down(self) -> float:
        """Return the length of a busy period of repairs."""
        total, queued = 0.0, 1
        while queued:
            self._repairs += 1
            repair = drawn_downtime(self._downtime, self._rng, self._repairs)
            total += repair
            queued += int(self._rng.poisson(repair / self._mtbf)) - 1
        return total

    def _gap(self) -> float:
        return self._mtbf * self._rng.standard_exponential()


def simulate_spare_makespans(
    tasks: int,
    share: float,
    *,
    interval: float,
    mtbf: float,
    downtime: Sampler | npt.ArrayLike,
    checkpoint_cost: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job of equal tasks with one spare node many times; return the makespans, [time].

    Parameters
    ----------
    tasks : int
        Tasks, with as many nodes and one more; >= 1.
    share : float, [time]
        Failure-free compute time of each task; > 0.
    interval : float, [time]
        Compute time between checkpoints; > 0.
    mtbf : float, [time]
        Mean time between failures of a node while exposed, repair excluded; > 0.
    downtime : float, Sampler or list of float, [time]
        One repair; >= 0. Its mean must stay below `mtbf`, or repairs pile up. Every replication
        plays a recorded list from its beginning.
    checkpoint_cost : float, [time]
        Time to store one checkpoint; >= 0.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or a replication does not end within ten million repairs.

    Examples
    --------
    >>> walls = simulate_spare_makespans(
    ...     4, 10.0, interval=5.0, mtbf=1e12, downtime=1.0, checkpoint_cost=0.5,
    ...     replications=2, seed=1,
    ... )
    >>> walls.tolist()
    [11.0, 11.0]
    """
    count = whole("tasks", tasks)
    work, length = positive("share", share), positive("interval", interval)
    mean = positive("mtbf", mtbf)
    storage = work / length * nonnegative("checkpoint_cost", checkpoint_cost)
    down = as_sampler("downtime", downtime)

    def play(rng: np.random.Generator) -> float:
        job = _Job(count, share=work, interval=length, mtbf=mean, downtime=unplayed(down), rng=rng)
        return job.run() + storage

    return replicate(play, replications=replications, seed=seed)
