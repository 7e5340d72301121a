"""Which of several free partitions a job gets: the one whose allocation costs least.

`qsim` section IV-B. Ordinary cost: how many idle parents it would newly block. Fault-aware: each
of these counts by its chance to survive, and the partition's own risk is added. Of this cost there
are four readings, which `FaultAware` and `ReleasedFaultAware` have. Parents are what
paper and Cobalt count (see `partitions`); the candidate's own parts, which are blocked as
well and are equally many at nearly every candidate, are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, get_args, runtime_checkable

import numpy as np

from ..._checks import nonnegative, one_of, shown
from ...records import BoolArray, FloatArray, IntArray
from ..failures.feed import Failures
from ..forecasts.places import Forecast, Forecaster, QsimForecaster
from .partitions import PartitionTable

__all__ = [
    "Allocation",
    "Allocator",
    "FaultAware",
    "LeastBlocking",
    "ReleasedFaultAware",
    "most_blocked",
    "newly_blocked",
]

Parents: TypeAlias = Literal["survive", "neighbours", "all"]


class Allocator(Protocol):
    """An allocation at work in one replay."""

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        """Return the cost of each candidate for a job that occupies it in (start, end], [-]."""


@runtime_checkable
class Allocation(Protocol):
    """A description of how partitions are chosen."""

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return the allocator of one replay."""


def newly_blocked(parents: BoolArray, candidates: IntArray, weight: FloatArray) -> FloatArray:
    """Return the summed `weight` of the parents that each candidate would newly block, [-].

    `weight` is 0 for partitions that are not idle. This is the readable twin of
    `kernels.neighbours.Neighbours.summed`.
    """
    return np.array([weight[parents[c]].sum() for c in candidates])


def most_blocked(table: PartitionTable) -> int:
    """Return how many parents one partition can block at most, [-].

    Parameters
    ----------
    table : PartitionTable
        Of the machine.

    Returns
    -------
    int, [-]
        The largest number of parents.
    """
    return int(np.count_nonzero(table.parents, axis=1).max())


@dataclass(frozen=True, slots=True)
class LeastBlocking:
    """Cost BLK(X): the number of idle parents that X would newly block."""

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return the allocator of one replay."""
        del failures
        return _Blocking(table.parents)


@dataclass(frozen=True, slots=True)
class FaultAware:
    """Cost ``alpha BLK_f(X) + beta P_f(X)``, with P_f from a forecaster.

    Parameters
    ----------
    forecaster : Forecaster
        Asked for the time from the start to the job's walltime end.
    alpha, beta : float, [-]
        Weights of blocking and of risk; >= 0. Both are 1 in the paper.
    parents : {"survive", "neighbours", "all"}
        How an idle parent counts that X would block: by its chance to survive, as the formula
        of BLK_f is printed; by that of its midplanes that X does not use, as the text speaks of
        adjacent ones; or fully, as the released code of June 2009 adds P_f(X) to BLK(X).

    Notes
    -----
    The paper does not say of which midplanes a blocked parent's chance is. A parent that has no
    others than X counts fully as one of "neighbours".
    With equal weights a partition that will fail is *preferred* wherever it blocks more than one
    parent that nothing else dooms: these fail too, and so cost less to block, by more than its own
    risk costs. Where the aim is that fewer jobs fail, ``beta >= alpha x most_blocked(table)``, or
    `ReleasedFaultAware`; `docs/reproduction/qsim.md` has the measurements.
    """

    forecaster: Forecaster = field(default_factory=QsimForecaster)
    alpha: float = 1.0
    beta: float = 1.0
    parents: Parents = "survive"

    def __post_init__(self) -> None:
        one_of("parents", self.parents, get_args(Parents))
        nonnegative("alpha", self.alpha)
        nonnegative("beta", self.beta)
        _check_forecaster(self.forecaster)

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return the allocator of one replay."""
        return _Risky(table, self, failures)


@dataclass(frozen=True, slots=True)
class ReleasedFaultAware:
    """Cost as the released simulator of `qsim` adds it up: BLK(X) + parents(X) P_f(X).

    It counts blocked parents fully, and the candidate's own risk once for every parent, idle or
    not, so that a risk always adds to the cost. A third term of the released code, a hundredth for
    every pair of a parent and a part of X, seems unintended and is left out.
    """

    forecaster: Forecaster = field(default_factory=QsimForecaster)

    def __post_init__(self) -> None:
        _check_forecaster(self.forecaster)

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return the allocator of one replay."""
        return _Released(table, self.forecaster.begin(failures, table.uses))


def _check_forecaster(forecaster: object) -> None:
    if not isinstance(forecaster, Forecaster):
        raise TypeError(f"forecaster must have begin, got {shown(forecaster)}; use QsimForecaster")


class _Blocking:
    def __init__(self, parents: BoolArray) -> None:
        from .kernels.neighbours import Neighbours

        self._neighbours = Neighbours(parents)

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        del start, end
        return self.weighted(candidates, idle.astype(np.float64))

    def weighted(self, candidates: IntArray, weight: FloatArray) -> FloatArray:
        # Rounded, so that equal sums taken in another order stay equal and the name decides.
        return np.round(self._neighbours.summed(candidates, weight), 9)


class _Risky:
    def __init__(
        self, table: PartitionTable, description: FaultAware, failures: Failures | None
    ) -> None:
        self._blocking, self._description = _Blocking(table.parents), description
        uses = table.uses
        if description.parents == "neighbours":
            # One more place for each pair of a partition and a parent: what only the latter uses.
            self._pairs = np.argwhere(table.parents)
            others = uses[self._pairs[:, 1]] & ~uses[self._pairs[:, 0]]
            self._none_other = ~others.any(axis=1)
            uses = np.concatenate([uses, others])
        self._forecast = description.forecaster.begin(failures, uses)

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        said = self._forecast.probabilities(start, end)
        risk = said[: idle.size]
        match self._description.parents:
            case "survive":
                blocked = self._blocking.weighted(candidates, np.where(idle, 1.0 - risk, 0.0))
            case "neighbours":
                partition, parent = self._pairs.T
                survive = np.where(self._none_other, 1.0, 1.0 - said[idle.size :])
                counted = np.where(idle[parent], survive, 0.0)
                blocked = np.round(np.bincount(partition, counted, idle.size)[candidates], 9)
            case _:
                blocked = self._blocking.weighted(candidates, idle.astype(np.float64))
        return np.asarray(
            self._description.alpha * blocked + self._description.beta * risk[candidates]
        )


class _Released:
    def __init__(self, table: PartitionTable, forecast: Forecast) -> None:
        self._blocking, self._forecast = _Blocking(table.parents), forecast
        self._parents = np.count_nonzero(table.parents, axis=1)

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        risk = self._forecast.probabilities(start, end)[candidates]
        blocked = self._blocking.weighted(candidates, idle.astype(np.float64))
        return np.asarray(blocked + self._parents[candidates] * risk)
