"""What the past of a log says of the failures to come, and of a job under them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from asking.refusals import Said
from asking.units import human_duration

from ...completion import CompletionTime
from ...forecasts import (
    LEAST_FAILURES,
    FailureForecast,
    FailureHistory,
    ForecastMakespan,
    PastPromises,
    PlannedJob,
    RateMixture,
    constant_of,
    forecasts_for,
    law_of,
    mixed_useful_share,
    optimal_interval_mixed,
    past_promises,
)
from ..shown import Words
from .job import Job

__all__ = ["FUTURES", "Outlook", "foreseen", "history_behind", "outlook_of"]

FUTURES, _FEWEST = 4000, 500
_EVENTS = 4e5  # failures that are drawn
_UNCERTAIN = "A constant rate as uncertain as the number of failures leaves it counts."
_LEAST_TIME = 30.0 * 86_400.0
_UNLIKELY = 1e-6  # weight of a law of the rate that is left out


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """Failures to come, and how the law of the job under them is called.

    `name` is "forecast", or "posterior" where the past is too short for one: the constant rate as
    uncertain as the count of failures leaves it; `why` says so then. Each of `forecasts` is as
    likely as the others.
    """

    name: Literal["forecast", "posterior"]
    why: Words
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
    def mean_rate(self) -> float:
        """Mean rate of failures to come, [1/s]."""
        return float(np.mean([forecast.mean_rate for forecast in self.forecasts]))

    def interval(self, job: Job) -> tuple[float, int | None]:
        """Return the work between checkpoints that lets the job get on most, [s], and its steps."""
        costs: dict[str, Any] = {
            **asdict(self.rates),
            "checkpoint_cost": job.checkpoint_cost,
            "recovery_cost": job.recovery_cost,
            "downtime": job.downtime,
        }
        best = min(optimal_interval_mixed(**costs), job.work)
        if job.step_time is not None:
            return job.in_steps(best, lambda each: -float(mixed_useful_share(each, **costs)))
        return job.work / max(round(job.work / best), 1), None

    def law(
        self, job: PlannedJob, *, futures: int | None = None, seed: int = 0
    ) -> ForecastMakespan | CompletionTime:
        """Return the law of the makespan of a job that begins now; None: as many as are quick."""
        if futures is None:
            futures = int(min(max(_EVENTS / (self.mean_rate * job.horizon), _FEWEST), FUTURES))
        return law_of(self.forecasts, job, futures, np.random.default_rng(seed))

    def past(self, job: PlannedJob, *, seed: int = 0) -> PastPromises:
        """Count how often what would have been stated of such jobs so far was kept."""
        return past_promises(self.history, job, rng=np.random.default_rng([seed, 1]))

    def facts(self) -> Iterator[tuple[str, Words]]:
        """Yield the MTBF to come in words."""
        size = self.cluster_size
        clusters = f", in clusters of {size:.3g}" if size > 1.005 else ""
        low, high = (1.0 / (size * self.rates.ppf(q)) for q in (0.95, 0.05))
        yield (
            "MTBF to come",
            f"{human_duration(1.0 / self.mean_rate)}{clusters}; with 90 %: "
            f"{human_duration(low)} to {human_duration(high)}",
        )

    @property
    def title(self) -> str:
        """The law in two words at most."""
        return "forecast" if self.name == "forecast" else "rate uncertain"

    @property
    def by(self) -> str:
        """By which law, in words."""
        return "by the forecast" if self.name == "forecast" else "with the rate uncertain"

    def reasons(self) -> tuple[Words, ...]:
        """Return why there is no forecast, in a sentence; none where there is one."""
        return (Said("No forecast: {}. {}", self.why, _UNCERTAIN),) if self.why else ()

    def plain(self) -> dict[str, Any]:
        """Return which law it is and what it rests on, under unit-named keys."""
        return {
            "law": self.name,
            "no_forecast": str(self.why) or None,
            "mtbf_to_come_s": 1.0 / self.mean_rate,
            "failures_in_a_cluster": self.cluster_size,
        }


def history_behind(job: Job, *, log_nodes: int | None = None) -> FailureHistory | None:
    """Return the history that the log of a job tells; None without a log or times in it."""
    log = job.mtbf.log
    if log is None or log.of_jobs:
        return None
    from ..logs.history import history_of

    machine = None if job.nodes is None else log.of_nodes(job.nodes, log_nodes)[1]
    return history_of(log, machine)


def foreseen(history: FailureHistory | None, job: PlannedJob) -> Outlook | Words:
    """Return the outlook of a job, or words for why nothing but a constant rate is known."""
    why = _too_little(history, job.work)
    if history is None:
        return why
    return outlook_of(history, job, why)


def outlook_of(history: FailureHistory, job: PlannedJob, why: Words = "") -> Outlook:
    """Return the forecast for the nodes of a job; where there is a reason against it, the count."""
    if why:
        return Outlook("posterior", why, history, (constant_of(history, job)[0],))
    rng = np.random.default_rng(20261127)  # for sets of nodes
    forecasts = forecasts_for(history, job.work, nodes=job.nodes, rng=rng)
    return Outlook("forecast", "", history, forecasts)


def _too_little(history: FailureHistory | None, work: float) -> Words:
    """Say why a past is too short for a forecast of a job, [s]; empty where it is not."""
    if history is None:
        return "the log does not tell when one machine failed"
    if (count := len(history.failures)) < LEAST_FAILURES:
        return f"a forecast needs {LEAST_FAILURES} failures, and the log has {count}"
    least = max(work, _LEAST_TIME) if math.isfinite(work) else _LEAST_TIME
    if history.observed < least:
        return Said(
            "a forecast needs a past of {}, and the log has {}",
            human_duration(least),
            human_duration(history.observed),
        )
    return ""


def kept_words(past: PastPromises) -> str:
    """Say how often the time stated for such jobs so far was kept."""
    if not past.jobs:
        return "The log is too short to say how often such times would have been kept on it."
    return (
        f"On this log so far, of {past.jobs} such jobs one after the other the time that "
        f"{100.0 * past.probability:g} % were to keep was kept by {past.kept} by the forecast "
        f"of then, and by {past.kept_constant} at the constant rate of then."
    )
