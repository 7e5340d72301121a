"""What a job loses that acts on predictions, exact ones or windows, to first order."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import FloatArray
from ..interval import optimal_period_aupy, waste_aupy
from ..interval.predicted_failures import WASTE_RANGE
from ..prediction import best_window_segments, optimal_period_windows, waste_windows
from ..prediction.windows import WASTE_RANGE as WINDOWS_RANGE
from ..validity import ValidityWarning

__all__ = ["PredictedJob"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictedJob:
    """Checked arguments of `waste_aupy` or, with a window, of `waste_windows`; [time] but shares.

    A window is cut into the number of segments that is best for it.
    """

    work: float
    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float
    recall: float
    precision: float
    proactive_cost: float
    window: float

    def best_interval(self) -> float:
        """Return the best interval of a long job, [time]; 0 or less if its period is shorter."""
        with _unwarned():
            best = optimal_period_windows if self.window > 0.0 else optimal_period_aupy
            return float(best(**self._predictor())) - self.checkpoint_cost

    def expected_time(self, interval: FloatArray) -> FloatArray:
        """Return the mean times of the job at intervals, [time]; inf where nothing is left of it.

        Nothing warns: intervals that are compared may lie beyond the range.
        """
        with _unwarned(), np.errstate(divide="ignore"):
            share = np.minimum(self._waste(interval + self.checkpoint_cost), 1.0)
            return np.asarray(self.work / (1.0 - share))

    def error(self, interval: float) -> float:
        """Return how far off the mean time may be, [-]; inf, with a warning, beyond the range."""
        validity = WINDOWS_RANGE if self.window > 0.0 else WASTE_RANGE
        period = np.asarray(interval + self.checkpoint_cost)
        self._waste(period)  # which warns
        time = float(self.expected_time(np.asarray(interval)))
        assert validity.of is not None
        measure = validity.of(period=period, **self._predictor(), **self._later())
        if not validity.holds(measure) or not time < math.inf:
            return math.inf
        # An error of the waste is one of the time beyond the work.
        return float(validity.error * (time / self.work - 1.0))

    def _waste(self, period: FloatArray) -> FloatArray:
        waste = waste_windows if self.window > 0.0 else waste_aupy
        return np.asarray(waste(period, **self._predictor(), **self._later()))

    def _predictor(self) -> dict[str, Any]:
        names = ("mtbf", "checkpoint_cost", "proactive_cost", "recall", "precision")
        given = {name: getattr(self, name) for name in names}
        if self.window > 0.0:
            given["window"] = self.window
            with _unwarned():
                given["window_segments"] = best_window_segments(**given)
        return given

    def _later(self) -> dict[str, float]:
        return {"recovery_cost": self.recovery_cost, "downtime": self.downtime}


@contextmanager
def _unwarned() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        yield
