"""What an advisor knows of a failure rate: a probability for each rate of a grid.

Silence for a time t makes a rate r less likely by exp(-r t), a failure makes it more likely in
proportion to r. A rate may also change: with each failure, and as often in silence, a small share
of the belief spreads to rates nearby. Where failures depend on the time since the last one by a
Weibull law of known shape k, the same holds of r = (Gamma(1 + 1/k)/MTBF)^k and of t^k.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .._checks import FloatArray, positive, scalar, shown, whole

_HOUR, _YEAR = 3600.0, 8766.0 * 3600.0
MTBFS = np.geomspace(0.25 * _HOUR, 2.0 * _YEAR, 56)
RATES = 1.0 / MTBFS
_LOGS = np.log(RATES)
_LOWEST, _APART = float(MTBFS[0]), float(-np.diff(_LOGS).mean())  # [s], of logarithms
ONES = np.ones(RATES.size)
CHANGE = 0.02  # share of the belief that spreads with one failure
_FLAT = 0.1  # of a prior: no rate of the grid is ruled out by history
LEAST = 1e-300  # of a weight, so that a rate that was ruled out can come back


@lru_cache(maxsize=8)
def grid(shape: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return r of each MTBF, [1/s^k], by how much it is above the lowest, and where it may change.

    A change is two-sided exponential in the logarithm of r, of scale 1.
    """
    risks = RATES if shape == 1.0 else (math.gamma(1.0 + 1.0 / shape) * RATES) ** shape
    kernel = np.exp(-shape * np.abs(_LOGS[:, None] - _LOGS[None, :]))
    return risks, risks - risks[-1], np.asarray(kernel / kernel.sum(axis=0))


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
    shape : float, [-]
        Of the Weibull law of the time between failures; 1 if failures are memoryless.
    """

    weights: FloatArray
    shape: float = 1.0

    @classmethod
    def of(cls, prior: Prior, shape: float = 1.0) -> Belief:
        """Return the belief of a prior; a tenth of it is spread evenly over the grid."""
        risks, _, _ = grid(shape)
        middle = (math.gamma(1.0 + 1.0 / shape) * prior.shape / prior.observed_time) ** shape
        logs = prior.shape * (shape * _LOGS - risks / middle)
        known = np.exp(logs - logs.max())
        return cls((1.0 - _FLAT) * known / known.sum() + _FLAT / known.size, shape)

    @classmethod
    def from_weights(cls, weights: list[float], shape: float = 1.0) -> Belief:
        """Return the belief that was written down as a list; a ValueError if it is none."""
        found = np.asarray(weights, dtype=np.float64)
        proper = found.shape == RATES.shape and bool(np.all(found >= 0.0))
        if not proper or not abs(float(found.sum()) - 1.0) < 1e-9:
            raise ValueError(
                f"weights must be {RATES.size} probabilities that sum to 1, got {shown(weights)}"
            )
        return cls(found, shape)

    @property
    def rate(self) -> float:
        """The mean of one over the MTBF, [1/s]: the mean failure rate."""
        return float(self.weights.dot(RATES))

    @property
    def risk(self) -> float:
        """The mean of r, [1/s^k]; the failure rate at age t is k r t^(k-1)."""
        return float(self.weights.dot(grid(self.shape)[0]))

    def after_silence(self, time: float, age: float = 0.0) -> Belief:
        """Return the belief after `time` seconds without a failure, from `age` after one on."""
        risks, above, _ = grid(self.shape)
        if self.shape != 1.0:
            time = (age + time) ** self.shape - age**self.shape
        expected = float(self.weights.dot(risks)) * time
        # Relative to the lowest rate, so that a long silence leaves more than zeros.
        weights = above * -time
        np.exp(weights, out=weights)
        weights *= self.weights
        return self._spread(weights, -math.expm1(-CHANGE * expected))

    def after_failure(self) -> Belief:
        """Return the belief after one failure."""
        return self._spread(self.weights * grid(self.shape)[0], CHANGE)

    def _spread(self, weights: FloatArray, share: float) -> Belief:
        """Return the belief of weights of any sum, which are overwritten."""
        # `dot` and sums in place take half the time of `@` and `+`, on arrays as short as these.
        whole = float(weights.dot(ONES))
        spread = grid(self.shape)[2].dot(weights)
        spread *= share / whole
        weights *= (1.0 - share) / whole
        spread += weights
        return Belief(np.maximum(spread, LEAST, out=spread), self.shape)

    def mtbf_limits(self, confidence: float) -> tuple[float, float]:
        """Return limits of the MTBF, [s], of equal tails; they are between points of the grid."""
        upto = _HALVES.dot(self.weights).tolist()
        tail = 0.5 - 0.5 * confidence
        return _mtbf_at(tail, upto), _mtbf_at(1.0 - tail, upto)


_HALVES = np.tri(RATES.size) - 0.5 * np.eye(RATES.size)  # sums up to the middle of each


def _mtbf_at(probability: float, reached: list[float]) -> float:
    """Return the MTBF up to which that probability is reached, linearly in its logarithm, [s]."""
    above = bisect_right(reached, probability)
    if above == 0 or above == len(reached):
        return float(MTBFS[min(above, len(reached) - 1)])
    low, high = reached[above - 1], reached[above]
    return _LOWEST * math.exp(_APART * (above - 1.0 + (probability - low) / (high - low)))
