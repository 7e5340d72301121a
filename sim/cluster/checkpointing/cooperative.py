"""Cooperative checkpointing (`qos` section 3.4): the system decides which requests it grants.

A job asks for a checkpoint after every interval of execution. The system grants it when the work
at stake, weighted by the risk, is worth its cost (eq. (1)), but not when the checkpoint would
make the job miss a promised deadline that it can still meet without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...records import FloatArray
from ..forecasts.windows import Outlook
from ..loop.jobs import Job, Timeline
from .periodic import Periodic

SLACK = 1e-6  # rounding of sums of times is not a delay, [s]


@dataclass(frozen=True, slots=True)
class Cooperative:
    """Checkpoints requested after every `interval`, granted by risk.

    Parameters
    ----------
    interval : float, [s]
        I, execution between two requests; > 0.
    cost : float, [s]
        C, to write one checkpoint; >= 0.
    outlook : Outlook
        What the system knows of the failures to come.
    """

    interval: float
    cost: float
    outlook: Outlook

    def __post_init__(self) -> None:
        Periodic(self.interval, self.cost)

    def check_jobs(self, work: FloatArray) -> None:
        """Raise ValueError where jobs of at most so much `work` [s] ask too often to be counted."""
        Periodic(self.interval, self.cost).check_jobs(work)

    def planned(self, job: Job, work: float) -> float:
        """Wall time with every requested checkpoint: the E of the paper, [s]."""
        return Periodic(self.interval, self.cost).planned(job, work)

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Decide on every request; decisions do not change failures."""
        requests = Periodic(self.interval, self.cost).timeline(job, work, start, placement).saved
        deadline = float("inf") if job.note is None else job.note.deadline + SLACK
        written: list[float] = []
        saved: list[float] = []
        skipped = 1  # d: intervals since the last checkpoint
        for done in requests:
            now = start + done + len(saved) * self.cost
            until = now + self.cost + self.interval + self.cost
            chance = self.outlook.risk(placement, now, until)
            ends = now + work - done
            too_late = ends <= deadline < ends + self.cost
            if chance * skipped * self.interval >= self.cost and not too_late:
                saved.append(done)
                written.append(done + len(saved) * self.cost)
                skipped = 1
            else:
                skipped += 1
        return Timeline(work, work + len(saved) * self.cost, 0.0, written, saved)
