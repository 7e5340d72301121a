"""The process that the paper `wsj` (section 2) describes, played inside its own assumptions.

It is not the physics of `checkpointed_job`; it exists so that the paper's formulas can be judged
apart from its assumptions. The rules:

- Failures arrive as a Poisson process of mean spacing `mtbf` while work is done for the first
  time, and while the machine is under repair; never during rework or while storing.
- A failure calls for one repair. Repairs queue for one repairman: a failure that arrives during a
  repair adds another, and work goes on when the queue is empty (a busy period of M/G/1).
- Then comes rework, which cannot fail: the time since the last checkpoint. As in the paper it is
  independent of everything else, so it is played apart: a clock of the same failures runs over
  successive checkpoint intervals until it strikes, and what counts is how far into its interval.
  Where a recovery has a law of its own, it is drawn from that instead.
- After rework the job stands where the failure struck, and goes on.
- Storing checkpoints adds work/interval * checkpoint_cost to the makespan, and nothing else. As in
  `wsj` eq. (10) the quotient is not rounded: half an interval of work pays for half a checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._checks import generator, nonnegative, positive
from ..engine import Engine, Handle
from ..samplers import FloatArray, Sampler, as_sampler
from ._arguments import Method, by_kernel, own_sampler, unplayed
from ._replications import BLOCK, FAILURES_LIMIT, Fill, drawn_downtime, replicate


@dataclass(frozen=True, slots=True)
class RestartRecord:
    """How one job of the restart process spent its makespan; the four parts add up to it.

    Parameters
    ----------
    makespan, work, rework, repair_time, storage_time : float, [time]
        The whole; first-time work; work done again; repair; storing checkpoints.
    interruptions, repairs : int
        Failures that struck first-time work, and all failures.
    """

    makespan: float
    work: float
    rework: float
    repair_time: float
    storage_time: float
    interruptions: int
    repairs: int


class _Process:
    """The rules as phases on an engine."""

    def __init__(
        self,
        *,
        work: float,
        interval: float,
        mtbf: float,
        downtime: Sampler,
        storage: float,
        rng: np.random.Generator,
        recovery: Sampler | None = None,
    ) -> None:
        self._left, self._interval, self._mtbf, self._storage = work, interval, mtbf, storage
        self._downtime, self._rng, self._engine = downtime, rng, Engine()
        self._recovery = recovery
        self._done = self._rework = self._repair_time = self._since = 0.0
        self._broken = self._interruptions = self._repairs = 0
        self._phase: Handle | None = None
        self._failure: Handle | None = None

    def run(self) -> RestartRecord:
        self._work()
        self._engine.run()
        return RestartRecord(
            makespan=self._engine.now,
            work=self._done,
            rework=self._rework,
            repair_time=self._repair_time,
            storage_time=self._storage,
            interruptions=self._interruptions,
            repairs=self._repairs,
        )

    def _work(self) -> None:
        self._since = self._engine.now
        self._failure = self._engine.schedule(self._gap(), self._interrupt)
        self._phase = self._engine.schedule(self._left, self._store)

    def _interrupt(self) -> None:
        assert self._phase is not None
        self._phase.cancel()
        worked = self._engine.now - self._since
        self._done += worked
        self._left -= worked
        self._interruptions += 1
        self._since = self._engine.now
        self._break()
        self._repair()

    def _break(self) -> None:
        """Count a failure and wait for the next one."""
        self._broken += 1
        self._failure = self._engine.schedule(self._gap(), self._break)

    def _repair(self) -> None:
        self._repairs += 1
        duration = drawn_downtime(self._downtime, self._rng, self._repairs)
        self._engine.schedule(duration, self._repaired)

    def _repaired(self) -> None:
        self._broken -= 1
        if self._broken:
            self._repair()
            return
        self._repair_time += self._engine.now - self._since
        assert self._failure is not None
        self._failure.cancel()
        if self._recovery is None:
            rework = self._gap() % self._interval
        else:
            rework = drawn_downtime(self._recovery, self._rng, self._interruptions)
        self._rework += rework
        self._engine.schedule(rework, self._work)

    def _store(self) -> None:
        assert self._failure is not None
        self._failure.cancel()
        self._done += self._engine.now - self._since
        self._engine.schedule(self._storage, lambda: None)

    def _gap(self) -> float:
        return self._mtbf * self._rng.standard_exponential()


def simulate_wsj_job(
    work: float,
    *,
    interval: float,
    mtbf: float,
    downtime: Sampler | npt.ArrayLike,
    checkpoint_cost: float = 0.0,
    recovery_cost: Sampler | npt.ArrayLike | None = None,
    rng: np.random.Generator,
) -> RestartRecord:
    """Play one job of the restart process and account for every moment of it.

    Parameters
    ----------
    work, interval, mtbf, downtime, checkpoint_cost, recovery_cost
        As for `simulate_wsj_makespans`; a recorded list goes on where it stands.
    rng : numpy.random.Generator
        Where failures and random samplers draw from.

    Returns
    -------
    RestartRecord
        The parts of the makespan, [time], and counts.

    Raises
    ------
    ValueError, TypeError, RuntimeError
        As `simulate_wsj_makespans`.
    """
    terms = _checked(work, interval, mtbf, checkpoint_cost)
    down = as_sampler("downtime", downtime)
    recovery = None if recovery_cost is None else as_sampler("recovery_cost", recovery_cost)
    return _Process(**terms, downtime=down, recovery=recovery, rng=generator("rng", rng)).run()


def simulate_wsj_makespans(
    work: float,
    *,
    interval: float,
    mtbf: float,
    downtime: Sampler | npt.ArrayLike,
    checkpoint_cost: float = 0.0,
    recovery_cost: Sampler | npt.ArrayLike | None = None,
    replications: int,
    seed: int,
    threads: int = 1,
    method: Method = "kernel",
) -> FloatArray:
    """Play the restart process of `wsj` many times; return the makespans, [time].

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time; > 0.
    interval : float, [time]
        Compute time between checkpoints (the paper's checkpointing period); > 0.
    mtbf : float, [time]
        Mean time between failures while exposed, repair excluded; > 0.
    downtime : float, Sampler or list of float, [time]
        One repair, the queue apart; >= 0. Its mean must stay below `mtbf`, or the queue never
        empties. Every replication plays a recorded list from its beginning.
    checkpoint_cost : float, [time]
        Time to store one checkpoint; >= 0.
    recovery_cost : float, Sampler, list of float or None, [time]
        What follows each busy period of repairs, in place of the rework within an interval; >= 0.
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
    RuntimeError
        If a recorded list runs out, or a replication does not end within ten million repairs.

    Examples
    --------
    >>> walls = simulate_wsj_makespans(
    ...     128.0, interval=2.0, mtbf=512.0, downtime=2.0, checkpoint_cost=0.2,
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 140.8)
    """
    terms = _checked(work, interval, mtbf, checkpoint_cost)
    down = own_sampler("downtime", downtime)
    own = None if recovery_cost is None else own_sampler("recovery_cost", recovery_cost)

    def play(rng: np.random.Generator) -> float:
        recovery = None if own is None else unplayed(own)
        process = _Process(**terms, downtime=unplayed(down), recovery=recovery, rng=rng)
        return process.run().makespan

    compiled = _kernel(down, own, **terms) if by_kernel(method) else None
    block = 1 if compiled is None else BLOCK
    return replicate(
        play, compiled, replications=replications, seed=seed, threads=threads, block=block
    )


def _checked(work: float, interval: float, mtbf: float, checkpoint_cost: float) -> dict[str, float]:
    total, length = positive("work", work), positive("interval", interval)
    return {
        "work": total,
        "interval": length,
        "mtbf": positive("mtbf", mtbf),
        "storage": total / length * nonnegative("checkpoint_cost", checkpoint_cost),
    }


def _kernel(
    downtime: Sampler,
    recovery: Sampler | None,
    *,
    work: float,
    interval: float,
    mtbf: float,
    storage: float,
) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    after = kernels.REWORK if recovery is None else recovery
    terms = (work, interval, storage, FAILURES_LIMIT)
    return kernels.filled_by(kernels.restart_makespans, mtbf, downtime, after, *terms)
