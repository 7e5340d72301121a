"""Several clusters of machines: a job runs inside one of them, on as many machines as it takes.

Speed ranks clusters and does not change runtimes, unless a replay scales them (`runtime_scale`): a
log says how long a job ran where it ran, and the paper `grid` states no law for other machines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeGuard

import numpy as np
import numpy.typing as npt

from ..._checks import positive, shown, whole
from ..._shown import facts_html
from ..loop.protocols import Kind, Occupancy

if TYPE_CHECKING:
    from ..loop.jobs import Job
    from ..workload import Workload

__all__ = ["CLUSTERS", "ClusterSpec", "Grid", "GridOccupancy", "GridPlacement"]

BoolMatrix = npt.NDArray[np.bool_]

_MOST_PROCESSORS = 2**53


@dataclass(frozen=True, slots=True)
class ClusterSpec:
    """One cluster.

    Parameters
    ----------
    name : str
        As failures and requirements call it.
    machines : int
        Machines, numbered from 0; they fail one by one.
    processors : int or sequence of int, [-]
        Per machine; several numbers where machines differ.
    speed : float
        On any scale; faster clusters are preferred.
    properties, owners : sets of str
        What jobs may ask for.
    queues : mapping
        Queue -> the longest a job from it may run here, [s]; without any, every queue is let in.
    time_limit : float, [s]
        The longest any job may run here.
    """

    name: str
    machines: int
    processors: int | tuple[int, ...] = 1
    speed: float = 1.0
    properties: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    queues: Mapping[str, float] = field(default_factory=dict)
    time_limit: float = float("inf")

    def __post_init__(self) -> None:
        whole("machines", self.machines)
        positive("speed", self.speed)
        if not isinstance(self.processors, Sequence | np.ndarray) or isinstance(
            self.processors, str
        ):
            object.__setattr__(self, "processors", whole("processors", self.processors))
        else:
            sizes = tuple(whole("processors", count) for count in self.processors)
            object.__setattr__(self, "processors", sizes)
            if len(sizes) != self.machines:
                raise ValueError(
                    f"processors must have one entry per machine, got {len(sizes)} "
                    f"for {self.machines}"
                )
        if self.size > _MOST_PROCESSORS:
            raise ValueError(f"processors must be at most 2^53 in all, got {self.size:.3g}")
        for name, limit in (("time_limit", self.time_limit), *self.queues.items()):
            if not limit > 0.0:
                raise ValueError(f"{name[:60]} must be > 0, got {limit!r}")
        object.__setattr__(self, "properties", frozenset(self.properties))
        object.__setattr__(self, "owners", frozenset(self.owners))
        object.__setattr__(self, "queues", MappingProxyType(dict(self.queues)))

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew when unpickled, because a read-only mapping cannot be pickled.
        values = (getattr(self, entry.name) for entry in fields(self))
        return type(self), tuple(
            dict(value) if isinstance(value, Mapping) else value for value in values
        )

    @property
    def per_machine(self) -> tuple[int, ...]:
        """Processors of each machine."""
        if isinstance(self.processors, tuple):
            return self.processors
        return (int(self.processors),) * self.machines

    @property
    def size(self) -> int:
        """Processors in all."""
        if isinstance(self.processors, tuple):
            return sum(self.processors)
        return int(self.processors) * self.machines


class GridPlacement(NamedTuple):
    """Where a job runs: cluster, machines numbered over the whole grid, processors of each."""

    cluster: int
    machines: tuple[int, ...]
    processors: tuple[int, ...]


_SHOWN = 5  # names of clusters


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Clusters, and which jobs may run where.

    Parameters
    ----------
    clusters : sequence of ClusterSpec
        Names must differ.
    suitability : ndarray of bool, optional
        Jobs x clusters, see `requirements`; without it every job suits every cluster.
    repairs_known : bool
        Whether planning knows when machines that are out come back. Sites do not.
    """

    clusters: tuple[ClusterSpec, ...]
    suitability: BoolMatrix | None = None
    repairs_known: bool = False

    def __repr__(self) -> str:
        names = ", ".join(cluster.name for cluster in self.clusters[:_SHOWN])
        more = f" and {len(self.clusters) - _SHOWN:,} more" if len(self.clusters) > _SHOWN else ""
        return f"<grid of {self.size:,} processors: {names}{more}>"

    def _repr_html_(self) -> str:
        return facts_html(
            "Grid",
            {
                each.name: f"{each.machines:,} machines of {each.processors:,} processors"
                for each in self.clusters
            },
        )

    def __post_init__(self) -> None:
        clusters = tuple(self.clusters)
        if not clusters:
            raise ValueError("clusters must hold at least one cluster, got none")
        (name, times) = Counter(cluster.name for cluster in clusters).most_common(1)[0]
        if times > 1:
            raise ValueError(f"clusters must have different names, got {shown(name)} twice")
        object.__setattr__(self, "clusters", clusters)
        if self.suitability is not None and (
            self.suitability.ndim != 2 or self.suitability.shape[1] != len(clusters)
        ):
            raise ValueError(
                f"suitability must have {len(clusters)} columns, got shape {self.suitability.shape}"
            )

    @property
    def size(self) -> int:
        """Processors."""
        return sum(cluster.size for cluster in self.clusters)

    @property
    def nodes(self) -> int:
        """Machines, numbered cluster after cluster."""
        return sum(cluster.machines for cluster in self.clusters)

    @property
    def first_machines(self) -> list[int]:
        """Number of the first machine of each cluster, and one more entry: `nodes`."""
        machines = [cluster.machines for cluster in self.clusters]
        return [0, *np.cumsum(machines, dtype=np.int64).tolist()]

    @property
    def ranking(self) -> list[int]:
        """Clusters, best first: by speed, then by size, then as listed."""
        clusters = self.clusters
        return sorted(range(len(clusters)), key=lambda c: (-clusters[c].speed, -clusters[c].size))

    def suits(self, workload: Workload) -> BoolMatrix:
        """Return which jobs may run on which clusters, their size considered: jobs x clusters."""
        sizes = np.array([cluster.size for cluster in self.clusters])
        suits = workload.processors[:, None] <= sizes
        if self.suitability is not None:
            if len(self.suitability) != len(workload):
                raise ValueError(
                    f"suitability must have one row per job, got {len(self.suitability)} rows "
                    f"for {len(workload)} jobs"
                )
            suits &= self.suitability
        return suits

    def fits(self, workload: Workload) -> npt.NDArray[np.bool_]:
        """Return which jobs suit at least one cluster."""
        return np.asarray(self.suits(workload).any(axis=1))

    def with_suitability(self, suitability: BoolMatrix | None) -> Self:
        """Return a grid of these clusters with the suitability of other jobs."""
        return replace(self, suitability=suitability)

    def occupancy(self, *, numbered: bool) -> GridOccupancy:
        """Return the empty grid; placements always name their machines."""
        del numbered
        return GridOccupancy(self)


