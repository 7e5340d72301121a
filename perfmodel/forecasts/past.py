"""How often a forecast would have come true so far, on the log that it is learnt from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ArrayLike, fraction, positive, scalar, whole
from .job import forecast_makespan, makespans_under
from .mixture import forecast_failures

__all__ = ["PastPromises", "past_promises"]

_LEAD = 30.0 * 86_400.0  # of which the first forecast may learn
_DRAWN = 400
# Nothing is forgotten, and no rate drifts: the count of failures alone.
_CONSTANT: Any = {"half_lives": (math.inf,), "spreads": (0.0,)}


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
    """

    probability: float
    jobs: int
    kept: int
    kept_constant: int


def past_promises(
    failures: ArrayLike,
    *,
    observed_time: float,
    work: float,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    probability: float = 0.9,
    most: int = 40,
    rng: np.random.Generator,
) -> PastPromises:
    """Count how often a time, stated when a job began in the past, was kept.

    Parameters
    ----------
    failures, observed_time : array_like and float, [s]
        As of `forecast_failures`. Each job knows those before it alone.
    work, interval, checkpoint_cost, recovery_cost, downtime : float, [s]
        The job, as of `forecast_makespan`.
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
    times = np.sort(np.ravel(np.asarray(failures, dtype=np.float64)))
    now, length = scalar(positive, "observed_time", observed_time), scalar(positive, "work", work)
    level = scalar(fraction, "probability", probability)
    count = int(scalar(whole, "most", most))
    job: dict[str, Any] = {
        "interval": min(interval, length),
        "checkpoint_cost": checkpoint_cost,
        "recovery_cost": recovery_cost,
        "downtime": downtime,
    }
    starts = np.arange(max(_LEAD, length), now - length, length)
    if len(starts) > count:
        starts = starts[np.round(np.linspace(0, len(starts) - 1, count)).astype(int)]
    jobs = kept = kept_constant = 0
    for start in starts:
        past, future = times[times <= start], times[times > start] - start
        forecast = forecast_failures(past, observed_time=start, window=length)
        drawn = forecast_makespan(forecast, length, **job, futures=_DRAWN, rng=rng)
        steady = forecast_failures(
            past, observed_time=start, window=length, cluster_gap=0.0, **_CONSTANT
        )
        constant = forecast_makespan(steady, length, **job, futures=_DRAWN, rng=rng)
        stated = drawn.ppf(level), constant.ppf(level)
        (came,) = makespans_under([future], length, now - start, **job)
        if math.isinf(came) and max(stated) > now - start:
            continue  # the log ends before it is known which came first
        jobs += 1
        kept += bool(came <= stated[0] and math.isfinite(came))
        kept_constant += bool(came <= stated[1] and math.isfinite(came))
    return PastPromises(level, jobs, kept, kept_constant)
