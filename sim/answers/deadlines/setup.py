"""The parts of a sweep of promises that a request describes: jobs, failures, forecasters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from asking.refusals import Refused
from asking.units import human_duration

from ..replays.failures import refuse_endless
from ..replays.requests import PromisesRequest
from ..replays.setup import setup

if TYPE_CHECKING:
    from ...cluster import Failures, RiskForecaster, Workload

_YEAR = 365 * 86_400.0
_ACCURACIES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class PromisesSetup:
    """What all cells of a sweep have in common, and in words what was assumed."""

    processors: int
    workload: Workload
    failures: Failures
    notes: tuple[str, ...]
    job_ids: dict[int, str]  # line of the log -> what the log calls the job, where that is a text


def cells_of(request: PromisesRequest) -> list[tuple[float | None, float]]:
    """Return every pair of accuracy and confidence; an accuracy of None: it has no meaning."""
    accuracies: tuple[float | None, ...] = (None,)
    if request.forecaster == "detectability":
        accuracies = request.accuracy or _ACCURACIES
    return [(accuracy, confidence) for accuracy in accuracies for confidence in request.confidence]


def heeded(request: PromisesRequest, accuracy: float | None, confidence: float) -> float:
    """Return what users ask for; 0 where every first promise satisfies them.

    A predictor of accuracy a promises at least 1 - a; what is above a may not be asked for.
    """
    if accuracy is None:
        return confidence
    unasked = request.within_accuracy and confidence > accuracy
    return 0.0 if unasked or confidence <= 1.0 - accuracy else confidence


def promises_setup(request: PromisesRequest) -> PromisesSetup:
    """Read the log, and read or draw the failures; refuse what does not go together."""
    from ...cluster import Failures

    parts = setup(request.site())
    notes = (*parts.notes, "a node is a processor: a failure strikes one processor")
    workload = parts.workload.select(np.arange(len(parts.workload)) < request.jobs)
    machine, read = parts.site.machine, parts.feeds.every
    fits = machine.fits(workload)
    if request.oversize == "skip":
        workload = workload.select(fits, rule="larger_than_machine")
    if len(workload) == 0:
        raise Refused("{} must hold jobs that fit the machine, got none", request.log.name)
    if read is not None:
        feed = read
        if request.downtime is not None:
            feed = Failures(feed.time, feed.node, np.full(len(feed), request.downtime))
        return PromisesSetup(machine.size, workload, feed, notes, parts.job_ids)
    feed = _drawn(request, machine.nodes, workload)
    first, end, rate = _drawing(request, workload)
    note = (
        f"failures drawn until {human_duration(end - first)} after the first submission: "
        f"{rate:g} a year in bursts, seed {request.seed}"
    )
    return PromisesSetup(machine.size, workload, feed, (*notes, note), parts.job_ids)


def _drawing(request: PromisesRequest, workload: Workload) -> tuple[float, float, float]:
    """Return from when until when failures are drawn, [s], and how many a year."""
    first, last = float(workload.submit[0]), float(workload.submit[-1])
    return first, last + 2.0 * (last - first) + _YEAR, request.failures_per_year or 1021.0


def _drawn(request: PromisesRequest, nodes: int, workload: Workload) -> Failures:
    from ...cluster import bursty_failures

    first, end, rate = _drawing(request, workload)
    refuse_endless("failures_per_year", rate * (end - first) / _YEAR)
    return bursty_failures(
        nodes=nodes,
        per_year=rate,
        repair=request.repair,
        start=first,
        end=end,
        seed=request.seed,
    )


def with_seed(
    request: PromisesRequest, parts: PromisesSetup, seed: int
) -> tuple[PromisesRequest, PromisesSetup]:
    """Return both with another seed; failures are drawn anew unless they were read."""
    request = replace(request, seed=seed)
    if request.failures is not None:
        return request, parts
    return request, replace(parts, failures=_drawn(request, parts.processors, parts.workload))


def forecaster_of(
    request: PromisesRequest, parts: PromisesSetup, accuracy: float | None
) -> RiskForecaster:
    """Return what the system knows of failures to come in a cell."""
    from ...cluster import (
        CalibratedForecaster,
        DetectabilityForecaster,
        QsimForecaster,
        RateForecaster,
        StatedForecaster,
    )

    if accuracy is not None:
        return DetectabilityForecaster(accuracy, request.seed)
    if request.forecaster == "stated":
        return StatedForecaster(QsimForecaster(request.sensitivity, request.specificity))
    rate = _rate(parts) if request.node_mtbf is None else 1.0 / request.node_mtbf
    if request.forecaster == "calibrated":
        return CalibratedForecaster(request.recall, request.precision, rate, request.seed)
    return RateForecaster(rate)


def _rate(parts: PromisesSetup) -> float:
    times = parts.failures.time
    span = float(times[-1] - times[0]) if times.size else 0.0
    return (times.size - 1) / (span * parts.processors) if span > 0.0 else 0.0
