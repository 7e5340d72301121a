"""The runs of `qsim` by what was varied, for rows and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .runs import Run

__all__ = ["Results"]


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run, selected by the parameters of the runs.

    Numbers and gains are those under `scheduler`.
    """

    runs: dict[Run, dict[str, Any]]
    seeds: tuple[int, ...]
    scheduler: str

    def each(self, metric: str, utility: str, *, jobs: str = "month", **more: Any) -> Any:
        """Return one number per seed (of the real jobs without failures: one)."""
        seeds = self.seeds if jobs != "first" or "mtbf" in more else self.seeds[:1]
        more = {"scheduler": self.scheduler, **more}
        found = (Run(jobs, seed, utility, **more) for seed in seeds)
        return np.array([self.runs[run][metric] for run in found if run in self.runs])

    def gain(
        self,
        metric: str,
        utility: str,
        *,
        mtbf: float,
        jobs: str = "month",
        weights: str = "printed",
    ) -> Any:
        """Return the contribution of each seed to the gain of fault-aware allocation, [%].

        The mean over seeds is the gain of the means, because single seeds may have almost no loss.
        """
        ordinary = self.each(metric, utility, jobs=jobs, mtbf=mtbf)
        aware = self.each(metric, utility, jobs=jobs, mtbf=mtbf, fault_aware=True, weights=weights)
        return 100.0 * (ordinary - aware) / ordinary.mean()
