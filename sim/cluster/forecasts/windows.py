"""Forecasts over any window, for a scheduler that promises deadlines.

A forecaster is a description; `outlook` returns its view of the failures of one replay. Unlike
those of `places`, an outlook answers for any window in any order, because a negotiation
looks far ahead and then back again. Nodes are those of a flat machine, one processor each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..._checks import fraction
from ...records import FloatArray, IntArray
from ...streams import DETECTABILITY, stream
from ..failures.feed import NO_FAILURES, Failures
from .places import QsimForecaster

__all__ = [
    "DetectabilityForecaster",
    "Known",
    "Outlook",
    "RateForecaster",
    "RiskForecaster",
    "StatedForecaster",
]


class Outlook(Protocol):
    """A forecaster at work in one replay."""

    @property
    def changes(self) -> FloatArray:
        """Times at which a later window may have a lower risk than an earlier one, [s], sorted."""

    @property
    def ceiling(self) -> float:
        """The largest probability that it returns, [-]."""

    def risk(self, nodes: IntArray, start: float, end: float) -> float:
        """Probability that a failure strikes any of `nodes` in (start, end], [-]."""

    def choose(
        self, free: IntArray, count: int, start: float, end: float
    ) -> tuple[IntArray, float]:
        """Return `count` of the `free` nodes with the least probability that a failure disturbs.

        A failure disturbs the window [start, end) if its outage overlaps it: a node that is still
        being repaired at the start breaks a promise as well as one that fails later.
        """


@runtime_checkable
class RiskForecaster(Protocol):
    """A description of a forecaster."""

    def outlook(self, failures: Failures | None, nodes: int) -> Outlook:
        """Return the outlook on one replay."""


@dataclass(frozen=True, slots=True)
class DetectabilityForecaster:
    """The forecaster of `qos` section 4.3: it predicts a failure or not, without false alarms.

    Every failure has a detectability, uniform on [0, 1), drawn once from `seed` and not changed
    by `accuracy`. The answer for a window is the detectability of the first failure, in order of
    time, whose detectability is at most `accuracy`; else 0. No answer exceeds `accuracy`.
    """

    accuracy: float
    seed: int = 0

    def __post_init__(self) -> None:
        fraction("accuracy", self.accuracy)

    def outlook(self, failures: Failures | None, nodes: int) -> Outlook:
        """Return the outlook on one replay."""
        feed = NO_FAILURES if failures is None else failures
        detectability = stream(self.seed, *DETECTABILITY).random(len(feed))
        return Detected(feed, nodes, detectability, self.accuracy)


@dataclass(frozen=True, slots=True)
class StatedForecaster:
    """The forecaster of `qsim`, for any window: one of two numbers, by what will happen."""

    forecaster: QsimForecaster

    def outlook(self, failures: Failures | None, nodes: int) -> Outlook:
        """Return the outlook on one replay."""
        feed = NO_FAILURES if failures is None else failures
        return Stated(feed, nodes, self.forecaster)


@dataclass(frozen=True, slots=True)
class RateForecaster:
    """Failures at a constant rate, for a site without a predictor; the log is not used.

    Parameters
    ----------
    failure_rate : float or sequence of float, [1/s]
        Of one node, or of each node; >= 0. The answer is ``1 - exp(-sum of rates x duration)``.
    """

    failure_rate: float | tuple[float, ...]

    def __post_init__(self) -> None:
        rates = np.asarray(self.failure_rate, dtype=np.float64)
        if not ((rates >= 0.0) & (rates < np.inf)).all():
            raise ValueError(f"failure_rate must be finite and >= 0, got {self.failure_rate!r}")

    def outlook(self, failures: Failures | None, nodes: int) -> Outlook:
        """Return the outlook, which the failures do not change."""
        del failures
        return Rated(np.broadcast_to(np.asarray(self.failure_rate, dtype=np.float64), (nodes,)))


class Known:
    """The failures a forecaster knows, by time."""

    def __init__(self, feed: Failures, nodes: int, known: npt.NDArray[np.bool_]) -> None:
        self.time, self.node = feed.time[known], feed.node[known]
        self.up = self.time + feed.repair[known]
        self.longest = float(feed.repair[known].max()) if known.any() else 0.0
        self._nodes = nodes
        self.changes: FloatArray = np.unique(self.up[np.isfinite(self.up)])

    def striking(self, nodes: IntArray, start: float, end: float) -> IntArray:
        """Return which known failures strike `nodes` in (start, end], in order of time."""
        first, last = np.searchsorted(self.time, (start, end), side="right")
        if first == last:
            return np.empty(0, np.int64)
        member = np.zeros(self._nodes, dtype=bool)
        member[nodes] = True
        return np.asarray(first + np.flatnonzero(member[self.node[first:last]]))

    def disturbing(self, start: float, end: float) -> IntArray:
        """Return which known outages overlap [start, end), in order of time."""
        first = int(np.searchsorted(self.time, start - self.longest, side="left"))
        last = int(np.searchsorted(self.time, end, side="left"))
        return first + np.flatnonzero(self.up[first:last] > start)

    def first_of_each(self, which: IntArray) -> IntArray:
        """Return the first of these failures for every node, -1 where there is none."""
        first = np.full(self._nodes, -1, dtype=np.int64)
        first[self.node[which[::-1]]] = which[::-1]  # the last writer, the earliest, stays
        return first


class Detected(Known):
    """Of a `DetectabilityForecaster`."""

    def __init__(
        self, feed: Failures, nodes: int, detectability: FloatArray, accuracy: float
    ) -> None:
        seen = detectability <= accuracy
        super().__init__(feed, nodes, seen)
        self.detectability = detectability[seen]
        self.ceiling = accuracy

    def risk(self, nodes: IntArray, start: float, end: float) -> float:
        which = self.striking(nodes, start, end)
        return float(self.detectability[which[0]]) if which.size else 0.0

    def choose(
        self, free: IntArray, count: int, start: float, end: float
    ) -> tuple[IntArray, float]:
        which = self.disturbing(start, end)
        if not which.size:
            return free[:count], 0.0
        first = self.first_of_each(which)[free]
        clean = free[first < 0]
        missing = count - clean.size
        if missing <= 0:
            return clean[:count], 0.0
        # The answer is the detectability of the earliest failure among the chosen nodes.
        struck, order = free[first >= 0], np.sort(first[first >= 0])
        struck = struck[np.argsort(first[first >= 0])]
        chance = self.detectability[order]
        leader = int(np.argmin(chance[: struck.size - missing + 1]))
        later = leader + 1 + np.argsort(chance[leader + 1 :], kind="stable")[: missing - 1]
        nodes = np.sort(np.concatenate((clean, struck[[leader]], struck[later])))
        return nodes, float(chance[leader])


class Stated(Known):
    """Of a `StatedForecaster`."""

    def __init__(self, feed: Failures, nodes: int, forecaster: QsimForecaster) -> None:
        super().__init__(feed, nodes, np.ones(len(feed), dtype=bool))
        self.ceiling = 1.0
        self.if_struck, self.otherwise = forecaster.sensitivity, 1.0 - forecaster.specificity

    def risk(self, nodes: IntArray, start: float, end: float) -> float:
        return self.if_struck if self.striking(nodes, start, end).size else self.otherwise

    def choose(
        self, free: IntArray, count: int, start: float, end: float
    ) -> tuple[IntArray, float]:
        struck = self.first_of_each(self.disturbing(start, end))[free] >= 0
        worse = struck if self.if_struck >= self.otherwise else ~struck
        places = np.argsort(worse, kind="stable")[:count]
        return np.sort(free[places]), self.if_struck if struck[places].any() else self.otherwise


class Rated:
    """Of a `RateForecaster`."""

    def __init__(self, rates: FloatArray) -> None:
        self.ceiling = 1.0
        self.rates = rates
        self.changes: FloatArray = np.empty(0)

    def risk(self, nodes: IntArray, start: float, end: float) -> float:
        # Added one by one, as in compiled code; `sum` adds in pairs.
        rate = float(np.cumsum(self.rates[nodes])[-1])
        return -math.expm1(-(end - start) * rate)

    def choose(
        self, free: IntArray, count: int, start: float, end: float
    ) -> tuple[IntArray, float]:
        nodes = np.sort(free[np.argsort(self.rates[free], kind="stable")[:count]])
        return nodes, self.risk(nodes, start, end)
