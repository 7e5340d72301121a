"""Replay: a workload meets a machine and a policy, and leaves records and metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import metrics
from ..records import AttemptRecords, FloatArray, JobRecords, Outage
from .backfill import POLICIES
from .checkpointing.periodic import NoCheckpoints
from .failures.feed import Failures
from .loop.cluster import EVENT_ORDERS, Cluster, Policy, Recovery
from .loop.jobs import Job
from .loop.protocols import Checkpointing, Machine
from .loop.to_records import from_loop, from_starts
from .machines.flat import Flat
from .recovery.simple import RECOVERIES
from .workload import Workload

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COMPILED", "Replay", "replay"]

COMPILED = ("fcfs", "easy", "conservative", "conservative-compress")


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """What came of a replay. Times in seconds on the clock of the submissions."""

    workload: Workload
    policy: str
    job_records: JobRecords
    attempt_records: AttemptRecords
    size: int
    idle: float  # measured on the machine, [unit s]
    down: float
    engine_s: float  # by the clock
    processor_s: float  # of this process, in the same span
    outages: tuple[Outage, ...] = ()  # of nodes, by start

    @property
    def jobs(self) -> pd.DataFrame:
        """One row per job, in queue order, with wait, response and slowdowns."""
        records = self.job_records
        frame = records.frame()
        frame["wait"] = metrics.wait(records)
        frame["response"] = metrics.response(records)
        frame["slowdown"] = metrics.slowdown(records)
        frame["bounded_slowdown"] = metrics.bounded_slowdown(records)
        frame["failure_slowdown"] = metrics.failure_slowdown(records)
        return frame

    @property
    def attempts(self) -> pd.DataFrame:
        """One row per attempt, by end; where each ran is in `attempt_records.placement`."""
        return self.attempt_records.frame(self.workload.job)

    @property
    def node_time(self) -> metrics.NodeTime:
        """Where the machine's time went."""
        return metrics.node_time(
            self.job_records, self.attempt_records, size=self.size, idle=self.idle, down=self.down
        )

    @property
    def metrics(self) -> dict[str, Any]:
        """Every metric under its name, with `policy` and `engine_s`; rules -> jobs."""
        numbers = metrics.summary(
            self.job_records, self.attempt_records, size=self.size, idle=self.idle, down=self.down
        )
        return {
            "policy": self.policy,
            **numbers,
            "dropped": dict(self.workload.dropped),
            "repaired": dict(self.workload.repaired),
            "engine_s": self.engine_s,
        }


