"""What an advisor knows of a failure rate: a probability for each rate of a grid.

Silence for a time t makes a rate r less likely by exp(-r t), a failure makes it more likely in
proportion to r. A rate may also change: with each failure, and as often in silence, a small share
of the belief spreads to rates nearby.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray, positive, scalar, shown, whole

__all__ = ["MTBFS", "Belief", "Prior"]

_HOUR, _YEAR = 3600.0, 8766.0 * 3600.0
MTBFS = np.geomspace(0.25 * _HOUR, 2.0 * _YEAR, 56)
_RATES = 1.0 / MTBFS
_LOGS = np.log(_RATES)
_CHANGE = 0.02  # share of the belief that spreads with one failure
_FLAT = 0.1  # of a prior: no rate of the grid is ruled out by history
_LEAST = 1e-300  # of a weight, so that a rate that was ruled out can come back


def _neighbours() -> FloatArray:
    """Return where a rate may change to: two-sided exponential in its logarithm, of scale 1."""
    kernel = np.exp(-np.abs(_LOGS[:, None] - _LOGS[None, :]))
    return np.asarray(kernel / kernel.sum(axis=0))


_SPREAD = _neighbours()


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a failure rate before the first event: a gamma law of it.

    Parameters
    ----------
    shape : float, [-]
        How many failures it is worth; > 0.
    observed_time : float, [s]
        In how much time; > 0. The mean rate is shape / observed_time.

    Raises
    ------
    ValueError
        If a number is outside the range given above.
    TypeError
        If a number is of the wrong kind.

    Examples
    --------
    Nine failures in the last three months are worth two:

    >>> Prior.of_history(9, 90 * 86400.0)
    Prior(shape=2.0, observed_time=1728000.0)
    """

    shape: float
    observed_time: float

    def __post_init__(self) -> None:
        for name in ("shape", "observed_time"):
            object.__setattr__(self, name, scalar(positive, name, getattr(self, name)))

    @classmethod
    def of_history(cls, failures: int, observed_time: float) -> Prior:
        """Return what `failures` >= 0 in `observed_time` > 0 seconds are worth: two failures.

        More would outlast what the run itself shows, since rates drift; without a failure it is
        half of one in that time.
        """
        count = scalar(_count, "failures", failures)
        time = scalar(positive, "observed_time", observed_time)
        return cls(2.0, 2.0 * time / count) if count else cls(0.5, time)

    @classmethod
    def of_nodes(cls, nodes: int, node_mtbf: float) -> Prior:
        """Return what a guess of the MTBF of a node > 0, in seconds, is worth: one failure."""
        count = scalar(whole, "nodes", nodes)
        return cls(1.0, scalar(positive, "node_mtbf", node_mtbf) / count)

    @classmethod
    def unknown(cls) -> Prior:
        """Return the prior of those who know nothing: half a failure in one hour."""
        return cls(0.5, _HOUR)


def _count(name: str, value: object) -> FloatArray:
    return whole(name, value, least=0)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Belief:
    """A probability for each rate of a grid, MTBFs from 15 minutes to two years.

    Parameters
    ----------
    weights : ndarray, [-]
        Shape (56,), in the order of rising MTBF; they sum to 1.
    """

    weights: FloatArray

    @classmethod
    def of(cls, prior: Prior) -> Belief:
        """Return the belief of a prior; a tenth of it is spread evenly over the grid."""
        logs = prior.shape * _LOGS - prior.observed_time * _RATES
        known = np.exp(logs - logs.max())
        return cls((1.0 - _FLAT) * known / known.sum() + _FLAT / known.size)

    @classmethod
    def from_weights(cls, weights: list[float]) -> Belief:
        """Return the belief that was written down as a list; a ValueError if it is none."""
        found = np.asarray(weights, dtype=np.float64)
        proper = found.shape == _RATES.shape and bool(np.all(found >= 0.0))
        if not proper or not abs(float(found.sum()) - 1.0) < 1e-9:
            raise ValueError(
                f"weights must be {_RATES.size} probabilities that sum to 1, got {shown(weights)}"
            )
        return cls(found)

    @property
    def rate(self) -> float:
        """The mean failure rate, [1/s]."""
        return float(self.weights @ _RATES)

    def after_silence(self, time: float) -> Belief:
        """Return the belief after `time` seconds without a failure."""
        rate = self.rate
        # Relative to the lowest rate, so that a long silence leaves more than zeros.
        weights = self.weights * np.exp((_RATES[-1] - _RATES) * time)
        return self._spread(weights, -math.expm1(-_CHANGE * rate * time))

    def after_failure(self) -> Belief:
        """Return the belief after one failure."""
        return self._spread(self.weights * _RATES, _CHANGE)

    def _spread(self, weights: FloatArray, share: float) -> Belief:
        weights = weights / weights.sum()
        weights = (1.0 - share) * weights + share * (_SPREAD @ weights)
        return Belief(np.maximum(weights, _LEAST))

    def mtbf_limits(self, confidence: float) -> tuple[float, float]:
        """Return limits of the MTBF, [s], of equal tails; they are between points of the grid."""
        tails = np.array([0.5 - 0.5 * confidence, 0.5 + 0.5 * confidence])
        reached = np.cumsum(self.weights) - 0.5 * self.weights
        low, high = np.exp(np.interp(tails, reached, np.log(MTBFS)))
        return float(low), float(high)
