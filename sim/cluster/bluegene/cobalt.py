"""Cobalt's scheduling pass on a Blue Gene: utility scores, fall-back, drains, backfilling.

One call of `choose` starts at most one job; the policy repeats it until nothing starts. `choose` is
the readable twin of the kernel that the policy runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ..._checks import kind_of, nonnegative, shown
from ...records import BoolArray, FloatArray, IntArray
from ..loop.cluster import Order, Pass
from ..loop.protocols import Kind, Occupancy
from ..order.bands import first_band
from ..order.utility import UTILITIES, Utility, Waiting
from .allocation import Allocation, LeastBlocking
from .machine import PARTITIONS, BlueGeneOccupancy, size_classes

if TYPE_CHECKING:
    from ..loop.cluster import Cluster
    from ..loop.jobs import Job, News

__all__ = ["Choice", "Cobalt", "choose"]


class Choice(NamedTuple):
    """Which waiting job starts next, its possible partitions, and whether it is backfilled."""

    waiting: int
    candidates: IntArray
    backfilled: bool


def choose(
    order: IntArray,
    *,
    eligible: int,
    size_class: IntArray,
    planned: FloatArray,
    members: list[IntArray],
    idle: BoolArray,
    free_at: FloatArray,
    conflicts: BoolArray,
    now: float,
) -> Choice | None:
    """Return the next job to start, or None.

    Parameters
    ----------
    order : ndarray of int64, shape (Q,)
        Waiting jobs by decreasing score.
    eligible : int
        How many of them, from the front, may be tried before backfilling.
    size_class : ndarray of int64, shape (Q,)
        Which partition size each waiting job needs.
    planned : ndarray, shape (Q,), [s]
        Wall time each waiting job asks for.
    members : list of ndarray of int64
        The partitions of each size class, by name.
    idle : ndarray of bool, shape (P,)
        Partitions on which a job could start now.
    free_at : ndarray, shape (P,), [s]
        When each partition is expected to be free.
    conflicts : ndarray of bool, shape (P, P)
        Which pairs cannot run together.
    now : float, [s]
        The current time.

    Returns
    -------
    Choice or None
        Index of the waiting job, the partitions it could take in order of name, and whether it
        passed another one; None if nothing can start.
    """
    drained_at = np.full(idle.size, np.inf)
    for waiting in order[:eligible]:
        fitting = members[size_class[waiting]]
        offered = fitting[drained_at[fitting] == np.inf]
        candidates = offered[idle[offered]]
        if candidates.size:
            return Choice(int(waiting), candidates, backfilled=False)
        if offered.size:
            drain = offered[np.argmin(free_at[offered])]
            blocked = conflicts[drain]
            drained_at[blocked] = np.minimum(drained_at[blocked], free_at[drain])
    for waiting in order:
        fitting = members[size_class[waiting]]
        in_time = now + planned[waiting] <= drained_at[fitting]
        candidates = fitting[idle[fitting] & in_time]
        if candidates.size:
            return Choice(int(waiting), candidates, backfilled=True)
    return None


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
    """

    utility: Utility = field(default_factory=lambda: UTILITIES["wfp3"])
    allocation: Allocation = field(default_factory=LeastBlocking)
    least_drain: float = 300.0
    bands: Order = first_band

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
        from .kernels.neighbours import Walk

        self._policy, self._cluster, self._machine = policy, cluster, machine
        self._allocator = policy.allocation.begin(machine.table, cluster.failures)
        self._sizes, self._members = size_classes(machine.table)
        self._class_of = np.searchsorted(self._sizes, machine.table.nodes)
        self._walk = Walk(self._members, machine.table.conflicts)

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
        scores = utility.scores(Waiting(wait, planned, nodes.astype(np.float64), smallest))
        band = np.array([job.band for job in queue], dtype=np.int64)
        order = np.lexsort((-scores, band))
        top = int(order[0])
        fitting = self._members[size_class[top]]
        candidates = fitting[machine.idle_mask[fitting]]
        choice: tuple[int, IntArray] | None = top, candidates
        if not candidates.size:  # only now does it matter when partitions will be free
            least = now + self._policy.least_drain
            choice = self._walk.choose(
                order,
                # Lower bands take no partition from the highest: they only backfill.
                eligible=utility.eligible(scores[order[band[order] == band[top]]]),
                size_class=size_class,
                planned=planned,
                idle=machine.idle_mask,
                free_at=machine.free_at(self._cluster.running.values(), now, least),
                now=now,
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
