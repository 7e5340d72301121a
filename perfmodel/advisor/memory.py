"""All that an advisor remembers: frozen, so that it is written down and read back as it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .belief import Belief

__all__ = ["Memory", "Tracked"]

_NEWEST = 0.1  # weight of the newest value
_DEVIATIONS = 3.0


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

    def seen(self, value: float) -> Tracked:
        """Return what is known after one more value."""
        difference = value - self.mean
        variance = (1.0 - _NEWEST) * (self.variance + _NEWEST * difference * difference)
        return Tracked(self.mean + _NEWEST * difference, variance)

    @property
    def most(self) -> float:
        """Three deviations above the mean, [s]."""
        return self.mean + _DEVIATIONS * math.sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class Memory:
    """What an advisor remembers from one event to the next.

    Parameters
    ----------
    belief : Belief
        A probability for each failure rate.
    cost, latency : Tracked
        Of checkpoints: for how long the job stands still, and from then until it is durable.
    running : bool
        Whether the job is thought to run.
    last : float, [s]
        Time of the last event; -inf before the first.
    segment : float, [s]
        When the work began that no checkpoint holds; nan if the job does not run.
    interval, next_checkpoint : float, [s]
        Chosen for that work; inf if no checkpoint is due.
    bound : str
        What made the interval another than the best one.
    begun, draining : float, [s]
        Since when a checkpoint is written, or on its way; nan if none is.
    failures : int
        How many there were.
    watched : float, [s]
        Time for which the job ran.
    """

    belief: Belief
    cost: Tracked
    latency: Tracked
    running: bool = False
    last: float = -math.inf
    segment: float = math.nan
    interval: float = math.nan
    next_checkpoint: float = math.inf
    bound: str = ""
    begun: float = math.nan
    draining: float = math.nan
    failures: int = 0
    watched: float = 0.0
