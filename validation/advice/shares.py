"""Shares of the time lost on each log, by an advisor and by those who keep one interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .logs import FailureLog, logs
from .plays import Makes, lost_by_advisor, lost_without_state
from .rivals import RIVALS, lost_by_constant
from .windows import Window, cut_out

__all__ = ["SPANS", "Mean", "Shares", "Span", "advisor_shares", "mean_over_logs", "rival_shares"]

FloatArray = npt.NDArray[np.float64]

_DAY = 86400.0
_RESAMPLED = 10_000


@dataclass(frozen=True, slots=True)
class Span:
    """How long windows are: some days, or some MTBFs of the log.

    Parameters
    ----------
    count : int
        How many.
    unit : {"days", "MTBFs"}
        Of what.
    growth : float, [-]
        How many times dearer checkpoints are at the end of a window.
    """

    count: int
    unit: str
    growth: float = 1.0

    def of(self, log: FailureLog) -> float:
        """Return the length of the windows of a log, [s]."""
        return self.count * (_DAY if self.unit == "days" else log.mtbf)

    def __str__(self) -> str:
        return f"{self.count} {self.unit}"


SPANS = (
    *(Span(count, "days") for count in (7, 30, 90)),
    *(Span(count, "MTBFs") for count in (3, 10, 30, 100)),
)
Shares = Mapping[str, float]  # of the window that is lost, by the name of the log; in its mean


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over logs, with limits that hold it at 95 % (logs drawn again), and the worst log."""

    mean: float
    low: float
    high: float
    values: Shares
    below: int  # logs on which it is below 0

    @property
    def where(self) -> str:
        """The worst log."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def worst(self) -> float:
        """What it is there."""
        return self.values[self.where]

    @property
    def logs(self) -> int:
        """How many logs there are."""
        return len(self.values)

    def above(self, limit: float) -> tuple[str, ...]:
        """Return the logs on which it is above a limit."""
        return tuple(log for log, value in self.values.items() if value > limit)


def mean_over_logs(values: Shares) -> Mean:
    """Return the mean of one number per log with its bootstrap interval, and the largest."""
    found = np.array(list(values.values()))
    drawn = np.random.default_rng(18).integers(0, found.size, (_RESAMPLED, found.size))
    low, high = np.quantile(found[drawn].mean(axis=1), [0.025, 0.975])
    below = int((found < 0.0).sum())
    return Mean(float(found.mean()), float(low), float(high), values, below)


def rival_shares(rival: str, span: Span) -> Shares:
    """Return what a rival of `RIVALS` loses on each log that is long enough."""
    return _rivals(span)[rival]


@lru_cache(maxsize=64)
def advisor_shares(make: Makes, prior: str, span: Span) -> Shares:
    """Return what the advisors that `make` gives lose on each log that is long enough.

    `prior` is a name of `PRIORS`, or "re-read history" if no state survives a restart.
    """

    def lost(window: Window) -> float:
        if prior == "re-read history":
            return lost_without_state(make, window)
        return lost_by_advisor(make, window, prior=prior)

    return {
        log.name: float(np.mean([lost(window) / window.duration for window in windows]))
        for log, windows in _cut(span)
    }


@lru_cache(maxsize=16)
def _rivals(span: Span) -> Mapping[str, Shares]:
    found: dict[str, dict[str, float]] = {rival: {} for rival in RIVALS}
    for log, windows in _cut(span):
        for name, rule in RIVALS.items():
            lost = [lost_by_constant(w, rule(w)) / w.duration for w in windows]
            found[name][log.name] = float(np.mean(lost))
    return found


def _cut(span: Span) -> list[tuple[FailureLog, list[Window]]]:
    cut = [(log, cut_out(log, span.of(log), growth=span.growth)) for log in logs()]
    return [(log, windows) for log, windows in cut if windows]
