"""What a job does with its time while it runs: executes, writes checkpoints, reads one back.

Checkpoints stretch the request as they stretch the run: a job is killed when it has executed
for its walltime, checkpoints and recoveries not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..._checks import nonnegative
from ..loop.jobs import Timeline

if TYPE_CHECKING:
    from ..loop.jobs import Job

__all__ = ["NoCheckpoints", "Periodic"]


@dataclass(frozen=True, slots=True)
class NoCheckpoints:
    """A failure loses the whole attempt."""

    def planned(self, job: Job, work: float) -> float:
        """Return `work`, [s]."""
        del job
        return work

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Return plain execution."""
        del job, start, placement
        return Timeline(work, work)


@dataclass(frozen=True, slots=True)
class Periodic:
    """A checkpoint after every `interval` of execution, but none at the end of the job.

    Parameters
    ----------
    interval : float or callable, [s]
        Execution between checkpoints, checkpoint excluded; > 0. A callable gets the `Job`, so
        that an optimum can be computed outside from its processors and length.
    cost : float, [s]
        To write one checkpoint; >= 0.
    recovery : float, [s]
        At the start of every attempt after the first: reads the checkpoint, or the input; >= 0.
    final : bool
        Whether a last checkpoint is written after the last piece of work.
    """

    interval: float | Callable[[Job], float]
    cost: float
    recovery: float = 0.0
    final: bool = False

    def __post_init__(self) -> None:
        if not callable(self.interval) and not self.interval > 0.0:
            raise ValueError(f"interval must be > 0, got {self.interval!r}")
        nonnegative("cost", self.cost)
        nonnegative("recovery", self.recovery)

    def planned(self, job: Job, work: float) -> float:
        """Wall time of an undisturbed attempt that executes `work`, [s]."""
        checkpoints = _checkpoints(self._interval(job), work) + self.final
        return self._recovery(job) + work + checkpoints * self.cost

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Return the course of an attempt that executes `work`."""
        del start, placement
        interval, recovery = self._interval(job), self._recovery(job)
        count = _checkpoints(interval, work)
        saved = [interval * n for n in range(1, count + 1)]
        written = [recovery + n * self.cost + done for n, done in enumerate(saved, start=1)]
        return Timeline(work, self.planned(job, work), recovery, written, saved)

    def _interval(self, job: Job) -> float:
        interval = self.interval(job) if callable(self.interval) else self.interval
        if not interval > 0.0:
            raise ValueError(f"interval must be > 0, got {interval!r} for job {job.index}")
        return interval

    def _recovery(self, job: Job) -> float:
        return self.recovery if job.attempts else 0.0


def _checkpoints(interval: float, work: float) -> int:
    """Count the checkpoints inside `work`: after every whole interval that is not the last."""
    if interval >= work:
        return 0
    count = int(work / interval)
    while count and interval * count >= work:
        count -= 1
    return count
