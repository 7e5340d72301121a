"""One job whose snapshots are durable only some time after it has gone on computing.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one is shorter when they do not divide.
  At the end of each the state is copied in `checkpoint_cost`, during which the job stands still.
  Then the snapshot drains for `latency`, and is durable at the end of that, while the job computes
  on. One snapshot drains at a time. The job is done when that of its whole work is durable.
- While a snapshot drains, computing advances at the rate 1 - `slowdown`; copying does not suffer.
- A snapshot may fall due while another drains. "overlap": there are two buffers; it is copied, and
  its drain begins when the other ends; if both buffers are full, the job waits for one.
  "single_buffer": the job waits until nothing drains, then copies. "skip": the job computes on
  without a checkpoint, but at the end of its work it waits, then copies.
- Failures strike compute, copy, drain, waiting and recovery, never downtime. A failure destroys
  all snapshots that are not durable. Then come `downtime`, `recovery_cost` from the last durable
  snapshot (or the input), and the segment after it, with nothing draining.
- The uptime to the next failure is drawn anew when the machine comes up. A failure at the very
  instant at which something ends strikes first; a drain that ends at a boundary leaves it free.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .._checks import check_fields, fraction, generator, nonnegative, one_of
from ..engine import Engine, Handle
from ..samplers import FloatArray, Sampler, as_sampler
from ._arguments import Method, by_kernel, only_sampler, own_sampler, unplayed
from ._phases import Phases
from ._plan import Plan
from ._replications import FAILURES_LIMIT, Fill, drawn_downtime, replicate

__all__ = ["AsyncRecord", "InFlight", "simulate_async_job", "simulate_async_makespans"]

InFlight: TypeAlias = Literal["overlap", "single_buffer", "skip"]

_RULES = ("overlap", "single_buffer", "skip")
_AT_ONCE = 2.0**-40  # of the latency: a drain that ends so soon after a boundary ends at it


@dataclass(frozen=True, slots=True)
class AsyncRecord:
    """How one job spent its makespan, [time]; the five parts add up to it.

    Parameters
    ----------
    makespan : float, [time]
        From the start to the instant at which the last snapshot is durable.
    compute_time : float, [time]
        Time spent computing: kept, lost, and slowed down.
    checkpoint_time, waiting_time, recovery_time, downtime : float, [time]
        Time spent copying, waiting for a buffer or for the last drain, reading back and down;
        interrupted attempts included.
    snapshots, skipped, failures : int
        Durable snapshots, boundaries passed without a copy, and failures.
    """

    makespan: float
    compute_time: float
    checkpoint_time: float
    waiting_time: float
    recovery_time: float
    downtime: float
    snapshots: int
    skipped: int
    failures: int


@dataclass(frozen=True, slots=True)
class Draining:
    """What happens to a snapshot after its copy.

    Parameters
    ----------
    latency : float, [time]
        From the end of the copy until it is durable; >= 0.
    slowdown : float, [-]
        Share of computing that is lost meanwhile; in [0, 1].
    in_flight : {"overlap", "single_buffer", "skip"}
        The rule for the next one.
    """

    latency: float
    slowdown: float
    in_flight: InFlight

    def __post_init__(self) -> None:
        check_fields(self, nonnegative, "latency")
        check_fields(self, fraction, "slowdown")
        one_of("in_flight", self.in_flight, _RULES)


class _Job:
    """The rules as phases on an engine; snapshots are known by the segments that they hold."""

    def __init__(
        self,
        plan: Plan,
        draining: Draining,
        uptime: Sampler,
        downtime: Sampler,
        rng: np.random.Generator,
    ) -> None:
        self._plan, self._rule, self._latency = plan, draining.in_flight, draining.latency
        self._slowdown = draining.slowdown
        self._uptime, self._downtime, self._rng = uptime, downtime, rng
        self._engine = Engine()
        names = ("compute", "copy", "wait", "recovery", "down")
        self._phases = Phases(self._engine, *names)
        self._segment = self._durable = 0
        self._drains = self._queued = 0  # the snapshots that drain and that wait; 0 for none
        self._left = 0.0  # of the segment that is computed
        self._snapshots = self._skipped = self._failures = 0
        self._failure = self._drain = Handle(0.0, lambda: None)

    def run(self) -> AsyncRecord:
        self._boot(self._compute)
        self._engine.run()
        spent = self._phases.spent
        return AsyncRecord(
            makespan=self._engine.now,
            compute_time=spent["compute"],
            checkpoint_time=spent["copy"],
            waiting_time=spent["wait"],
            recovery_time=spent["recovery"],
            downtime=spent["down"],
            snapshots=self._snapshots,
            skipped=self._skipped,
            failures=self._failures,
        )

    def _boot(self, first_phase: Callable[[], None]) -> None:
        self._failure = self._engine.schedule(self._uptime.sample(self._rng), self._fail)
        first_phase()

    def _compute(self) -> None:
        last = self._segment == self._plan.segments - 1
        self._left = self._plan.last_interval if last else self._plan.interval
        self._advance()

    def _advance(self) -> None:
        rate = 1.0 - self._slowdown if self._drains else 1.0
        duration = self._left / rate if rate > 0.0 else np.inf
        self._phases.enter("compute", duration, self._boundary)

    def _boundary(self) -> None:
        self._segment += 1
        if self._drains and self._drain.time <= self._engine.now + _AT_ONCE * self._latency:
            self._drain.cancel()
            self._next_drain()
        if not (self._queued if self._rule == "overlap" else self._drains):
            self._copy()
        elif self._rule == "skip" and self._segment < self._plan.segments:
            self._skipped += 1
            self._compute()
        else:
            self._phases.enter("wait", np.inf, self._copy)

    def _copy(self) -> None:
        self._phases.enter("copy", self._plan.checkpoint_cost, self._copied)

    def _copied(self) -> None:
        if self._drains:
            self._queued = self._segment
        else:
            self._begin_drain(self._segment)
        if self._segment < self._plan.segments:
            self._compute()
        else:
            self._phases.enter("wait", np.inf, self._copy)

    def _begin_drain(self, snapshot: int) -> None:
        self._drains = snapshot
        self._drain = self._engine.schedule(self._latency, self._drained)

    def _next_drain(self) -> None:
        """Make the snapshot durable that drains, and begin with the one that waits."""
        self._durable, self._drains = self._drains, 0
        self._snapshots += 1
        if self._queued:
            self._begin_drain(self._queued)
            self._queued = 0

    def _drained(self) -> None:
        self._next_drain()
        if self._durable == self._plan.segments:
            self._phases.interrupt()
            self._failure.cancel()
        elif self._phases.account == "compute" and self._slowdown and not self._drains:
            self._left -= (1.0 - self._slowdown) * self._phases.elapsed
            self._left = max(self._left, 0.0)
            self._phases.interrupt()
            self._advance()
        elif self._phases.account == "wait" and self._segment not in (self._drains, self._queued):
            self._phases.interrupt()
            self._copy()

    def _fail(self) -> None:
        self._phases.interrupt()
        self._drain.cancel()
        self._drains = self._queued = 0
        self._segment = self._durable
        self._failures += 1
        down = drawn_downtime(self._downtime, self._rng, self._failures)
        self._phases.enter("down", down, partial(self._boot, self._recover))

    def _recover(self) -> None:
        self._phases.enter("recovery", self._plan.recovery_cost, self._compute)


def simulate_async_job(
    work: float,
    *,
    interval: float,
    uptime: Sampler,
    checkpoint_cost: float,
    latency: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    slowdown: float = 0.0,
    in_flight: InFlight = "overlap",
    rng: np.random.Generator,
) -> AsyncRecord:
    """Play one job to its end and account for every moment of it.

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between two checkpoints; > 0.
    uptime : Sampler, [time]
        Uptime from each start of the machine to its next failure.
    checkpoint_cost, latency, recovery_cost : float, [time]
        To copy the state, until the copy is durable after that, and to read it back; >= 0.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0.
    slowdown : float, [-]
        Share of computing that is lost while a snapshot drains; in [0, 1].
    in_flight : {"overlap", "single_buffer", "skip"}
        The rule for a snapshot that falls due while another drains.
    rng : numpy.random.Generator
        Where random samplers draw from.

    Returns
    -------
    AsyncRecord
        The parts of the makespan, and counts.

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    A failure at 6, when the snapshot of the first segment has drained for a second of two.

    >>> from sim.samplers import Recorded
    >>> record = simulate_async_job(
    ...     8.0, interval=4.0, uptime=Recorded([6.0], then="never"), checkpoint_cost=1.0,
    ...     latency=2.0, recovery_cost=0.5, rng=np.random.default_rng(0),
    ... )
    >>> record.makespan, record.snapshots
    (18.5, 2)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    draining = Draining(latency, slowdown, in_flight)
    down = as_sampler("downtime", downtime)
    return _Job(plan, draining, only_sampler("uptime", uptime), down, generator("rng", rng)).run()


