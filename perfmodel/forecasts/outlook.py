"""What the past of a machine says of the failures to come, and of a job under them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from .._checks import IntArray
from ..completion import CompletionTime
from ..interval.whole_steps import whole_steps
from .history import LEAST_FAILURES, FailureHistory
from .interval import mixed_useful_share, optimal_interval_mixed
from .job import ForecastMakespan, PlannedJob, law_of
from .law import RateMixture
from .mixture import FailureForecast
from .part import forecasts_for
from .past import MOST_DRAWN, PastPromises, constant_of, past_promises

_DAY = 86_400.0
_LEAST_TIME = 30.0 * _DAY
_FUTURES, _FEWEST = 4000, 500
_EVENTS = 4e5  # failures that are drawn
_UNLIKELY = 1e-6  # weight of a law of the rate that is left out
_SEED = 20261127  # of sets of nodes


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """Failures to come, and how the law of the job under them is called.

    Parameters
    ----------
    name : {"forecast", "posterior"}
        The second where the past is too short for a forecast: the constant rate as uncertain as
        the count of failures leaves it.
    why : str
        Why there is no forecast; empty where there is one.
    history : FailureHistory
        The past.
    forecasts : tuple of FailureForecast
        Each as likely as the others.
    """

    name: Literal["forecast", "posterior"]
    why: str
    history: FailureHistory
    forecasts: tuple[FailureForecast, ...]

    @property
    def rates(self) -> RateMixture:
        """The law of the rate of clusters to come."""
        each = [forecast.rates for forecast in self.forecasts]
        weights = np.concatenate([one.weights for one in each])
        likely = weights > _UNLIKELY
        return RateMixture.of(
            weights[likely],
            np.concatenate([one.shapes for one in each])[likely],
            np.concatenate([one.means for one in each])[likely],
        )

    @property
    def cluster_size(self) -> float:
        """Mean number of failures in a cluster, [-]."""
        rates = np.array([forecast.rates.mean for forecast in self.forecasts])
        return self.mean_rate / float(rates.mean())

    @property
    def sizes(self) -> IntArray:
        """Failures in each of the clusters that those to come are like, [-]; shape (clusters,)."""
        if self.name == "posterior":
            return np.unique(self.history.failures, return_counts=True)[1]
        lags = (each for forecast in self.forecasts for each in forecast.followers or ((),))
        return np.array([1 + len(each) for each in lags])

    @property
    def mean_rate(self) -> float:
        """Mean rate of failures to come, [1/s]."""
        return float(np.mean([forecast.mean_rate for forecast in self.forecasts]))

    def useful_share(self, interval: float, **costs: float) -> float:
        """Return the mean share of its time in which a long job gets on, [-]."""
        return float(mixed_useful_share(interval, **self._arguments(costs)))

    def long_interval(self, **costs: float) -> float:
        """Return the interval [s] at which a job of no known length gets on most."""
        return optimal_interval_mixed(**self._arguments(costs))

    def best_interval(
        self, work: float, step_time: float | None = None, **costs: float
    ) -> tuple[float, int | None]:
        """Return the interval [s] at which a job gets on most, and its steps where one is timed.

        It divides the `work` [s] of the job, or is of whole steps; `costs` are those of
        `optimal_interval_mixed`.
        """
        best = min(self.long_interval(**costs), work)
        if step_time is None or not best / step_time < math.inf:
            return work / max(round(work / best), 1), None
        steps = whole_steps(best, step_time, lambda each: -self.useful_share(each, **costs))
        return steps * step_time, steps

    def _arguments(self, costs: dict[str, float]) -> dict[str, Any]:
        return {**asdict(self.rates), **costs}

    def law(
        self, job: PlannedJob, *, futures: int | None = None, seed: int = 0
    ) -> ForecastMakespan | CompletionTime:
        """Return the law of the makespan of a job that begins now; None: as many as are quick."""
        if futures is None:
            futures = int(min(max(_EVENTS / (self.mean_rate * job.horizon), _FEWEST), _FUTURES))
        return law_of(self.forecasts, job, futures, np.random.default_rng(seed))

    def past(self, job: PlannedJob, *, seed: int = 0) -> PastPromises:
        """Count how often what would have been stated of such jobs so far was kept."""
        return past_promises(self.history, job, rng=np.random.default_rng([seed, 1]))


def outlook_of(history: FailureHistory, job: PlannedJob) -> Outlook:
    """Return what is to come for the nodes of a job that begins now.

    A forecast needs six failures in the past, 30 days and the work of the job, which must not meet
    thousands of failures; else a constant rate counts, as uncertain as their number leaves it.
    """
    why, count, least = "", history.interruptions, max(job.work, _LEAST_TIME)
    if count < LEAST_FAILURES:
        why = f"it needs {LEAST_FAILURES} failures after the log begins, and has {count}"
    elif history.observed < least:
        needs, has = (f"{time / _DAY:.4g} d" for time in (least, history.observed))
        why = f"it needs a past of {needs}, and the log has {has}"
    if not why:
        rng = np.random.default_rng(_SEED)
        forecasts = forecasts_for(history, job.work, nodes=job.nodes, rng=rng)
        found = Outlook("forecast", "", history, forecasts)
        if (drawn := found.mean_rate * job.horizon) < MOST_DRAWN:
            return found
        why = f"it would have to draw {drawn:.3g} failures for each job"
    return Outlook("posterior", why, history, (constant_of(history, job)[0],))
