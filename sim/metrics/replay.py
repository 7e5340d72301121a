"""Metrics of a replay: functions of its records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._units import HOUR
from ..records import AttemptRecords, BoolArray, FloatArray, JobRecords, Outcome


def wait(jobs: JobRecords) -> FloatArray:
    """Time from the submission to the first start, [s]; nan for a job that never started.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    ndarray, [s]
        Shape: one per job.
    """
    return jobs.first_start - jobs.submit


def response(jobs: JobRecords) -> FloatArray:
    """Time from the submission to the successful end, [s]; nan for a job without one.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    ndarray, [s]
        Shape: one per job.
    """
    return np.where(_ended(jobs), jobs.end - jobs.submit, np.nan)


def slowdown(jobs: JobRecords) -> FloatArray:
    """Response over the time the job executes when undisturbed, [-].

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    ndarray, [-]
        Shape: one per job; nan without a successful end.
    """
    return response(jobs) / jobs.executed


def bounded_slowdown(jobs: JobRecords, bound: float = 10.0) -> FloatArray:
    """Slowdown with executions counted as at least `bound` [s], and never below 1, [-].

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    bound : float, [s]
        Executions shorter than this count as this long; > 0.

    Returns
    -------
    ndarray, [-]
        Shape: one per job; nan without a successful end.
    """
    ratio = response(jobs) / np.maximum(jobs.executed, bound)
    return np.where(np.isnan(ratio), np.nan, np.maximum(ratio, 1.0))


def failure_slowdown(jobs: JobRecords) -> FloatArray:
    """Delay since the first start over the undisturbed wall time, [-] (`aucore` section IV-B).

    Checkpoints count as undisturbed. nan for a job that no failure struck, or without a
    successful end: the metric is the mean over the others.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    ndarray, [-]
        Shape: one per job.
    """
    struck = _ended(jobs) & (jobs.failures > 0)
    took = jobs.end - jobs.first_start
    return np.where(struck, (took - jobs.undisturbed) / jobs.undisturbed, np.nan)


def job_failure_rate(jobs: JobRecords) -> float:
    """Jobs that a failure struck at least once over all jobs, [-] (qsim section IV-B).

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    float, [-]
        0 without jobs.
    """
    return float(np.mean(jobs.failures > 0)) if jobs.job.size else 0.0


def cut_by_checkpoints(jobs: JobRecords) -> BoolArray:
    """Return which jobs reached their walltime only because checkpoints counted against it.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.

    Returns
    -------
    ndarray of bool
        Shape: one per job; all False unless checkpoints are in the walltime.
    """
    return np.asarray((jobs.outcome == Outcome.KILLED) & (jobs.runtime <= jobs.walltime))


def mean_by_name(values: FloatArray, names: Sequence[str]) -> dict[str, float]:
    """Return the mean of the known values of each name, in order of name; nan where none is.

    Parameters
    ----------
    values : ndarray, [any]
        One per job; nan is unknown.
    names : sequence of str
        The group of each.

    Returns
    -------
    dict of str to float
        In the unit of `values`.
    """
    groups = np.asarray(names, dtype=str)
    return {str(name): mean_of_known(values[groups == name]) for name in np.unique(groups)}


def mean_of_known(values: FloatArray) -> float:
    """Return the mean of the values that are not nan; nan where none is known.

    Parameters
    ----------
    values : ndarray, [any]
        Of any shape; nan is unknown.

    Returns
    -------
    float
        In the unit of `values`.
    """
    known = values[~np.isnan(values)]
    return float(np.mean(known)) if known.size else math.nan


@dataclass(frozen=True, slots=True)
class NodeTime:
    """Where the machine's time went, [node s]; the six parts add up to `capacity`."""

    useful: float
    lost: float
    checkpoint: float
    recovery: float
    down: float
    idle: float
    capacity: float  # nodes x span

    @property
    def delivered(self) -> float:
        """Time in which nodes were held by jobs, [node s]."""
        return self.useful + self.lost + self.checkpoint + self.recovery


