"""The runs of `aucore` under each reading, struck jobs pooled over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..controls import controlled
from ..estimates import ratio
from ..shown import AS_TABLES, Shown
from ..sweep import seeds_beside
from .runs import Run
from .setups import SETUPS, Setup

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
    """The metrics of every run under one set-up."""

    runs: Mapping[Run, Mapping[str, Any]]
    seeds: Sequence[int]
    setup: Setup

    def response(self, case: str, **more: Any) -> Any:
        """Return the mean response of each seed, [min]."""
        return np.array([run["response"] for run in self._found(case, more)])

    def slowdown(self, case: str, **more: Any) -> Any:
        """Return numbers by seed whose mean is the failure slowdown of all struck jobs."""
        found = self._found(case, more)
        return _pooled([run["struck"] for run in found], [run["surprise"] for run in found])

    def of_option(self, case: str, option: str) -> Any:
        """Return the same of the struck jobs of one option."""
        return _pooled(
            *(
                [run[what].get(option, (0.0, 0.0)) for run in self._found(case, {})]
                for what in ("struck_by_option", "surprise_by_option")
            )
        )

    def _found(self, case: str, more: dict[str, Any]) -> list[Mapping[str, Any]]:
        seeds = self.seeds if self.setup == SETUPS[0] else seeds_beside(self.seeds)
        runs = (Run(case, seed, self.setup, **more) for seed in seeds)
        return [self.runs[run.played] for run in runs]


def _pooled(struck: Sequence[Sequence[float]], surprise: Sequence[Sequence[float]]) -> Any:
    """Return the ratio of slowdowns to struck jobs, seeds being clusters, without their chance."""
    sums, jobs = np.array(struck, dtype=np.float64).T
    return controlled(ratio(sums, jobs), list(np.array(surprise).T))


def wanted(seeds: Sequence[int], shown: Shown = AS_TABLES) -> Iterator[Run]:
    """Yield the runs of what is shown; beyond the baseline of independent jobs alone.

    The paper's text is played with all seeds, every other reading with some of them.
    """
    for seed in seeds:
        readings = shown.readings if seed in seeds_beside(seeds) else 1
        for setup in SETUPS[:readings]:
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
