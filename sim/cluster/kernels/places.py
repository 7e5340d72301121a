"""Which processors each attempt held: intervals that become arrays when one is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from ...records import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Places(Sequence[IntArray]):
    """The processors of each attempt, increasing; row k has the cells [begin[k], past[k]).

    A cell is an interval [first, end) of processors.
    """

    begin: IntArray
    past: IntArray
    first: IntArray
    end: IntArray

    def __len__(self) -> int:
        return int(self.begin.size)

    @overload
    def __getitem__(self, row: int) -> IntArray: ...
    @overload
    def __getitem__(self, row: slice) -> Places: ...
    def __getitem__(self, row: int | slice) -> IntArray | Places:
        if isinstance(row, slice):
            return Places(self.begin[row], self.past[row], self.first, self.end)
        cells = range(int(self.begin[row]), int(self.past[row]))
        return np.concatenate(
            [np.arange(self.first[cell], self.end[cell], dtype=np.int64) for cell in cells]
        )

    def of(self, rows: IntArray) -> Places:
        """Return the places of these rows, in this order."""
        return Places(self.begin[rows], self.past[rows], self.first, self.end)
