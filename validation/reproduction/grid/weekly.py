"""Two policies, or two scenarios, compared on the same jobs of MetaCentrum, week by week.

One log gives one number for each policy. What can be judged is the difference job by job, over the
jobs that ended under both; jobs of a week share a queue, so that weeks and not jobs are the sample.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from scipy.special import stdtrit

from sim.records import FloatArray, IntArray

from ..estimates import Estimate
from .results import Results
from .runs import unpacked
from .systems import FIRST, system

Played = tuple[str, str]  # scenario and policy
_WEEK = 604_800.0


@dataclass(frozen=True, slots=True, eq=False)
class Weekly:
    """The jobs, and their waits under each scenario and policy: one row per seed.

    Parameters
    ----------
    week : ndarray of int
        Of each job, from 0.
    runtime : ndarray, [s]
        Of each job.
    waits : dict
        (scenario, policy) -> seeds x jobs, [s]; nan where a job did not end.
    lengths : dict
        (scenario, policy) -> how long each job ran, seeds x jobs, [s], where that depends on the
        cluster; for all others it is `runtime`.
    """

    week: IntArray
    runtime: FloatArray
    waits: dict[Played, FloatArray]
    lengths: dict[Played, FloatArray] = field(default_factory=dict)

    def ratio(self, metric: str, first: Played, second: Played) -> Estimate:
        """Return the mean of the first over that of the second, with its interval."""
        ours, theirs, _ = self._sums(metric, first, second)
        return ratio_of_sums(ours, theirs)

    def _sums(
        self, metric: str, first: Played, second: Played
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return sums of both and numbers of jobs by week, as means over seeds."""
        ours, theirs = np.broadcast_arrays(self._of(metric, first), self._of(metric, second))
        count = int(self.week.max()) + 1
        sums = np.zeros((3, count))
        for one, other in zip(ours, theirs, strict=True):
            both = np.isfinite(one) & np.isfinite(other)
            for place, values in enumerate((one, other, both)):
                sums[place] += np.bincount(self.week[both], values[both], count) / len(ours)
        return sums[0], sums[1], sums[2]

    def _of(self, metric: str, played: Played) -> FloatArray:
        wait, length = self.waits[played], self.lengths.get(played, self.runtime)
        if metric == "mean_wait_s":
            return wait
        response = wait + length
        return response if metric == "mean_response_s" else response / length


def ratio_of_sums(top: FloatArray, bottom: FloatArray) -> Estimate:
    """Return the sum of `top` over that of `bottom` with its 95 % half width over batches.

    To first order in the residuals of the batches, Student's t with one degree of freedom less
    than batches; batches may differ in size.
    """
    total = float(bottom.sum())
    ratio = float(top.sum()) / total
    batches = top.size
    if batches < 2:
        return Estimate(ratio, float("nan"))
    squares = float(np.sum((top - ratio * bottom) ** 2)) * batches / (batches - 1)
    return Estimate(ratio, float(stdtrit(batches - 1, 0.975)) * np.sqrt(squares) / total)


def weekly(results: Results, ranking: str, scenarios: Any, policies: Any) -> Weekly:
    """Return the waits of all runs on MetaCentrum under a ranking of its clusters."""
    jobs = system("metacentrum", ranking=ranking).workload
    week = ((jobs.submit - FIRST) // _WEEK).astype(np.int64)
    waits, lengths = {}, {}
    for played in product(scenarios, policies):
        runs = results.of("metacentrum", *played, ranking)
        waits[played] = np.stack([unpacked(numbers["waits"]) for numbers in runs])
        if all("lengths" in numbers for numbers in runs):
            lengths[played] = np.stack([unpacked(numbers["lengths"]) for numbers in runs])
    return Weekly(week, jobs.runtime, waits, lengths)