def replay(
    workload: Workload,
    machine: Machine,
    *,
    policy: str | Policy = "easy",
    event_order: str = "batch",
    estimates: Literal["walltime", "runtime"] = "walltime",
    kill_at_walltime: bool = True,
    oversize: Literal["refuse", "skip"] = "refuse",
    failures: Failures | None = None,
    checkpointing: Checkpointing | None = None,
    recovery: str | Recovery = "original",
    engine: Literal["auto", "kernel", "general"] = "auto",
    progress: Callable[[int], None] | None = None,
) -> Replay:
    """Schedule every job of `workload` on `machine`.

    Parameters
    ----------
    workload : Workload
        The jobs.
    machine : Machine
        For example ``flat(128)``.
    policy : str or Policy
        ``fcfs``, ``easy``, ``conservative``, ``conservative-compress`` or an object.
    event_order : {"batch", "ends-first", "submissions-first"}
        What happens when several events fall on one instant, see `sim.cluster.loop.cluster`.
    estimates : {"walltime", "runtime"}
        What planning believes: what users asked for, or the true runtimes.
    kill_at_walltime : bool
        Whether a job that reaches its walltime is ended there.
    oversize : {"refuse", "skip"}
        A job that the machine cannot hold raises ValueError, or is counted in `dropped` as
        ``larger_than_machine``.
    failures : Failures, optional
        What strikes nodes, and when.
    checkpointing : Checkpointing, optional
        For example ``Periodic(interval, cost, recovery)``; nothing is saved by default.
    recovery : str or Recovery
        Of a job that failed: ``original`` (back to its first place in the queue), ``new`` (as a
        new submission), ``drop``, or an object.
    engine : {"auto", "kernel", "general"}
        Compiled kernels serve a flat machine without failures and checkpoints; the general loop
        everything. Both give the same schedule; ``auto`` takes the kernel where it can.
    progress : callable, optional
        Told the number of jobs at their end, as it grows.

    Returns
    -------
    Replay
        `.jobs`, `.attempts` (tables) and `.metrics` (mapping).

    Raises
    ------
    ValueError
        If a name is not among those above, a job is larger than the machine (see `oversize`), a
        failure strikes a node that is not there, or `engine` cannot play what is asked.

    Examples
    --------
    >>> from sim.cluster import Workload, flat, replay
    >>> jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8],
    ...                 processors=[3, 4, 1])
    >>> replay(jobs, flat(4), policy="easy", engine="general").jobs["start"].tolist()
    [0.0, 9.0, 2.0]
    """
    chosen = _named("policy", policy, POLICIES)
    _choice("event_order", event_order, EVENT_ORDERS)
    _choice("estimates", estimates, ("walltime", "runtime"))
    _choice("oversize", oversize, ("refuse", "skip"))
    _choice("engine", engine, ("auto", "kernel", "general"))
    recover = _named("recovery", recovery, RECOVERIES)
    workload = _fitting(workload, machine, oversize)
    if failures is not None and len(failures) and int(failures.node.max()) >= machine.nodes:
        raise ValueError(f"node must be < {machine.nodes}, got {int(failures.node.max())!r}")

    executed = workload.runtime
    if kill_at_walltime:
        executed = np.minimum(workload.runtime, workload.walltime)
    request = workload.walltime if estimates == "walltime" else executed
    killed = executed < workload.runtime

    plain = failures is None and checkpointing is None and isinstance(policy, str)
    if engine != "general" and plain and isinstance(machine, Flat) and policy in COMPILED:
        result = _by_kernel(
            workload,
            machine,
            policy=chosen.name,
            event_order=event_order,
            executed=executed,
            request=request,
        )
        if progress is not None:
            progress(len(workload))
        return result
    if engine == "kernel":
        raise ValueError(
            "engine must be 'general' for failures, checkpoints, or a machine or policy of its "
            f"own, got {engine!r}"
        )
    jobs = [
        Job(*row)
        for row in zip(
            range(len(workload)),
            workload.submit.tolist(),
            workload.processors.tolist(),
            executed.tolist(),
            request.tolist(),
            killed.tolist(),
            strict=True,
        )
    ]
    for job in jobs:
        job.queued_at = job.submit
    cluster = Cluster(
        workload,
        machine,
        chosen,
        event_order=event_order,
        jobs=jobs,
        failures=failures,
        checkpointing=checkpointing or NoCheckpoints(),
        recovery=recover,
        progress=progress,
    )
    began = perf_counter(), process_time()
    cluster.run()
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    # A flat machine on which nothing fails does not number its processors.
    numbered = failures is not None or not isinstance(machine, Flat)
    return Replay(
        workload,
        chosen.name,
        *from_loop(workload, jobs, cluster.ended, numbered=numbered),
        machine.size,
        cluster.idle_time,
        cluster.down_time,
        engine_s,
        processor_s,
        tuple(cluster.outages),
    )


def _by_kernel(
    workload: Workload,
    machine: Flat,
    *,
    policy: str,
    event_order: str,
    executed: FloatArray,
    request: FloatArray,
) -> Replay:
    kernel: Any
    if policy.startswith("conservative"):
        from .kernels.conservative import conservative as kernel
    else:
        from .kernels.easy import easy as kernel
    option = policy in ("easy", "conservative-compress")
    order = EVENT_ORDERS.index(event_order)

    # Equal types at every call, read-only as the workload is, so that one compilation serves all.
    columns: list[Any] = [workload.submit, executed, request, workload.processors]
    for place, column in enumerate(columns):
        columns[place] = column.view()
        columns[place].flags.writeable = False

    def run(size: int) -> tuple[FloatArray, float]:
        started: tuple[FloatArray, float] = kernel(
            *(column[:size] for column in columns), machine.processors, order, option
        )
        return started

    run(0)  # loads or compiles it, which is not the engine's time
    began = perf_counter(), process_time()
    start, idle = run(len(workload))
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    jobs, attempts = from_starts(workload, executed, start)
    return Replay(workload, policy, jobs, attempts, machine.size, idle, 0.0, engine_s, processor_s)


def _fitting(workload: Workload, machine: Machine, oversize: str) -> Workload:
    fits = machine.fits(workload)
    if fits.all():
        return workload
    if oversize == "refuse":
        first = int(np.argmin(fits))
        raise ValueError(
            f"processors must fit the machine of {machine.size}, got "
            f"{int(workload.processors[first])} for job {int(workload.job[first])} and "
            f"{int(np.sum(~fits)) - 1} more; oversize='skip' leaves them out"
        )
    return workload.select(fits, rule="larger_than_machine")


def _named(name: str, value: Any, table: Mapping[str, Any]) -> Any:
    if not isinstance(value, str):
        return value
    _choice(name, value, tuple(table))
    return table[value]


def _choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
