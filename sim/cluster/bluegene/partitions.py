"""The partitions of a Blue Gene: which there are, and which pairs cannot run together.

Node cards are named `R<row><column>-M<midplane>-N<card>` and hold 32 nodes; a midplane holds
16 of them. A partition needs all its hardware alone: two that share any node card, switch or
wire conflict. The parents of a partition are those that Cobalt counts as blocked by it: all that
contain its node cards, and those of its own size that share a switch with it (in 2009; later
versions go by wires, of any size). Its own parts are not parents, nor is what overlaps it in part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..._checks import shown
from ...records import BoolArray, FloatArray, IntArray
from ...traces.machines.cobalt_xml import PartitionHardware, read_cobalt_xml
from ...traces.parsing.sources import Source

__all__ = ["NODES_PER_CARD", "PartitionTable", "schedulable_names"]

NODES_PER_CARD = 32
_BELOW_MIDPLANE = (64, 128, 256)
_CARDS_OF_MIDPLANE = 16

Part = Literal["node_card", "switch", "wire"]


@dataclass(frozen=True, slots=True, eq=False)
class PartitionTable:
    """The schedulable partitions of one machine, sorted by name.

    Parameters
    ----------
    names : tuple of str
        P partition names.
    nodes : ndarray of int64, shape (P,)
        Size of each partition, [node].
    midplanes : tuple of str
        M midplane names, sorted, e.g. ``R00-M1``.
    cards : ndarray of bool, shape (P, C)
        Which node cards of the machine, sorted by name, each partition holds.
    uses : ndarray of bool, shape (P, M)
        Which midplanes hold a node card of the partition; a failure there fails it.
    conflicts : ndarray of bool, shape (P, P)
        Which pairs cannot run together; symmetric, True on the diagonal.
    parents : ndarray of bool, shape (P, P)
        ``parents[p, q]``: q is a parent of p, one of those that p conflicts with. Of two of the
        same node cards each is the other's parent; Cobalt takes one of them, by chance.
    total_nodes : int
        Nodes of the whole machine, also those in no schedulable partition, [node].
    """

    names: tuple[str, ...]
    nodes: IntArray
    midplanes: tuple[str, ...]
    cards: BoolArray
    uses: BoolArray
    conflicts: BoolArray
    parents: BoolArray
    total_nodes: int

    @classmethod
    def from_hardware(
        cls,
        hardware: Sequence[PartitionHardware],
        *,
        schedulable: Iterable[str] | None = None,
        conflict_by: Sequence[Part] = ("node_card", "switch", "wire"),
    ) -> PartitionTable:
        """Build the table from the hardware of each partition.

        Parameters
        ----------
        hardware : sequence of PartitionHardware
            All partitions of the machine.
        schedulable : iterable of str, optional
            Names to keep; all by default. The others are never candidates and never blocked.
        conflict_by : sequence of {"node_card", "switch", "wire"}
            Which shared part makes two partitions conflict.

        Raises
        ------
        ValueError
            If a schedulable name is unknown, a name occurs twice, or nothing is left.
        """
        by_name = {part.name: part for part in hardware}
        if len(by_name) != len(hardware):
            raise ValueError(f"names must be unique, got {len(hardware) - len(by_name)} repeated")
        names = tuple(sorted(by_name if schedulable is None else set(schedulable)))
        unknown = [name for name in names if name not in by_name]
        if unknown or not names:
            raise ValueError(
                f"schedulable must name partitions of the machine, got {shown(unknown)}"
            )
        kept = [by_name[name] for name in names]
        parts = {
            "node_card": [part.node_cards for part in kept],
            "switch": [part.switches for part in kept],
            "wire": [part.wires for part in kept],
        }
        conflicts = np.eye(len(kept), dtype=np.bool_)
        for kind in conflict_by:
            conflicts |= _shared(parts[kind]) > 0.0
        count = np.array([float(len(part.node_cards)) for part in kept])
        containing = _shared(parts["node_card"]) == count[:, None]
        wired = (_shared(parts["switch"]) > 0.0) & (count[:, None] == count)
        parents = conflicts & (containing | wired) & ~np.eye(len(kept), dtype=np.bool_)
        midplanes = tuple(
            sorted({midplane_of(card) for part in hardware for card in part.node_cards})
        )
        column = {name: index for index, name in enumerate(midplanes)}
        uses = np.zeros((len(kept), len(midplanes)), dtype=np.bool_)
        for row, part in enumerate(kept):
            uses[row, [column[midplane_of(card)] for card in part.node_cards]] = True
        every = sorted({card for part in hardware for card in part.node_cards})
        place = {card: index for index, card in enumerate(every)}
        held = np.zeros((len(kept), len(every)), dtype=np.bool_)
        for row, part in enumerate(kept):
            held[row, [place[card] for card in part.node_cards]] = True
        return cls(
            names=names,
            nodes=np.array([NODES_PER_CARD * len(p.node_cards) for p in kept], dtype=np.int64),
            midplanes=midplanes,
            cards=held,
            uses=uses,
            conflicts=conflicts,
            parents=parents,
            total_nodes=NODES_PER_CARD * len(every),
        )

    @classmethod
    def from_cobalt(
        cls,
        machine: Source,
        *,
        listed: Iterable[str] | None = None,
        smallest: int = 64,
        conflict_by: Sequence[Part] = ("node_card", "switch", "wire"),
    ) -> PartitionTable:
        """Read Cobalt's XML and keep the `listed` names plus sub-midplane partitions.

        The published lists begin at a midplane while jobs of 64 to 256 nodes ran below it, so
        partitions of `smallest` to 256 nodes are added; ``smallest=512`` keeps the list as it is.
        Without a list, every name of a midplane or more that begins without an underscore counts:
        on Intrepid that is the published list.
        """
        hardware = read_cobalt_xml(machine)
        if listed is None:
            listed = [
                part.name
                for part in hardware
                if not part.name.startswith("_") and len(part.node_cards) >= _CARDS_OF_MIDPLANE
            ]
        return cls.from_hardware(
            hardware,
            schedulable=schedulable_names(hardware, listed, smallest=smallest),
            conflict_by=conflict_by,
        )

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Return the row of the partition called `name`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise ValueError(f"name must be a schedulable partition, got {shown(name)}") from None

    def fitting(self, nodes: int) -> IntArray:
        """Return the partitions of the smallest size that holds `nodes`; empty if none does."""
        sizes = self.nodes[self.nodes >= nodes]
        if sizes.size == 0:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self.nodes == sizes.min())


def schedulable_names(
    hardware: Iterable[PartitionHardware], listed: Iterable[str], *, smallest: int = 64
) -> tuple[str, ...]:
    """Return `listed` plus ordinary sub-midplane partitions of at least `smallest` nodes.

    Names that begin with an underscore are diagnostics and never added.
    """
    below = {
        part.name
        for part in hardware
        if not part.name.startswith("_")
        and (size := NODES_PER_CARD * len(part.node_cards)) in _BELOW_MIDPLANE
        and size >= smallest
    }
    return tuple(sorted(below.union(listed)))


def midplane_of(node_card: str) -> str:
    """Return the midplane of a node card: ``R04-M0-N10`` lies in ``R04-M0``."""
    return node_card.rpartition("-")[0]


def _shared(parts: Sequence[frozenset[str]]) -> FloatArray:
    """Return how many parts each two partitions have in common."""
    column = {part: index for index, part in enumerate(sorted(frozenset().union(*parts)))}
    incidence = np.zeros((len(parts), len(column)), dtype=np.float32)
    for row, held in enumerate(parts):
        incidence[row, [column[part] for part in held]] = 1.0
    return np.asarray(incidence @ incidence.T, dtype=np.float64)
