"""Forecasters of given quality: the probability that a place fails soon.

A forecaster is a description; `begin` gives it the failures of one replay, which it may read as
far as its quality allows. Places are the rows of a table that says which nodes each one uses:
the partitions of a Blue Gene, the nodes of a plain machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ..._checks import fraction
from ...records import BoolArray, FloatArray, IntArray
from ...streams import DETECTABILITY, FALSE_ALARMS, stream
from ..failures.feed import Failures


class Forecast(Protocol):
    """A forecaster at work in one replay; asked at times that never decrease."""

    def probabilities(self, start: float, end: float) -> FloatArray:
        """Return for each place the probability that it fails in (start, end], [-]."""


@runtime_checkable
class Forecaster(Protocol):
    """A description of a forecaster."""

    def begin(self, failures: Failures | None, uses: BoolArray) -> Forecast:
        """Return the forecast for one replay; `uses[p, n]`: place p uses node n."""


@dataclass(frozen=True, slots=True)
class QsimForecaster:
    """The forecaster of `qsim` section VI-A: one of two numbers, by what will happen.

    A place that fails in the window gets `sensitivity`, any other ``1 - specificity``. The paper
    prints specificity with the formula of sensitivity; here it is TN / (TN + FP).
    """

    sensitivity: float = 0.6
    specificity: float = 0.6

    def __post_init__(self) -> None:
        fraction("sensitivity", self.sensitivity)
        fraction("specificity", self.specificity)

    def begin(self, failures: Failures | None, uses: BoolArray) -> Forecast:
        """Return the forecast for one replay."""
        return _Seen(_Upcoming(failures, uses), self.sensitivity, 1.0 - self.specificity)


@dataclass(frozen=True, slots=True)
class AlarmForecaster:
    """A forecaster that raises an alarm or does not, at its stated rates.

    Each node has alarms of its own. For a node that fails in the window the alarm is raised if
    that failure's detectability, drawn once, is below `sensitivity`; for one that does not, a
    false alarm is drawn for the hour in which it is asked, with probability ``1 - specificity``.
    A place has an alarm if any of its nodes has: its rates are those stated for single nodes.
    """

    sensitivity: float
    specificity: float
    seed: int

    def __post_init__(self) -> None:
        fraction("sensitivity", self.sensitivity)
        fraction("specificity", self.specificity)

    def begin(self, failures: Failures | None, uses: BoolArray) -> Forecast:
        """Return the forecast for one replay."""
        return _Alarms(_Upcoming(failures, uses), self)


class _Upcoming:
    """The next failure of every node, as time advances."""

    def __init__(self, failures: Failures | None, uses: BoolArray) -> None:
        self.uses = uses
        nodes = uses.shape[1]
        self.time: FloatArray = np.full(nodes, np.inf)
        self.which: IntArray = np.full(nodes, -1, dtype=np.int64)
        self.count = 0 if failures is None else len(failures)
        self._at = 0
        if failures is None:
            return
        self._times, self._nodes = failures.time, failures.node
        # after[k] is the next failure of the node that failure k strikes.
        self._after = np.full(self.count, -1, dtype=np.int64)
        for k in range(self.count - 1, -1, -1):
            node = self._nodes[k]
            self._after[k], self.which[node] = self.which[node], k
        known = self.which >= 0
        self.time[known] = self._times[self.which[known]]

    def advance(self, start: float) -> None:
        """Forget failures up to and including `start`."""
        while self._at < self.count and self._times[self._at] <= start:
            node, after = self._nodes[self._at], self._after[self._at]
            self.which[node] = after
            self.time[node] = self._times[after] if after >= 0 else np.inf
            self._at += 1

    def strikes(self, end: float) -> BoolArray:
        """Return for each node whether its next failure comes by `end`."""
        return np.asarray(self.time <= end)


@dataclass(frozen=True, slots=True)
class _Seen:
    upcoming: _Upcoming
    if_struck: float
    otherwise: float

    def probabilities(self, start: float, end: float) -> FloatArray:
        self.upcoming.advance(start)
        struck = self.upcoming.uses[:, self.upcoming.strikes(end)].any(axis=1)
        return np.asarray(np.where(struck, self.if_struck, self.otherwise))


class _Alarms:
    def __init__(self, upcoming: _Upcoming, forecaster: AlarmForecaster) -> None:
        self._upcoming, self._forecaster = upcoming, forecaster
        self._detectability = stream(forecaster.seed, *DETECTABILITY).random(max(upcoming.count, 1))

    def probabilities(self, start: float, end: float) -> FloatArray:
        self._upcoming.advance(start)
        struck = self._upcoming.strikes(end)
        seen = self._detectability[self._upcoming.which] < self._forecaster.sensitivity
        hour = max(int(start // 3600.0), 0)
        draws = stream(self._forecaster.seed, *FALSE_ALARMS, hour).random(struck.size)
        alarm = np.where(struck, seen, draws < 1.0 - self._forecaster.specificity)
        return np.asarray(self._upcoming.uses[:, alarm].any(axis=1), dtype=np.float64)
