"""A Blue Gene: jobs run on whole partitions, midplanes fail, a struck partition reboots.

Units are nodes, and a job holds all nodes of its partition. A workload may have the sizes of
partitions (`BlueGene.sized`) or those that jobs ask for, which scores then see. A failure of a
midplane strikes every job with a node card in it. The midplane and the partitions struck are out
until the repair; a partition can start when all its midplanes are up and nothing that conflicts
with it runs. By option only the partitions struck reboot, and the rest of a shared midplane stays
up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeGuard

import numpy as np
import numpy.typing as npt

from ..._checks import one_of
from ..._shown import facts_html
from ...records import FloatArray, IntArray
from ..loop.protocols import Kind, Occupancy
from .partitions import PartitionTable

if TYPE_CHECKING:
    from ..loop.jobs import Attempt, Job
    from ..workload import Workload
    from .kernels.neighbours import Neighbours


@dataclass(frozen=True, slots=True, eq=False)
class BlueGene:
    """The description of one machine by its schedulable partitions.

    Parameters
    ----------
    table : PartitionTable
        The partitions.
    reboots : {"midplanes", "partition"}
        What is out until the repair when a failure strikes a job: all midplanes of its partition
        and the one that failed, or the partition alone. A failure that strikes no job takes its
        midplane out either way, unless `replay` is told otherwise.
    """

    table: PartitionTable
    reboots: Literal["midplanes", "partition"] = "midplanes"

    def __post_init__(self) -> None:
        one_of("reboots", self.reboots, ("midplanes", "partition"))

    def __repr__(self) -> str:
        table = self.table
        return (
            f"<Blue Gene: {self.size:,} nodes, {self.nodes:,} midplanes, "
            f"{len(table.names):,} partitions>"
        )

    def _repr_html_(self) -> str:
        sizes, counts = np.unique(self.table.nodes, return_counts=True)
        partitions = {
            f"partitions of {size:,} nodes": f"{count:,}"
            for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        }
        return facts_html("Blue Gene", {"nodes": self.size, "midplanes": self.nodes, **partitions})

    @property
    def size(self) -> int:
        """Nodes."""
        return self.table.total_nodes

    @property
    def nodes(self) -> int:
        """Midplanes, which failures number in the order of their names."""
        return len(self.table.midplanes)

    @property
    def smallest(self) -> int:
        """Nodes of the smallest schedulable partition."""
        return int(self.table.nodes.min())

    def fits(self, workload: Workload) -> npt.NDArray[np.bool_]:
        """Return which jobs some partition holds."""
        return np.asarray(workload.processors <= self.table.nodes.max())

    def sized(self, workload: Workload) -> Workload:
        """Return the workload with every size rounded up to that of its partition, [node]."""
        sizes = np.unique(self.table.nodes)
        place = np.searchsorted(sizes, workload.processors)
        if (place == sizes.size).any():
            largest = int(workload.processors.max())
            raise ValueError(f"processors must be <= {int(sizes[-1])}, got {largest}")
        return replace(workload, processors=sizes[place])

    def occupancy(self, *, numbered: bool) -> BlueGeneOccupancy:
        """Return the empty machine."""
        del numbered
        return BlueGeneOccupancy(self.table, whole=self.reboots == "midplanes")


class BlueGeneOccupancy:
    """Which partitions are idle; a placement is a row of the partition table."""

    def __init__(self, table: PartitionTable, *, whole: bool = True) -> None:
        self.table = table
        self._whole = whole  # midplanes reboot
        self.idle_mask = np.ones(len(table), dtype=np.bool_)
        self._blockers = np.zeros(len(table), dtype=np.int64)  # running partitions in conflict
        self._out = np.zeros(len(table.midplanes), dtype=np.int64)  # reasons to be out
        self._busy_nodes = 0
        self._until: dict[int, float] = {}
        self._rebooting: dict[int, list[int]] = {}
        self._struck: dict[int, list[int]] = {}  # partitions that reboot alone, by midplane
        self._held: dict[int, float] = {}
        self._midplane_nodes = table.total_nodes // len(table.midplanes)
        self._neighbours: Neighbours | None = None

    @property
    def idle(self) -> int:
        """Nodes neither busy nor out."""
        return self.table.total_nodes - self._busy_nodes - self.down

    @property
    def down(self) -> int:
        """Nodes of midplanes that are out, and of partitions that reboot alone."""
        alone = sum(int(self.table.nodes[parts].sum()) for parts in self._struck.values())
        return int(np.count_nonzero(self._out)) * self._midplane_nodes + alone

    def place(self, job: Job) -> int | None:
        """Return the idle partition of the job's size with the fewest idle parents, or None."""
        candidates = self.table.fitting(job.processors)
        candidates = candidates[self.idle_mask[candidates]]
        if candidates.size == 0:
            return None
        blocked = self.table.parents[candidates] @ self.idle_mask.astype(np.int64)
        return int(candidates[np.argmin(blocked)])

    def available(self, placement: int) -> bool:
        """Return whether the partition is idle."""
        return bool(self.idle_mask[placement])

    def take(self, placement: int) -> None:
        """Occupy an idle partition."""
        if not self.idle_mask[placement]:
            raise RuntimeError(f"placement must be idle, got {self.table.names[placement]}")
        self._blockers += self.table.conflicts[placement]
        self._busy_nodes += int(self.table.nodes[placement])
        self._refresh()

    def give(self, placement: int) -> None:
        """Free a partition."""
        self._blockers -= self.table.conflicts[placement]
        self._busy_nodes -= int(self.table.nodes[placement])
        self._refresh()

    def uses(self, placement: int, node: int) -> bool:
        """Return whether the partition has node cards in the midplane."""
        return bool(self.table.uses[placement, node])

    def fail(self, node: int, until: float, struck: Sequence[int]) -> None:
        """Take a midplane out until [s], and with it the partitions whose jobs it struck."""
        self._until[node] = until
        if struck and not self._whole:
            self._struck.setdefault(node, []).extend(struck)
            self._blockers += self.table.conflicts[list(struck)].sum(axis=0)
            self._refresh()
            return
        if node not in self._rebooting and node not in self._struck:
            self._rebooting[node] = [node]
            self._out[node] += 1
        for placement in struck:
            members = np.flatnonzero(self.table.uses[placement])
            self._out[members] += 1
            self._rebooting[node].extend(members.tolist())
        self._refresh()

    def repair(self, node: int) -> None:
        """Bring a midplane back, and the partitions that rebooted because of it."""
        del self._until[node]
        np.subtract.at(self._out, self._rebooting.pop(node, []), 1)
        self._blockers -= self.table.conflicts[self._struck.pop(node, [])].sum(axis=0)
        self._refresh()

    def hold(self, placement: int, until: float) -> None:
        """Withhold a partition, and so all that conflict with it, until it is released."""
        self._blockers += self.table.conflicts[placement]
        self._held[placement] = until
        self._refresh()

    def release(self, placement: int) -> None:
        """End the hold of a partition."""
        del self._held[placement]
        self._blockers -= self.table.conflicts[placement]
        self._refresh()

    def free_at(self, running: Iterable[Attempt], now: float, least: float) -> FloatArray:
        """Return when each partition is expected to be free, [s]; `now` where it is idle.

        By the planned ends of what runs and the announced ends of repairs; a partition that is
        busy now is expected at `least` [s] at the earliest.
        """
        from .kernels.neighbours import Neighbours

        if self._neighbours is None:
            self._neighbours = Neighbours(self.table.conflicts)
        rows = [(attempt.placement, attempt.planned_end) for attempt in running]
        rows += self._held.items()
        rows += [(p, self._until[node]) for node, parts in self._struck.items() for p in parts]
        placements = np.array([placement for placement, _ in rows], dtype=np.int64)
        ends = np.array([end for _, end in rows], dtype=np.float64)
        free = np.full(len(self.table), now)
        self._neighbours.hold(placements, ends, free)
        for node, until in self._until.items():
            out = np.zeros(self._out.size, dtype=np.bool_)
            out[self._rebooting.get(node, [])] = True
            np.maximum(free, np.where(self.table.uses[:, out].any(axis=1), until, now), out=free)
        return np.where(self.idle_mask, now, np.maximum(free, least))

    def _refresh(self) -> None:
        self.idle_mask = self._blockers == 0
        if self._until:
            self.idle_mask &= ~self.table.uses[:, self._out > 0].any(axis=1)


def size_classes(table: PartitionTable) -> tuple[IntArray, list[IntArray]]:
    """Return the distinct sizes in nodes, ascending, and the partitions of each."""
    sizes = np.unique(table.nodes)
    return sizes, [np.flatnonzero(table.nodes == size) for size in sizes]


def _has_partitions(occupancy: Occupancy) -> TypeGuard[BlueGeneOccupancy]:
    return isinstance(occupancy, BlueGeneOccupancy)


PARTITIONS = Kind("a BlueGene", _has_partitions)
