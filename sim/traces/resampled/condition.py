"""What a log that is drawn has to have: a number of jobs, a load, shares and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..._checks import check_fields, fraction, nonnegative, number, one_of, positive
from ..described.jobs import FloatArray, KnownJobs

_MEASURES = ("jobs", "processors", "runtime", "walltime")
_LOAD_WITHIN = 0.01  # of the load asked for
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Condition:
    """A printed number that a drawn log has to have.

    Parameters
    ----------
    measure : {"jobs", "processors", "runtime", "walltime"}
        ``jobs``: how many there are; else the mean of this column, or, with limits, the share of
        jobs in which it lies from `at_least` on and below `below`.
    value : float
        What is printed: a number, a mean (seconds for times), or a share in [0, 1].
    within : float
        How far from it a drawn log may be, such as half a unit of the last printed digit; > 0.
    at_least, below : float, optional
        Limits of a share; 0 and infinity, if only the other is given.

    Raises
    ------
    ValueError
        If a number is out of its range, or limits are given for ``jobs`` or in the wrong order.
    TypeError
        If a number is of the wrong kind.
    """

    measure: Literal["jobs", "processors", "runtime", "walltime"]
    value: float
    within: float
    at_least: float | None = None
    below: float | None = None

    def __post_init__(self) -> None:
        one_of("measure", self.measure, _MEASURES)
        check_fields(self, fraction if self.is_share else nonnegative, "value")
        check_fields(self, positive, "within")
        if self.is_share and self.measure == "jobs":
            raise ValueError("at_least and below must be left out where measure is 'jobs'")
        low, high = self.limits
        if not low < high:
            raise ValueError(f"at_least must be less than below, got {low!r} and {high!r}")

    @property
    def is_share(self) -> bool:
        """Whether it is a share, not a mean or a number."""
        return bool(self.at_least is not None or self.below is not None)

    @property
    def limits(self) -> tuple[float, float]:
        """From where on and below what a value counts."""
        low = 0.0 if self.at_least is None else nonnegative("at_least", self.at_least)
        high = math.inf if self.below is None else number("below", self.below)
        return low, high

    def column(self, jobs: KnownJobs) -> FloatArray:
        """Return for each job what it adds to the sum behind the number."""
        if self.measure == "jobs":
            return np.ones(len(jobs))
        values = np.asarray(getattr(jobs, self.measure), dtype=np.float64)
        if not self.is_share:
            return values
        low, high = self.limits
        return ((values >= low) & (values < high)).astype(np.float64)

    def __str__(self) -> str:
        if not self.is_share:
            return self.measure if self.measure == "jobs" else f"mean {self.measure}"
        low, high = self.limits
        return f"share of {self.measure} in [{low:g}, {high:g})"


class Wanted:
    """Sums over the jobs of a log, and how far they are from all that is wanted of it."""

    def __init__(
        self,
        jobs: KnownJobs,
        conditions: Sequence[Condition],
        *,
        area: float | None,
    ) -> None:
        columns = [np.ones(len(jobs)), *(each.column(jobs) for each in conditions)]
        if area is not None:
            columns.append(jobs.area)
        self.columns = np.stack(columns, axis=1)
        self._of_all = np.array([each.measure == "jobs" for each in conditions], dtype=np.bool_)
        self._values = np.array([each.value for each in conditions])
        self._within = np.array([each.within for each in conditions])
        self._conditions = tuple(conditions)
        self._area = area

    @property
    def anything(self) -> bool:
        """Whether anything is wanted."""
        return bool(self._conditions) or self._area is not None

    def found(self, sums: FloatArray) -> FloatArray:
        """Return the numbers of the conditions, then the area over that wanted, if it is."""
        count = max(float(sums[0]), 1.0)
        printed = sums[1 : 1 + self._values.size]
        values = np.where(self._of_all, printed, printed / count)
        return values if self._area is None else np.append(values, sums[-1] / self._area)

    def distance(self, sums: FloatArray) -> tuple[float, bool]:
        """Return a distance to all that is wanted, and whether each of it is met."""
        off = np.abs(self.found(sums)[: self._values.size] - self._values) / self._within
        if self._area is not None:
            off = np.append(off, abs(sums[-1] / self._area - 1.0) / _LOAD_WITHIN)
        return float(off @ off), bool(np.all(off <= 1.0 + _ROUNDING))

    def words(self, sums: FloatArray) -> str:
        """Return what is farthest off, in words."""
        found = self.found(sums)
        off = np.abs(found[: self._values.size] - self._values) / self._within
        if self._area is not None and abs(found[-1] - 1.0) / _LOAD_WITHIN >= np.max(off, initial=0):
            return f"{100.0 * found[-1]:.4g} % of the load"
        at = int(np.argmax(off))
        return f"{self._conditions[at]} {found[at]:.6g} instead of {self._values[at]:.6g}"
