"""Replay: a workload on a machine under a policy gives records and metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as changed
from itertools import repeat
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import metrics
from .._checks import kind_of, one_of, shown
from .._shown import facts_html
from .._units import NEVER
from ..records import AttemptRecords, FloatArray, JobRecords, Outage
from ._engines import TooLong, bounded, compiled_core, policy_of
from .backfill import POLICIES
from .checkpointing.cooperative import Cooperative
from .checkpointing.periodic import NoCheckpoints, Periodic
from .failures.feed import Failures
from .loop.cluster import EVENT_ORDERS, Cluster, Policy, Recovery
from .loop.jobs import Job
from .loop.protocols import Checkpointing, Machine, Occupancy
from .loop.to_records import from_loop
from .machines.flat import Flat
from .recovery.simple import RECOVERIES
from .workload import Workload, check_workload

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """The result of a replay. Times are in seconds on the clock of the submissions."""

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
    engine: str = "general"  # that played: the compiled core, "kernel", or the readable loop

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
        """Every metric under its name, with `policy`, `engine` and `engine_s`; rules -> jobs."""
        numbers = metrics.summary(
            self.job_records, self.attempt_records, size=self.size, idle=self.idle, down=self.down
        )
        return {
            "policy": self.policy,
            "engine": self.engine,
            **numbers,
            "dropped": dict(self.workload.dropped),
            "repaired": dict(self.workload.repaired),
            "engine_s": self.engine_s,
        }

    def plot(self, ax: Any = None) -> Any:
        """Draw how many processors were in use over time, and how many of them in vain.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; new axes by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing and no axes are given.

        Notes
        -----
        Means over a 400th of the time from the first submission to the last end. Who ran where is
        drawn by `perfmodel replay --plot`.
        """
        from .._figures import plot_use

        jobs, attempts = self.job_records, self.attempt_records
        return plot_use(jobs, attempts, ax, size=self.size, policy=self.policy)

    def __repr__(self) -> str:
        jobs = f"{len(self.job_records.job):,} jobs on {self.size:,}"
        return f"<replay: {jobs} under {self.policy}, {len(self.outages):,} outages>"

    def _repr_html_(self) -> str:
        shown = {
            name.replace("_", " "): value
            for name, value in self.metrics.items()
            if not isinstance(value, Mapping)
        }
        return facts_html("Replay", shown)


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
    idle_failures: bool = True,
    engine: Literal["auto", "kernel", "general"] = "auto",
    replays: int | None = None,
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
    idle_failures : bool
        Whether a failure takes its node out where no job runs on it; else it has no effect.
    engine : {"auto", "kernel", "general"}
        ``general`` is the readable loop, which plays everything. ``kernel`` is the compiled core: a
        flat machine, ``fcfs``, ``easy`` and the conservative policies in order of submission or
        of bands; a Blue Gene under `Cobalt`, the utilities of the paper or an expression; or a
        grid, see `replay_grid`; `Periodic` checkpoints, recovery by name or by option. Promises
        (`Negotiated`) have a core of their own, see `replay_promises`. Both give the same records
        to the last bit; ``auto`` takes the core where it can, and `.engine` says which.
    replays : int, optional
        How many of this size are wanted, all told. Where few and small ones are, ``auto`` takes the
        readable loop, which is through before the core would be compiled, or loaded.
    progress : callable, optional
        Called with the number of jobs that ended, as it grows.

    Returns
    -------
    Replay
        `.jobs`, `.attempts` (tables) and `.metrics` (mapping).

    Raises
    ------
    ValueError
        If a name is not among those above, `policy` does not run on `machine`, a job is larger
        than the machine (see `oversize`), a failure strikes a node that is not there, checkpoints
        count against walltimes that end no job (`in_walltime` without `kill_at_walltime`), or
        `engine` cannot play what is asked.
    TypeError
        If an argument is not of the kind given above.

    Examples
    --------
    >>> from sim.cluster import Workload, flat, replay
    >>> jobs = Workload(submit=[0, 1, 2], runtime=[9, 5, 4], walltime=[10, 5, 8],
    ...                 processors=[3, 4, 1])
    >>> replay(jobs, flat(4), policy="easy", engine="general").jobs["start"].tolist()
    [0.0, 9.0, 2.0]
    """
    one_of("event_order", event_order, EVENT_ORDERS)
    one_of("estimates", estimates, ("walltime", "runtime"))
    one_of("oversize", oversize, ("refuse", "skip"))
    one_of("engine", engine, ("auto", "kernel", "general"))
    chosen = policy_of(policy)
    recover = _recovery(recovery)
    _check_kinds(workload, failures, checkpointing)
    state = _occupancy(machine, chosen, numbered=failures is not None)
    workload = _fitting(workload, machine, oversize)
    if failures is not None and len(failures) and int(failures.node.max()) >= machine.nodes:
        raise ValueError(f"node must be < {machine.nodes}, got {int(failures.node.max())!r}")

    if isinstance(checkpointing, Periodic | Cooperative):
        checkpointing.check_jobs(np.maximum(workload.runtime, workload.walltime))

    within = isinstance(checkpointing, Periodic) and checkpointing.in_walltime
    if within and not kill_at_walltime:
        raise ValueError("kill_at_walltime must be True with in_walltime, got False")
    executed = workload.runtime
    if kill_at_walltime and not within:  # else each attempt is ended by its limit
        executed = np.minimum(workload.runtime, workload.walltime)
    request = workload.walltime if estimates == "walltime" else executed

    def by_loop(tried: Policy, state: Occupancy) -> Replay:
        cluster = Cluster(
            workload,
            state,
            tried,
            event_order=event_order,
            jobs=_jobs(workload, executed, request, limited=within),
            failures=failures,
            checkpointing=checkpointing or NoCheckpoints(),
            recovery=recover,
            idle_failures=idle_failures,
            progress=progress,
        )
        # A flat machine on which nothing fails does not number its processors.
        numbered = failures is not None or not isinstance(machine, Flat)
        result = _by_loop(
            workload, cluster, policy=tried.name, size=machine.size, numbered=numbered
        )
        if isinstance(checkpointing, Periodic) and within:
            done = np.array([checkpointing.executed(job) for job in cluster.jobs])
            return changed(result, job_records=changed(result.job_records, executed=done))
        return result

    small = None
    if engine == "auto" and replays is not None:
        small = bounded(chosen, machine, jobs=len(workload), replays=replays)
    if small is not None:
        with suppress(TooLong):
            return by_loop(small, state)
        state = machine.occupancy(numbered=failures is not None)
    if engine != "general":
        spared = failures is not None and not idle_failures
        core = compiled_core(
            machine, chosen, checkpointing, recover, event_order, idle_failures=not spared
        )
        if not isinstance(core, str):
            played = core(
                workload,
                executed=executed,
                request=request,
                failures=failures,
                progress=progress,
            )
            return Replay(
                workload,
                chosen.name,
                played.jobs,
                played.attempts,
                machine.size,
                played.idle,
                played.down,
                played.engine_s,
                played.processor_s,
                played.outages,
                "kernel",
            )
        if engine == "kernel":
            raise ValueError(f"engine must be 'general' for {core}, got {engine!r}")
    return by_loop(chosen, state)


