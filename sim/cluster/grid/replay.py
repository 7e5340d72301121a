"""A grid's workload under four sets of assumptions: with or without requirements and failures.

Without checkpoints. Unless asked for otherwise, as in the paper `grid`: runtimes are known exactly,
and a job that a failure strikes is not resubmitted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ... import metrics
from ..._checks import one_of, shown
from ...records import FloatArray, Outcome
from .._replay import Replay, replay
from ..failures.feed import NO_FAILURES, Failures
from ..loop.cluster import Order, Policy, Recovery
from ..workload import Workload, check_workload
from .cancel_stranded import CancelStranded
from .machine import Grid
from .policies.easy import GridEasy
from .policies.fcfs import GridFcfs
from .policies.local_search import LocalSearch
from .policies.planned import Planned
from .speed import ScaledRuntimes
from .use import ClusterUse, use_by_cluster

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
    failures: Failures = NO_FAILURES  # that the machines had

    def __repr__(self) -> str:
        return f"<grid {self.replay!r}, {len(self.grid.clusters):,} clusters>"

    def _repr_html_(self) -> str:
        return self.replay._repr_html_()

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
        return {name: use.kills for name, use in self.use_by_cluster.items()}

    @property
    def use_by_cluster(self) -> dict[str, ClusterUse]:
        """What became of the time of each cluster, and what its failures did."""
        return use_by_cluster(
            self.replay.job_records,
            self.replay.attempt_records,
            grid=self.grid,
            failures=self.failures,
            outages=self.replay.outages,
        )

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
            "killed_at_walltime": int(np.sum(jobs.outcome == Outcome.KILLED)),
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
    order: Order | None = None,
    event_order: str = "batch",
    estimates: Literal["walltime", "runtime"] = "runtime",
    kill_at_walltime: bool = False,
    scale: FloatArray | None = None,
    failures: Failures | None = None,
    recovery: str | Recovery = "drop",
    cancel_stranded: bool = True,
    engine: Literal["auto", "kernel", "general"] = "auto",
    replays: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> GridReplay:
    """Schedule `workload` on `grid`.

    Parameters
    ----------
    workload : Workload
        The jobs.
    grid : Grid
        With its suitability, if requirements count.
    policy : str or Policy
        ``fcfs``, ``fcfs-lb``, ``easy``, ``cons``, ``ls``, or an object.
    seed : int
        For ``fcfs-lb`` and ``ls``.
    order : callable, optional
        In which order waiting jobs are tried, if not that of submission, such as
        `order_from_expression` gives; for the names but ``ls``.
    event_order, estimates, kill_at_walltime
        As for `replay`; the defaults here are the paper's: walltimes are not used.
    scale : ndarray, optional, [-]
        How much longer each job runs on each cluster than it says, of shape (jobs, clusters), see
        `runtime_scale`. Records have what was executed.
    failures : Failures, optional
        Machines numbered over the whole grid, see `Grid.first_machines`.
    recovery : str or Recovery
        Of a job that failed; ``drop`` is the paper's.
    cancel_stranded : bool
        Whether jobs are cancelled that the machines still up can no longer hold.
    engine : {"auto", "kernel", "general"}
        ``general`` is the readable loop, which plays everything. ``kernel`` is the compiled core
        of grids: every policy above but ``fcfs-lb``, recovery by name, planning that does not know
        of repairs. Both give the same records to the last bit; ``auto`` takes the core where it
        can, and `.replay.engine` says which.
    replays : int, optional
        As for `replay`.
    progress : callable, optional
        Called with the number of jobs that ended, as it grows.

    Returns
    -------
    GridReplay
        With ``.metrics``, ``.use_by_cluster`` and the ``.replay`` itself.

    Raises
    ------
    ValueError
        If a name is not known, `policy` does not run on a grid, or `engine` cannot play what is
        asked.
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
        if order is not None:
            policy = _ordered(policy, order)
    elif order is not None:
        raise ValueError(f"order must be left out where policy is an object, got {shown(order)}")
    if isinstance(policy, type) or not isinstance(policy, Policy):
        raise TypeError(
            f"policy must be a name or an object with name, runs_on and begin, got {shown(policy)}"
        )
    if scale is not None:
        _check_scale(scale, workload, grid, policy)
    fits = grid.suits(workload)
    suitable = fits.any(axis=1)
    unsuitable = int(np.sum(~suitable))
    chosen = workload.select(suitable, rule="no_suitable_cluster") if unsuitable else workload
    # An empty feed rather than none, so that records keep the placements.
    feed = failures if failures is not None else NO_FAILURES
    result = replay(
        chosen,
        grid.with_suitability(None if fits.all() else fits[suitable]),
        policy=CancelStranded(policy) if cancel_stranded else policy,
        event_order=event_order,
        estimates=estimates,
        kill_at_walltime=kill_at_walltime,
        failures=feed,
        checkpointing=None if scale is None else ScaledRuntimes(scale[suitable]),
        recovery=recovery,
        engine=engine,
        replays=replays,
        progress=progress,
    )
    if scale is not None:
        result = _as_executed(result, scale[suitable])
    return GridReplay(result, grid, unsuitable, feed)


def _ordered(policy: Policy, order: Order) -> Policy:
    if isinstance(policy, GridFcfs | GridEasy | Planned):
        return replace(policy, order=order)
    raise ValueError(
        f"policy must be fcfs, fcfs-lb, easy or cons where an order is given, got {policy.name}"
    )


def _check_scale(scale: FloatArray, workload: Workload, grid: Grid, policy: Policy) -> None:
    if type(policy) not in (GridFcfs, GridEasy, Planned, LocalSearch):
        names = ", ".join(GRID_POLICIES)
        raise ValueError(f"policy must be of {names} where runtimes scale, got {policy.name}")
    shape = len(workload), len(grid.clusters)
    if scale.shape != shape:
        raise ValueError(f"scale must have shape {shape}, got {scale.shape}")
    wrong = ~(np.isfinite(scale) & (scale > 0.0))
    if wrong.any():
        raise ValueError(f"scale must be finite and > 0, got {float(scale[wrong][0])!r}")


def _as_executed(result: Replay, scale: FloatArray) -> Replay:
    """Return a replay whose jobs have executed what they did on the cluster of their last try."""
    jobs, attempts = result.job_records, result.attempt_records
    assert attempts.placement is not None
    ran = np.ones(len(result.workload))
    for position, place in zip(attempts.position.tolist(), attempts.placement, strict=True):
        ran[position] = scale[position, place.cluster]  # attempts are in order of end
    records = replace(jobs, executed=jobs.executed * ran, undisturbed=jobs.undisturbed * ran)
    return replace(result, job_records=records)
