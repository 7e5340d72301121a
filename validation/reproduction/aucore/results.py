"""The runs of `aucore` by what was varied, for rows and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .runs import Run
from .setups import Setup

__all__ = ["ALONE", "CASES", "GAPS", "MIXED", "MTBFS", "REPAIRS", "SINGLE", "Results"]


SINGLE = ("all-b", "all-c", "all-d", "all-e")


MIXED = ("even", "normal")


CASES = ("ff", "mr", *MIXED, *SINGLE)


# Option -> the case in which all jobs have it; All-A is manual resubmission.
ALONE = {"A": "mr", "B": "all-b", "C": "all-c", "D": "all-d", "E": "all-e"}


REPAIRS = (240.0, 120.0, 60.0, 30.0, 15.0)  # [min]


MTBFS = (4.0, 10.0, 24.0)  # [h]


GAPS = (5.0, 6.0, 8.0)  # [min]


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run under one set-up, selected by the parameters of the runs."""

    runs: dict[Run, dict[str, Any]]
    seeds: tuple[int, ...]
    setup: Setup
    halved: float

    def each(self, metric: str, case: str, **more: Any) -> Any:
        """Return one number per seed."""
        return np.array([run[metric] for run in self._found(case, more)])

    def by_option(self, metric: str, case: str, option: str, **more: Any) -> Any:
        """Return one number per seed for the jobs of one option; nan if none of them failed."""
        found = self._found(case, more)
        return np.array([run[f"{metric}_by_option"].get(option, np.nan) for run in found])

    def gain(self, case: str, option: str) -> Any:
        """Return the contribution of each seed to the gain of an option's jobs in a case, [%].

        That is in failure slowdown, over the case in which all jobs have the option. The mean over
        seeds is the gain of the means, because single seeds may have almost no delay.
        """
        alone = self.each("slowdown", ALONE[option])
        mixed = self.by_option("slowdown", case, option)
        known = ~(np.isnan(alone) | np.isnan(mixed))
        return 100.0 * (alone - mixed) / alone[known].mean()

    def _found(self, case: str, more: dict[str, Any]) -> list[dict[str, Any]]:
        runs = (Run(case, s, self.setup, halved=self.halved, **more) for s in self.seeds)
        return [self.runs[run.played] for run in runs]
