"""Failures to come by those of a log, and a job that begins where the log ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from asking.refusals import Field, Refused, given
from asking.units import human_duration

from ...forecasts import (
    FailureForecast,
    ForecastMakespan,
    PastPromises,
    forecast_failures,
    forecast_makespan,
    past_promises,
)
from ..logs.failures import Log, read_log
from ..requests.forecast import ForecastRequest
from ..shown import Answer, Facts, Lines, Part, Table, in_unit, percent, shared_unit, strict

__all__ = ["ForecastAnswer", "forecast"]

_LEVELS = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class ForecastAnswer(Answer):
    """What is to come: failures, the makespan of the job, and promises on this log so far.

    `constant` is the law of the makespan at the mean rate of the log, in percentiles [s] by
    `_LEVELS`; `to_frame` has a row for each of them.
    """

    log: Log
    request: ForecastRequest
    failures: FailureForecast
    interval: float
    makespan: ForecastMakespan
    constant: tuple[float, ...]
    in_time: tuple[float, float] | None
    past: PastPromises

    @property
    def percentiles(self) -> tuple[float, ...]:
        """Times by which the job is done with each probability of `_LEVELS`, [s]."""
        return tuple(map(self.makespan.ppf, _LEVELS))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer under unit-named keys, as ``perfmodel forecast --json`` prints it."""
        mtbf = self.log.uptimes.observed / self.log.uptimes.failures
        found = {
            "work_s": self.request.work,
            "interval_s": self.interval,
            "mtbf_so_far_s": mtbf,
            "mtbf_to_come_s": 1.0 / self.failures.mean_rate,
            "failures_in_a_cluster": self.failures.cluster_size,
            "percentiles": list(self.rows()),
            "mean_s": self.makespan.mean,
            "error_of_probabilities": self.makespan.error,
            "deadline_s": self.request.deadline,
            "probability_by_deadline": None if self.in_time is None else self.in_time[0],
            "probability_by_deadline_constant_rate": (
                None if self.in_time is None else self.in_time[1]
            ),
            "past": asdict(self.past),
            "futures": self.request.futures,
            "seed": self.request.seed,
            **self.log.plain(),
        }
        return dict(strict(found))

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """Yield the time of each probability, by the forecast and at a constant rate."""
        for level, ours, constant in zip(_LEVELS, self.percentiles, self.constant, strict=True):
            yield {"probability": level, "forecast_s": ours, "constant_rate_s": constant}

    def parts(self) -> Iterator[Part]:
        """Yield the log, failures to come, the percentiles, the deadline and the past."""
        found, request = self.failures, self.request
        uptimes = self.log.uptimes
        size = f", in clusters of {found.cluster_size:.3g}" if found.cluster_size > 1.005 else ""
        yield Facts.of(
            [
                *self.log.facts(),
                ("MTBF so far", human_duration(uptimes.observed / uptimes.failures)),
                ("MTBF to come", f"{human_duration(1.0 / found.mean_rate)}{size}"),
                ("work", human_duration(given(request.work, "work"))),
                ("interval", human_duration(self.interval)),
            ]
        )
        unit, factor = shared_unit(self.percentiles)
        yield Table.of(
            ["done with\nprobability [%]", f"forecast\n[{unit}]", f"constant\nrate [{unit}]"],
            [
                [f"{100.0 * level:g}", in_unit(ours, factor), in_unit(constant, factor)]
                for level, ours, constant in zip(
                    _LEVELS, self.percentiles, self.constant, strict=True
                )
            ],
        )
        if self.in_time is not None:
            ours, constant = self.in_time
            yield Lines.of(
                f"Done within {human_duration(given(request.deadline, 'deadline'))}: "
                f"{percent(ours, 1)} % by the forecast, {percent(constant, 1)} % at a constant "
                "rate."
            )
        yield Lines.of(_past_words(self.past))


def forecast(request: ForecastRequest) -> ForecastAnswer:
    """Forecast the makespan of a job that begins where a failure log ends.

    Parameters
    ----------
    request : ForecastRequest
        The log and the job; durations in [s].

    Returns
    -------
    ForecastAnswer
        With percentiles by the forecast and at a constant rate, and how often each would have been
        kept on this log so far.

    Raises
    ------
    Refused
        If the log is of jobs or of several systems, or holds no failures.
    """
    request.check()
    work, cost = given(request.work, "work"), given(request.checkpoint_cost, "checkpoint_cost")
    log = read_log(request)
    if log.of_jobs or log.systems > 1:
        got = "jobs" if log.of_jobs else f"{log.systems} systems"
        raise Refused("{} must hold the failures of one system, got {}", Field("log"), got)
    lasted = np.cumsum(log.uptimes.durations)
    failures, observed = lasted[~log.uptimes.censored], float(log.uptimes.observed)
    found = forecast_failures(
        failures, observed_time=observed, window=work, repairs=log.uptimes.repairs
    )
    from ...interval import optimal_interval

    interval = request.interval
    if interval is None:
        interval = min(
            float(optimal_interval(mtbf=1.0 / found.mean_rate, checkpoint_cost=cost)), work
        )
    job: dict[str, Any] = {
        "interval": interval,
        "checkpoint_cost": cost,
        "recovery_cost": request.recovery_cost,
        "downtime": request.downtime,
    }
    rng = np.random.default_rng(request.seed)
    makespan = forecast_makespan(found, work, **job, futures=request.futures, rng=rng)
    from ...completion import exact_makespan

    steady = exact_makespan(work, mtbf=observed / len(failures), **job)
    in_time = None
    if request.deadline is not None:
        in_time = makespan.cdf(request.deadline), float(steady.cdf(request.deadline))
    return ForecastAnswer(
        log,
        request,
        found,
        interval,
        makespan,
        tuple(float(steady.ppf(level)) for level in _LEVELS),
        in_time,
        past_promises(failures, observed_time=observed, work=work, **job, rng=rng),
    )


def _past_words(past: PastPromises) -> str:
    if not past.jobs:
        return "The log is too short to say how often such times would have been kept on it."
    return (
        f"On this log so far, of {past.jobs} such jobs one after the other the time that "
        f"{100.0 * past.probability:g} % were to keep was kept by {past.kept} by the forecast "
        f"of then, and by {past.kept_constant} at the constant rate of then."
    )
