"""A forecaster whose stated probabilities are true, with false alarms and failures it misses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..._checks import fraction
from ..._libm import log1p
from ...records import BoolArray, FloatArray, IntArray
from ...streams import STATED_ALARMS, stream
from ..failures.feed import NO_FAILURES, Failures
from .windows import Known

_SPREAD = 2.0  # of what alarms state: with a precision of 1/2 all probabilities are equally likely


@dataclass(frozen=True, slots=True)
class CalibratedForecaster:
    """Alarms that come true as often as each of them says.

    An alarm names a node and a time, and states the probability p that the node fails then. All
    alarms are known from the beginning. Over all of them p has the Beta law with parameters
    2 `precision` and 2 (1 - `precision`); by Bayes, alarms that come true have the first parameter
    one larger, false ones the second. ``recall (1 - precision) / precision`` false alarms are
    expected for each failure, at times and nodes drawn evenly.

    The answer for a window is ``1 - exp(-(1 - recall) rate x nodes x duration) prod(1 - p)``, over
    the alarms in it: the probability of a failure given all alarms, if failures are Poisson and
    strike all nodes alike. In bursts single alarms stay true, answers for whole windows do not.

    Parameters
    ----------
    recall : float, [-]
        Share of the failures that are announced.
    precision : float, [-]
        Share of the alarms that come true; above 0.
    failure_rate : float, optional, [1/s]
        Of one node; >= 0. By default that of the failures of the replay, from first to last.
    seed : int
        Of the alarms.

    Raises
    ------
    ValueError
        If a share is outside its range, or `failure_rate` not finite and >= 0.
    """

    recall: float
    precision: float
    failure_rate: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        fraction("recall", self.recall)
        fraction("precision", self.precision)
        if self.precision == 0.0:
            raise ValueError(f"precision must be > 0, got {self.precision!r}")
        if self.failure_rate is not None and not 0.0 <= self.failure_rate < math.inf:
            raise ValueError(f"failure_rate must be finite and >= 0, got {self.failure_rate!r}")

    def outlook(self, failures: Failures | None, nodes: int) -> _Alarmed:
        """Return the outlook on one replay."""
        feed = NO_FAILURES if failures is None else failures
        rate = _rate(feed, nodes) if self.failure_rate is None else self.failure_rate
        alarms, stated = self._alarms(feed, nodes, rate)
        return _Alarmed(alarms, nodes, stated, (1.0 - self.recall) * rate)

    def _alarms(self, feed: Failures, nodes: int, rate: float) -> tuple[Failures, FloatArray]:
        rng = stream(self.seed, *STATED_ALARMS)
        announced = rng.random(len(feed)) < self.recall
        good, bad = _SPREAD * self.precision, _SPREAD * (1.0 - self.precision)
        if bad == 0.0 or not len(feed):
            return _of(feed, announced), np.ones(int(announced.sum()))
        true = rng.beta(good + 1.0, bad, len(feed))[announced]
        first, last = float(feed.time[0]), float(feed.time[-1])
        count = rng.poisson(self.recall * rate * nodes * (last - first) * bad / good)
        time = np.concatenate((feed.time[announced], rng.uniform(first, last, count)))
        node = np.concatenate((feed.node[announced], rng.integers(0, nodes, count)))
        repair = np.concatenate((feed.repair[announced], rng.choice(feed.repair, count)))
        stated = np.concatenate((true, rng.beta(good, bad + 1.0, count)))
        order = np.argsort(time, kind="stable")
        return Failures(time[order], node[order], repair[order]), stated[order]


class _Alarmed(Known):
    """Of a `CalibratedForecaster`."""

    def __init__(self, alarms: Failures, nodes: int, stated: FloatArray, missed: float) -> None:
        super().__init__(alarms, nodes, np.ones(len(alarms), dtype=bool))
        self.ceiling = 1.0
        self._hazard: FloatArray = -log1p(-stated)
        self._missed = missed

    def risk(self, nodes: IntArray, start: float, end: float) -> float:
        """Return the probability of a failure of `nodes` in (start, end], [-]."""
        hazard = float(self._hazard[self.striking(nodes, start, end)].sum())
        return -math.expm1(-hazard - self._missed * nodes.size * (end - start))

    def choose(
        self, free: IntArray, count: int, start: float, end: float
    ) -> tuple[IntArray, float]:
        """Return the `count` of the `free` nodes with the least probability, and that."""
        which = self.disturbing(start, end)
        hazard = np.bincount(self.node[which], self._hazard[which], self._nodes)[free]
        places = np.argsort(hazard, kind="stable")[:count]
        total = float(hazard[places].sum()) + self._missed * count * (end - start)
        return np.sort(free[places]), -math.expm1(-total)


def _of(feed: Failures, chosen: BoolArray) -> Failures:
    return Failures(feed.time[chosen], feed.node[chosen], feed.repair[chosen])


def _rate(feed: Failures, nodes: int) -> float:
    span = float(feed.time[-1] - feed.time[0]) if len(feed) else 0.0
    return (len(feed) - 1) / (span * nodes) if span > 0.0 else 0.0
