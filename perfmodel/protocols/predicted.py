"""A checkpoint before each predicted failure, or before and in the windows of a predictor.

To first order: by the waste of a long job, whose stated error is that of the mean.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..interval import optimal_period_predicted, waste_predicted
from ..interval.predicted_failures import WASTE_RANGE
from ..prediction import best_window_segments, optimal_period_windows, waste_windows
from ..prediction.windows import WASTE_RANGE as WINDOWS_RANGE
from ..validity import ValidityWarning
from .protocol import Plan, Protocol, beside, least
from .situation import Situation


class Predicted(Protocol):
    """It acts on predictions; a window is cut into the number of segments that is best for it."""

    name = "predicted"
    needs = ("recall", "precision", "proactive_cost")
    short = known_as = "predicted"
    plural = "checkpoints before predicted failures"
    writes = (
        "Write checkpoints, and one before each predicted failure, after every {interval} of work"
    )
    unknown: ClassVar[Mapping[str, str]] = {
        "law": "no law is known of a job that acts on predictions",
    }
    formulas = ("optimal_period_predicted", "waste_predicted")

    def check(self, job: Situation) -> None:
        """Refuse a window in which nothing can be done, or that no failure is outside of."""
        if job.window > 0.0:
            if job.proactive_cost == 0.0:
                raise ValueError("proactive_cost must be > 0 with a window, got 0.0")
            if job.recall is not None and job.recall >= 1.0:
                raise ValueError("recall must be < 1 with a window, got 1.0")

    def plan(self, job: Situation) -> Plan:
        """Return the better of the numbers of segments beside that of a long job."""
        with _unwarned():
            best = optimal_period_windows if job.window > 0.0 else optimal_period_predicted
            long = float(best(**_predictor(job))) - job.checkpoint_cost
        counts = beside(job.work / long if long > 0.0 else np.inf)
        found = least(job.work, counts, lambda interval: self.mean(job, interval))
        return replace(found, error=self._error(job, found.interval))

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the mean at each interval; inf where nothing is left of it.

        Nothing warns: intervals that are compared may lie beyond the range.
        """
        with _unwarned(), np.errstate(divide="ignore"):
            share = np.minimum(_waste(job, interval + job.checkpoint_cost), 1.0)
            return np.asarray(job.work / (1.0 - share))

    def formulas_of(self, job: Situation) -> tuple[str, ...]:
        """Return those of windows where the predictor names them."""
        windows = ("best_window_segments", "optimal_period_windows", "waste_windows")
        return windows if job.window > 0.0 else self.formulas

    def _error(self, job: Situation, interval: float) -> float:
        """Return how far off the mean time may be, [-]; inf, with a warning, beyond the range."""
        validity = WINDOWS_RANGE if job.window > 0.0 else WASTE_RANGE
        period = np.asarray(interval + job.checkpoint_cost)
        _waste(job, period)  # which warns
        time = float(self.mean(job, np.asarray(interval)))
        assert validity.of is not None
        measure = validity.of(period=period, **_predictor(job), **_later(job))
        if not validity.holds(measure) or not time < math.inf:
            return math.inf
        # An error of the waste is one of the time beyond the work.
        return float(validity.error * (time / job.work - 1.0))


def _waste(job: Situation, period: FloatArray) -> FloatArray:
    waste = waste_windows if job.window > 0.0 else waste_predicted
    return np.asarray(waste(period, **_predictor(job), **_later(job)))


def _predictor(job: Situation) -> dict[str, Any]:
    names = ("mtbf", "checkpoint_cost", "proactive_cost", "recall", "precision")
    given = {name: getattr(job, name) for name in names}
    if job.window > 0.0:
        given["window"] = job.window
        with _unwarned():
            given["window_segments"] = best_window_segments(**given)
    return given


def _later(job: Situation) -> dict[str, float]:
    return {"recovery_cost": job.recovery_cost, "downtime": job.downtime}


@contextmanager
def _unwarned() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        yield
