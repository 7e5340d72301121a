"""Repairs that take one of finitely many recorded times, or always the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._checks import ComplexArray, FloatArray
from ...lifetimes import Lifetime
from ._fixed_point import BusyPeriod, load_of
from ._recorded_sums import RecordedSums, busy_sums, recorded_sums
from ._repair import LawRepair
from ._weighted_values import WeightedValues


@dataclass(frozen=True)
class RecordedRepair(LawRepair):
    """A repair that takes one of finitely many times.

    Parameters
    ----------
    law : Lifetime
        Of one repair.
    values : WeightedValues
        The different times with their shares.
    """

    values: WeightedValues

    @property
    def spacing(self) -> float:
        """What every repair takes, [time]; 0 unless they are all equal."""
        return float(self.values.values[0]) if self.values.values.size == 1 else 0.0

    def first_failures(self, rate: float) -> RecordedSums:
        """Return what is known in time of uptimes that failures end at `rate`, [1/time]."""
        return recorded_sums(self.values, rate, self)

    def struck(self, mtbf: float) -> BusyPeriod:
        """Return this repair where failures, one in each `mtbf` [time], prolong it."""
        load_of(np.asarray(mtbf), np.asarray(self.mean))  # beyond 1 sums of repairs may overflow
        return BusyPeriod(self, mtbf, busy_sums(self.values, 1.0 / mtbf), values=self.values)

    def _complement(self, s: ComplexArray) -> ComplexArray:
        if self.values.values.size == 1:
            return self.law.laplace_complement(s)
        return self.values.complement(s)


def recorded(law: Lifetime, samples: FloatArray) -> RecordedRepair:
    """Return the repair that takes each of `samples` [time], shape (n,), equally often."""
    values, counts = np.unique(samples, return_counts=True)
    return RecordedRepair(law, WeightedValues(values, counts / counts.sum()))
