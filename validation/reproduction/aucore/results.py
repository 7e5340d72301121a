"""The runs of `aucore` under each reading, struck jobs pooled over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..estimates import Estimate, estimate
from ..shown import AS_TABLES, Shown
from .runs import Run
from .setups import SETUPS, Setup

__all__ = [
    "ALONE",
    "CASES",
    "GAPS",
    "MIXED",
    "MTBFS",
    "REPAIRS",
    "SINGLE",
    "Pooled",
    "Results",
    "wanted",
]

SINGLE = ("all-b", "all-c", "all-d", "all-e")
MIXED = ("even", "normal")
CASES = ("ff", "mr", *MIXED, *SINGLE)
# Option -> the case in which all jobs have it; All-A is manual resubmission.
ALONE = {"A": "mr", "B": "all-b", "C": "all-c", "D": "all-d", "E": "all-e"}
REPAIRS = (240.0, 120.0, 60.0, 30.0, 15.0)  # [min]
MTBFS = (4.0, 10.0, 24.0)  # [h]
GAPS = (5.0, 6.0, 8.0)  # [min]


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """The mean failure slowdown of all struck jobs of all seeds, and what each seed adds to it.

    `parts` are 0 in the mean; the error of the mean is theirs, seeds being clusters of jobs.
    """

    mean: float
    parts: Any

    @classmethod
    def of(cls, struck: Sequence[Sequence[float]]) -> Pooled:
        """Pool sums and numbers of struck jobs."""
        sums, jobs = np.array(struck, dtype=np.float64).T
        mean = float(sums.sum() / jobs.sum()) if jobs.sum() else float("nan")
        return cls(mean, (sums - mean * jobs) / jobs.mean())

    def less(self, other: Pooled, scale: float = 1.0) -> Any:
        """Return numbers by seed whose mean is the scaled difference, paired by seed."""
        return scale * (self.mean - other.mean + self.parts - other.parts)

    def over(self, printed: float) -> Any:
        """Return numbers by seed whose mean is the ratio to a printed one."""
        return (self.mean + self.parts) / printed

    @property
    def estimate(self) -> Estimate:
        """The mean with its interval."""
        return estimate(self.mean + self.parts)


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run under one set-up."""

    runs: Mapping[Run, Mapping[str, Any]]
    seeds: Sequence[int]
    setup: Setup

    def response(self, case: str, **more: Any) -> Any:
        """Return the mean response of each seed, [min]."""
        return np.array([run["response"] for run in self._found(case, more)])

    def own(self, case: str) -> Any:
        """Return what the struck jobs' own delays add to the response of each seed, [min]."""
        return np.array([run["own"] for run in self._found(case, {})])

    def slowdown(self, case: str, **more: Any) -> Pooled:
        """Return the failure slowdown of all struck jobs."""
        return Pooled.of([run["struck"] for run in self._found(case, more)])

    def of_option(self, case: str, option: str) -> Pooled:
        """Return the failure slowdown of the struck jobs of one option."""
        return Pooled.of(
            [run["struck_by_option"].get(option, (0.0, 0)) for run in self._found(case, {})]
        )

    def _found(self, case: str, more: dict[str, Any]) -> list[Mapping[str, Any]]:
        runs = (Run(case, seed, self.setup, **more) for seed in self.seeds)
        return [self.runs[run.played] for run in runs]


def wanted(seeds: Sequence[int], shown: Shown = AS_TABLES) -> Iterator[Run]:
    """Yield the runs of what is shown; beyond the baseline of independent jobs alone."""
    for seed in seeds:
        for setup in SETUPS:
            for case in CASES if shown.wants("fig4", "fig5") else ():
                yield Run(case, seed, setup).played
            if setup.sessions:
                continue
            for repair in REPAIRS if shown.wants("fig6") else ():
                for case in ("mr", *SINGLE):
                    yield Run(case, seed, setup, repair=repair).played
            for case in ("mr", *MIXED):
                for mtbf in MTBFS if shown.wants("fig7") else ():
                    yield Run(case, seed, setup, mtbf=mtbf).played
                for gap in GAPS if shown.wants("fig8") else ():
                    yield Run(case, seed, setup, gap=gap).played
