"""What is asked: jobs that begin at instants of a log, and what of it is past then."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..advice.logs import FailureLog

__all__ = ["DAY", "History", "Job", "Window", "windows"]

FloatArray = npt.NDArray[np.float64]
DAY = 86_400.0
WORKS = (7.0 * DAY, 30.0 * DAY, 90.0 * DAY)
COSTS = (300.0, 1800.0)  # of a checkpoint, by turns
RECOVERY = 600.0
LONGEST = 3.0  # works, at which a makespan is cut, which a forecaster knows
_LEAD = 30.0 * DAY
_MOST = 40  # windows of one log and work


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """What is known: times of failures since the observation began, and for how long it lasts.

    Parameters
    ----------
    failures : ndarray, [s], shape (n,)
        Ascending.
    observed : float, [s]
        Until now.
    """

    failures: FloatArray
    observed: float

    @property
    def mtbf(self) -> float:
        """Mean time between failures so far, [s]."""
        return self.observed / len(self.failures)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to run, [s]: `work` in segments of `interval`; makespans are cut at `longest`."""

    work: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    longest: float


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A job that begins at an instant of a log, what is past then and what came, [s] from then."""

    log: str
    history: History
    job: Job
    future: FloatArray
    seed: tuple[int, ...]


def windows(log: FailureLog, *, shift: float = 0.0) -> Iterator[Window]:
    """Yield the windows of a log, those of one work after the other, forward in time.

    One begins every `work` after a lead of 30 days, or the work if it is longer, at most 40 evenly
    spread; each `shift` of a work later. The interval is Young's for the mean of the past.
    """
    begin, end = float(log.times[0]), float(log.times[-1])
    for work in WORKS:
        starts = np.arange(begin + max(_LEAD, work), end - work, work)
        if len(starts) > _MOST:
            starts = starts[np.round(np.linspace(0, len(starts) - 1, _MOST)).astype(int)]
        for at, start in enumerate(starts + shift * work):
            past = log.times[log.times <= start] - begin
            if len(past) < 2 or start > end - work:
                continue
            history = History(past, float(start) - begin)
            cost = COSTS[at % len(COSTS)]
            interval = min(math.sqrt(2.0 * cost * history.mtbf), work)
            longest = min(LONGEST * work, end - float(start))
            job = Job(work, interval, cost, RECOVERY, longest)
            yield Window(
                log.name, history, job, log.times[log.times > start] - start, (at, int(work))
            )