def _by_loop(
    workload: Workload, cluster: Cluster, *, policy: str, size: int, numbered: bool
) -> Replay:
    began = perf_counter(), process_time()
    cluster.run()
    engine_s, processor_s = perf_counter() - began[0], process_time() - began[1]
    return Replay(
        workload,
        policy,
        *from_loop(workload, cluster.jobs, cluster.ended, numbered=numbered),
        size,
        cluster.idle_time,
        cluster.down_time,
        engine_s,
        processor_s,
        tuple(cluster.outages),
    )


def _jobs(
    workload: Workload, executed: FloatArray, request: FloatArray, *, limited: bool
) -> list[Job]:
    columns = (
        range(len(workload)),
        workload.submit.tolist(),
        workload.processors.tolist(),
        executed.tolist(),
        request.tolist(),
        (executed < workload.runtime).tolist(),
        workload.walltime.tolist() if limited else repeat(NEVER, len(workload)),
    )
    return [
        Job(
            index=index,
            submit=submit,
            processors=processors,
            executed=executes,
            request=requests,
            killed=killed,
            limit=limit,
            queued_at=submit,
        )
        for index, submit, processors, executes, requests, killed, limit in zip(
            *columns, strict=True
        )
    ]


def _fitting(workload: Workload, machine: Machine, oversize: str) -> Workload:
    fits = machine.fits(workload)
    if fits.all():
        return workload
    if oversize == "refuse":
        first = int(np.argmin(fits))
        raise ValueError(
            f"processors must fit the machine of {machine.size}, got "
            f"{int(workload.processors[first])} for job {int(workload.job[first])} and "
            f"{int(np.sum(~fits)) - 1} more; "
            "give oversize='skip' (--oversize skip) to leave them out"
        )
    return workload.select(fits, rule="larger_than_machine")