_BLOCK = 256  # replications that share a stream; both methods draw from it in the same order


def simulate_async_makespans(
    work: float,
    *,
    interval: float,
    uptime: Sampler,
    checkpoint_cost: float,
    latency: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    slowdown: float = 0.0,
    in_flight: InFlight = "overlap",
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval, uptime, checkpoint_cost, latency, recovery_cost
        As for `simulate_async_job`, but every replication plays its own copy of the samplers.
    downtime, slowdown, in_flight
        Likewise.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, by either method; more replications only append; >= 0.
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
        As `simulate_async_job`.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> walls = simulate_async_makespans(
    ...     100.0, interval=10.0, uptime=Exponential(500.0), checkpoint_cost=0.5, latency=3.0,
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 108.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    draining = Draining(latency, slowdown, in_flight)
    up = unplayed(only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play(rng: np.random.Generator) -> float:
        return _Job(plan, draining, unplayed(up), unplayed(down), rng).run().makespan

    compiled = _kernel(plan, draining, up, down) if by_kernel(method) else None
    return replicate(play, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(plan: Plan, draining: Draining, uptime: Sampler, downtime: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from . import kernels

    return kernels.filled_by(
        kernels.asynchronous_makespans,
        uptime,
        downtime,
        plan.interval,
        plan.last_interval,
        plan.segments,
        plan.checkpoint_cost,
        draining.latency,
        _AT_ONCE * draining.latency,
        draining.slowdown,
        _RULES.index(draining.in_flight),
        plan.recovery_cost,
        FAILURES_LIMIT,
    )
