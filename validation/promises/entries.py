"""Forecasters that the benchmark ships: today's laws, what comes from data alone, and a floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from perfmodel import expected_makespan, fit_lifetime
from perfmodel.forecasts import FailureForecast, FailureHistory, PlannedJob, forecasts_for
from perfmodel.forecasts.job import makespans_drawn
from perfmodel.forecasts.job import played as played_in

from .laws import Forecaster
from .windows import DAY, History, Job, Window

__all__ = [
    "ENTRIES",
    "FUTURES",
    "drawn_under",
    "exponential",
    "floor",
    "forecasts",
    "in_rows",
    "mixture",
    "played",
]

FloatArray = npt.NDArray[np.float64]
FUTURES = 400


def played(job: Job, futures: Sequence[FloatArray], waits: Sequence[FloatArray] = ()) -> FloatArray:
    """Return the makespans in futures; a job that waits does so for the `waits` of each."""
    planned = PlannedJob(
        work=job.work,
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
    )
    struck = in_rows(futures, np.inf)
    return played_in(planned, struck, in_rows(waits, 0.0) if job.waits else None, np.inf)


def in_rows(found: Sequence[FloatArray], rest: float) -> FloatArray:
    """Return arrays of any length as rows, with `rest` after their ends."""
    rows = np.full((len(found), max(map(len, found), default=0)), rest)
    for row, each in zip(rows, found, strict=True):
        row[: len(each)] = each
    return rows


def drawn_waits(
    history: History, job: Job, futures: Sequence[FloatArray], rng: np.random.Generator
) -> list[FloatArray]:
    """Return for each failure of each future a past repair, if the job waits."""
    if not job.waits:
        return []
    known = repairs_of(history, job)
    return [rng.choice(known, size=len(each)) for each in futures]


def repairs_of(history: History, job: Job) -> FloatArray:
    """Return how long the failures of the job's nodes lasted that have ended."""
    lasted = history.struck(job.nodes)[1]
    return lasted[np.isfinite(lasted)]


def mean_wait(history: History, job: Job) -> float:
    """Return how long a job waits for a repair in the mean, [s]."""
    return float(np.mean(repairs_of(history, job))) if job.waits else 0.0


def _constant(rates: FloatArray, history: History, job: Job) -> FloatArray:
    """Return makespans under constant rates of failures, and the mean repair."""
    rng = np.random.default_rng(job.seed)
    counts = rng.poisson(rates * job.longest)
    futures = [np.sort(rng.uniform(0.0, job.longest, count)) for count in counts]
    mean = mean_wait(history, job)
    return played(job, futures, [np.full(len(each), mean) for each in futures])


def mean_only(history: History, job: Job) -> FloatArray:
    """State the mean makespan of a constant rate, as if it were certain."""
    mean = expected_makespan(
        job.work,
        mtbf=job.mtbf,
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
        downtime=mean_wait(history, job),
    )
    return np.full(200, float(mean))


def mlsysim_mean(history: History, job: Job) -> FloatArray:
    """State the work over what mlsysim leaves of the time: its checkpoints, rework and restarts.

    Its loss is of first order; where that is all the time, the job never ends.
    """
    known = import_module("mlsysim.physics.reliability")
    waste = known.calc_checkpoint_waste(job.checkpoint_cost, job.interval, job.mtbf)
    left = 1.0 - waste - (job.recovery_cost + mean_wait(history, job)) / job.mtbf
    return np.full(200, job.work / left if left > 0.0 else np.inf)


def exponential(history: History, job: Job) -> FloatArray:
    """State the law at the mean rate of the past."""
    return _constant(np.full(FUTURES, 1.0 / job.mtbf), history, job)


def posterior(history: History, job: Job) -> FloatArray:
    """State what a count of failures leaves open of a constant rate."""
    shape = history.observed / job.mtbf + 0.5
    rng = np.random.default_rng([job.seed, 1])
    return _constant(rng.gamma(shape, 1.0 / history.observed, FUTURES), history, job)