def _check_kinds(
    workload: Workload, failures: Failures | None, checkpointing: Checkpointing | None
) -> None:
    check_workload(workload)
    if failures is not None:
        kind_of("failures", failures, Failures, "use failures_from_frame for a table")
    if checkpointing is None:
        return
    if isinstance(checkpointing, type) or not isinstance(checkpointing, Checkpointing):
        raise TypeError(
            "checkpointing must be an object with planned and timeline, such as "
            f"Periodic(interval, cost), got {shown(checkpointing)}"
        )


def _recovery(recovery: str | Recovery) -> Recovery:
    if isinstance(recovery, str):
        one_of("recovery", recovery, RECOVERIES)
        return RECOVERIES[recovery]
    if isinstance(recovery, type) or not isinstance(recovery, Recovery):
        raise TypeError(f"recovery must be a name or an object with begin, got {recovery!r}")
    return recovery


def _occupancy(machine: Machine, policy: Policy, *, numbered: bool) -> Occupancy:
    """Return the empty machine, or raise where the policy does not run on it."""
    if isinstance(machine, type) or not isinstance(machine, Machine):
        raise TypeError(
            "machine must be an object with size, nodes, fits and occupancy, such as flat(128), "
            f"got {machine!r}"
        )
    state = machine.occupancy(numbered=numbered)
    for kind in policy.runs_on:
        if not kind.holds(state):
            others = [name for name, other in _offered() if _suits(other, state)]
            remedy = f"; use {_either(others)}" if others else ""
            raise ValueError(
                f"policy {_told_apart(policy)} must have {kind.words}, "
                f"got {type(machine).__name__}{remedy}"
            )
    return state


def _told_apart(policy: Policy) -> str:
    """Return the name of a policy, with its class where another policy has that name."""
    own = getattr(policy, "policy", policy)  # of a policy that wraps another
    if POLICIES.get(policy.name, own) == own:
        return policy.name
    return f"{policy.name} ({type(own).__name__})"


def _suits(policy: Policy, state: Occupancy) -> bool:
    return all(kind.holds(state) for kind in policy.runs_on)


def _either(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _offered() -> list[tuple[str, Policy]]:
    """Return the policies that a message can advise, as users write them."""
    from .bluegene.cobalt import Cobalt
    from .grid.policies.easy import GridEasy
    from .grid.policies.fcfs import GridFcfs
    from .grid.policies.local_search import LocalSearch
    from .grid.policies.planned import Planned

    special: tuple[Policy, ...] = (Cobalt(), GridFcfs(), GridEasy(), Planned(), LocalSearch())
    return [
        *POLICIES.items(),
        *((f"{type(policy).__name__}()", policy) for policy in special),
    ]
