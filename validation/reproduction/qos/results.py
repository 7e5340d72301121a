"""The metrics of the cells that were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from ..rows import Estimate, estimate
from .cells import promised
from .runs import EDGES, Cell, cell

__all__ = ["Promises", "Results"]


@dataclass(frozen=True, slots=True)
class Promises:
    """The promises of one class over all seeds; shares in [-]."""

    jobs: int
    said: float
    came: float
    more: Estimate  # came - said, with an interval over seeds: jobs of a seed share failures


class Results:
    """The metrics of every cell, selected by accuracy and U, of users who insist on U or do not."""

    def __init__(
        self, cells: dict[Cell, dict[str, Any]], seeds: Sequence[int], *, insist: bool = False
    ) -> None:
        self.cells, self.seeds, self.insist = cells, tuple(seeds), insist

    def insisting(self) -> Results:
        """Return the same with users who insist on U, whatever the accuracy."""
        return Results(self.cells, self.seeds, insist=True)

    def find(self, log: str, accuracy: float, risk: float, **more: Any) -> dict[str, Any] | None:
        """Return the metrics of a cell, by default of the first seed."""
        more = {"seed": self.seeds[0], "insist": self.insist, **more}
        return self.cells.get(cell(log, accuracy, risk, **more))

    def each(self, metric: str, log: str, accuracy: float, risk: float, **more: Any) -> Any:
        """Return one number per seed."""
        found = (self.find(log, accuracy, risk, seed=seed, **more) for seed in self.seeds)
        return np.array([metrics[metric] for metrics in found if metrics is not None])

    def promises(
        self, log: str, predictor: str, requests: str, outcome: Literal["calibration", "spared"]
    ) -> list[Promises]:
        """Return what was said and what came, by classes of what was said; empty ones left out.

        The outcome is a promise kept (``calibration``), or a job that nothing struck (``spared``).
        """
        cells = [self.cells[promised(log, predictor, requests, seed)] for seed in self.seeds]
        found = []
        for low, high in pairwise(EDGES):
            rows = [_class(metrics[outcome], low, high) for metrics in cells]
            jobs, said, came = np.array(rows).T
            if not jobs.sum():
                continue
            total = jobs.sum()
            share = float((came - said).sum() / total)
            # Of a ratio of sums, by the deviations of the seeds from it.
            shares = share + (came - said - share * jobs) * jobs.size / total
            more = Estimate(share, estimate(shares).half)
            found.append(Promises(int(total), said.sum() / total, came.sum() / total, more))
        return found


def _class(bins: Sequence[dict[str, Any]], low: float, high: float) -> tuple[float, float, float]:
    """Return jobs, and the sums of what was said and of what came, in a class."""
    for each in bins:
        certain = low == high and each["promised"] == 1.0
        if certain or low <= each["promised"] < high:
            return each["jobs"], each["jobs"] * each["promised"], each["jobs"] * each["observed"]
    return 0.0, 0.0, 0.0
