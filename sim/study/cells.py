"""What is compared: cells, and the failures that every cell of a seed meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._checks import positive
from ..cluster.failures.drawn import DrawnFailures
from ..cluster.failures.feed import Failures

if TYPE_CHECKING:
    from ..cluster.loop.cluster import Policy, Recovery
    from ..cluster.loop.protocols import Checkpointing, Machine

__all__ = ["Cell", "DrawnFailures"]


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
    machine : Machine, optional
        That of the study by default. Drawn failures are those of this machine: `failures.mtbf` is
        the MTBF of all its nodes together.
    """

    policy: str | Policy = "easy"
    failures: DrawnFailures | Failures | None = None
    checkpointing: Checkpointing | None = None
    recovery: str | Recovery = "original"
    gaps: float = 1.0
    event_order: str = "batch"
    machine: Machine | None = None

    def __post_init__(self) -> None:
        positive("gaps", self.gaps)
