"""The runs of `qsim` under each reading, and their metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sim.cluster.order import UTILITIES

from ..shown import AS_TABLES, Shown
from ..sweep import seeds_beside
from .runs import ALLOCATIONS, MTBFS, Run, has_first_jobs

_JOBS = {"month": "month", "first": "first 1,200 real"}
_WALLTIMES = ("requested", "halfway", "known")
_THRESHOLDS = (0.7, 0.0, 0.25, 0.5, 0.9)
_STRUCK_BY = ("wfp3", "fcfs")


@dataclass(frozen=True, slots=True)
class Setup:
    """One reading of jobs, scheduler, threshold and walltimes."""

    jobs: str = "month"
    scheduler: str = "january-2009"
    threshold: float = 0.7
    walltimes: str = "requested"

    def run(self, seed: int, utility: str, **more: Any) -> Run:
        """Return the run of a seed."""
        return Run(
            self.jobs,
            seed,
            utility,
            scheduler=self.scheduler,
            threshold=self.threshold,
            walltimes=self.walltimes,
            **more,
        )

    @property
    def levels(self) -> dict[str, str]:
        """As they appear in tables."""
        return {
            "jobs": _JOBS[self.jobs],
            "scheduler": self.scheduler,
            "threshold": "none" if self.scheduler == "head" else f"{self.threshold:g}",
            "walltimes": self.walltimes,
        }


# The first is the paper's text: section IV-A is the scheduler of January 2009, and names 0.70.
PEACEFUL = tuple(
    Setup(*reading)
    for reading in product(
        _JOBS, ("january-2009", "june-2009", "head", "separate-drains"), _THRESHOLDS, _WALLTIMES
    )
    if reading[1] != "head" or reading[2] == 0.0  # which has no threshold
)
STRUCK = tuple(
    Setup("month", *reading)
    for reading in product(("january-2009", "june-2009"), (0.7, 0.0), ("requested", "known"))
)


def wanted(seeds: Sequence[int], shown: Shown = AS_TABLES) -> Iterator[Run]:
    """Yield the runs of what is shown, those of one month after each other.

    The paper's text is played with all seeds, every other reading with some of them.
    """
    in_peace, struck = shown.wants("fig4", "fig5", "fig6"), shown.wants("fig7", "fig8", "fig9")
    for seed in seeds:
        readings = shown.readings if seed in seeds_beside(seeds) else 1
        for setup, utility in product(PEACEFUL[:readings] if in_peace else (), UTILITIES):
            if setup.jobs == "month" or (seed == seeds[0] and has_first_jobs()):
                yield setup.run(seed, utility)
        for setup, utility in product(STRUCK[:readings] if struck else (), _STRUCK_BY):
            yield setup.run(seed, utility)
            for mtbf, allocation in product(MTBFS, ALLOCATIONS):
                yield setup.run(seed, utility, mtbf=mtbf, allocation=allocation)


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run that was played."""

    runs: Mapping[Run, Mapping[str, Any]]
    seeds: Sequence[int]

    def each(self, metric: str, setup: Setup, utility: str, **more: Any) -> Any:
        """Return one number per seed, or a row of them; of real jobs without failures one."""
        return np.array([run[metric] for run in self._found(setup, utility, more)])

    def controls(self, setup: Setup, utility: str, mtbf: float) -> list[Any]:
        """Return by seed what failures brought by chance under ordinary allocation."""
        found = self._found(setup, utility, {"mtbf": mtbf})
        return list(np.array([run["surprise"] for run in found]).T)

    def _found(self, setup: Setup, utility: str, more: dict[str, Any]) -> list[Mapping[str, Any]]:
        seeds = self.seeds if setup == PEACEFUL[0] else seeds_beside(self.seeds)
        seeds = seeds if setup.jobs == "month" else seeds[:1]
        return [self.runs[setup.run(seed, utility, **more)] for seed in seeds]

    def played(self, setups: Sequence[Setup]) -> list[Setup]:
        """Return those that were played."""
        return [setup for setup in setups if setup.run(self.seeds[0], "wfp3") in self.runs]
