"""A job that asks an advisor when to write a checkpoint, struck at given instants.

The rules, in words, are the whole specification:

- The job runs in a window of time. It works, and when the advisor says that a checkpoint is due, it
  stands still to write one; each takes its own time.
- A failure undoes what no finished checkpoint holds. The job then reads the last checkpoint back
  and works on; a failure while it reads makes it read again.
- The advisor is told of the start, of every failure, of checkpoints begun and done, and of the end
  of every reading, each with its instant; it sees nothing else.
- Work in progress at the end of the window counts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from .._checks import nonnegative, positive


class Advice(Protocol):
    """What a job asks an advisor, and tells it; all instants in one unit of time."""

    def next_checkpoint(self) -> float:
        """Return when the next checkpoint is due, inf if none is."""

    def started(self, now: float) -> None:
        """Hear that the job runs from `now` on."""

    def restored(self, now: float) -> None:
        """Hear that the last checkpoint was read back at `now`."""

    def failed(self, now: float) -> None:
        """Hear that a failure struck at `now`."""

    def checkpoint_begun(self, now: float) -> None:
        """Hear that a checkpoint is written from `now` on."""

    def checkpoint_done(self, now: float) -> None:
        """Hear that it was finished at `now`."""


@dataclass(frozen=True, slots=True)
class AdvisedRecord:
    """What became of the window.

    Parameters
    ----------
    useful : float, [time]
        Work that was not undone.
    checkpoints, failures : int
        How many were finished, and how many struck.
    """

    useful: float
    checkpoints: int
    failures: int


def simulate_advised_job(
    advice: Advice,
    *,
    failures: npt.ArrayLike,
    duration: float,
    checkpoint_costs: Iterable[float],
    recovery_cost: float = 0.0,
) -> AdvisedRecord:
    """Play a job that follows an advisor; return what it kept.

    Parameters
    ----------
    advice : Advice
        The advisor; it is told of every event.
    failures : array_like, [time]
        Instants from the start of the window on, ascending; shape (n,), >= 0.
    duration : float, [time]
        Of the window; > 0.
    checkpoint_costs : iterable of float, [time]
        What the first, second, ... checkpoint takes; > 0, as many as it takes.
    recovery_cost : float, [time]
        To read a checkpoint back; >= 0.

    Returns
    -------
    AdvisedRecord
        Useful work [time] and counts.

    Raises
    ------
    ValueError
        If failures are not ascending.

    Examples
    --------
    >>> class Hourly:
    ...     def next_checkpoint(self): return self.begin + 1.0
    ...     def started(self, now): self.begin = now
    ...     restored = checkpoint_done = started
    ...     def failed(self, now): pass
    ...     checkpoint_begun = failed
    >>> simulate_advised_job(
    ...     Hourly(), failures=[2.5], duration=5.0, checkpoint_costs=[0.1] * 9, recovery_cost=0.2
    ... )
    AdvisedRecord(useful=4.1, checkpoints=4, failures=1)
    """
    end = positive("duration", duration)
    recovery = nonnegative("recovery_cost", recovery_cost)
    struck = np.asarray(failures, dtype=np.float64)
    if struck.ndim != 1 or bool(np.any(np.diff(struck, prepend=0.0) < 0.0)):
        raise ValueError("failures must be a list of ascending instants >= 0, got another order")
    strikes = itertools.chain(struck[struck < end].tolist(), itertools.repeat(np.inf))
    costs = iter(checkpoint_costs)
    fails, now, useful, checkpoints, count = next(strikes), 0.0, 0.0, 0, 0
    advice.started(now)
    while True:
        due = max(advice.next_checkpoint(), now)
        if min(due, fails) >= end:
            return AdvisedRecord(float(useful + end - now), checkpoints, count)
        if due < fails:
            done = due + next(costs)
            if min(done, fails) >= end:
                return AdvisedRecord(float(useful + due - now), checkpoints, count)
            advice.checkpoint_begun(due)
            if done <= fails:
                advice.checkpoint_done(done)
                useful, now, checkpoints = useful + due - now, done, checkpoints + 1
                continue
        now = fails
        while True:
            advice.failed(now)
            count, fails = count + 1, next(strikes)
            advice.started(now)
            if fails >= now + recovery:
                break
            now = fails
        now += recovery
        if now >= end:
            return AdvisedRecord(float(useful), checkpoints, count)
        advice.restored(now)