def fitted_uptimes(history: History, job: Job) -> FloatArray:
    """State what the best of three laws of times between failures gives, each renewed by one."""
    rng = np.random.default_rng(job.seed)
    gaps = np.diff(history.struck(job.nodes)[0], prepend=0.0)
    gaps = gaps[gaps > 0.0]
    try:
        law = fit_lifetime(gaps, families=("weibull", "gamma", "lognormal")).best.lifetime
    except ValueError:
        return posterior(history, job)
    most = int(3.0 * job.longest / law.mean) + 20
    steps = np.asarray(law.ppf(rng.uniform(size=(FUTURES, most))))
    steps[:, 0] *= rng.uniform(size=FUTURES)
    futures = [each[each < job.longest] for each in np.cumsum(steps, axis=1)]
    return played(job, futures, drawn_waits(history, job, futures, rng))


def _past_windows(history: History, job: Job, since: float) -> FloatArray:
    """Return makespans of the job in windows of the past, which runs on from its beginning."""
    rng = np.random.default_rng(job.seed)
    begin = max(history.observed - since, 0.0)
    times, lasted = history.struck(job.nodes)
    here = times >= begin
    if job.waits:
        lasted = np.where(np.isnan(lasted), np.median(repairs_of(history, job)), lasted)
    length = history.observed - begin
    rounds = int(job.longest / length) + 2
    around = np.concatenate([times[here] - begin + turn * length for turn in range(rounds)])
    waits = np.tile(lasted[here], rounds)
    starts = rng.uniform(0.0, length, FUTURES)
    first = np.searchsorted(around, starts, side="right")
    futures = [around[at:] - start for at, start in zip(first, starts, strict=True)]
    return played(job, futures, [waits[at:] for at in first])


def bootstrap(history: History, job: Job) -> FloatArray:
    """State what the job would have taken in windows of the past."""
    return _past_windows(history, job, history.observed)


def bootstrap_180(history: History, job: Job) -> FloatArray:
    """State what the job would have taken in windows of the last 180 days."""
    return _past_windows(history, job, 180.0 * DAY)


def forecasts(history: History, job: Job) -> tuple[FailureForecast, ...]:
    """Return the forecasts of the failures of the job's nodes, which count alike."""
    rng = np.random.default_rng(job.seed)
    if job.nodes is None:
        times, repairs = history.struck(None)
        past = FailureHistory.of(times, history.observed, repairs=repairs)
        return forecasts_for(past, job.work, rng=rng)
    known = history.nodes >= 0  # no other failure strikes a part
    past = FailureHistory.of(
        history.failures[known],
        history.observed,
        repairs=history.repairs[known],
        nodes=history.nodes[known],
        machine=history.size,
    )
    return forecasts_for(past, job.work, nodes=np.isin(np.arange(history.size), job.nodes), rng=rng)


def drawn_under(found: Sequence[FailureForecast], job: Job) -> FloatArray:
    """Return makespans in futures that are drawn from forecasts that count alike."""
    planned = PlannedJob(
        work=job.work,
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
        wait_for_repair=job.waits,
    )
    return makespans_drawn(found, planned, FUTURES, np.random.default_rng([job.seed, 1]))


def mixture(history: History, job: Job) -> FloatArray:
    """State the forecast of `perfmodel.forecasts`."""
    return drawn_under(forecasts(history, job), job)


def floor(window: Window) -> FloatArray:
    """State a constant rate at the mean of the window itself, which nobody knows beforehand."""
    job = window.job
    count = int((window.future <= job.work).sum())
    return _constant(np.full(FUTURES, count / job.work), window.history, job)


ENTRIES: Mapping[str, Forecaster] = {
    "mean only": mean_only,
    **({"mean of mlsysim": mlsysim_mean} if find_spec("mlsysim") else {}),
    "exponential, past mean": exponential,
    "posterior of the MTBF": posterior,
    "fitted uptimes": fitted_uptimes,
    "past windows": bootstrap,
    "past windows, 180 days": bootstrap_180,
    "mixture": mixture,
}
