"""The job started at many instants of a failure log and struck by the failures recorded there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import FloatArray
from ..known.job import Job
from .sampler import sampler_of

if TYPE_CHECKING:
    from ...lifetimes import Lifetime

STARTS = 1000
MOST_EVENTS = 1e8
_FIRST_LIST = 256  # failures ready for one start; four times as many where they do not suffice


def play_recorded(job: Job, interval: float, repairs: Lifetime | None = None) -> FloatArray | None:
    """Return the makespans, [s], of the job started at STARTS instants spread over its log.

    The gaps keep their order, and the log starts again where it ends. Downtimes are drawn from
    `repairs`, [s], or are those of the job. None without a log, for a job on other nodes than all
    of the log, and where its gaps are too short for the job to end in reasonable time.
    """
    if job.mtbf.log is None or not job.on_all_nodes:
        return None
    uptimes = job.mtbf.log.uptimes
    gaps = uptimes.durations[~uptimes.censored]
    if not _ends(job, interval, gaps):
        return None
    downtime = job.downtime if repairs is None else sampler_of(repairs)
    times = np.cumsum(gaps)
    begins = (np.arange(STARTS) + 0.5) / STARTS * times[-1]
    places = np.searchsorted(times, begins, side="right")
    return np.array(
        [
            _play(
                job, interval, times[place] - begin, gaps, int(place), downtime=downtime, seed=seed
            )
            for seed, (begin, place) in enumerate(zip(begins, places, strict=True))
        ]
    )


def _ends(job: Job, interval: float, gaps: FloatArray) -> bool:
    """Return whether enough gaps are long enough for a segment to be saved."""
    needed = job.recovery_cost + min(interval, job.work) + job.checkpoint_cost
    long_enough = np.count_nonzero(gaps > needed)
    if not long_enough:
        return False
    failures = math.ceil(job.work / interval) * gaps.size / int(long_enough)
    return failures * STARTS <= MOST_EVENTS


def _play(
    job: Job,
    interval: float,
    left: float,
    gaps: FloatArray,
    place: int,
    *,
    downtime: Any,
    seed: int,
) -> float:
    """Play one start, with `left` [s] remaining of the gap at `place`."""
    from sim.application import simulate_makespans
    from sim.samplers import Recorded

    size = _FIRST_LIST
    while True:
        ahead = gaps[(place + np.arange(1, size)) % gaps.size]
        try:
            played = simulate_makespans(
                job.work,
                interval=interval,
                uptime=Recorded(np.concatenate([[left], ahead])),
                checkpoint_cost=job.checkpoint_cost,
                recovery_cost=job.recovery_cost,
                downtime=downtime,
                replications=1,
                seed=seed,
            )
        except RuntimeError:  # the list was too short
            size *= 4
        else:
            return float(played[0])
