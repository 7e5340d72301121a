"""One job that computes, checkpoints, fails, waits out downtime and recovers.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one is shorter when they do not divide.
  A checkpoint is written after each segment (after the last one only with `final_checkpoint`).
- Failures strike compute, checkpoint and recovery, never downtime. A failure loses everything
  since the last completed checkpoint, or since the start.
- After a failure the machine is down for `downtime`, then the state is read back in
  `recovery_cost` (from the input, if nothing was saved yet), then the segment begins again.
- The uptime to the next failure is drawn anew when the machine comes up: at the start and after
  each downtime. Failures thus renew the machine, which matters for all but exponential uptimes.
- A failure at the very instant a phase ends strikes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from .._checks import generator
from ..engine import Engine, Handle
from ..samplers import FloatArray, Sampler, as_sampler
from ._arguments import Method, by_kernel, own_sampler, sampler_or_list, unplayed
from ._phases import Phases
from ._plan import Plan
from ._replications import BLOCK, FAILURES_LIMIT, Fill, drawn_downtime, replicate


@dataclass(frozen=True, slots=True)
class JobRecord:
    """How one job spent its makespan, [time]; the five parts add up to it.

    Parameters
    ----------
    makespan : float, [time]
        From the start to the end of the last phase.
    work : float, [time]
        Compute time that was kept.
    rework : float, [time]
        Compute time that was lost to failures and done again.
    checkpoint_time, recovery_time, downtime : float, [time]
        Time spent writing, reading back and down; interrupted attempts included.
    checkpoints, failures : int
        Completed checkpoints, and failures.
    """

    makespan: float
    work: float
    rework: float
    checkpoint_time: float
    recovery_time: float
    downtime: float
    checkpoints: int
    failures: int


class _Job:
    """The rules as phases on an engine; each phase names the account its time goes to."""

    def __init__(
        self, plan: Plan, uptime: Sampler, downtime: Sampler, rng: np.random.Generator
    ) -> None:
        self._plan, self._uptime, self._downtime, self._rng = plan, uptime, downtime, rng
        self._last = plan.segments - 1
        self._engine = Engine()
        names = ("compute", "work", "rework", "checkpoint", "recovery", "down")
        self._phases = Phases(self._engine, *names)
        self._spent = self._phases.spent  # under "compute" what is not saved yet
        self._segment = self._checkpoints = self._failures = 0
        self._failure: Handle | None = None

    def run(self) -> JobRecord:
        self._boot(self._compute)
        self._engine.run()
        return JobRecord(
            makespan=self._engine.now,
            work=self._spent["work"],
            rework=self._spent["rework"],
            checkpoint_time=self._spent["checkpoint"],
            recovery_time=self._spent["recovery"],
            downtime=self._spent["down"],
            checkpoints=self._checkpoints,
            failures=self._failures,
        )

    def _boot(self, first_phase: Callable[[], None]) -> None:
        self._failure = self._engine.schedule(self._uptime.sample(self._rng), self._fail)
        first_phase()

    def _recover(self) -> None:
        self._phases.enter("recovery", self._plan.recovery_cost, self._compute)

    def _compute(self) -> None:
        if self._segment < self._last:
            self._phases.enter("compute", self._plan.interval, self._checkpoint)
        else:
            then = self._checkpoint if self._plan.final_checkpoint else self._advance
            self._phases.enter("compute", self._plan.last_interval, then)

    def _checkpoint(self) -> None:
        self._phases.enter("checkpoint", self._plan.checkpoint_cost, self._save)

    def _save(self) -> None:
        self._checkpoints += 1
        self._advance()

    def _advance(self) -> None:
        self._keep("work")
        if self._segment == self._last:
            assert self._failure is not None
            self._failure.cancel()
        else:
            self._segment += 1
            self._compute()

    def _fail(self) -> None:
        self._phases.interrupt()
        self._keep("rework")
        self._failures += 1
        down = drawn_downtime(self._downtime, self._rng, self._failures)
        self._phases.enter("down", down, partial(self._boot, self._recover))

    def _keep(self, account: str) -> None:
        self._spent[account] += self._spent["compute"]
        self._spent["compute"] = 0.0


def simulate_job(
    work: float,
    *,
    interval: float,
    uptime: Sampler | npt.ArrayLike,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    final_checkpoint: bool = True,
    rng: np.random.Generator,
) -> JobRecord:
    """Play one job to its end and account for every moment of it.

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time; > 0.
    interval : float, [time]
        Compute time between checkpoints, checkpoint excluded; > 0.
    uptime : Sampler or list of float, [time]
        Uptime from each start of the machine to its next failure. A list is played in order and
        must last; `Recorded` with ``then="never"`` lets failures end with it.
    checkpoint_cost, recovery_cost : float, [time]
        Time to write a checkpoint and to read it back; >= 0.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0.
    final_checkpoint : bool
        Whether the last segment, too, ends with a checkpoint.
    rng : numpy.random.Generator
        Where random samplers draw from. A recorded list goes on where it stands.

    Returns
    -------
    JobRecord
        The parts of the makespan, and counts.

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    It fails at 4, an hour into the second segment; reads back what it saved, and goes on.

    >>> from sim.samplers import Recorded
    >>> record = simulate_job(
    ...     4.0, interval=2.0, uptime=Recorded([4.0], then="never"), checkpoint_cost=1.0,
    ...     recovery_cost=0.5, downtime=3.0, rng=np.random.default_rng(0),
    ... )
    >>> record.makespan, record.rework, record.failures
    (10.5, 1.0, 1)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint)
    up, down = sampler_or_list("uptime", uptime), as_sampler("downtime", downtime)
    return _Job(plan, up, down, generator("rng", rng)).run()


def simulate_makespans(
    work: float,
    *,
    interval: float,
    uptime: Sampler | npt.ArrayLike,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    final_checkpoint: bool = True,
    replications: int,
    seed: int,
    threads: int = 1,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval, uptime, checkpoint_cost, recovery_cost, downtime, final_checkpoint
        As for `simulate_job`, but every replication plays its own copy of the samplers, and a
        recorded list from its beginning.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, whatever `threads`; more replications only append; >= 0.
    threads : int
        How many blocks of replications run at a time; >= 1.
    method : {"kernel", "events"}
        The compiled loop, or the readable model it must agree with. A sampler that is not of
        `sim.samplers` is always played by the latter.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    ValueError, TypeError, RuntimeError
        As `simulate_job`.

    Examples
    --------
    >>> from sim.samplers import Exponential, LogNormal
    >>> walls = simulate_makespans(
    ...     128.0, interval=2.0, uptime=Exponential(512.0), checkpoint_cost=0.2,
    ...     downtime=LogNormal(0.5, 1.0), replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 140.8)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint)
    up = unplayed(sampler_or_list("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play(rng: np.random.Generator) -> float:
        return _Job(plan, unplayed(up), unplayed(down), rng).run().makespan

    compiled = _kernel(plan, up, down) if by_kernel(method) else None
    block = 1 if compiled is None else BLOCK
    return replicate(
        play, compiled, replications=replications, seed=seed, threads=threads, block=block
    )


def _kernel(plan: Plan, uptime: Sampler, downtime: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    return kernels.filled_by(
        kernels.checkpointed_makespans,
        uptime,
        downtime,
        plan.failure_free,
        float(plan.segments),
        plan.period,
        plan.last_period,
        plan.recovery_cost,
        FAILURES_LIMIT,
    )
