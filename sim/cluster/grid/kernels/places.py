"""Where each attempt ran: machines and parts of them, which become a placement when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from ....records import IntArray
from ..machine import GridPlacement


@dataclass(frozen=True, slots=True, eq=False)
class GridPlaces(Sequence[GridPlacement]):
    """The placement of each attempt; row k has the cells [begin[k], past[k]).

    A cell is a machine, numbered over the whole grid, and how many of its processors are held.
    """

    cluster: IntArray
    begin: IntArray
    past: IntArray
    machine: IntArray
    processors: IntArray

    def __len__(self) -> int:
        return int(self.begin.size)

    @overload
    def __getitem__(self, row: int) -> GridPlacement: ...
    @overload
    def __getitem__(self, row: slice) -> GridPlaces: ...
    def __getitem__(self, row: int | slice) -> GridPlacement | GridPlaces:
        if isinstance(row, slice):
            return self._of(row)
        cells = slice(int(self.begin[row]), int(self.past[row]))
        return GridPlacement(
            int(self.cluster[row]),
            tuple(self.machine[cells].tolist()),
            tuple(self.processors[cells].tolist()),
        )

    def of(self, rows: IntArray) -> GridPlaces:
        """Return the placements of these rows, in this order."""
        return self._of(rows)

    def _of(self, rows: IntArray | slice) -> GridPlaces:
        return GridPlaces(
            self.cluster[rows], self.begin[rows], self.past[rows], self.machine, self.processors
        )
