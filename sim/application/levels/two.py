"""One job that writes local checkpoints, and every so often a durable one.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`. After each of them a checkpoint is written; that of
  every `durable_every`-th segment, and of the last one, is durable and takes `durable_cost`, the
  others are local and take `local_cost`. A checkpoint counts when it is complete; a durable one
  is a local one, too. The job starts with both copies of its input.
- A failure leaves the local copy intact with probability `survived`. It strikes whatever the job
  does, except in downtime. Then comes `downtime`, and the job reads back the latest local copy if
  there is one, else the latest durable one, in `local_recovery` or `durable_recovery`; what was
  done since that copy is done again. Uptimes are drawn anew when the machine comes up.
- Rule "reinstated": reading back the durable copy also makes a local copy of it, once complete.
  Rule "bare": it does not; the next checkpoint does. Rule "staged": as "reinstated", and a durable
  checkpoint is a local one after `local_cost`; it is then copied for the rest of `durable_cost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import check_fields, fraction, generator, nonnegative, one_of, whole
from ...engine import Engine, Handle
from ...samplers import FloatArray, Sampler, as_sampler
from .._arguments import Method, by_kernel, only_sampler, own_sampler, unplayed
from .._phases import Phases
from .._plan import Plan
from .._replications import FAILURES_LIMIT, Fill, drawn_downtime, replicate

__all__ = ["TwoLevelRecord", "simulate_two_level_job", "simulate_two_level_makespans"]

LevelRule: TypeAlias = Literal["reinstated", "bare", "staged"]
_RULES: tuple[LevelRule, ...] = ("reinstated", "bare", "staged")


@dataclass(frozen=True, slots=True)
class TwoLevelRecord:
    """How one job spent its makespan, [time]; the five parts after it add up to it.

    Parameters
    ----------
    makespan : float, [time]
        From the start to the end of the last checkpoint.
    work, rework : float, [time]
        Compute time that was kept, and that was lost to failures and done again.
    checkpoint_time, recovery_time, downtime : float, [time]
        Time writing checkpoints, reading back and down; interrupted attempts included.
    failures, durable_recoveries : int
        Failures, and those after which the durable copy was read, or begun to be read.
    """

    makespan: float
    work: float
    rework: float
    checkpoint_time: float
    recovery_time: float
    downtime: float
    failures: int
    durable_recoveries: int


@dataclass(frozen=True, slots=True)
class Levels:
    """What the two levels cost, and which failures the local one survives.

    Parameters
    ----------
    durable_every : int
        Segments from one durable checkpoint to the next; >= 1.
    survived : float, [-]
        Probability that a failure leaves the local copy; in [0, 1].
    durable_cost, durable_recovery : float, [time]
        To write a durable checkpoint, local stage included, and to read it back; >= 0.
    rule : {"reinstated", "bare", "staged"}
        What is left after a durable recovery, and in the midst of a durable checkpoint.
    """

    durable_every: int
    survived: float
    durable_cost: float
    durable_recovery: float
    rule: LevelRule

    def __post_init__(self) -> None:
        whole("durable_every", self.durable_every)
        check_fields(self, fraction, "survived")
        check_fields(self, nonnegative, "durable_cost", "durable_recovery")
        one_of("rule", self.rule, _RULES)


def _levels(plan: Plan, levels: Levels) -> Levels:
    """Return `levels`, or raise if a durable checkpoint has no time for its local stage."""
    if levels.rule == "staged" and levels.durable_cost < plan.checkpoint_cost:
        raise ValueError(
            "durable_cost must be at least local_cost where it is staged, "
            f"got {levels.durable_cost!r} < {plan.checkpoint_cost!r}"
        )
    return levels


class _Job:
    """The rules as phases on an engine; each phase names the account its time goes to."""

    def __init__(
        self,
        plan: Plan,
        levels: Levels,
        uptime: Sampler,
        downtime: Sampler,
        rng: np.random.Generator,
    ) -> None:
        self._plan, self._levels = plan, levels
        self._uptime, self._downtime, self._rng = uptime, downtime, rng
        self._engine = Engine()
        self._phases = Phases(self._engine, "compute", "checkpoint", "recovery", "down")
        self._failure = Handle(0.0, lambda: None)
        self._leaves_local = False  # whether the coming failure does
        self._saved = self._durable = 0  # segments in the latest copy, and in the durable one
        self._has_local = True
        self._failures = self._durable_recoveries = 0

    def run(self) -> TwoLevelRecord:
        self._boot()
        self._go_on()
        self._engine.run()
        spent = self._phases.spent
        return TwoLevelRecord(
            makespan=self._engine.now,
            work=self._plan.work,
            rework=spent["compute"] - self._plan.work,
            checkpoint_time=spent["checkpoint"],
            recovery_time=spent["recovery"],
            downtime=spent["down"],
            failures=self._failures,
            durable_recoveries=self._durable_recoveries,
        )

    def _boot(self) -> None:
        self._failure = self._engine.schedule(self._uptime.sample(self._rng), self._fail)
        self._leaves_local = self._rng.random() < self._levels.survived

    def _go_on(self) -> None:
        if self._to_be_copied():
            self._copy()
            return
        last = self._saved == self._plan.segments - 1
        span = self._plan.last_interval if last else self._plan.interval
        self._phases.enter("compute", span, self._checkpoint)

    def _is_durable(self, segments: int) -> bool:
        """Whether the checkpoint after so many segments is a durable one."""
        return segments == self._plan.segments or segments % self._levels.durable_every == 0

    def _to_be_copied(self) -> bool:
        """Whether the local stage of a durable checkpoint is complete, and the rest is not."""
        return self._saved > self._durable and self._is_durable(self._saved)

    def _checkpoint(self) -> None:
        whole_cost = self._is_durable(self._saved + 1) and self._levels.rule != "staged"
        cost = self._levels.durable_cost if whole_cost else self._plan.checkpoint_cost
        self._phases.enter("checkpoint", cost, self._save)

    def _save(self) -> None:
        self._saved += 1
        self._has_local = True
        if not self._is_durable(self._saved) or self._levels.rule == "staged":
            self._go_on()
        else:
            self._save_durable()

    def _copy(self) -> None:
        rest = self._levels.durable_cost - self._plan.checkpoint_cost
        self._phases.enter("checkpoint", rest, self._save_durable)

    def _save_durable(self) -> None:
        self._durable = self._saved
        if self._durable == self._plan.segments:
            self._failure.cancel()
        else:
            self._go_on()

    def _fail(self) -> None:
        self._phases.interrupt()
        self._failures += 1
        if not self._leaves_local:
            self._has_local = False
        down = drawn_downtime(self._downtime, self._rng, self._failures)
        self._phases.enter("down", down, self._recover)

    def _recover(self) -> None:
        self._boot()
        if self._has_local:
            self._phases.enter("recovery", self._plan.recovery_cost, self._go_on)
            return
        self._saved = self._durable
        self._durable_recoveries += 1
        self._phases.enter("recovery", self._levels.durable_recovery, self._reinstate)

    def _reinstate(self) -> None:
        self._has_local = self._levels.rule != "bare"
        self._go_on()


def play(
    plan: Plan,
    levels: Levels,
    uptime: Sampler,
    downtime: Sampler,
    rng: np.random.Generator,
) -> TwoLevelRecord:
    """Play the job to its end, event by event."""
    return _Job(plan, levels, uptime, downtime, rng).run()


def simulate_two_level_job(
    work: float,
    *,
    interval: float,
    durable_every: int,
    uptime: Sampler,
    survived: float,
    local_cost: float,
    durable_cost: float,
    local_recovery: float = 0.0,
    durable_recovery: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    rule: LevelRule = "reinstated",
    rng: np.random.Generator,
) -> TwoLevelRecord:
    """Play one job to its end and account for every moment of it.

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between checkpoints; > 0.
    durable_every : int
        Checkpoints from one durable one to the next, that one included; >= 1.
    uptime : Sampler, [time]
        Uptime from each start of the machine to its next failure of any kind.
    survived : float, [-]
        Probability that a failure leaves the local copy; in [0, 1].
    local_cost, durable_cost : float, [time]
        Whole cost of a local and of a durable checkpoint; >= 0.
    local_recovery, durable_recovery : float, [time]
        To read back a local and a durable checkpoint; >= 0.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0.
    rule : {"reinstated", "bare", "staged"}
        What is left after a durable recovery, and in the midst of a durable checkpoint.
    rng : numpy.random.Generator
        Where random samplers draw from.

    Returns
    -------
    TwoLevelRecord
        The parts of the makespan, and counts.

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    A failure at 5 leaves the checkpoint at 4: one unit is done again.

    >>> from sim.samplers import Recorded
    >>> record = simulate_two_level_job(
    ...     6.0, interval=3.0, durable_every=2, uptime=Recorded([5.0], then="never"), survived=1.0,
    ...     local_cost=1.0, durable_cost=2.0, local_recovery=0.5, rng=np.random.default_rng(0),
    ... )
    >>> record.makespan, record.rework
    (10.5, 1.0)
    """
    plan = Plan(work, interval, local_cost, local_recovery, final_checkpoint=True)
    levels = _levels(plan, Levels(durable_every, survived, durable_cost, durable_recovery, rule))
    down = as_sampler("downtime", downtime)
    return play(plan, levels, only_sampler("uptime", uptime), down, generator("rng", rng))


_BLOCK = 256  # replications that share a stream; both methods draw from it in the same order


def simulate_two_level_makespans(
    work: float,
    *,
    interval: float,
    durable_every: int,
    uptime: Sampler,
    survived: float,
    local_cost: float,
    durable_cost: float,
    local_recovery: float = 0.0,
    durable_recovery: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    rule: LevelRule = "reinstated",
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval, durable_every, uptime, survived, local_cost, durable_cost
        As for `simulate_two_level_job`, but every replication plays its own copy of the samplers.
    local_recovery, durable_recovery, downtime, rule
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
        As `simulate_two_level_job`.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> walls = simulate_two_level_makespans(
    ...     100.0, interval=10.0, durable_every=5, uptime=Exponential(500.0), survived=0.8,
    ...     local_cost=0.5, durable_cost=2.0, replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 108.0)
    """
    plan = Plan(work, interval, local_cost, local_recovery, final_checkpoint=True)
    levels = _levels(plan, Levels(durable_every, survived, durable_cost, durable_recovery, rule))
    up = unplayed(only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play_one(rng: np.random.Generator) -> float:
        return play(plan, levels, unplayed(up), unplayed(down), rng).makespan

    compiled = _kernel(plan, levels, up, down) if by_kernel(method) else None
    return replicate(play_one, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(plan: Plan, levels: Levels, uptime: Sampler, downtime: Sampler) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from .. import kernels
    from . import _two_kernel

    return kernels.filled_by(
        _two_kernel.two_level_makespans,
        uptime,
        downtime,
        levels.survived,
        plan.interval,
        plan.last_interval,
        plan.segments,
        levels.durable_every,
        plan.checkpoint_cost,
        levels.durable_cost,
        plan.recovery_cost,
        levels.durable_recovery,
        _RULES.index(levels.rule),
        FAILURES_LIMIT,
    )
