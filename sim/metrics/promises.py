"""Metrics of promises: functions of records and of what was promised."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..records import AttemptRecords, BoolArray, FloatArray, JobRecords, Outcome


def kept(jobs: JobRecords, deadline: FloatArray, *, slack: float = 1e-6) -> BoolArray:
    """Return which jobs came to their end by their `deadline` [s].

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    deadline : ndarray, [s]
        Promised to each job.
    slack : float, [s]
        Lateness that is rounding; >= 0.

    Returns
    -------
    ndarray of bool
        Shape: one per job.
    """
    return np.asarray((jobs.outcome <= Outcome.KILLED) & (jobs.end <= deadline + slack))


def quality_of_service(jobs: JobRecords, promised: FloatArray, was_kept: BoolArray) -> float:
    """Work of the jobs whose promise was kept, times what was promised, over all work, [-].

    Eq. (2) of `qos`; 1 without jobs.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    promised : ndarray, [-]
        Probability promised to each job.
    was_kept : ndarray of bool
        One per job, see `kept`.

    Returns
    -------
    float, [-]
        Between 0 and 1.
    """
    work = jobs.executed * jobs.processors
    total = float(work.sum())
    return float((work * promised * was_kept).sum()) / total if total > 0.0 else 1.0


def capacity_utilized(jobs: JobRecords, *, size: int) -> float:
    """Return execution without checkpoints over the machine's time, first arrival to last end, [-].

    The omega_util of `qos`: jobs that never ended are not counted.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    size : int, [node]
        Of the machine.

    Returns
    -------
    float, [-]
        0 where no job came to its end.
    """
    ended = jobs.outcome <= Outcome.KILLED
    if not ended.any():
        return 0.0
    span = float(jobs.end[ended].max() - jobs.submit.min())
    return float((jobs.executed * jobs.processors)[ended].sum()) / (size * span)


def lost_work(attempts: AttemptRecords, *, checkpoint_cost: float) -> float:
    """Nodes times the time from the start of the last completed checkpoint, [node s].

    The omega_lost of `qos`, summed over failures. Before the first checkpoint of an attempt it
    counts from the start of the attempt. Unlike `lost` of the records, a checkpoint that was
    completed before the failure is inside.

    Parameters
    ----------
    attempts : AttemptRecords
        Of a replay.
    checkpoint_cost : float, [s]
        To write one checkpoint; >= 0.

    Returns
    -------
    float, [node s]
        Summed over failed attempts.
    """
    failed = attempts.outcome == Outcome.FAILED
    since = attempts.lost + np.where(attempts.checkpoint > 0.0, checkpoint_cost, 0.0)
    return float((since * attempts.processors)[failed].sum())


@dataclass(frozen=True, slots=True)
class Bin:
    """Promises of nearly the same probability, and how many of them were kept.

    `low` and `high` hold the share that such promises are kept with, at 95 % (Wilson), if jobs
    were independent of each other; failures that strike many jobs make it wider.
    """

    jobs: int
    promised: float  # mean over the jobs, [-]
    observed: float
    low: float
    high: float


def brier_score(promised: FloatArray, was_kept: BoolArray) -> float:
    """Return the mean squared difference of what was promised and what came of it, [-].

    Lower is better; a promise of certainty that is broken counts 1, Brier (1950).

    Parameters
    ----------
    promised : ndarray, [-]
        Probability promised to each job.
    was_kept : ndarray of bool
        One per job, see `kept`.

    Returns
    -------
    float, [-]
        From 0 to 1; NaN without jobs.
    """
    return float(np.mean((promised - was_kept) ** 2)) if promised.size else math.nan


def calibration(
    promised: FloatArray, was_kept: BoolArray, *, edges: npt.ArrayLike | None = None
) -> tuple[Bin, ...]:
    """Return promised against kept, by classes of promised probability; empty ones left out.

    `edges` ascend; a class is [edge, next), the last one closed. By default tenths, and the
    promises of certainty by themselves.

    Parameters
    ----------
    promised : ndarray, [-]
        Probability promised to each job.
    was_kept : ndarray of bool
        One per job, see `kept`.
    edges : array_like, optional
        Of the classes, [-].

    Returns
    -------
    tuple of Bin
        In ascending order of what was promised.
    """
    chosen = np.append(np.linspace(0.0, 1.0, 11), 1.0) if edges is None else np.asarray(edges)
    bins = []
    for place, (low, high) in enumerate(pairwise(chosen)):
        last = place == chosen.size - 2
        inside = (promised >= low) & ((promised <= high) if last else (promised < high))
        if inside.any():
            bins.append(_bin(promised[inside], was_kept[inside]))
    return tuple(bins)


def _bin(promised: FloatArray, was_kept: BoolArray) -> Bin:
    n, share, z = was_kept.size, float(was_kept.mean()), 1.959963984540054
    middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n)
    half = z * np.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n)) / (1.0 + z * z / n)
    return Bin(n, float(promised.mean()), share, max(middle - half, 0.0), min(middle + half, 1.0))
