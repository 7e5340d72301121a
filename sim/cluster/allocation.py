"""Which of several free partitions a job gets: the one whose allocation costs least.

`qsim` section IV-B. Ordinary cost: how many idle partitions it would newly block. Fault-aware:
each of these counts by its chance to survive, and the partition's own risk is added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..records import BoolArray, FloatArray, IntArray
from .faults import Failures
from .machines.partitions import PartitionTable
from .predictor import Forecast, Forecaster, QsimForecaster

__all__ = [
    "Allocation",
    "Allocator",
    "FaultAware",
    "LeastBlocking",
    "ReleasedFaultAware",
    "newly_blocked",
]


class Allocator(Protocol):
    """An allocation at work in one replay."""

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        """Return the cost of each candidate for a job that occupies it in (start, end], [-]."""


class Allocation(Protocol):
    """A description of how partitions are chosen."""

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return what decides during one replay."""


def newly_blocked(conflicts: BoolArray, candidates: IntArray, weight: FloatArray) -> FloatArray:
    """Return the summed `weight` of the partitions that each candidate would newly block, [-].

    `weight` is 0 for partitions that are not idle; the candidate itself does not count. This is
    the readable twin of `kernels.cobalt.Neighbours.summed`.
    """
    return np.array([weight[conflicts[c]].sum() - weight[c] for c in candidates])


@dataclass(frozen=True, slots=True)
class LeastBlocking:
    """Cost BLK(X): the number of idle schedulable partitions that X would newly block."""

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return what decides during one replay."""
        del failures
        return _Blocking(table.conflicts)


@dataclass(frozen=True, slots=True)
class FaultAware:
    """Cost ``alpha BLK_f(X) + beta P_f(X)``, with P_f from a forecaster.

    Parameters
    ----------
    forecaster : Forecaster
        Asked for the time from the start to the job's walltime end.
    alpha, beta : float, [-]
        Weights of blocking and of risk; >= 0. Both are 1 in the paper.

    Notes
    -----
    With equal weights a partition that will fail is *preferred* wherever it blocks more than one
    other: those fail too, and so cost less to block, by more than its own risk costs. Where the
    aim is that fewer jobs fail, `beta` must exceed the number of partitions that one can block;
    `docs/reproduction/qsim.md` has the measurements.
    """

    forecaster: Forecaster = field(default_factory=QsimForecaster)
    alpha: float = 1.0
    beta: float = 1.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 0.0 <= value < np.inf:
                raise ValueError(f"{name} must be finite and >= 0, got {value!r}")

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return what decides during one replay."""
        return _Risky(table, self, failures)


@dataclass(frozen=True, slots=True)
class ReleasedFaultAware:
    """Cost as the released simulator of `qsim` adds it up: BLK(X) + parents(X) P_f(X).

    It counts blocked partitions fully, and the candidate's own risk once for every partition
    that contains it (here: every larger one in conflict with it).
    """

    forecaster: Forecaster = field(default_factory=QsimForecaster)

    def begin(self, table: PartitionTable, failures: Failures | None) -> Allocator:
        """Return what decides during one replay."""
        return _Released(table, self.forecaster.begin(failures, table.uses))


class _Blocking:
    def __init__(self, conflicts: BoolArray) -> None:
        from .kernels.cobalt import Neighbours

        self._neighbours = Neighbours(conflicts)

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
        self._blocking, self._description = _Blocking(table.conflicts), description
        self._forecast = description.forecaster.begin(failures, table.uses)

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        risk = self._forecast.probabilities(start, end)
        blocked = self._blocking.weighted(candidates, np.where(idle, 1.0 - risk, 0.0))
        return self._description.alpha * blocked + self._description.beta * risk[candidates]


class _Released:
    def __init__(self, table: PartitionTable, forecast: Forecast) -> None:
        self._blocking, self._forecast = _Blocking(table.conflicts), forecast
        larger = table.nodes[None, :] > table.nodes[:, None]
        self._parents = np.count_nonzero(table.conflicts & larger, axis=1)

    def costs(self, candidates: IntArray, idle: BoolArray, start: float, end: float) -> FloatArray:
        risk = self._forecast.probabilities(start, end)[candidates]
        blocked = self._blocking.weighted(candidates, idle.astype(np.float64))
        return np.asarray(blocked + self._parents[candidates] * risk)
