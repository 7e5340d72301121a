"""A grid's workload under four sets of assumptions: with or without requirements and failures.

Runtimes are known exactly, no checkpoints, and a job that a failure strikes is not resubmitted
unless asked for: as in the paper `grid`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import metrics
from ..._checks import one_of, shown
from ...records import Outcome
from .._replay import Replay, replay
from ..failures.feed import NO_FAILURES, Failures
from ..loop.cluster import Policy, Recovery
from ..workload import Workload, check_workload
from .cancel_stranded import CancelStranded
from .machine import Grid
from .policies.easy import GridEasy
from .policies.fcfs import GridFcfs
from .policies.local_search import LocalSearch
from .policies.planned import Planned

__all__ = ["GRID_POLICIES", "SCENARIOS", "SEEDED", "GridReplay", "replay_grid"]

# Name -> policy from a seed.
GRID_POLICIES: dict[str, Callable[[int], Policy]] = {
    "fcfs": lambda _: GridFcfs(),
    "fcfs-lb": GridFcfs,
    "easy": lambda _: GridEasy(),
    "cons": lambda _: Planned(),
    "ls": LocalSearch,
}
SEEDED = ("fcfs-lb", "ls")
# Name -> whether requirements, whether failures count.
SCENARIOS: dict[str, tuple[bool, bool]] = {
    "BASIC": (False, False),
    "EXT-FAIL": (False, True),
    "EXT-REQ": (True, False),
    "EXT-ALL": (True, True),
}


@dataclass(frozen=True, slots=True, eq=False)
class GridReplay:
    """A replay on a grid, and the jobs that suited no cluster from the start."""

    replay: Replay
    grid: Grid
    unsuitable: int

    @property
    def killed(self) -> int:
        """Jobs that a failure ended and that were not resubmitted."""
        return int(np.sum(self.replay.job_records.outcome == Outcome.DROPPED))

    @property
    def cancelled(self) -> int:
        """Jobs that no suitable cluster could hold, from the start or for lack of machines up."""
        given_up = np.sum(self.replay.job_records.outcome == Outcome.CANCELLED)
        return int(given_up) + self.unsuitable

    @property
    def killed_by_cluster(self) -> dict[str, int]:
        """Attempts ended by a failure, on each cluster."""
        records = self.replay.attempt_records
        counts = dict.fromkeys((cluster.name for cluster in self.grid.clusters), 0)
        if records.placement is not None:
            for position in np.flatnonzero(records.outcome == Outcome.FAILED).tolist():
                counts[self.grid.clusters[records.placement[position].cluster].name] += 1
        return counts

    @property
    def metrics(self) -> dict[str, Any]:
        """What the paper compares: means over jobs that ended successfully.

        A mean of nothing, such as the mean length of killed jobs where there are none, is nan.
        """
        jobs = self.replay.job_records
        ended = jobs.outcome <= Outcome.KILLED
        waits = metrics.wait(jobs)[ended]
        struck = jobs.outcome == Outcome.DROPPED
        return {
            "mean_slowdown": metrics.mean_of_known(metrics.slowdown(jobs)[ended]),
            "mean_response_s": metrics.mean_of_known(metrics.response(jobs)[ended]),
            "mean_wait_s": metrics.mean_of_known(waits),
            "completed": int(np.sum(ended)),
            "killed": self.killed,
            "cancelled": self.cancelled,
            "unfinished": int(np.sum(jobs.outcome == Outcome.UNFINISHED)),
            "failures": int(np.sum(jobs.failures)),
            "mean_killed_length_s": metrics.mean_of_known(jobs.executed[struck]),
            "mean_length_s": metrics.mean_of_known(jobs.executed),
            "utilization": self.replay.metrics["utilization"],
            "scheduler_s": self.replay.processor_s,
        }


def replay_grid(
    workload: Workload,
    grid: Grid,
    *,
    policy: str | Policy = "easy",
    seed: int = 0,
    failures: Failures | None = None,
    recovery: str | Recovery = "drop",
    cancel_stranded: bool = True,
    progress: Callable[[int], None] | None = None,
) -> GridReplay:
    """Schedule `workload` on `grid`, with exact runtimes.

    Parameters
    ----------
    workload : Workload
        The jobs; their walltimes are not used.
    grid : Grid
        With its suitability, if requirements count.
    policy : str or Policy
        ``fcfs``, ``fcfs-lb``, ``easy``, ``cons``, ``ls``, or an object.
    seed : int
        For ``fcfs-lb`` and ``ls``.
    failures : Failures, optional
        Machines numbered over the whole grid, see `Grid.first_machines`.
    recovery : str or Recovery
        Of a job that failed; ``drop`` is the paper's.
    cancel_stranded : bool
        Whether jobs are cancelled that the machines still up can no longer hold.
    progress : callable, optional
        Called with the number of jobs that ended, as it grows.

    Returns
    -------
    GridReplay
        With ``.metrics``, ``.killed_by_cluster`` and the ``.replay`` itself.

    Raises
    ------
    ValueError
        If `policy` or `recovery` is a name that is not known, or `policy` does not run on a grid.
    TypeError
        If `grid` is not a Grid, or `policy` or `recovery` not a description of one.

    Examples
    --------
    >>> from sim.cluster import Workload
    >>> from sim.cluster.grid import ClusterSpec, Grid
    >>> grid = Grid((ClusterSpec("slow", 2), ClusterSpec("fast", 1, speed=2.0)))
    >>> jobs = Workload(submit=[0, 0], runtime=[5, 5], walltime=[5, 5], processors=[1, 2])
    >>> [p.cluster for p in replay_grid(jobs, grid).replay.attempt_records.placement]
    [1, 0]
    """
    if not isinstance(grid, Grid):
        raise TypeError(f"grid must be a Grid, got {type(grid).__name__}; use replay")
    check_workload(workload)
    if isinstance(policy, str):
        policy = GRID_POLICIES[one_of("policy", policy, GRID_POLICIES)](seed)
    elif isinstance(policy, type) or not isinstance(policy, Policy):
        raise TypeError(
            f"policy must be a name or an object with name, runs_on and begin, got {shown(policy)}"
        )
    fits = grid.suits(workload)
    suitable = fits.any(axis=1)
    unsuitable = int(np.sum(~suitable))
    chosen = workload.select(suitable, rule="no_suitable_cluster") if unsuitable else workload
    result = replay(
        chosen,
        grid.with_suitability(None if fits.all() else fits[suitable]),
        policy=CancelStranded(policy) if cancel_stranded else policy,
        estimates="runtime",
        kill_at_walltime=False,
        # An empty feed rather than none, so that records keep the placements.
        failures=failures if failures is not None else NO_FAILURES,
        recovery=recovery,
        engine="general",
        progress=progress,
    )
    return GridReplay(result, grid, unsuitable)
