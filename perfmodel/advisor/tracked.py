"""A duration that is seen again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass

_MOST = 9.0  # weight of what was known before a new value, whose own is 1
_DEVIATIONS = 3.0
_STATED = 0.3  # deviation of what was only stated, as a share of it
_DOUBTED = math.log(3.0)  # logarithm of a ratio to what was stated that halves its weight
_NONE = 1e-3  # of what was stated: no value is taken for shorter


@dataclass(frozen=True, slots=True)
class Tracked:
    """A duration that is seen again and again: its recent mean and mean square deviation.

    Parameters
    ----------
    mean, variance : float, [s], [s^2]
        In the long run the newest value counts a tenth.
    weight : float, [-]
        How many values the mean is worth beside the next one, at most nine.
    """

    mean: float
    variance: float = 0.0
    weight: float = _MOST

    @classmethod
    def stated(cls, value: float) -> Tracked:
        """Return what is known of a duration that was never seen: that it may differ by a third.

        That is worth one value, and less if the first one is far away.
        """
        return cls(value, (_STATED * value) ** 2, 1.0)

    def seen(self, value: float) -> Tracked:
        """Return what is known after one more value."""
        if self.weight == 1.0:
            return self._first(value)
        newest = 1.0 / (1.0 + self.weight)
        difference = value - self.mean
        variance = (1.0 - newest) * (self.variance + newest * difference * difference)
        return Tracked(self.mean + newest * difference, variance, min(self.weight + 1.0, _MOST))

    def _first(self, value: float) -> Tracked:
        """Return what is known after the first value, the weight of a wrong statement taken away.

        What is apart because the statement is wrong says nothing of how far values are apart.
        """
        least = _NONE * self.mean
        apart = math.log((value + least) / (self.mean + least)) / _DOUBTED if least > 0.0 else 0.0
        weight = 1.0 / (1.0 + apart * apart)
        newest, difference = 1.0 / (1.0 + weight), value - self.mean
        right = (1.0 - newest) * (self.variance + newest * difference * difference)
        wrong = newest * (_STATED * value) ** 2
        variance = weight * right + (1.0 - weight) * wrong
        return Tracked(self.mean + newest * difference, variance, 1.0 + weight)

    @property
    def most(self) -> float:
        """Three deviations above the mean, [s]."""
        return self.mean + _DEVIATIONS * math.sqrt(self.variance)
