"""What a job does with its time while it runs: executes, writes checkpoints, reads one back.

Checkpoints stretch the request as they stretch the run: a job is killed when it has executed
for its walltime, checkpoints and recoveries not counted. With `in_walltime` they count: each
attempt is ended when it has lasted for the walltime, whatever it did with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ...records import BoolArray, FloatArray
from ..loop.jobs import Timeline

if TYPE_CHECKING:
    from ..loop.jobs import Job

_MOST = 1e9  # checkpoints of a job


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


@dataclass(frozen=True, slots=True, eq=False)
class Periodic:
    """A checkpoint after every `interval` of execution, but none at the end of the job.

    Parameters
    ----------
    interval : float, ndarray of shape (jobs,), or callable, [s]
        Execution between checkpoints, checkpoint excluded; > 0. An array has one for each job by
        its position in the workload. A callable gets the `Job`, each time it is asked.
    cost : float or ndarray of shape (jobs,), [s]
        To write one checkpoint; >= 0.
    recovery : float or ndarray of shape (jobs,), [s]
        At the start of every attempt after the first: reads the checkpoint, or the input; >= 0.
    final : bool
        Whether a last checkpoint is written after the last piece of work.
    in_walltime : bool
        Whether checkpoints and recoveries count against the walltime. The scheduler then plans
        with the walltime for every attempt.

    Notes
    -----
    Two are equal if what they were given is; arrays are copied and cannot be changed.
    """

    interval: float | FloatArray | Callable[[Job], float]
    cost: float | FloatArray
    recovery: float | FloatArray = 0.0
    final: bool = False
    in_walltime: bool = False

    def __post_init__(self) -> None:
        for name in ("interval", "cost", "recovery"):
            if isinstance(getattr(self, name), list | tuple | np.ndarray):
                values = np.array(getattr(self, name), np.float64)
                values.flags.writeable = False
                object.__setattr__(self, name, values)
        if not callable(self.interval):
            _check("interval", self.interval, "> 0", lambda values: values > 0.0)
        for name in ("cost", "recovery"):
            _check(name, getattr(self, name), "finite and >= 0", _is_cost)

    def _key(self) -> tuple[object, ...]:
        """Return what makes two equal."""
        given = (getattr(self, entry.name) for entry in fields(self))
        return type(self), *(
            (each.shape, each.tobytes()) if isinstance(each, np.ndarray) else each for each in given
        )

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Periodic) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew when unpickled, so that its arrays are as read-only as they were.
        return type(self), tuple(getattr(self, entry.name) for entry in fields(self))

    def check_jobs(self, work: FloatArray) -> None:
        """Raise ValueError where jobs of at most so much `work` [s] cannot checkpoint like this."""
        for name in ("interval", "cost", "recovery"):
            value = getattr(self, name)
            if isinstance(value, np.ndarray) and value.shape != work.shape:
                raise ValueError(
                    f"{name} must be one per job, got {value.size} for {work.size} jobs"
                )
        if callable(self.interval):
            return
        often = work / self.interval > _MOST
        if often.any():
            interval = np.broadcast_to(self.interval, work.shape)[often][0]
            raise ValueError(
                f"interval must be at least 1/{_MOST:.0e} of a job, got {float(interval)!r} for "
                f"one of {float(work[often][0])!r} s"
            )

    def executed(self, job: Job) -> float:
        """Return what a first attempt of `job` executes undisturbed within its limit, [s]."""
        work, interval, cost = job.executed, self._interval(job), _of(self.cost, job)
        if self._wall(work, interval, cost, 0.0) <= job.limit:
            return work
        return _done_within(job.limit, work, interval, cost, 0.0)

    def planned(self, job: Job, work: float) -> float:
        """Wall time of an attempt that executes `work` undisturbed, at most its limit, [s]."""
        interval, cost, recovery = self._interval(job), _of(self.cost, job), self._recovery(job)
        return min(self._wall(work, interval, cost, recovery), job.limit)

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Return the course of an attempt that executes `work`, as far as its limit lets it."""
        del start, placement
        interval, cost, recovery = self._interval(job), _of(self.cost, job), self._recovery(job)
        saved = [interval * n for n in range(1, _checkpoints(interval, work) + 1)]
        written = [recovery + n * cost + done for n, done in enumerate(saved, start=1)]
        wall, limit = self._wall(work, interval, cost, recovery), job.limit
        if wall <= limit:
            return Timeline(work, wall, recovery, written, saved)
        done = _done_within(limit, work, interval, cost, recovery)
        return Timeline(done, limit, min(recovery, limit), written, saved, cut=True)

    def _wall(self, work: float, interval: float, cost: float, recovery: float) -> float:
        """Return how long an attempt that executes `work` lasts, [s]."""
        return recovery + work + (_checkpoints(interval, work) + self.final) * cost

    def _interval(self, job: Job) -> float:
        interval = self.interval(job) if callable(self.interval) else _of(self.interval, job)
        if not interval > 0.0:
            raise ValueError(f"interval must be > 0, got {interval!r} for job {job.index}")
        return interval

    def _recovery(self, job: Job) -> float:
        return _of(self.recovery, job) if job.attempts else 0.0


def _of(value: float | FloatArray, job: Job) -> float:
    """Return the value of a job, which has its own or that of all."""
    return float(value[job.index]) if isinstance(value, np.ndarray) else value


def _is_cost(values: FloatArray) -> BoolArray:
    return np.isfinite(values) & (values >= 0.0)


def _check(
    name: str, value: float | FloatArray, rule: str, holds: Callable[[FloatArray], BoolArray]
) -> None:
    values = np.asarray(value, np.float64)
    if values.ndim > 1:
        raise ValueError(f"{name} must be a number or one per job, got shape {values.shape}")
    bad = ~np.atleast_1d(holds(values))
    if bad.any():
        raise ValueError(f"{name} must be {rule}, got {np.atleast_1d(values)[bad][0].item()!r}")


def _checkpoints(interval: float, work: float) -> int:
    """Count the checkpoints inside `work`: after every whole interval that is not the last."""
    if interval >= work:
        return 0
    count = int(work / interval)
    while count and interval * count >= work:
        count -= 1
    return count


def _done_within(limit: float, work: float, interval: float, cost: float, recovery: float) -> float:
    """Return what an attempt has executed of `work` when it is ended after `limit`, [s]."""
    low, high = 0, _checkpoints(interval, work)
    while low < high:
        middle = (low + high + 1) >> 1
        if recovery + middle * cost + interval * middle <= limit:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return min(limit - min(recovery, limit), interval, work)
    saved, written = interval * low, recovery + low * cost + interval * low
    return saved + min(limit - written, interval, work - saved)
