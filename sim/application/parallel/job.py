"""A parallel job: one task on each of several machines, done when the last task is.

The rules:

- Every machine works at its own `speed` on its own share of the work, and has failures, repairs
  and checkpoints of its own. Tasks neither wait for each other nor share anything.
- A task is played by the rules of `checkpointed_job`, or by those of `wsj_job`, the paper
  `wsj`'s own process; its failure-free compute time is share/speed.
- A task may run in several copies, each on a machine of its own of the same kind, all from the
  start; the first copy to end is its result.
- The makespan of the job is that of its slowest task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ..._checks import check_fields, nonnegative, one_of, positive, shown, whole
from ...samplers import Exponential, FloatArray, Sampler, as_sampler
from ..checkpointed_job import simulate_makespans
from ..wsj_job import simulate_wsj_makespans

__all__ = ["Machine", "simulate_parallel_makespans"]

Process = Literal["physical", "wsj"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One machine, as it runs one task.

    Parameters
    ----------
    speed : float, [work/time]
        Work done per unit of failure-free time; > 0.
    mtbf : float, [time]
        Mean of the exponential uptimes; > 0.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0. A recorded list is played from its beginning by
        every replication.
    interval : float, [time]
        Compute time between checkpoints, checkpoint excluded; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        Time to write a checkpoint and to read it back; >= 0.
    """

    speed: float = 1.0
    mtbf: float
    downtime: float | Sampler = 0.0
    interval: float
    checkpoint_cost: float = 0.0
    recovery_cost: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, positive, "speed", "mtbf", "interval")
        check_fields(self, nonnegative, "checkpoint_cost", "recovery_cost")
        as_sampler("downtime", self.downtime)


def simulate_parallel_makespans(
    shares: Sequence[float],
    machines: Sequence[Machine],
    *,
    copies: Sequence[int] | None = None,
    process: Process = "physical",
    replications: int,
    seed: int,
    threads: int = 1,
) -> FloatArray:
    """Play a parallel job many times; return the makespans of its slowest tasks, [time].

    Parameters
    ----------
    shares : sequence of float, [work]
        Work of each task; >= 0, at least one > 0. A machine without work plays no part.
    machines : sequence of Machine
        One per share.
    copies : sequence of int, optional
        How many machines of its kind run each task, the first result counts; >= 1. One each, if
        not given.
    process : {"physical", "wsj"}
        The rules of `checkpointed_job`, or of `wsj_job` (without recovery cost).
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, whatever `threads`; more replications only append; >= 0.
    threads : int
        How many blocks of replications of a task run at a time; >= 1.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    ValueError
        If there is not one share, or number of copies, per machine.
    RuntimeError
        If a recorded list runs out, or a task does not end within ten million failures.

    Examples
    --------
    Without failures the slowest task computes 8/2 and writes two checkpoints.

    >>> walls = simulate_parallel_makespans(
    ...     [3.0, 8.0],
    ...     [Machine(mtbf=1e12, interval=9.0), Machine(speed=2.0, mtbf=1e12, interval=2.0,
    ...      checkpoint_cost=0.5)],
    ...     replications=2, seed=1,
    ... )
    >>> walls.tolist()
    [5.0, 5.0]
    """
    work = [nonnegative("shares", share) for share in shares]
    if len(work) != len(machines):
        raise ValueError(
            f"shares must be one per machine, got {len(work)} for {len(machines)} machines"
        )
    times = [whole("copies", each) for each in copies] if copies is not None else [1] * len(work)
    if len(times) != len(machines):
        raise ValueError(
            f"copies must be one per machine, got {len(times)} for {len(machines)} machines"
        )
    if not any(share > 0.0 for share in work):
        raise ValueError(f"shares must have some work, got {shown(work)}")
    one_of("process", process, ("physical", "wsj"))
    for machine in machines:
        if not isinstance(machine, Machine):
            raise TypeError(f"machines must be of sim.application.Machine, got {shown(machine)}")
        if process == "wsj" and machine.recovery_cost > 0.0:
            raise ValueError(
                f"recovery_cost must be 0 in the process of wsj, got {machine.recovery_cost!r}"
            )
    slowest = np.zeros(whole("replications", replications))
    first_key = whole("seed", seed, least=0)
    for index, (share, machine) in enumerate(zip(work, machines, strict=True)):
        if share > 0.0:
            walls = [
                _play(
                    share / machine.speed,
                    machine,
                    process,
                    replications=slowest.size,
                    seed=_seed_of(first_key, index, *([copy] if copy else [])),
                    threads=threads,
                )
                for copy in range(times[index])
            ]
            np.maximum(slowest, np.min(walls, axis=0), out=slowest)
    return slowest


def _play(
    time: float, machine: Machine, process: Process, *, replications: int, seed: int, threads: int
) -> FloatArray:
    if process == "wsj":
        simulate = partial(simulate_wsj_makespans, mtbf=machine.mtbf)
    else:
        up, recovery_cost = Exponential(machine.mtbf), machine.recovery_cost
        simulate = partial(simulate_makespans, uptime=up, recovery_cost=recovery_cost)
    return simulate(
        time,
        interval=machine.interval,
        checkpoint_cost=machine.checkpoint_cost,
        downtime=machine.downtime,
        replications=replications,
        seed=seed,
        threads=threads,
    )


def _seed_of(seed: int, *machine: int) -> int:
    """Return the seed of one machine: its stream does not depend on how many machines there are."""
    key = np.random.SeedSequence(seed, spawn_key=machine).generate_state(1, np.uint64)[0]
    return int(key >> np.uint64(1))
