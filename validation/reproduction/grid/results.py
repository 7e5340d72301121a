"""The metrics of every run of `grid`, asked for by system, scenario, policy and ranking."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..estimates import Estimate, estimate
from .runs import Run
from .systems import system

_FOUR = ("BASIC", "EXT-FAIL", "EXT-REQ", "EXT-ALL")
_DAS2 = ("BASIC", "EXT-FAIL-L", "EXT-FAIL-M", "EXT-REQ", "EXT-ALL-L", "EXT-ALL-M")
PROBLEMS = {"metacentrum": _FOUR, "grid5000": _FOUR, "das2": _DAS2}
POLICIES = ("fcfs", "easy", "cons", "ls")
PLAYED = {"metacentrum": POLICIES, "grid5000": (*POLICIES, "fcfs-lb"), "das2": POLICIES}
MEANS = {
    "mean_slowdown": "slowdown",
    "mean_response_s": "response",
    "mean_wait_s": "wait",
}


@dataclass(frozen=True, slots=True)
class Results:
    """The metrics of every run."""

    runs: dict[Run, dict[str, Any]]
    _places: dict[tuple[str, str, str, str], list[dict[str, Any]]] = field(init=False)

    def __post_init__(self) -> None:
        places = defaultdict(list)
        for run in sorted(self.runs):
            places[run.system, run.scenario, run.policy, run.ranking].append(self.runs[run])
        object.__setattr__(self, "_places", dict(places))

    @property
    def systems(self) -> set[str]:
        """Those that were played."""
        return {run.system for run in self.runs}

    def of(self, name: str, scenario: str, policy: str, ranking: str = "") -> list[dict[str, Any]]:
        """Return the metrics of each seed."""
        return self._places[name, scenario, policy, ranking]

    def each(
        self, metric: str, name: str, scenario: str, policy: str, ranking: str = ""
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return one number per seed."""
        found = [numbers[metric] for numbers in self.of(name, scenario, policy, ranking)]
        return np.array(found, dtype=np.float64)

    def estimate(
        self, metric: str, name: str, scenario: str, policy: str, ranking: str = ""
    ) -> Estimate:
        """Return the mean over seeds with its interval."""
        return estimate(self.each(metric, name, scenario, policy, ranking))

    def largest_shares(self, scenario: str, policy: str) -> list[float]:
        """Return the share of the kills on the largest cluster of Grid'5000 by seed, or nan."""
        sizes = {cluster.name: cluster.size for cluster in system("grid5000").grid.clusters}
        largest = max(sizes, key=sizes.__getitem__)
        shares = []
        for numbers in self.of("grid5000", scenario, policy):
            kills = numbers["killed_by_cluster"]
            total = sum(kills.values())
            shares.append(kills[largest] / total if total else float("nan"))
        return shares
