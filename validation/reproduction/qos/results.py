"""The metrics of the cells that were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .runs import Cell, cell

__all__ = ["Results"]


class Results:
    """The metrics of every cell, selected by accuracy and U."""

    def __init__(self, cells: dict[Cell, dict[str, Any]], seeds: Sequence[int]) -> None:
        self.cells, self.seeds = cells, tuple(seeds)

    def find(self, log: str, accuracy: float, risk: float, **more: Any) -> dict[str, Any] | None:
        """Return the metrics of a cell, by default of the first seed."""
        more.setdefault("seed", self.seeds[0])
        return self.cells.get(cell(log, accuracy, risk, **more))

    def each(self, metric: str, log: str, accuracy: float, risk: float, **more: Any) -> Any:
        """Return one number per seed."""
        found = (self.find(log, accuracy, risk, seed=seed, **more) for seed in self.seeds)
        return np.array([metrics[metric] for metrics in found if metrics is not None])
