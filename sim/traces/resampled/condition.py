"""What a log that is drawn has to have: a number of jobs, a load, shares and means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..._checks import check_fields, fraction, nonnegative, number, one_of, positive
from ..described.jobs import FloatArray, KnownJobs

_MEASURES = ("jobs", "processors", "runtime", "walltime")
_LOAD_WITHIN = 0.01  # of the load asked for


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


class Limits(NamedTuple):
    """The numbers wanted, how far off each may be, and whether it is a sum or a mean by job."""

    values: FloatArray
    within: FloatArray
    is_sum: npt.NDArray[np.bool_]


class Wanted:
    """Sums over the jobs of a log, and all that is wanted of them; the area is the last."""

    def __init__(
        self,
        jobs: KnownJobs,
        conditions: Sequence[Condition],
        *,
        area: float | None,
    ) -> None:
        columns = [np.ones(len(jobs)), *(each.column(jobs) for each in conditions)]
        limits = [(each.value, each.within, each.measure == "jobs") for each in conditions]
        if area is not None:
            columns.append(jobs.area)
            limits.append((area, _LOAD_WITHIN * area, True))
        values, within, is_sum = np.array(limits, dtype=np.float64).reshape(-1, 3).T
        self.columns = np.stack(columns, axis=1)
        self.limits = Limits(values.copy(), within.copy(), is_sum > 0.0)
        self._conditions = tuple(conditions)

    @property
    def anything(self) -> bool:
        """Whether anything is wanted."""
        return bool(self.limits.values.size)

    def words(self, sums: FloatArray) -> str:
        """Return what is farthest off, in words."""
        values, within, is_sum = self.limits
        found = np.where(is_sum, sums[1:], sums[1:] / max(float(sums[0]), 1.0))
        off = (np.abs(found - values) / within)[::-1]
        at = off.size - 1 - int(np.argmax(off))
        if at == len(self._conditions):
            return f"{100.0 * found[at] / values[at]:.4g} % of the load"
        return f"{self._conditions[at]} {found[at]:.6g} instead of {values[at]:.6g}"