class GridOccupancy:
    """The state: free processors of every machine. A job takes the first free ones of a cluster."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.idle = grid.size
        self.down = 0
        first = grid.first_machines
        self._ranges = list(pairwise(first))
        self.cluster_of = np.repeat(
            np.arange(len(grid.clusters)), [cluster.machines for cluster in grid.clusters]
        ).tolist()
        self._capacity = [count for cluster in grid.clusters for count in cluster.per_machine]
        self._machine_free = list(self._capacity)
        self._free = [cluster.size for cluster in grid.clusters]
        self._up = list(self._free)
        self._out: dict[int, float] = {}
        self._held: list[tuple[float, GridPlacement]] = []
        self._ranking = tuple(grid.ranking)
        self._pools: dict[bytes, tuple[int, ...]] = {}

    def pools(self, job: Job) -> Sequence[int]:
        """Return the suitable clusters, best first, full ones included."""
        suitability = self.grid.suitability
        if suitability is None:
            return self._ranking
        row = suitability[job.index]
        key = row.tobytes()
        if key not in self._pools:
            self._pools[key] = tuple(cluster for cluster in self._ranking if row[cluster])
        return self._pools[key]

    def free(self, pool: int) -> int:
        """Idle processors of a cluster."""
        return self._free[pool]

    def up(self, pool: int) -> int:
        """Processors of a cluster whose machines are not out."""
        return self._up[pool]

    def place(self, job: Job) -> GridPlacement | None:
        """Return the placement on the best cluster with room, or None."""
        for pool in self.pools(job):
            if job.processors <= self._free[pool]:
                return self.place_in(job, pool)
        return None

    def place_in(self, job: Job, pool: int) -> GridPlacement | None:
        """Return the first free processors of a cluster."""
        left = job.processors
        if left > self._free[pool]:
            return None
        machines, counts = [], []
        free = self._machine_free
        for machine in range(*self._ranges[pool]):
            if free[machine]:
                count = min(left, free[machine])
                machines.append(machine)
                counts.append(count)
                left -= count
                if not left:
                    break
        return GridPlacement(pool, tuple(machines), tuple(counts))

    def pool_of(self, placement: GridPlacement) -> int:
        """Return the cluster of a placement."""
        return placement.cluster

    def returns(self, pool: int) -> Sequence[tuple[float, int]]:
        """Return what comes back, if planning knows it."""
        if not self.grid.repairs_known:
            return ()
        back = [
            (until, self._capacity[machine])
            for machine, until in self._out.items()
            if self.cluster_of[machine] == pool
        ]
        for until, placement in self._held:
            if placement.cluster == pool:
                back += [(until, count) for _, count in self._parts_up(placement)]
        return back

    def available(self, placement: GridPlacement) -> bool:
        """Return whether all of a placement is free; machines that are out have nothing free."""
        pairs = zip(placement.machines, placement.processors, strict=True)
        return all(count <= self._machine_free[machine] for machine, count in pairs)

    def take(self, placement: GridPlacement) -> None:
        """Occupy a placement that must be free."""
        self._change(placement, -1)

    def give(self, placement: GridPlacement) -> None:
        """Free a placement."""
        self._change(placement, 1)

    def _change(self, placement: GridPlacement, sign: int) -> None:
        for machine, count in zip(placement.machines, placement.processors, strict=True):
            free = self._machine_free[machine] + sign * count
            if not 0 <= free <= self._capacity[machine]:
                raise RuntimeError(f"machine {machine} would have {free} processors free")
            self._machine_free[machine] = free
        total = sign * sum(placement.processors)
        self._free[placement.cluster] += total
        self.idle += total

    def uses(self, placement: GridPlacement, node: int) -> bool:
        """Return whether the job runs, also in part, on a machine."""
        return node in placement.machines

    def fail(self, node: int, until: float, struck: Sequence[GridPlacement]) -> None:
        """Take out a machine on which nothing runs any more."""
        del struck
        if node not in self._out:
            self._withhold_on(node, 1)
            self._resize(node, -1)
        self._out[node] = until

    def repair(self, node: int) -> None:
        """Bring a machine back."""
        del self._out[node]
        self._resize(node, 1)
        self._withhold_on(node, -1)

    def hold(self, placement: GridPlacement, until: float) -> None:
        """Withhold what is up of a placement, and the rest as it comes back."""
        for machine, count in self._parts_up(placement):
            self._withhold(placement.cluster, machine, count, -1)
        self._held.append((until, placement))

    def release(self, placement: GridPlacement) -> None:
        """Free what is up of a placement."""
        place = next(n for n, (_, held) in enumerate(self._held) if held is placement)
        del self._held[place]
        for machine, count in self._parts_up(placement):
            self._withhold(placement.cluster, machine, count, 1)

    def _parts_up(self, placement: GridPlacement) -> list[tuple[int, int]]:
        pairs = zip(placement.machines, placement.processors, strict=True)
        return [(machine, count) for machine, count in pairs if machine not in self._out]

    def _withhold_on(self, node: int, sign: int) -> None:
        for _, placement in self._held:
            for machine, count in zip(placement.machines, placement.processors, strict=True):
                if machine == node:
                    self._withhold(placement.cluster, machine, count, sign)

    def _withhold(self, cluster: int, machine: int, count: int, sign: int) -> None:
        self._change(GridPlacement(cluster, (machine,), (count,)), sign)
        self.down -= sign * count

    def _resize(self, node: int, sign: int) -> None:
        count, cluster = sign * self._capacity[node], self.cluster_of[node]
        self._change(GridPlacement(cluster, (node,), (self._capacity[node],)), sign)
        self._up[cluster] += count
        self.down -= count


def _has_clusters(occupancy: Occupancy) -> TypeGuard[GridOccupancy]:
    return isinstance(occupancy, GridOccupancy)


CLUSTERS = Kind("a Grid", _has_clusters)
