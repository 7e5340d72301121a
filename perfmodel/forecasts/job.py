"""What failures to come do to a job: its makespan in drawn futures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, nonnegative, positive, positive_or_inf, scalar, whole
from ..completion import CompletionTime
from .law import mixed_makespan
from .mixture import FailureForecast

_LONGEST = 3.0  # times the makespan without failures, beyond which no future is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedJob:
    """A job that begins now.

    Parameters
    ----------
    work : float, [s]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [s]
        Work per segment, checkpoint excluded; > 0. From `work` on a single segment.
    checkpoint_cost, recovery_cost, downtime : float, [s]
        As of `perfmodel.exact_makespan`; >= 0. No failure strikes in a downtime.
    wait_for_repair : bool, [-]
        Whether each failure also costs a repair, drawn among those that have ended.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.
    nodes : int or None, [-]
        How many nodes of the machine it runs on, drawn at random; None for all.
    """

    work: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float = 0.0
    downtime: float = 0.0
    wait_for_repair: bool = False
    final_checkpoint: bool = True
    nodes: int | None = None

    def __post_init__(self) -> None:
        work = scalar(positive, "work", self.work)
        checked = {
            "work": work,
            "interval": min(scalar(positive_or_inf, "interval", self.interval), work),
            **{
                name: scalar(nonnegative, name, getattr(self, name))
                for name in ("checkpoint_cost", "recovery_cost", "downtime")
            },
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, job: Any, **more: Any) -> PlannedJob:
        """Return the job with the work and the costs of another; one segment, but for `more`."""
        names = ("work", "checkpoint_cost", "recovery_cost", "downtime")
        return cls(**{"interval": job.work, **{name: getattr(job, name) for name in names}, **more})

    @property
    def segments(self) -> int:
        """Pieces of work, each with a checkpoint after it, [-]."""
        return math.ceil(self.work / self.interval * (1.0 - 1e-12))

    @property
    def horizon(self) -> float:
        """Time after which no future is drawn, [s]."""
        return _LONGEST * (self.work + self.segments * self.checkpoint_cost)


@dataclass(frozen=True, slots=True, eq=False)
class ForecastMakespan:
    """The law of a makespan by drawn futures.

    Parameters
    ----------
    makespans : ndarray, [s], shape (n,)
        Sorted; inf where the job had not ended when the future did.
    """

    makespans: FloatArray

    @property
    def mean(self) -> float:
        """Mean makespan, [s]; inf where one never ended."""
        return float(self.makespans.mean())

    @property
    def std(self) -> float:
        """Standard deviation, [s]; inf where one never ended."""
        return float(self.makespans.std()) if math.isfinite(self.mean) else math.inf

    @property
    def error(self) -> float:
        """Error of `cdf` that is exceeded at any time with probability 0.001, [-]."""
        return math.sqrt(math.log(2.0 / 0.001) / (2.0 * len(self.makespans)))

    def cdf(self, t: ArrayLike) -> FloatArray:
        """Return the share of futures in which the job is done by `t` [s], [-]."""
        done = np.searchsorted(self.makespans, np.asarray(t), side="right")
        return np.asarray(done / len(self.makespans))

    def ppf(self, q: float) -> float:
        """Return the time by which the job is done with probability `q` in (0, 1], [s]."""
        return float(self.makespans[max(math.ceil(q * len(self.makespans)) - 1, 0)])


def forecast_makespan(
    forecast: FailureForecast | Sequence[FailureForecast],
    work: float,
    *,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    wait_for_repair: bool = False,
    final_checkpoint: bool = True,
    futures: int = 4000,
    rng: np.random.Generator,
) -> ForecastMakespan:
    """Law of the makespan of a job that begins now, by futures that are drawn and played.

    Parameters
    ----------
    forecast : FailureForecast or sequence of them
        Of the nodes of the job; best learnt for a `window` as long as the job. Of several each has
        an equal share of the futures.
    work, interval, checkpoint_cost, recovery_cost, downtime : float, [s]
        The job, as of `PlannedJob`.
    wait_for_repair, final_checkpoint : bool, [-]
        As of `PlannedJob`.
    futures : int, [-]
        How many are drawn; >= 1.
    rng : numpy.random.Generator
        Where they are drawn.

    Returns
    -------
    ForecastMakespan
        With `mean`, `cdf`, `ppf` and `error`.

    Raises
    ------
    ValueError
        If repairs are to be waited for and the forecast knows none.
    """
    job = PlannedJob(
        work=work,
        interval=interval,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        wait_for_repair=wait_for_repair,
        final_checkpoint=final_checkpoint,
    )
    forecasts = (forecast,) if isinstance(forecast, FailureForecast) else tuple(forecast)
    count = int(scalar(whole, "futures", futures))
    return ForecastMakespan(np.sort(makespans_drawn(forecasts, job, count, rng)))


def makespans_drawn(
    forecasts: Sequence[FailureForecast], job: PlannedJob, count: int, rng: np.random.Generator
) -> FloatArray:
    """Return makespans in `count` drawn futures, an equal share of them by each forecast, [s]."""
    found = []
    for at, forecast in enumerate(forecasts):
        share = count * (at + 1) // len(forecasts) - count * at // len(forecasts)
        if not share:
            continue
        struck = forecast.draw_table(job.horizon, share, rng)
        waited = None
        if job.wait_for_repair:
            if not len(forecast.repairs):
                raise ValueError("forecast must know repairs to wait for, got none")
            waited = rng.choice(forecast.repairs, size=struck.shape)
        found.append(played(job, struck, waited, job.horizon))
    return np.concatenate(found)


def law_of(
    forecasts: Sequence[FailureForecast], job: PlannedJob, count: int, rng: np.random.Generator
) -> ForecastMakespan | CompletionTime:
    """Return the law of the makespan: exact where failures do not cluster, else drawn."""
    (first, *others) = forecasts
    if others or job.wait_for_repair or any(map(len, first.followers)):
        return ForecastMakespan(np.sort(makespans_drawn(forecasts, job, count, rng)))
    return mixed_makespan(
        job.work,
        weights=first.weights,
        shapes=first.shapes,
        means=first.means[:, None],
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
        downtime=job.downtime,
        final_checkpoint=job.final_checkpoint,
    )


def played(
    job: PlannedJob, struck: FloatArray, waited: FloatArray | None, horizon: float
) -> FloatArray:
    """Return the makespan of the job in each future, [s]; inf if it ends after the `horizon`.

    `struck` has ascending times of failures in rows, inf after the last, [s], `waited` how much
    longer than its downtime the job waits after each; shape (n, most).
    """
    step = job.interval + job.checkpoint_cost
    last = job.work - (job.segments - 1) * job.interval
    last += job.checkpoint_cost if job.final_checkpoint else 0.0
    count, most = struck.shape
    makespans = np.full(count, np.inf)
    rows = np.arange(count)  # of jobs that have not ended
    left = np.full(count, float(job.segments - 1))  # segments before the last
    ready = np.zeros(count)  # when work goes on
    up = np.zeros(count)  # from when on a failure strikes again
    for at in range(most):
        now = struck[rows, at]
        end = ready + left * step + last
        ended = end <= now
        if ended.any():
            makespans[rows[ended]] = end[ended]
            rows, left, ready, up, now = (each[~ended] for each in (rows, left, ready, up, now))
        if not rows.size:
            break
        hit = now >= up
        gained = np.floor(np.maximum(now - ready, 0.0) / step)
        left = np.where(hit, np.maximum(left - gained, 0.0), left)
        pause = job.downtime if waited is None else job.downtime + waited[rows, at]
        up = np.where(hit, now + pause, up)
        ready = np.where(hit, up + job.recovery_cost, ready)
    makespans[rows] = ready + left * step + last
    return np.where(makespans <= horizon, makespans, np.inf)