def node_time(
    jobs: JobRecords, attempts: AttemptRecords, *, size: int, idle: float, down: float
) -> NodeTime:
    """Add up the attempts; `idle` and `down` [node s] were measured on the machine.

    What a job saved and never used, because it was not resubmitted, counts as lost.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    attempts : AttemptRecords
        Of that replay.
    size : int, [node]
        Of the machine.
    idle, down : float, [node s]
        Time of nodes that were free, and of nodes under repair.

    Returns
    -------
    NodeTime
        The six parts and their sum.
    """
    wasted = ~_ended(jobs)[attempts.position]
    useful = float(np.sum((attempts.useful * attempts.processors)[~wasted]))
    saved_in_vain = float(np.sum((attempts.useful * attempts.processors)[wasted]))
    return NodeTime(
        useful=useful,
        lost=float(np.sum(attempts.lost * attempts.processors)) + saved_in_vain,
        checkpoint=float(np.sum(attempts.checkpoint * attempts.processors)),
        recovery=float(np.sum(attempts.recovery * attempts.processors)),
        down=down,
        idle=idle,
        capacity=size * _span(jobs, attempts),
    )


def summary(
    jobs: JobRecords, attempts: AttemptRecords, *, size: int, idle: float, down: float
) -> dict[str, float | int]:
    """Return every metric under its name.

    Waits are averaged over the jobs that started, responses and slowdowns over those that came to
    a successful end.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    attempts : AttemptRecords
        Of that replay.
    size : int, [node]
        Of the machine.
    idle, down : float, [node s]
        Time of nodes that were free, and of nodes under repair.

    Returns
    -------
    dict of str to number
        Units end the names: seconds and node-hours; ratios [-]. A mean of nothing is nan, which
        is the failure slowdown of a replay in which no job failed.
    """
    time = node_time(jobs, attempts, size=size, idle=idle, down=down)
    ended = _ended(jobs)
    return {
        "jobs": int(jobs.job.size),
        "completed": int(np.sum(jobs.outcome == Outcome.COMPLETED)),
        "killed": int(np.sum(jobs.outcome == Outcome.KILLED)),
        "cut_by_checkpoints": int(np.sum(cut_by_checkpoints(jobs))),
        "unsuccessful": int(np.sum(~ended)),
        "failures": int(np.sum(jobs.failures)),
        "mean_wait_s": mean_of_known(wait(jobs)),
        "mean_response_s": mean_of_known(response(jobs)),
        "mean_slowdown": mean_of_known(slowdown(jobs)),
        "mean_bounded_slowdown": mean_of_known(bounded_slowdown(jobs)),
        "failure_slowdown": mean_of_known(failure_slowdown(jobs)),
        "utilization": _ratio(time.delivered, time.capacity),
        "makespan_s": _span(jobs, attempts),
        "job_failure_rate": job_failure_rate(jobs),
        "service_unit_loss": _ratio(time.lost, time.delivered),
        "capacity_loss": _ratio(time.lost, time.capacity),
        "useful_node_h": time.useful / HOUR,
        "lost_node_h": time.lost / HOUR,
        "checkpoint_node_h": time.checkpoint / HOUR,
        "recovery_node_h": time.recovery / HOUR,
        "down_node_h": time.down / HOUR,
        "idle_node_h": time.idle / HOUR,
        "capacity_node_h": time.capacity / HOUR,
    }


def _ended(jobs: JobRecords) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which jobs came to the end of their execution, also where the walltime cut it."""
    return jobs.outcome <= Outcome.KILLED


def _span(jobs: JobRecords, attempts: AttemptRecords) -> float:
    """From the first submission to the last end of an attempt, [s]."""
    if not attempts.end.size:
        return 0.0
    return float(np.max(attempts.end) - np.min(jobs.submit))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0.0 else 0.0
