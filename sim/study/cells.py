"""What is compared: cells, and the failures that every cell of a seed meets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._checks import nonnegative, positive
from ..cluster.failures.feed import Failures
from ..samplers import Deterministic, Exponential, Sampler, Weibull

if TYPE_CHECKING:
    from ..cluster.loop.cluster import Policy, Recovery
    from ..cluster.loop.protocols import Checkpointing, Machine
    from ..cluster.workload import Workload

__all__ = ["Cell", "DrawnFailures"]


@dataclass(frozen=True, slots=True)
class DrawnFailures:
    """Failures drawn anew for each seed, over the span of the submissions.

    Parameters
    ----------
    mtbf : float, [s]
        Mean time between failures of the whole machine; > 0.
    mttr : float, [s]
        Time of a repair; >= 0.
    weibull_shape : float, [-]
        Of the uptimes of each node; > 0; 1 for exponential ones.
    """

    mtbf: float
    mttr: float = 0.0
    weibull_shape: float = 1.0

    def __post_init__(self) -> None:
        positive("mtbf", self.mtbf)
        nonnegative("mttr", self.mttr)
        positive("weibull_shape", self.weibull_shape)

    def of(self, machine: Machine, workload: Workload, seed: int) -> Failures:
        """Return the failures of a seed; equal whatever the rest of the cell is."""
        mean = self.mtbf * machine.nodes
        uptime: Sampler = Exponential(mean)
        if self.weibull_shape != 1.0:
            scale = mean / math.gamma(1.0 + 1.0 / self.weibull_shape)
            uptime = Weibull(self.weibull_shape, scale)
        first = last = 0.0
        if len(workload):
            first, last = float(workload.submit[0]), float(workload.submit[-1])
        return Failures.sampled(
            nodes=machine.nodes,
            uptime=uptime,
            repair=Deterministic(self.mttr),
            start=first,
            end=last,
            seed=seed,
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """One way to run the workload; the arguments are those of `sim.cluster.replay`.

    Parameters
    ----------
    policy : str or Policy
        Which waiting job starts.
    failures : DrawnFailures or Failures, optional
        Drawn for each seed, or the same for all; none by default.
    checkpointing : Checkpointing, optional
        None by default.
    recovery : str or Recovery
        Of a job that failed.
    gaps : float, [-]
        Factor of the times between submissions: 0.5 doubles the load; > 0.
    event_order : str
        As in `replay`.
    """

    policy: str | Policy = "easy"
    failures: DrawnFailures | Failures | None = None
    checkpointing: Checkpointing | None = None
    recovery: str | Recovery = "original"
    gaps: float = 1.0
    event_order: str = "batch"

    def __post_init__(self) -> None:
        positive("gaps", self.gaps)
