"""Whether failures come in bursts, from the failures: one rate at all times, or two.

With two, the failure rate from a failure until the next checkpoint is another one than afterwards.
Both are believed alike at first, and then by how likely each made what was seen; what was seen long
ago counts less, as rates drift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from .belief import CHANGE, RATES, Belief, grid

_CERTAIN = 30.0  # logarithm of odds beyond which nothing is gained by more
_ABOVE, _KERNEL = grid(1.0)[1:]
# One product gives a spread belief, its sum before, and the mean rates before and after.
_SPREAD = np.column_stack([_KERNEL.T, np.ones(RATES.size), RATES, _KERNEL.T @ RATES])
_GRID = RATES.size
_ROUNDED = 1e-9  # relative: what many steps may leave
_SMALL = 1e-100  # of a sum of weights


@dataclass(frozen=True, slots=True)
class Phases:
    """A belief in one failure rate, in two, and in which of both is right.

    Parameters
    ----------
    weights : ndarray, [-]
        Shape (3, 56): of the rates of `Belief`, for the one rate, the rate from a failure until the
        next checkpoint, and that afterwards; of any sums.
    sums : tuple of float, [-]
        Their sums.
    rates : tuple of float, [1/s]
        The means of the three rates.
    odds : float, [-]
        Logarithm of how much likelier two rates are than one.
    """

    weights: FloatArray
    sums: tuple[float, ...]
    rates: tuple[float, ...]
    odds: float = 0.0

    @classmethod
    def of(cls, beliefs: Sequence[Belief], odds: float = 0.0) -> Phases:
        """Return the belief in one rate, an early and a late one."""
        one, early, late = beliefs
        return cls(
            np.array([one.weights, early.weights, late.weights]),
            (1.0, 1.0, 1.0),
            (one.rate, early.rate, late.rate),
            min(max(odds, -_CERTAIN), _CERTAIN),
        )

    def check(self) -> None:
        """Raise a ValueError if these are no such beliefs."""
        for belief, rate in zip(self.beliefs, self.rates, strict=True):
            Belief.from_weights(belief.weights.tolist())
            if not abs(belief.rate / rate - 1.0) < _ROUNDED:
                raise ValueError(f"rates must be means of the weights, got {rate:g}")
        if not np.allclose(self.weights.sum(axis=1), self.sums, rtol=_ROUNDED, atol=0.0):
            raise ValueError(f"sums must be those of the weights, got {self.sums}")
        if not abs(self.odds) <= _CERTAIN:
            raise ValueError(f"odds must be at most {_CERTAIN:g} either way, got {self.odds:g}")

    @property
    def beliefs(self) -> tuple[Belief, Belief, Belief]:
        """The belief in one rate, an early and a late one."""
        one, early, late = (Belief(row / row.sum()) for row in self.weights)
        return one, early, late

    def rate(self, struck: bool) -> float:
        """Return the mean failure rate, [1/s]; `struck` from a failure to the next checkpoint."""
        two = self._two
        return (1.0 - two) * self.rates[0] + two * self.rates[1 if struck else 2]

    def now(self, struck: bool) -> Belief:
        """Return what is known of it."""
        two, row = self._two, 1 if struck else 2
        shares = [(1.0 - two) / self.sums[0], 0.0, 0.0]
        shares[row] = two / self.sums[row]
        return Belief(np.dot(shares, self.weights))

    def after(self, time: float, struck: bool, failed: bool = False) -> Phases:
        """Return the belief after `time` seconds without a failure, and perhaps one then."""
        likely = _ABOVE * -time
        np.exp(likely, out=likely)
        stays = math.exp(-CHANGE * self.rates[0] * time)
        if not failed:
            return self._seen(likely, 1.0 - stays, struck, 1.0)
        likely *= RATES
        return self._seen(likely, 1.0 - stays * (1.0 - CHANGE), struck, 1.0 - CHANGE)

    @property
    def _two(self) -> float:
        """Probability that there are two rates."""
        return 1.0 / (1.0 + math.exp(-self.odds))

    def _seen(self, likely: FloatArray, share: float, struck: bool, kept: float) -> Phases:
        """Return the belief after what is so likely for each rate; a share of it spreads."""
        rows = slice(0, 2) if struck else slice(0, 3, 2)
        pair = self.weights[rows] * likely
        spread = pair.dot(_SPREAD)
        (sum_0, rate_0, wide_0), (sum_1, rate_1, wide_1) = spread[:, _GRID:].tolist()
        weights = self.weights.copy()
        found = np.multiply(spread[:, :_GRID], share, out=weights[rows])
        pair *= 1.0 - share
        found += pair
        stay = 1.0 - share
        one = (stay * rate_0 + share * wide_0) / sum_0
        two = (stay * rate_1 + share * wide_1) / sum_1
        before = self.sums
        odds = self.odds + math.log(sum_1 / before[1 if struck else 2] * before[0] / sum_0)
        sums = (sum_0, sum_1, before[2]) if struck else (sum_0, before[1], sum_1)
        rates = (one, two, self.rates[2]) if struck else (one, self.rates[1], two)
        if min(sums) < _SMALL:
            weights /= np.array(sums)[:, None]
            sums = (1.0, 1.0, 1.0)
        return Phases(weights, sums, rates, min(max(kept * odds, -_CERTAIN), _CERTAIN))
