"""Scheduling by negotiated deadlines (`qos` sections 3.3, 3.5 and 4.2).

The rules, in words. A job that arrives is offered the earliest deadline, then later ones: at each
time at which the answer can change (now, the end of a reservation or of an outage, the end of an
outage that the forecaster expects) the free nodes with the least probability of failure. Its
user accepts the first deadline promised with probability at least `confidence` (eq. (3), p >= U);
if there is none at all, the likeliest, and of those the earliest: probabilities that differ by no
more than `ROUNDING` count as equal. The deadline is the start plus the execution with all requested
checkpoints.

A predictor of accuracy a never gives a failure a probability above a, and the paper says that its
results do not depend on U where a < U. Eq. (3) does not imply that: a failure of probability 0.25,
predicted with accuracy 0.4, leaves a promise of 0.75, too little for U = 0.9. It holds if users ask
for U only where the accuracy reaches it and take the earliest deadline elsewhere; `within_accuracy`
models them. (Where 1 - a >= U no promise is below U anyway.)

A reservation keeps its nodes and its time whatever happens to others. If a node is down or still
busy when the time comes, the job starts when it is free, before any job reserved later on it. A
job struck by a failure is reserved anew at once, at the earliest opening, beside all others;
deadline and promise stay those of the negotiation.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ..._checks import fraction
from ...records import IntArray
from ..forecasts.windows import Outlook
from ..loop.cluster import Pass
from ..loop.jobs import Job, News
from ..loop.protocols import Kind, Occupancy
from ..machines.flat import SINGLE_NODES
from .calendar import Calendar

if TYPE_CHECKING:
    from ..loop.cluster import Cluster

ROUNDING = 1e-9  # of probabilities, because a window is a difference of times


class Promise(NamedTuple):
    """What a user was promised: the end by `deadline` [s] with probability `promised` [-]."""

    promised: float
    deadline: float
    start: float  # reserved for the first attempt, [s]


class Offered(Exception):  # noqa: N818 - no error: what a replay was played for
    """All that one job was offered, each likelier than those before it."""

    def __init__(self, offers: tuple[Promise, ...]) -> None:
        super().__init__(offers)
        self.offers = offers


@dataclass(frozen=True, slots=True)
class Negotiated:
    """First come, first served, each job at the first deadline that satisfies its user.

    Parameters
    ----------
    outlook : Outlook
        What the system knows of the failures to come.
    confidence : float, [-]
        The probability U of success that users ask for; in [0, 1].
    within_accuracy : bool
        Whether they take the earliest deadline where U is above the outlook's `ceiling`.
    promises : dict
        Filled while a replay runs: position of the job in the workload -> its promise.
    asks : int or None
        Position of a job that gets all its offers, and ends the replay by `Offered`.
    """

    outlook: Outlook
    confidence: float
    within_accuracy: bool = False
    promises: dict[int, Promise] = field(default_factory=dict)
    asks: int | None = None

    def __post_init__(self) -> None:
        fraction("confidence", self.confidence)

    runs_on: ClassVar[tuple[Kind[Occupancy], ...]] = (SINGLE_NODES,)

    @property
    def name(self) -> str:
        """``negotiated``."""
        return "negotiated"

    @property
    def asked(self) -> float:
        """The probability that a deadline must be promised with, [-]."""
        beyond = self.confidence > self.outlook.ceiling
        return 0.0 if self.within_accuracy and beyond else self.confidence

    def begin(self, cluster: Cluster) -> Pass:
        """Return the pass."""
        self.promises.clear()
        return _Negotiation(cluster, self).run


class _Reservation(NamedTuple):
    start: float
    sequence: int
    job: Job
    nodes: IntArray


class _Negotiation:
    def __init__(self, cluster: Cluster, terms: Negotiated) -> None:
        self._cluster, self._terms = cluster, terms
        self._nodes = cluster.machine.idle
        self._calendar = Calendar(self._nodes)
        self._waiting: list[_Reservation] = []  # by start, then by order of negotiation
        self._sequence = 0

    def run(self, news: News) -> None:
        """Follow the news, negotiate with the new jobs, start what is due."""
        for attempt in (*news.ended, *news.failed):
            self._calendar.release(attempt.job.index)
        self._follow_outages(news)
        self._hold_the_late()
        for job in news.submitted:
            self._reserve(job)
        self._start_due()

    def _follow_outages(self, news: News) -> None:
        for node in (*news.struck, *news.repaired):
            until = self._cluster.out_until.get(node)
            if until is not None:
                self._calendar.hold(_out(node), np.array([node]), self._cluster.now, until)
            else:
                self._calendar.release(_out(node))

    def _hold_the_late(self) -> None:
        """Let reservations that could not start in time reach from now as far as they need."""
        now = self._cluster.now
        for late in self._waiting:
            if late.start >= now:
                break
            self._calendar.hold(late.job.index, late.nodes, late.start, now + late.job.planned)

    def _reserve(self, job: Job) -> None:
        asked = self._terms.asked
        if job.index == self._terms.asks:
            raise Offered(self._likelier(job))
        best: tuple[float, float, IntArray] | None = None
        for promise, start, nodes in self._offers(job):
            if best is None or promise >= asked or promise > best[0] + ROUNDING:
                best = (promise, start, nodes)
            if promise >= asked or job.note is not None:
                break
        if best is None:
            raise RuntimeError(f"job {job.index} must find an opening, got none for ever")
        promised, start, nodes = best
        if job.note is None:
            job.note = Promise(promised, start + job.planned, start)
            self._terms.promises[job.index] = job.note
        self._calendar.hold(job.index, nodes, start, start + job.planned, alone=True)
        insort(self._waiting, _Reservation(start, self._sequence, job, nodes))
        self._sequence += 1

    def _offers(self, job: Job) -> Iterator[tuple[float, float, IntArray]]:
        """Yield probability, start and nodes of each deadline, the earliest first."""
        outlook = self._terms.outlook
        for start, free in self._calendar.openings(
            self._cluster.now, job.processors, job.planned, outlook.changes
        ):
            nodes, chance = outlook.choose(free, job.processors, start, start + job.planned)
            yield 1.0 - chance, start, nodes

    def _likelier(self, job: Job) -> tuple[Promise, ...]:
        """Return the deadlines that are promised with more than any earlier one."""
        found: list[Promise] = []
        for promise, start, _ in self._offers(job):
            if not found or promise > found[-1].promised + ROUNDING:
                found.append(Promise(promise, start + job.planned, start))
        return tuple(found)

    def _start_due(self) -> None:
        cluster, now = self._cluster, self._cluster.now
        claimed = np.zeros(self._nodes, dtype=bool)
        place, left = 0, list[_Reservation]()
        while place < len(self._waiting) and self._waiting[place].start <= now:
            due = self._waiting[place]
            place += 1
            if cluster.machine.available(due.nodes) and not claimed[due.nodes].any():
                cluster.start(due.job, due.nodes)
                self._calendar.hold(
                    due.job.index,
                    due.nodes,
                    now,
                    now + due.job.planned,
                    alone=due.start == now,
                )
            else:
                claimed[due.nodes] = True
                left.append(due)
        self._waiting[:place] = left
        if len(left) < len(self._waiting):
            cluster.wake(self._waiting[len(left)].start)


def _out(node: int) -> tuple[str, int]:
    return ("out", node)
