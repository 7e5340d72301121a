"""How often a forecast would have come true so far, on the log that it is learnt from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .._checks import FloatArray, fraction, scalar, whole
from ..fitting import mtbf_posterior
from .history import LEAST_FAILURES, FailureHistory
from .job import PlannedJob, makespans_drawn, played
from .mixture import FailureForecast
from .part import drawn_nodes, forecasts_for

_LEAD = 30.0 * 86_400.0  # of which the first forecast may learn
_DRAWN = 200
MOST_DRAWN = 1e4  # failures in a future
_LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True)
class KeptPromises:
    """Of past jobs, how many kept a time that was stated with this `probability`, by both laws."""

    probability: float
    kept: int
    kept_constant: int


@dataclass(frozen=True, slots=True)
class PastPromises:
    """Jobs that would have begun in the past, and how many kept a time stated for them then.

    Parameters
    ----------
    probability : float, [-]
        With which that time was to be kept.
    jobs : int, [-]
        How many began, one after the other; not those of which the log ends before it is known.
    kept, kept_constant : int, [-]
        How many kept the time of the forecast, and that of a constant rate known by its count.
    levels : tuple of KeptPromises
        The same of times that were to be kept with other probabilities.
    """

    probability: float
    jobs: int
    kept: int
    kept_constant: int
    levels: tuple[KeptPromises, ...] = ()


def past_promises(
    history: FailureHistory,
    job: PlannedJob,
    *,
    probability: float = 0.9,
    most: int = 40,
    rng: np.random.Generator,
) -> PastPromises:
    """Count how often a time, stated when a job began in the past, was kept.

    Parameters
    ----------
    history : FailureHistory
        Of the machine. Each job knows what came before it alone.
    job : PlannedJob
        As it would have begun. On some nodes: each time on others, drawn at random.
    probability : float, [-]
        With which the stated time is to be kept, in [0, 1].
    most : int, [-]
        Jobs at the most, evenly spread; one begins every `work` after the first 30 days.
    rng : numpy.random.Generator
        Where futures are drawn.

    Returns
    -------
    PastPromises
        Of no jobs where the past is shorter than two of them.
    """
    level = scalar(fraction, "probability", probability)
    count = int(scalar(whole, "most", most))
    levels = (level, *_LEVELS)
    now, length = history.observed, job.work
    starts = np.arange(max(_LEAD, length), now - length, length)
    if len(starts) > count:
        starts = starts[np.round(np.linspace(0, len(starts) - 1, count)).astype(int)]
    counts = np.zeros((2, len(levels)), dtype=np.int64)
    jobs = 0
    for start in starts:
        past, future = history.until(float(start)), history.since(float(start))
        which = None
        if job.nodes is not None and job.nodes < history.machine:
            (which,) = drawn_nodes(history.machine, job.nodes, 1, rng)
        if job.wait_for_repair and not past.ended_repairs.size:
            continue
        constant, steady = constant_of(past, job)
        if constant.mean_rate * job.horizon > MOST_DRAWN:
            continue
        forecasts: tuple[FailureForecast, ...] = (constant,)
        if past.interruptions >= LEAST_FAILURES:
            forecasts = forecasts_for(past, length, nodes=which, rng=rng)
        stated = [
            _quantiles(makespans_drawn(*each, _DRAWN, rng), levels)
            for each in ((forecasts, job), ((constant,), steady))
        ]
        came = makespan_among(future if which is None else future.on(which), job)
        if math.isinf(came) and float(np.max(stated)) > future.observed:
            continue  # the log ends before it is known which came first
        jobs += 1
        counts += (came <= np.array(stated)) & math.isfinite(came)
    kept = [
        KeptPromises(each, *map(int, both)) for each, both in zip(levels, counts.T, strict=True)
    ]
    return PastPromises(level, jobs, kept[0].kept, kept[0].kept_constant, tuple(kept[1:]))


def constant_of(past: FailureHistory, job: PlannedJob) -> tuple[FailureForecast, PlannedJob]:
    """Return what the count of failures alone says of the rate, and the job with mean repairs.

    The rate has the law of `mtbf_posterior`; failures at one instant strike a job on
    all nodes once.
    """
    count = past.interruptions if job.nodes is None else len(past.failures)
    known = mtbf_posterior(count, past.observed, truncation=past.truncation)
    rate = float(known.shape) / past.observed
    if job.nodes is not None and past.machine:
        rate *= min(job.nodes / past.machine, 1.0)
    found = FailureForecast.constant(
        rate, float(known.shape), window=job.work, repairs=past.ended_repairs
    )
    if job.wait_for_repair:
        mean = float(past.ended_repairs.mean())
        job = replace(job, wait_for_repair=False, downtime=job.downtime + mean)
    return found, job


def makespan_among(future: FailureHistory, job: PlannedJob) -> float:
    """Return the makespan among failures that came, [s]; inf if it ends after their record."""
    waited = np.nan_to_num(future.repairs)[None, :] if job.wait_for_repair else None
    return float(played(job, future.failures[None, :], waited, future.observed)[0])


def _quantiles(makespans: FloatArray, levels: tuple[float, ...]) -> FloatArray:
    places = np.ceil(np.array(levels) * len(makespans)).astype(int) - 1
    return np.asarray(np.sort(makespans)[np.maximum(places, 0)])
