"""What failures to come do to a job: its makespan in drawn futures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray, nonnegative, positive, scalar, whole
from .mixture import FailureForecast

__all__ = ["ForecastMakespan", "forecast_makespan", "makespans_under"]

_LONGEST = 3.0  # times the makespan without failures, beyond which no future is drawn


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
    def error(self) -> float:
        """Error of `cdf` that is exceeded at any time with probability 0.001, [-]."""
        return math.sqrt(math.log(2.0 / 0.001) / (2.0 * len(self.makespans)))

    def cdf(self, t: float) -> float:
        """Return the share of futures in which the job is done by `t` [s], [-]."""
        return float(np.searchsorted(self.makespans, t, side="right") / len(self.makespans))

    def ppf(self, q: float) -> float:
        """Return the time by which the job is done with probability `q` in (0, 1], [s]."""
        return float(self.makespans[max(math.ceil(q * len(self.makespans)) - 1, 0)])


def forecast_makespan(
    forecast: FailureForecast,
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
    forecast : FailureForecast
        Of the nodes of the job; best learnt for a `window` as long as the job.
    work : float, [s]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [s]
        Work per segment, checkpoint excluded; > 0. From `work` on a single segment.
    checkpoint_cost, recovery_cost, downtime : float, [s]
        As of `perfmodel.exact_makespan`; >= 0. No failure strikes in a downtime.
    wait_for_repair : bool, [-]
        Whether each failure also costs a repair, drawn among those of the forecast.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.
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
    length = scalar(positive, "work", work)
    each = min(scalar(positive, "interval", interval), length)
    cost = scalar(nonnegative, "checkpoint_cost", checkpoint_cost)
    recovery = scalar(nonnegative, "recovery_cost", recovery_cost)
    down = scalar(nonnegative, "downtime", downtime)
    count = int(scalar(whole, "futures", futures))
    if wait_for_repair and not len(forecast.repairs):
        raise ValueError("forecast must know repairs to wait for, got none")
    segments = math.ceil(length / each * (1.0 - 1e-12))
    horizon = _LONGEST * (length + segments * cost)
    drawn = forecast.draw_failures(horizon, count, rng)
    waits = None
    if wait_for_repair:
        waits = tuple(rng.choice(forecast.repairs, size=len(failures)) for failures in drawn)
    return ForecastMakespan(
        np.sort(
            makespans_under(
                drawn,
                length,
                horizon,
                interval=each,
                checkpoint_cost=cost,
                recovery_cost=recovery,
                downtime=down,
                waits=waits,
                final_checkpoint=final_checkpoint,
            )
        )
    )


def makespans_under(
    futures: Sequence[FloatArray],
    work: float,
    horizon: float,
    *,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float,
    downtime: float = 0.0,
    waits: Sequence[FloatArray] | None = None,
    final_checkpoint: bool = True,
) -> FloatArray:
    """Return the makespan of the job in each future, [s]; inf if it ends after the `horizon`.

    `futures` are sorted times of failures, [s]; `waits` lengths by which each prolongs `downtime`.
    """
    most = max(map(len, futures), default=0)
    struck = np.full((most, len(futures)), np.inf)
    waited = np.full((most, len(futures)), downtime)
    for at, failures in enumerate(futures):
        struck[: len(failures), at] = failures
        if waits is not None:
            waited[: len(failures), at] += waits[at]
    segments = math.ceil(work / interval * (1.0 - 1e-12))
    step = interval + checkpoint_cost
    last = work - (segments - 1) * interval + (checkpoint_cost if final_checkpoint else 0.0)
    done = np.zeros(len(futures))  # segments
    ready = np.zeros(len(futures))  # when work goes on
    up = np.zeros(len(futures))  # from when on a failure strikes again
    ended = np.full(len(futures), np.inf)
    for at in range(most):
        end = ready + (segments - 1.0 - done) * step + last
        here = np.isinf(ended)
        now = here & (end <= struck[at])
        ended[now] = end[now]
        hit = here & ~now & (struck[at] >= up) & np.isfinite(struck[at])
        gained = np.floor(np.maximum(struck[at, hit] - ready[hit], 0.0) / step)
        done[hit] = np.minimum(done[hit] + gained, segments - 1.0)
        up[hit] = struck[at, hit] + waited[at, hit]
        ready[hit] = up[hit] + recovery_cost
    end = ready + (segments - 1.0 - done) * step + last
    ended = np.where(np.isinf(ended), end, ended)
    return np.where(ended <= horizon, ended, np.inf)
