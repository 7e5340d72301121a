"""What all times lost to failures at a constant rate have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property

from ._first_failures import RARE, FirstFailures, UptimeAndRepair, Visit
from .repairs import Repair


class StruckProcess(ABC):
    """A time lost to failures at a constant `rate` [1/time], each with a downtime."""

    rate: float
    down: Repair

    @property
    @abstractmethod
    def busy(self) -> float:
        """The makespan without failures, [time]."""

    @abstractmethod
    def _visits(self, depth: int) -> Iterable[Visit]:
        """Return the ways to fail up to `depth` times."""

    @property
    def log_atom(self) -> float:
        """Logarithm of the probability that nothing fails, [-]."""
        return -self.rate * self.busy

    @cached_property
    def _known(self) -> UptimeAndRepair:
        return self.down.first_failures(self.rate)

    @cached_property
    def first_failures(self) -> FirstFailures:
        """The first failures, known in time."""
        if self.log_atom < RARE:
            return FirstFailures(self.rate, None, ())
        return FirstFailures(self.rate, self._known, tuple(self._visits(self._known.depth)))
