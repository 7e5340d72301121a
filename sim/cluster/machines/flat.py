"""A plain machine of equal processors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from ..._checks import shown
from ..._shown import facts_html
from ..._units import NEVER
from ...records import IntArray
from ..loop.protocols import Kind, Occupancy, PooledOccupancy

if TYPE_CHECKING:
    from ..loop.jobs import Job
    from ..workload import Workload

__all__ = ["SINGLE_NODES", "Flat", "NumberedOccupancy", "flat"]

Placement: TypeAlias = int | IntArray  # how many processors, or which ones


@dataclass(frozen=True, slots=True)
class Flat:
    """The description; `processors_per_node` consecutive processors fail together."""

    processors: int
    processors_per_node: int = 1

    def __post_init__(self) -> None:
        for name in ("processors", "processors_per_node"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool):
                raise TypeError(f"{name} must be an integer, got {shown(value)}")
            if value < 1:
                raise ValueError(f"{name} must be >= 1, got {shown(value)}")

    def _repr_html_(self) -> str:
        facts = {"processors": f"{self.processors:,}", "nodes": f"{self.nodes:,}"}
        return facts_html("Flat machine", facts)

    @property
    def size(self) -> int:
        """Processors."""
        return self.processors

    @property
    def nodes(self) -> int:
        """Nodes, the last of which may have fewer processors."""
        return -(-self.processors // self.processors_per_node)

    def fits(self, workload: Workload) -> npt.NDArray[np.bool_]:
        """Return which jobs are not larger than the machine."""
        return workload.processors <= self.processors

    def occupancy(self, *, numbered: bool) -> PooledOccupancy:
        """Return the empty machine."""
        return NumberedOccupancy(self) if numbered else _Counted(self)


def flat(processors: int, *, processors_per_node: int = 1) -> Flat:
    """Return a plain machine of `processors`, of which nodes of `processors_per_node` fail.

    Parameters
    ----------
    processors : int
        Of the machine; >= 1.
    processors_per_node : int
        What fails together; >= 1. The last node may have fewer.

    Returns
    -------
    Flat
        The machine, for `replay`.

    Raises
    ------
    ValueError
        If a number is < 1.
    TypeError
        If a number is not an integer.
    """
    return Flat(processors, processors_per_node)


class _Counted:
    """Processors without numbers: nothing fails, a placement is a count."""

    def __init__(self, machine: Flat) -> None:
        self.idle = machine.processors
        self.down = 0

    def pools(self, job: Job) -> Sequence[int]:
        del job
        return (0,)

    def free(self, pool: int) -> int:
        del pool
        return self.idle

    def place(self, job: Job) -> int | None:
        return job.processors if job.processors <= self.idle else None

    def place_in(self, job: Job, pool: int) -> int | None:
        del pool
        return self.place(job)

    def pool_of(self, placement: int) -> int:
        del placement
        return 0

    def returns(self, pool: int) -> Sequence[tuple[float, int]]:
        del pool
        return ()

    def available(self, placement: int) -> bool:
        return placement <= self.idle

    def take(self, placement: int) -> None:
        self.idle -= placement

    def give(self, placement: int) -> None:
        self.idle += placement

    def uses(self, placement: int, node: int) -> bool:
        raise RuntimeError("placements must be numbered when failures strike")

    def fail(self, node: int, until: float, struck: Sequence[Placement]) -> None:
        raise RuntimeError("placements must be numbered when failures strike")

    def repair(self, node: int) -> None:
        raise RuntimeError("placements must be numbered when failures strike")

    def hold(self, placement: int, until: float) -> None:
        raise RuntimeError("placements must be numbered when failures strike")

    def release(self, placement: int) -> None:
        raise RuntimeError("placements must be numbered when failures strike")


class NumberedOccupancy:
    """Processors with numbers: a job takes the lowest free ones."""

    def __init__(self, machine: Flat) -> None:
        self.idle = machine.processors
        self.down = 0
        self._is_free = np.ones(machine.processors, dtype=bool)
        self._per_node = machine.processors_per_node
        self.single = machine.processors_per_node == 1
        self._out: dict[int, tuple[float, IntArray]] = {}
        self._held: list[tuple[float, IntArray]] = []
        self._reasons = np.zeros(machine.processors, dtype=np.int64)  # to be out, or held

    def pools(self, job: Job) -> Sequence[int]:
        """Return the one pool, whatever the job."""
        del job
        return (0,)

    def free(self, pool: int) -> int:
        """Idle processors."""
        del pool
        return self.idle

    def place(self, job: Job) -> IntArray | None:
        """Return the lowest free processors for `job`, or None."""
        if job.processors > self.idle:
            return None
        return np.flatnonzero(self._is_free)[: job.processors]

    def place_in(self, job: Job, pool: int) -> IntArray | None:
        """As `place`."""
        del pool
        return self.place(job)

    def pool_of(self, placement: IntArray) -> int:
        """Return the one pool."""
        del placement
        return 0

    def returns(self, pool: int) -> Sequence[tuple[float, int]]:
        """Return (time [s], processors) for what is out or held and comes back."""
        del pool
        withheld = [*self._out.values(), *self._held]
        if not self._held:
            return [(until, members.size) for until, members in withheld]
        back = np.full(self._is_free.size, -NEVER)  # the clock may be before 0
        for until, members in withheld:
            back[members] = np.maximum(back[members], until)
        times, counts = np.unique(back[self._reasons > 0], return_counts=True)
        return list(zip(times.tolist(), counts.tolist(), strict=True))

    def available(self, placement: IntArray) -> bool:
        """Return whether all of a placement is free."""
        return bool(self._is_free[placement].all())

    def take(self, placement: IntArray) -> None:
        """Occupy a placement that is free."""
        self._is_free[placement] = False
        self.idle -= placement.size

    def give(self, placement: IntArray) -> None:
        """Free a placement."""
        self._is_free[placement] = True
        self.idle += placement.size

    def uses(self, placement: IntArray, node: int) -> bool:
        """Return whether the placement has processors of the node."""
        return bool(np.any(placement // self._per_node == node))

    def fail(self, node: int, until: float, struck: Sequence[Placement]) -> None:
        """Take a node out until [s]."""
        del struck
        if node in self._out:
            self._out[node] = (until, self._out[node][1])
            return
        first = node * self._per_node
        members = np.arange(first, min(first + self._per_node, self._is_free.size))
        self._out[node] = (until, members)
        self._withhold(members)

    def repair(self, node: int) -> None:
        """Bring a node back."""
        self._yield(self._out.pop(node)[1])

    def hold(self, placement: IntArray, until: float) -> None:
        """Withhold a placement until [s]."""
        self._held.append((until, placement))
        self._withhold(placement)

    def release(self, placement: IntArray) -> None:
        """End the hold of a placement."""
        place = next(n for n, (_, held) in enumerate(self._held) if held is placement)
        self._yield(self._held.pop(place)[1])

    def _withhold(self, members: IntArray) -> None:
        fresh = members[self._reasons[members] == 0]
        self._reasons[members] += 1
        self.take(fresh)
        self.down += fresh.size

    def _yield(self, members: IntArray) -> None:
        self._reasons[members] -= 1
        whole = members[self._reasons[members] == 0]
        self.give(whole)
        self.down -= whole.size


def _has_single_nodes(occupancy: Occupancy) -> TypeGuard[NumberedOccupancy]:
    return isinstance(occupancy, NumberedOccupancy) and occupancy.single


SINGLE_NODES = Kind(
    "a flat machine of nodes of one processor and failures (none: Failures([], [], []))",
    _has_single_nodes,
)
