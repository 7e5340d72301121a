"""The base class of repairs: what a completion time needs to know of the time after a failure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._checks import ComplexArray
from ...lifetimes import Lifetime
from .._first_failures import UptimeAndRepair


class Repair(ABC):
    """The time after a failure: its moments, its transform, and what is known of it in time.

    There is one class for each kind, which supplies `_complement`; `repair_of` makes a repair of
    a law.
    """

    _last: tuple[ComplexArray, ComplexArray] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_last"}

    @property
    @abstractmethod
    def mean(self) -> float:
        """The mean, [time]; inf where it does not exist."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist."""

    @property
    @abstractmethod
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""

    @property
    def spacing(self) -> float:
        """What every repair takes, [time]; 0 unless they are all equal."""
        return 0.0

    @property
    def load(self) -> float:
        """Mean number of failures that strike a repair, [-]; 0 unless they are all equal."""
        return 0.0

    @abstractmethod
    def first_failures(self, rate: float) -> UptimeAndRepair:
        """Return what is known in time of uptimes that failures end at `rate`, [1/time]."""

    @abstractmethod
    def struck(self, mtbf: float) -> Repair:
        """Return this repair where failures, one in each `mtbf` [time], prolong it.

        ValueError if the load, mean/mtbf, is not below 1.
        """

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s T)], [-], for Re s > -abscissa."""
        return np.asarray(1.0 - self.complement(s))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for Re s > -abscissa, relatively accurate also near 0.

        Near 0 the transform is 1 less the size of s times the mean. The law of a job that hardly
        ever succeeds depends on values there, of which a subtraction would leave no digits.
        """
        # An inversion asks twice for the same array: for the whole law and its first failures.
        found = self._last
        if found is None or found[0] is not s:
            found = (s, self._complement(s))
            object.__setattr__(self, "_last", found)
        return found[1]

    @abstractmethod
    def _complement(self, s: ComplexArray) -> ComplexArray: ...


@dataclass(frozen=True)
class LawRepair(Repair):
    """A repair that nothing prolongs, of a known law.

    Parameters
    ----------
    law : Lifetime
        Of one repair.
    """

    law: Lifetime

    @cached_property
    def mean(self) -> float:
        """The mean, [time]; inf where it does not exist."""
        return self.law.mean

    @cached_property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist."""
        return self.law.variance

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""
        return self.law.abscissa
