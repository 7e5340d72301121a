"""Forecasters that the benchmark ships: today's laws, what comes from data alone, and a floor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from perfmodel import expected_makespan, fit_lifetime
from perfmodel.forecasts import forecast_failures
from perfmodel.forecasts.job import makespans_under

from .windows import DAY, History, Job

__all__ = ["ENTRIES", "WRONG", "Forecaster", "floor", "mixture"]

FloatArray = npt.NDArray[np.float64]
Forecaster = Callable[[History, Job, np.random.Generator], FloatArray]
_FUTURES = 400


def _played(job: Job, futures: Sequence[FloatArray]) -> FloatArray:
    return makespans_under(
        futures,
        job.work,
        np.inf,
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
    )


def _constant(rates: FloatArray, job: Job, rng: np.random.Generator) -> FloatArray:
    """Return makespans under constant rates of failures, one for each rate."""
    counts = rng.poisson(rates * job.longest)
    return _played(job, [np.sort(rng.uniform(0.0, job.longest, count)) for count in counts])


def mean_only(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State the mean makespan of a constant rate, as if it were certain."""
    del rng
    mean = expected_makespan(
        job.work,
        mtbf=history.mtbf,
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
    )
    return np.full(200, float(mean))


def exponential(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State the law at the mean rate of the past."""
    return _constant(np.full(_FUTURES, 1.0 / history.mtbf), job, rng)


def posterior(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State what a count of failures leaves open of a constant rate."""
    shape = len(history.failures) + 0.5
    return _constant(rng.gamma(shape, 1.0 / history.observed, _FUTURES), job, rng)


def fitted_uptimes(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State what the best of three laws of times between failures gives, each renewed by one."""
    gaps = np.diff(history.failures, prepend=0.0)
    gaps = gaps[gaps > 0.0]
    try:
        law = fit_lifetime(gaps, families=("weibull", "gamma", "lognormal")).best.lifetime
    except ValueError:
        return posterior(history, job, rng)
    futures = []
    for _ in range(_FUTURES):
        most = int(3.0 * job.longest / law.mean) + 20
        steps = np.asarray(law.ppf(rng.uniform(size=most)))
        steps[0] *= rng.uniform()
        futures.append(np.cumsum(steps))
    return _played(job, futures)


def _past_windows(history: History, job: Job, rng: np.random.Generator, since: float) -> FloatArray:
    """Return makespans of the job in windows of the past, which runs on from its beginning."""
    begin = max(history.observed - since, 0.0)
    known = history.failures[history.failures >= begin] - begin
    length = history.observed - begin
    rounds = int(job.longest / length) + 2
    around = np.concatenate([known + turn * length for turn in range(rounds)])
    starts = rng.uniform(0.0, length, _FUTURES)
    return _played(job, [around[around > start] - start for start in starts])


def bootstrap(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State what the job would have taken in windows of the past."""
    return _past_windows(history, job, rng, history.observed)


def bootstrap_180(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State what the job would have taken in windows of the last 180 days."""
    return _past_windows(history, job, rng, 180.0 * DAY)


def mixture(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State the forecast of `perfmodel.forecasts`."""
    found = forecast_failures(history.failures, observed_time=history.observed, window=job.work)
    return _played(job, found.draw_failures(job.longest, _FUTURES, rng))


def halved_spread(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State half the spread of the mixture about its median."""
    draws = mixture(history, job, rng)
    middle = float(np.median(draws))
    return middle + 0.5 * (draws - middle)


def faster(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State the mixture of failures that come 1.5 times as often."""
    found = forecast_failures(history.failures, observed_time=history.observed, window=job.work)
    futures = found.draw_failures(1.5 * job.longest, _FUTURES, rng)
    return _played(job, [each / 1.5 for each in futures])


def nothing_forgotten(history: History, job: Job, rng: np.random.Generator) -> FloatArray:
    """State the mixture without memory of different lengths, and without drift to come."""
    found = forecast_failures(
        history.failures,
        observed_time=history.observed,
        window=job.work,
        half_lives=(np.inf,),
        spreads=(0.0,),
    )
    return _played(job, found.draw_failures(job.longest, _FUTURES, rng))


def floor(failures: FloatArray, job: Job, rng: np.random.Generator) -> FloatArray:
    """State a constant rate at the mean of the window itself, which nobody knows beforehand."""
    count = int((failures <= job.work).sum())
    return _constant(np.full(_FUTURES, count / job.work), job, rng)


ENTRIES: Mapping[str, Forecaster] = {
    "mean only": mean_only,
    "exponential, past mean": exponential,
    "posterior of the MTBF": posterior,
    "fitted uptimes": fitted_uptimes,
    "past windows": bootstrap,
    "past windows, 180 days": bootstrap_180,
    "mixture": mixture,
}
WRONG: Mapping[str, Forecaster] = {
    "half the spread": halved_spread,
    "rate times 1.5": faster,
    "forgets nothing": nothing_forgotten,
}
