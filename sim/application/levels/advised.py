"""One job with checkpoints on several levels that asks an advisor when to write which of them.

The rules, in words, are the whole specification:

- The job works, and when the advisor says that a checkpoint is due, it stands still to write one on
  the level that the advisor names. Levels are numbered from 1, and each has its cost. Once all work
  is done, it writes a checkpoint on the last level, whatever the advisor says, and ends with it.
- A checkpoint counts when it is complete. It leaves a copy on every lower level, too, and so does a
  recovery. The job starts with all copies of its input.
- Each failure has a kind: the lowest level that survives it. It destroys the copies on all levels
  below. The job then reads back the copy on the lowest level that is left, and what was done since
  is done again; a failure while it reads strikes what is left.
- The advisor is told of the start, of every failure, of checkpoints begun and done, and of the end
  of every reading, each with its instant and its level; it sees nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..._checks import fraction, generator, nonnegative, positive
from ...samplers import Sampler
from .._arguments import only_sampler
from .._replications import FAILURES_LIMIT


class LevelAdvice(Protocol):
    """What a job on levels asks an advisor, and tells it; all instants in one unit of time."""

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due, inf if none is."""

    def next_level(self) -> int:
        """Return on which level it is, from 1."""

    def started(self, now: float) -> None:
        """Hear that the job runs from `now` on."""

    def restored(self, now: float, level: int) -> None:
        """Hear that the copy on a level was read back at `now`."""

    def failed(self, now: float) -> None:
        """Hear that a failure struck at `now`."""

    def checkpoint_begun(self, now: float, level: int) -> None:
        """Hear that a checkpoint is written on a level from `now` on."""

    def checkpoint_done(self, now: float) -> None:
        """Hear that it was finished at `now`."""


@dataclass(frozen=True, slots=True)
class LevelAdvisedRecord:
    """What became of the job.

    Parameters
    ----------
    makespan : float, [time]
        From the start to the end of the last checkpoint.
    checkpoints, recoveries : tuple of int
        For each level, how many were finished.
    failures : int
        How many struck.
    """

    makespan: float
    checkpoints: tuple[int, ...]
    recoveries: tuple[int, ...]
    failures: int


def simulate_advised_level_job(
    advice: LevelAdvice,
    work: float,
    *,
    uptime: Sampler,
    costs: Sequence[float],
    recoveries: Sequence[float],
    survives: Sequence[float],
    rng: np.random.Generator,
) -> LevelAdvisedRecord:
    """Play a job that follows an advisor of levels to its end.

    Parameters
    ----------
    advice : LevelAdvice
        The advisor; it is told of every event.
    work : float, [time]
        Failure-free compute time; > 0.
    uptime : Sampler, [time]
        From the start, or a failure, to the next failure of any kind.
    costs, recoveries : sequence of float, [time]
        Of each level, to write and to read a checkpoint; >= 0.
    survives : sequence of float
        Share of the failures that each level survives: rising, the last 1.
    rng : numpy.random.Generator
        Uptimes and kinds are drawn from it in turn, so that an equal one strikes alike.

    Returns
    -------
    LevelAdvisedRecord
        The makespan [time], and counts.

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    A checkpoint a unit, every second one durable; the failure at 2 leaves the local copy of 1:

    >>> class InTurn:
    ...     level = 1
    ...     def next_checkpoint(self): return self.begin + 1.0
    ...     def next_level(self): return self.level
    ...     def started(self, now): self.begin = now
    ...     def restored(self, now, level): self.begin = now
    ...     def failed(self, now): pass
    ...     def checkpoint_begun(self, now, level): self.level = 3 - level
    ...     checkpoint_done = started
    >>> from sim.samplers import Recorded
    >>> simulate_advised_level_job(
    ...     InTurn(), 3.0, uptime=Recorded([2.0], then="never"), costs=[0.25, 0.5],
    ...     recoveries=[0.125, 0.5], survives=[1.0, 1.0], rng=np.random.default_rng(0),
    ... )
    LevelAdvisedRecord(makespan=5.125, checkpoints=(1, 2), recoveries=(1, 0), failures=1)
    """
    whole = positive("work", work)
    costs = [nonnegative("costs", cost) for cost in costs]
    reads = [nonnegative("recoveries", recovery) for recovery in recoveries]
    shares = [fraction("survives", share) for share in survives]
    last = len(shares)
    if not len(costs) == len(reads) == last >= 1:
        raise ValueError(
            "costs, recoveries and survives must be as many as there are levels, got "
            f"{len(costs)}, {len(reads)}, {last}"
        )
    if sorted(shares) != shares or shares[-1] != 1.0:
        raise ValueError(f"survives must rise to 1, got {shares}")
    rng = generator("rng", rng)
    up = only_sampler("uptime", uptime)

    def next_failure(now: float) -> tuple[float, int]:
        return now + up.sample(rng), 1 + int(np.searchsorted(shares, rng.random(), side="right"))

    written, read, failures = [0] * last, [0] * last, 0
    held = [0.0] * last  # work in the latest copy on each level or above
    now, (fails, kind) = 0.0, next_failure(0.0)
    advice.started(now)
    while True:
        ends = now + (whole - held[0])
        due = max(advice.next_checkpoint(), now)
        level = last if due >= ends else advice.next_level()
        due = min(due, ends)
        done = due + costs[level - 1]
        if due < fails:
            advice.checkpoint_begun(due, level)
        if done <= fails:
            written[level - 1] += 1
            if due == ends:
                return LevelAdvisedRecord(done, tuple(written), tuple(read), failures)
            advice.checkpoint_done(done)
            saved = held[0] + (due - now)
            held[:level] = [saved] * level
            now = done
            continue
        lowest = 1
        while True:
            now, lowest, failures = fails, max(lowest, kind), failures + 1
            if failures > FAILURES_LIMIT:
                raise RuntimeError(f"the job does not end within {FAILURES_LIMIT} failures")
            advice.failed(now)
            advice.started(now)
            fails, kind = next_failure(now)
            if fails >= now + reads[lowest - 1]:
                break
        now += reads[lowest - 1]
        read[lowest - 1] += 1
        held[:lowest] = [held[lowest - 1]] * lowest
        advice.restored(now, lowest)
