"""A duration that is seen again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Tracked"]

_NEWEST = 0.1  # weight of the newest value
_DEVIATIONS = 3.0
_STATED = 0.3  # deviation of what was only stated, as a share of it


@dataclass(frozen=True, slots=True)
class Tracked:
    """A duration that is seen again and again: its recent mean and mean square deviation.

    Parameters
    ----------
    mean, variance : float, [s], [s^2]
        The newest value counts a tenth.
    """

    mean: float
    variance: float = 0.0

    @classmethod
    def stated(cls, value: float) -> Tracked:
        """Return what is known of a duration that was never seen: that it may differ by a third."""
        return cls(value, (_STATED * value) ** 2)

    def seen(self, value: float) -> Tracked:
        """Return what is known after one more value."""
        difference = value - self.mean
        variance = (1.0 - _NEWEST) * (self.variance + _NEWEST * difference * difference)
        return Tracked(self.mean + _NEWEST * difference, variance)

    @property
    def most(self) -> float:
        """Three deviations above the mean, [s]."""
        return self.mean + _DEVIATIONS * math.sqrt(self.variance)
