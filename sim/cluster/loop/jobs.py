"""What moves through the loop: jobs, their attempts, and the news of an instant."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...records import Outcome


@dataclass(slots=True, eq=False)
class Job:
    """A job as the loop sees it; `index` is its position in the workload."""

    index: int
    submit: float
    processors: int
    executed: float  # what it has to execute, [s]: runtime, cut at the walltime
    request: float  # what planning believes it executes, [s]: walltime, or `executed`
    killed: bool  # its execution ends at the walltime, before its runtime
    limit: float = float("inf")  # an attempt is ended after so long, whatever it did, [s]
    planned: float = 0.0  # planned wall time of the next attempt, [s]
    undisturbed: float = 0.0  # wall time without failures, checkpoints included, [s]
    saved: float = 0.0  # execution saved by checkpoints, [s]
    band: int = 0  # lower bands stand before higher ones in the queue
    queued_at: float = 0.0  # place in the band: time, then position in the log
    attempts: int = 0
    failures: int = 0
    first_start: float = float("nan")
    start: float = float("nan")
    end: float = float("nan")
    outcome: Outcome = Outcome.UNFINISHED
    key: tuple[int, float, int] = (0, 0.0, 0)
    note: Any = None  # for a policy or a recovery to keep what it knows about the job


@dataclass(slots=True, eq=False)
class Attempt:
    """One try of a job on a placement; `end` is when it ends unless a failure strikes."""

    job: Job
    number: int
    start: float
    end: float
    planned_end: float
    placement: Any
    units: int  # of the machine, as `idle` shows; more than the job asked for on partitions
    timeline: Timeline
    turn: int  # place in the order of starts
    ended: bool = False


class Ended(NamedTuple):
    """An attempt with its true end, [s], and where its time went."""

    attempt: Attempt
    end: float
    outcome: Outcome
    progress: Progress


@dataclass(slots=True, eq=False)
class News:
    """What happened since the last scheduling pass."""

    submitted: list[Job] = field(default_factory=list)  # and resubmitted, in queue order
    ended: list[Attempt] = field(default_factory=list)
    failed: list[Attempt] = field(default_factory=list)
    struck: list[int] = field(default_factory=list)  # nodes that went down
    repaired: list[int] = field(default_factory=list)  # nodes that came back


class Progress(NamedTuple):
    """Where the time of an attempt went, [s]; `saved` is the execution a restart builds on."""

    saved: float
    lost: float
    checkpoint: float
    recovery: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """The course of an attempt that no failure strikes.

    Parameters
    ----------
    work : float, [s]
        Execution left at the start of the attempt.
    wall : float, [s]
        From the start to the end, checkpoints and recovery included.
    recovery : float, [s]
        Spent first, before any execution.
    written : sequence of float, [s]
        When each checkpoint is complete, since the start; increasing.
    saved : sequence of float, [s]
        Execution of this attempt that each checkpoint holds.
    cut : bool
        Whether the attempt is ended after `wall` with work left; `work` is then what it executes.
    scale : float, [-]
        How much longer than the job's planned time is planned for this placement.
    """

    work: float
    wall: float
    recovery: float = 0.0
    written: Sequence[float] = ()
    saved: Sequence[float] = ()
    cut: bool = False
    scale: float = 1.0

    def at(self, elapsed: float) -> Progress:
        """Return where the time went when a failure strikes after `elapsed` [s]."""
        recovery = min(elapsed, self.recovery)
        last = bisect_right(self.written, elapsed) - 1
        if last < 0:
            return Progress(0.0, elapsed - recovery, 0.0, recovery)
        saved, written = self.saved[last], self.written[last]
        return Progress(saved, elapsed - written, written - saved - recovery, recovery)

    def whole(self) -> Progress:
        """Return where the time of the undisturbed attempt goes; all work counts as saved."""
        return Progress(self.work, 0.0, self.wall - self.work - self.recovery, self.recovery)
