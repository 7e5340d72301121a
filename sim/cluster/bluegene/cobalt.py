"""Cobalt's scheduling pass on a Blue Gene: utility scores, fall-back, drains, backfilling.

A pass starts one job at a time until nothing starts; `schedulers` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..._checks import kind_of, nonnegative, shown
from ...records import IntArray
from ..loop.cluster import Order, Pass
from ..loop.protocols import Kind, Occupancy
from ..order.bands import first_band
from ..order.by_score import tags_of
from ..order.utility import UTILITIES, Utility, Waiting
from .allocation import Allocation, LeastBlocking
from .machine import PARTITIONS, BlueGeneOccupancy, size_classes
from .schedulers import Head, Scene, Scheduler, SeparateDrains

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job, News


@dataclass(frozen=True, slots=True)
class Cobalt:
    """The policy: who is tried first, where they go, and how long a busy partition drains.

    Parameters
    ----------
    utility : Utility
        Scores waiting jobs; `qsim` Table II.
    allocation : Allocation
        Chooses among free partitions.
    least_drain : float, [s]
        A busy partition is expected to be free this far ahead at the earliest; >= 0. Backfilling
        may delay a drained job by as much; 0 makes it exact.
    bands : Order
        Which waiting jobs a pass considers: those of the highest band that has any
        (`first_band`), or all (`all_bands`).
    scheduler : Scheduler
        Who starts next where the top job cannot: one of `SCHEDULERS`.
    """

    utility: Utility = field(default_factory=lambda: UTILITIES["wfp3"])
    allocation: Allocation = field(default_factory=LeastBlocking)
    least_drain: float = 300.0
    bands: Order = first_band
    scheduler: Scheduler = field(default_factory=SeparateDrains)

    def __post_init__(self) -> None:
        kind_of(
            "utility", self.utility, Utility, "take one of UTILITIES, such as UTILITIES['wfp3']"
        )
        if isinstance(self.allocation, type) or not isinstance(self.allocation, Allocation):
            raise TypeError(
                f"allocation must have begin, got {shown(self.allocation)}; use LeastBlocking(), "
                "FaultAware() or ReleasedFaultAware()"
            )
        nonnegative("least_drain", self.least_drain)
        if isinstance(self.scheduler, type) or not isinstance(self.scheduler, Scheduler):
            raise TypeError(
                f"scheduler must have chooser, got {shown(self.scheduler)}; "
                "take one of SCHEDULERS, such as SCHEDULERS['june-2009']"
            )
        if isinstance(self.scheduler, Head) and self.utility.threshold != 0.0:
            raise ValueError(
                f"threshold must be 0 with the scheduler head, got {self.utility.threshold!r}"
            )

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (PARTITIONS,)

    @property
    def name(self) -> str:
        """As it appears in metrics."""
        return f"cobalt-{self.utility.name}"

    def begin(self, cluster: Cluster) -> Pass:
        """Return the function that the loop calls for every scheduling pass."""
        return _CobaltPass(self, cluster, PARTITIONS.of(cluster.machine)).run


class _CobaltPass:
    def __init__(self, policy: Cobalt, cluster: Cluster, machine: BlueGeneOccupancy) -> None:
        self._policy, self._cluster, self._machine = policy, cluster, machine
        table = policy.scheduler.seen(machine.table)
        self._allocator = policy.allocation.begin(table, cluster.failures)
        self._sizes, self._members = size_classes(table)
        self._class_of = np.searchsorted(self._sizes, table.nodes)
        self._chooser = policy.scheduler.chooser(table)

    def run(self, news: News) -> None:
        """Start jobs one at a time until none can."""
        del news
        while self._machine.idle_mask.any():
            queue = self._policy.bands(self._cluster)
            if not queue or not self._start_one(queue):
                break

    def _start_one(self, queue: Sequence[Job]) -> bool:
        now, machine = self._cluster.now, self._machine
        nodes = np.array([job.processors for job in queue], dtype=np.int64)
        size_class = np.searchsorted(self._sizes, nodes)
        if not self._any_idle(size_class):
            return False
        planned = np.array([job.planned for job in queue], dtype=np.float64)
        wait = now - np.array([job.queued_at for job in queue], dtype=np.float64)
        utility = self._policy.utility
        smallest = float(self._sizes[0])
        tags = tags_of(self._cluster.workload, queue)
        jobs = Waiting(wait, planned, nodes.astype(np.float64), smallest, *tags, time=now)
        scores = utility.scores(jobs)
        band = np.array([job.band for job in queue], dtype=np.int64)
        order = np.lexsort((-scores, band))
        top = int(order[0])
        fitting = self._members[size_class[top]]
        candidates = fitting[machine.idle_mask[fitting]]
        choice: tuple[int, IntArray] | None = top, candidates
        if not candidates.size:  # only now does it matter when partitions will be free
            least = now + self._policy.least_drain
            running = self._cluster.running.values()
            # Lower bands take no partition from the highest: they only backfill.
            tried = scores[order[band[order] == band[top]]]
            choice = self._chooser.choose(
                Scene(
                    order=order,
                    tried=tried.size,
                    scores=scores,
                    threshold=utility.threshold,
                    eligible=utility.eligible(tried),
                    size_class=size_class,
                    planned=planned,
                    idle=machine.idle_mask,
                    free_at=machine.free_at(running, now, least),
                    ends=np.array([attempt.planned_end for attempt in running]),
                    now=now,
                )
            )
        if choice is None:
            return False
        job, candidates = queue[choice[0]], choice[1]
        costs = self._allocator.costs(candidates, machine.idle_mask, now, now + job.planned)
        self._cluster.start(job, int(candidates[np.argmin(costs)]))
        return True

    def _any_idle(self, size_class: IntArray) -> bool:
        has_idle = np.zeros(self._sizes.size, dtype=np.bool_)
        has_idle[self._class_of[self._machine.idle_mask]] = True
        return bool(has_idle[size_class].any())
