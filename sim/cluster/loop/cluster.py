"""The general loop: any machine, policy, checkpointing and recovery, one instant at a time.

What happens at one instant, by `event_order`:

- ``batch``: all ends, repairs, failures, submissions; then one pass;
- ``ends-first``: each end, repair, failure, submission, in this order, with a pass of its own;
- ``submissions-first``: each submission with a pass of its own, then each end, repair and failure
  with its own; a job that ends now as planned has freed its processors before the submissions.

Ends of one instant come in order of start, submissions in queue order. A node that fails while it
is out stays out until the later repair. Jobs only ever start inside a pass.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from ..._units import NEVER
from ...records import Outage, Outcome
from ..failures.feed import Failures
from ..workload import Workload
from .jobs import Attempt, Ended, Job, News, Progress
from .protocols import Checkpointing, Closing, Occupancy

if TYPE_CHECKING:
    from .protocols import Kind

EVENT_ORDERS = ("batch", "ends-first", "submissions-first")
_KEY = attrgetter("key")


class Cluster:
    """The state that policies, recoveries and machines share, and the loop that drives it.

    Read `now`, `workload`, `machine` (its occupancy), `queue` and its `head` (jobs that wait),
    `running` (attempts by job index, in order of start), `out_until` (node out of order -> its
    repair), `outages`, `ended`, `jobs`, `failures`; change them only through `start`, `preempt`,
    `resubmit`, `drop`, `cancel`, `wake` and `observe`.
    """

    def __init__(
        self,
        workload: Workload,
        machine: Occupancy,
        policy: Policy,
        *,
        event_order: str,
        jobs: list[Job],
        failures: Failures | None,
        checkpointing: Checkpointing,
        recovery: Recovery,
        idle_failures: bool = True,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.now = -NEVER
        self._idle_failures = idle_failures
        self.workload = workload
        self.failures = failures
        self.machine = machine
        if isinstance(machine, Closing):
            machine.watch(lambda: self.now)
        self.checkpointing = checkpointing
        self.jobs = jobs
        self._queue: list[Job] = []
        self._lent = False
        self.running: dict[int, Attempt] = {}
        self.idle_time = 0.0  # unit seconds until the last end of an attempt
        self.down_time = 0.0
        self._idle_now = self._down_now = 0.0
        self._left = len(jobs)
        self._starts = 0
        self._next_submission = self._next_failure = 0
        self._strike_times = [] if failures is None else failures.time.tolist()
        self._ends: list[tuple[float, int, Attempt]] = []  # time, order of start
        self._repairs: list[tuple[float, int]] = []
        self._resubmissions: list[tuple[float, int, Job]] = []
        self._wakes: list[float] = []
        self.out_until: dict[int, float] = {}
        self.ended: list[Ended] = []
        self.outages: list[Outage] = []
        self._outages_now: dict[int, list[Outage]] = {}
        self._news = News()
        self._observers: list[Callable[[News], None]] = []
        self._progress = progress
        self._instant = {
            "batch": self._batch,
            "ends-first": self._ends_first,
            "submissions-first": self._submissions_first,
        }[event_order]
        self._recover = recovery.begin(self)
        self._schedule = policy.begin(self)

    @property
    def queue(self) -> Sequence[Job]:
        """The waiting jobs in queue order; what was read stays as it was when jobs start."""
        self._lent = True
        return self._queue

    @property
    def head(self) -> Job | None:
        """The first of the queue, or None."""
        return self._queue[0] if self._queue else None

    def _changeable(self) -> list[Job]:
        """Return the queue; one that was read is left as it is, in favour of a copy."""
        if self._lent:
            self._queue, self._lent = self._queue.copy(), False
        return self._queue

    # What policies and recoveries may do.

    def start(self, job: Job, placement: Any) -> Attempt:
        """Start a waiting job on a free placement, now."""
        position = bisect_left(self._queue, job.key, key=_KEY)
        if position == len(self._queue) or self._queue[position] is not job:
            raise RuntimeError(f"job must be waiting to start, got job {job.index}")
        del self._changeable()[position]
        idle = self.machine.idle
        self.machine.take(placement)
        work = job.executed - job.saved
        timeline = self.checkpointing.timeline(job, work, self.now, placement)
        end = self.now + timeline.wall
        attempt = Attempt(
            job=job,
            number=job.attempts,
            start=self.now,
            end=end,
            planned_end=self.now + job.planned * timeline.scale,
            placement=placement,
            units=idle - self.machine.idle,
            timeline=timeline,
            turn=self._starts,
        )
        job.attempts += 1
        job.start = self.now
        if job.attempts == 1:
            job.first_start = self.now
        self.running[job.index] = attempt
        heappush(self._ends, (end, self._starts, attempt))
        self._starts += 1
        return attempt

    def preempt(self, attempt: Attempt) -> None:
        """Stop a running attempt, now; its job keeps what checkpoints saved, and nothing failed."""
        progress = attempt.timeline.at(self.now - attempt.start)
        attempt.job.saved += progress.saved
        self._leave(attempt, Outcome.PREEMPTED, progress)

    def resubmit(
        self, job: Job, *, queued_at: float, at: float | None = None, band: int = 0
    ) -> None:
        """Put a job that is neither waiting nor running into the queue, now or `at` a time [s].

        It will stand in `band` (lower first) by `queued_at` [s], then by position in the log.
        """
        job.band, job.queued_at = band, queued_at
        if at is None or at <= self.now:
            self._enqueue(job)
        elif at < NEVER:
            heappush(self._resubmissions, (at, job.index, job))

    def drop(self, job: Job) -> None:
        """Give up a job that is neither waiting nor running."""
        self._close(job, Outcome.DROPPED)

    def cancel(self, job: Job) -> None:
        """Take a waiting job out of the queue; it never starts."""
        self._changeable().remove(job)
        self._close(job, Outcome.CANCELLED)

    def wake(self, time: float) -> None:
        """Ask for a scheduling pass at a future `time`, [s]."""
        if self.now < time < NEVER and time not in self._wakes:
            heappush(self._wakes, time)

    def let_sleep(self, time: float) -> None:
        """Ask no longer for a pass at this `time`, [s], if nothing else is due then."""
        if time in self._wakes:
            self._wakes.remove(time)
            heapify(self._wakes)

    def observe(self, observer: Callable[[News], None]) -> None:
        """Call `observer` with the news before every pass."""
        self._observers.append(observer)

    # The loop.

    def run(self) -> None:
        """Play until every job has ended or nothing more can happen."""
        first = float(self.workload.submit[0]) if self.jobs else 0.0
        while self._left:
            time = self._next_time()
            if time == NEVER:
                break
            elapsed = time - max(self.now, first)
            if elapsed > 0.0:
                self._idle_now += elapsed * self.machine.idle
                self._down_now += elapsed * self.machine.down
            self.now = time
            self._instant()
            while self._wakes and self._wakes[0] <= time:
                heappop(self._wakes)

    def _next_time(self) -> float:
        while self._ends and self._ends[0][2].ended:
            heappop(self._ends)
        times = [queue[0][0] for queue in (self._ends, self._repairs, self._resubmissions) if queue]
        if self._next_submission < len(self.jobs):
            times.append(self.jobs[self._next_submission].submit)
        if self._next_failure < len(self._strike_times):
            times.append(self._strike_times[self._next_failure])
        if self._wakes:
            times.append(self._wakes[0])
        return min(times, default=NEVER)

    def _batch(self) -> None:
        for attempt in self._ending():
            self._finish(attempt)
            self._news.ended.append(attempt)
        while self._repair_next() or self._strike_next():
            pass
        for job in self._submitting():
            self._enqueue(job)
        self._pass()

    def _ends_first(self) -> None:
        for attempt in self._ending():
            self._finish(attempt)
            self._news.ended.append(attempt)
            self._pass()
        self._repairs_and_failures_with_passes()
        for job in self._submitting():
            self._enqueue(job)
            self._pass()
        self._pass_if_woken()

    def _submissions_first(self) -> None:
        ending = self._ending()
        for attempt in ending:
            if attempt.planned_end <= self.now:
                self._finish(attempt)
        for job in self._submitting():
            self._enqueue(job)
            self._pass()
        for attempt in ending:
            if not attempt.ended:
                self._finish(attempt)
            self._news.ended.append(attempt)
            self._pass()
        self._repairs_and_failures_with_passes()
        self._pass_if_woken()

    def _repairs_and_failures_with_passes(self) -> None:
        while self._repair_next() or self._strike_next():
            self._pass()

    def _pass_if_woken(self) -> None:
        if self._wakes and self._wakes[0] <= self.now:
            self._pass()

    def _pass(self) -> None:
        news, self._news = self._news, News()
        for observer in self._observers:
            observer(news)
        self._schedule(news)

    # What happens to jobs and nodes.

    def _ending(self) -> list[Attempt]:
        ending = []
        while self._ends and self._ends[0][0] <= self.now:
            attempt = heappop(self._ends)[2]
            if not attempt.ended:
                ending.append(attempt)
        return ending

    def _submitting(self) -> list[Job]:
        due = []
        while self._next_submission < len(self.jobs):
            job = self.jobs[self._next_submission]
            if job.submit > self.now:
                break
            self._next_submission += 1
            due.append(job)
        while self._resubmissions and self._resubmissions[0][0] <= self.now:
            due.append(heappop(self._resubmissions)[2])
        return sorted(due, key=attrgetter("band", "queued_at", "index"))

    def _enqueue(self, job: Job) -> None:
        if job.attempts == 0:
            job.undisturbed = self.checkpointing.planned(job, job.executed)
        # A limit on an attempt does not know what attempts before it saved.
        left = job.request - (job.saved if job.request < job.limit else 0.0)
        job.planned = self.checkpointing.planned(job, left if left > 0.0 else job.request)
        job.key = (job.band, job.queued_at, job.index)
        insort(self._changeable(), job, key=_KEY)
        self._news.submitted.append(job)

    def _finish(self, attempt: Attempt) -> None:
        killed = attempt.job.killed or attempt.timeline.cut
        outcome = Outcome.KILLED if killed else Outcome.COMPLETED
        self._leave(attempt, outcome, attempt.timeline.whole())
        self._close(attempt.job, outcome)

    def _leave(self, attempt: Attempt, outcome: Outcome, progress: Progress) -> None:
        attempt.ended = True
        del self.running[attempt.job.index]
        self.machine.give(attempt.placement)
        self.ended.append(Ended(attempt, self.now, outcome, progress))
        self.idle_time, self.down_time = self._idle_now, self._down_now

    def _close(self, job: Job, outcome: Outcome) -> None:
        job.outcome, job.end = outcome, self.now
        self._left -= 1
        if self._progress is not None:
            self._progress(len(self.jobs) - self._left)

    def _repair_next(self) -> bool:
        """Bring back the next node that is due now; return whether there was one."""
        while self._repairs and self._repairs[0][0] <= self.now:
            until, node = heappop(self._repairs)
            if self.out_until.get(node) == until:
                del self.out_until[node], self._outages_now[node]
                self.machine.repair(node)
                self._news.repaired.append(node)
                return True
        return False

    def _strike_next(self) -> bool:
        """Let the next failure that is due now strike; return whether there was one."""
        place = self._next_failure
        if place == len(self._strike_times) or self._strike_times[place] > self.now:
            return False
        assert self.failures is not None
        self._next_failure += 1
        node = int(self.failures.node[place])
        struck = [a for a in self.running.values() if self.machine.uses(a.placement, node)]
        if not struck and not self._idle_failures:
            return True
        for attempt in struck:
            progress = attempt.timeline.at(self.now - attempt.start)
            attempt.job.saved += progress.saved
            attempt.job.failures += 1
            self._leave(attempt, Outcome.FAILED, progress)
        out_until = self.out_until.get(node, self.now)
        until = max(self.now + float(self.failures.repair[place]), out_until)
        if until > out_until:
            self.out_until[node] = until
            places = [attempt.placement for attempt in struck]
            self.machine.fail(node, until, places)
            outages = self._outages_now.setdefault(node, [])
            outages.append(Outage(node, self.now, until, tuple(places)))
            self.outages.append(outages[-1])
            for outage in outages:  # what a failure struck before reboots until the later repair
                outage.end = until
            if until < NEVER:
                heappush(self._repairs, (until, node))
        self._news.struck.append(node)
        self._news.failed.extend(struck)
        for attempt in struck:
            self._recover(attempt, until)
        return True


# One scheduling pass: looks at the cluster and calls `cluster.start` for what may start now.
Pass: TypeAlias = "Callable[[News], None]"


# The waiting jobs in the order in which a pass considers them.
Order: TypeAlias = "Callable[[Cluster], Sequence[Job]]"


@runtime_checkable
class Policy(Protocol):
    """A description; `begin` gives the passes of one replay, with the state that they keep."""

    @property
    def name(self) -> str:
        """As it appears in metrics."""

    @property
    def runs_on(self) -> tuple[Kind[Occupancy], ...]:
        """Kinds of which the machine must be, all of them; `replay` refuses others at once."""

    def begin(self, cluster: Cluster) -> Pass:
        """Return the function that the loop calls for every scheduling pass."""


# Called once per failed attempt, at the instant of the failure, after its placement was given
# back and the node taken out; the second argument is when that node returns, [s].
Recover: TypeAlias = "Callable[[Attempt, float], None]"


@runtime_checkable
class Recovery(Protocol):
    """A description; `begin` returns what decides during one replay."""

    def begin(self, cluster: Cluster) -> Recover:
        """Return a function that calls `cluster.resubmit` or `cluster.drop` for the job."""
