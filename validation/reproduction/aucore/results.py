"""The runs of `aucore` by what was varied, for rows and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .runs import Run

__all__ = ["CASES", "GAPS", "MTBFS", "REPAIRS", "Results"]


SINGLE = ("all-b", "all-c", "all-d", "all-e")


MIXED = ("even", "normal")


CASES = ("ff", "mr", *MIXED, *SINGLE)


REPAIRS = (240.0, 120.0, 60.0, 30.0, 15.0)  # [min]


MTBFS = (4.0, 10.0, 24.0)  # [h]


GAPS = (5.0, 6.0, 8.0)  # [min]


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run, selected by the parameters of the runs."""

    runs: dict[Run, dict[str, Any]]
    seeds: tuple[int, ...]

    def each(self, metric: str, case: str, **more: Any) -> Any:
        """Return one number per seed."""
        return np.array([self.runs[Run(case, s, **more).played][metric] for s in self.seeds])

    def by_option(self, metric: str, case: str, option: str, **more: Any) -> Any:
        """Return one number per seed for the jobs of one option; nan if none of them failed."""
        found = (self.runs[Run(case, seed, **more).played] for seed in self.seeds)
        return np.array([run[f"{metric}_by_option"].get(option, np.nan) for run in found])
