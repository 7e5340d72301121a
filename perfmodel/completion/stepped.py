"""A completion time of finitely many values: a Poisson number of delays that have few of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import FloatArray
from .law import CompletionTime


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SteppedCompletionTime(CompletionTime):
    """A completion time that takes one of finitely many values.

    Parameters
    ----------
    values : ndarray, [time]
        Shape (n,), sorted; the first is the time without any failure.
    probabilities : ndarray, [-]
        Shape (n,); what they lack to 1 is left out.
    mean, variance : float, [time], [time^2]
        Moments of all of them.
    """

    values: FloatArray
    probabilities: FloatArray
    mean: float
    variance: float
    error = 1e-13  # rounding of sums
    light = False  # the sf ends where values were left out

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return float(self.values[0]), float(self.probabilities[0])

    def _cdf(self, t: FloatArray) -> FloatArray:
        sums = np.append(0.0, np.minimum(np.cumsum(self.probabilities), 1.0))
        return np.asarray(sums[np.searchsorted(self.values, t, side="right")])

    def _sf(self, t: FloatArray) -> FloatArray:
        sums = np.append(np.cumsum(self.probabilities[::-1])[::-1], 0.0)
        return np.asarray(sums[np.searchsorted(self.values, t, side="right")])

    def _early(self, q: FloatArray) -> FloatArray:
        place = np.searchsorted(np.cumsum(self.probabilities), q)
        return np.asarray(self.values[np.minimum(place, self.values.size - 1)])

    def _late(self, p: FloatArray) -> FloatArray:
        # The first value with no more than p beyond it.
        beyond = np.append(np.cumsum(self.probabilities[:0:-1])[::-1], 0.0)
        return np.asarray(self.values[np.searchsorted(-beyond, -p)])
