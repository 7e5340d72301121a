"""How a stated law is scored against what came."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .windows import Job

__all__ = ["DEADLINES", "Score", "deadlines", "score"]

FloatArray = npt.NDArray[np.float64]
DEADLINES = (0.75, 1.0, 1.25, 1.5)  # of the loss of first order, beyond the work
_ATOM = 1e-6  # s within which makespans are the same


@dataclass(frozen=True, slots=True)
class Score:
    """One window of one entry.

    Parameters
    ----------
    log, work : str, float [s]
        Which window.
    below, up_to : float, [-]
        Between which stated probabilities what came lies, as one more draw of the law would.
    crps, width : float, [-]
        Continuous ranked probability score, and length of the 90 % interval, over the work.
    promised, kept : tuple of float and of bool
        Stated probability of each deadline, and whether it was kept.
    refused : bool
        Whether nothing was stated, and the exponential is scored, its CRPS doubled.
    """

    log: str
    work: float
    below: float
    up_to: float
    crps: float
    width: float
    promised: tuple[float, ...]
    kept: tuple[bool, ...]
    refused: bool = False

    def covered(self, level: float) -> float:
        """Return the share of where what came lies that is in the central interval."""
        return self.between((1.0 - level) / 2.0, (1.0 + level) / 2.0)

    def between(self, low: float, high: float) -> float:
        """Return the share of where what came lies that is between two probabilities."""
        inside = min(self.up_to, high) - max(self.below, low)
        return max(inside, 0.0) / (self.up_to - self.below)


def deadlines(job: Job) -> tuple[float, ...]:
    """Return four deadlines about the mean of first order, [s]."""
    loss = job.checkpoint_cost / job.interval + job.interval / (2.0 * job.mtbf)
    return tuple(job.work * (1.0 + each * loss) for each in DEADLINES)


def score(log: str, job: Job, stated: FloatArray, came: float) -> Score:
    """Return the scores of equally likely makespans, cut at the longest as what came is."""
    draws = np.sort(stated)
    count = len(draws)
    rank = np.arange(count)
    spread = 2.0 * float(draws @ (2.0 * rank - count + 1.0)) / count**2
    low, high = np.quantile(draws, [0.05, 0.95])
    ends = deadlines(job)
    return Score(
        log,
        job.work,
        float((draws < came - _ATOM).sum()) / (count + 1.0),
        float((draws <= came + _ATOM).sum() + 1.0) / (count + 1.0),
        (float(np.abs(draws - came).mean()) - spread / 2.0) / job.work,
        float(high - low) / job.work,
        tuple(float((draws <= end).mean()) for end in ends),
        tuple(came <= end for end in ends),
    )
