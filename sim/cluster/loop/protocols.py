"""What the loop, and the policies that count processors, ask of a machine.

A machine is a frozen description that can be used for any number of replays; `occupancy()`
gives the empty state of one replay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeGuard, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from .jobs import Timeline

if TYPE_CHECKING:
    from ..workload import Workload
    from .jobs import Job

__all__ = [
    "ANY",
    "POOLS",
    "Checkpointing",
    "Closing",
    "Kind",
    "Machine",
    "Occupancy",
    "PooledOccupancy",
]


class Occupancy(Protocol):
    """Who holds what. `idle` and `down` count units; the rest of the machine's `size` is busy.

    What is held for a job that waits for a repair counts as down.
    """

    @property
    def idle(self) -> int:
        """Units neither busy nor out."""

    @property
    def down(self) -> int:
        """Units out of order."""

    def place(self, job: Job) -> Any | None:
        """Return the placement on which `job` would start now, or None. Changes nothing."""

    def available(self, placement: Any) -> bool:
        """Return whether `placement`, which this machine made before, is free and up now."""

    def take(self, placement: Any) -> None:
        """Occupy a placement that is free."""

    def give(self, placement: Any) -> None:
        """Free a placement."""

    def uses(self, placement: Any, node: int) -> bool:
        """Return whether a failure of `node` strikes a job on `placement`."""

    def fail(self, node: int, until: float, struck: Sequence[Any]) -> None:
        """Take `node`, on which nothing runs any more, out until [s]; it may be out already.

        `struck` are the placements, given back already, whose jobs the failure ended.
        """

    def repair(self, node: int) -> None:
        """Bring `node` back."""

    def hold(self, placement: Any, until: float) -> None:
        """Withhold from others a placement given back, which part of it may be out.

        It is expected to be free for others at `until` [s].
        """

    def release(self, placement: Any) -> None:
        """End the hold of a placement."""


@runtime_checkable
class Machine(Protocol):
    """A description: how large, for whom, and its empty state."""

    @property
    def size(self) -> int:
        """Units, in which `Workload.processors` counts."""

    @property
    def nodes(self) -> int:
        """Nodes, which failures number from 0."""

    def fits(self, workload: Workload) -> npt.NDArray[np.bool_]:
        """Return for each job whether it could run when everything is free and up."""

    def occupancy(self, *, numbered: bool) -> Occupancy:
        """Return the empty machine; `numbered` if placements must name what they occupy."""


@runtime_checkable
class PooledOccupancy(Occupancy, Protocol):
    """A machine of pools of interchangeable processors; no job spans pools."""

    def pools(self, job: Job) -> Sequence[int]:
        """Return the pools on which `job` may run, best first."""

    def free(self, pool: int) -> int:
        """Idle processors of `pool`."""

    def place_in(self, job: Job, pool: int) -> Any | None:
        """Return the placement on which `job` would start now in `pool`, or None."""

    def pool_of(self, placement: Any) -> int:
        """Return the pool of a placement."""

    def returns(self, pool: int) -> Sequence[tuple[float, int]]:
        """Return (time [s], processors) for what is out of `pool` and comes back."""


@runtime_checkable
class Closing(Protocol):
    """A machine that knows when parts of it will be taken away."""

    def watch(self, clock: Callable[[], float]) -> None:
        """Take the clock of the replay, [s], by which it knows what may be planned."""

    def closures(self) -> Sequence[tuple[float, float, int]]:
        """Return (from [s], until [s], processors) of what will be taken away, none before now."""


State_co = TypeVar("State_co", bound=Occupancy, covariant=True)


@dataclass(frozen=True, slots=True)
class Kind(Generic[State_co]):
    """Machines of one kind, by what their occupancy can do; a policy states those it runs on."""

    words: str
    holds: Callable[[Occupancy], TypeGuard[State_co]]

    def of(self, machine: Occupancy) -> State_co:
        """Return the machine, which must be of this kind, under its type."""
        if not self.holds(machine):
            raise RuntimeError(f"machine must be {self.words}: runs_on of the policy must say so")
        return machine


def _is_any(occupancy: Occupancy) -> TypeGuard[Occupancy]:
    del occupancy
    return True


def _has_pools(occupancy: Occupancy) -> TypeGuard[PooledOccupancy]:
    return isinstance(occupancy, PooledOccupancy)


ANY = Kind("any machine", _is_any)
POOLS = Kind("a machine of pools of processors", _has_pools)


@runtime_checkable
class Checkpointing(Protocol):
    """How attempts checkpoint; a policy of its own may look at start and placement."""

    def planned(self, job: Job, work: float) -> float:
        """Wall time to plan for the next attempt of `job` with `work` left, [s]."""

    def timeline(self, job: Job, work: float, start: float, placement: Any) -> Timeline:
        """Return the course of the attempt of `job` that starts now with `work` left."""
