"""A job on blocks of nodes that shares a pool of standby blocks, played event by event.

The rules:

- The job computes on `blocks` blocks, writes a checkpoint after each `interval`, and one at its
  end. Each block fails as a Poisson process of mean spacing `block_mtbf`, whatever the job does
  with it. A failure leads back to the last checkpoint; it costs a stop and then a recovery.
- In a stop, a standby takes the place of the block that failed, in `switch_time`. Without a
  standby the job waits until blocks enough are back; then the same. What comes back in a wait joins
  the job at once, and may fail like its other blocks.
- If `may_miss` blocks may be missing, the job goes on without a standby, on fewer blocks and so
  much slower; it waits only below that. A stop that changes the number of blocks takes
  `resize_time`. It takes in blocks that have come back in its next stop, at the latest after its
  next checkpoint, in a stop of its own that costs a recovery and no work.
- Standbys fail at `standby_hazard` times the rate of blocks at work; blocks of the job fail at
  `stopped_hazard` times that rate while it stands still. A stop that is struck begins again.
- A failed block is under repair for an exponential time by one of `crews` crews. A repair of two
  stages is automatic at first, without a limit; a share goes on to a manual one, by crews. Either
  may be false: the block comes back as a standby and fails at the end of the switch to it. Which
  standby takes over is chosen at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..._checks import check_fields, fraction, nonnegative, number, positive, whole
from ...samplers import FloatArray
from .._arguments import Method, by_kernel
from .._replications import FAILURES_LIMIT, Fill, never_ends, replicate

_DUST = 2.0**-44  # of the work: what the rounding of many segments may leave
_BLOCK = 64  # replications that share a stream; both methods draw from it in the same order


@dataclass(frozen=True, slots=True)
class TwoStageRepair:
    """A repair that is automatic at first, and manual for some blocks.

    Parameters
    ----------
    automatic, manual : float, [time]
        Mean times of either stage; > 0.
    escalated : float
        Share of automatic repairs after which a manual one follows; in [0, 1].
    automatic_false, manual_false : float
        Share of blocks that come back from either stage as broken as before; in [0, 1).
    """

    automatic: float
    manual: float
    escalated: float
    automatic_false: float = 0.0
    manual_false: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, positive, "automatic", "manual")
        check_fields(self, fraction, "escalated", "automatic_false", "manual_false")


@dataclass(frozen=True, slots=True)
class _Rules:
    """The checked arguments of one job, in the order in which the compiled loop takes them."""

    work: float
    warm_up: float
    blocks: int
    standbys: int
    least: int  # blocks on which the job goes on
    rate: float
    standby_rate: float
    stopped_rate: float
    automatic_rate: float
    automatic_crews: float
    escalated: float
    automatic_false: float
    manual_rate: float
    manual_crews: float
    manual_false: float
    interval: float
    checkpoint_cost: float
    recovery_cost: float
    switch_time: float
    resize_time: float
    under_repair: int

    @property
    def values(self) -> tuple[float, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


class _Job:
    """One job and its pool of blocks."""

    def __init__(self, rules: _Rules, rng: np.random.Generator) -> None:
        self._rules, self._rng = rules, rng
        self._now, self._failures = 0.0, 0
        sound = rules.standbys - rules.under_repair
        self._at_work, self._sound, self._faulty = rules.blocks, sound, 0
        self._automatic, self._manual = rules.under_repair, 0
        self._phase, self._left, self._span = "segment", 0.0, 0.0
        self._doomed = False  # whether a block that takes over is broken

    def makespan(self) -> float:
        """Return how long the work takes after that of the warm-up."""
        if self._rules.warm_up > 0.0:
            self._begin(self._rules.warm_up)
        began = self._now
        self._begin(self._rules.work)
        return self._now - began

    def _begin(self, work: float) -> None:
        self._undone = work
        self._go_on()
        while self._undone > _DUST * self._rules.work:
            self._step()

    @property
    def _standbys(self) -> int:
        return self._sound + self._faulty

    def _step(self) -> None:
        """Go on to the next event of the pool or to the end of the phase."""
        rules, exposed = self._rules, self._phase in {"segment", "recovery"}
        events = (
            (self._lose, self._at_work * (rules.rate if exposed else rules.stopped_rate)),
            (self._lose_standby, self._standbys * rules.standby_rate),
            (self._mend, min(self._automatic, rules.automatic_crews) * rules.automatic_rate),
            (self._mend_by_hand, min(self._manual, rules.manual_crews) * rules.manual_rate),
        )
        total = sum(rate for _, rate in events)
        gap = self._rng.standard_exponential() / total if total > 0.0 else math.inf
        if gap >= self._left:
            self._now += self._left
            self._end_phase()
            return
        if gap == math.inf:
            raise never_ends()
        self._now += gap
        self._left -= gap
        chosen, below = self._rng.random() * total, 0.0
        for event, rate in events[:-1]:
            below += rate
            if chosen < below:
                event()
                return
        events[-1][0]()

    def _end_phase(self) -> None:
        if self._phase == "segment":
            self._undone -= self._span * self._at_work / self._rules.blocks
            if self._undone > _DUST * self._rules.work:
                self._go_on()
        elif self._phase == "recovery":
            self._compute()
        elif self._doomed:
            self._lose()
        else:
            self._phase, self._left = "recovery", self._rules.recovery_cost

    def _compute(self) -> None:
        self._plan()
        self._phase, self._left = "segment", self._span + self._rules.checkpoint_cost

    def _plan(self) -> None:
        undone = self._undone * self._rules.blocks / self._at_work
        self._span = min(self._rules.interval, undone)

    def _go_on(self) -> None:
        """Take in blocks that are back, after a checkpoint, or compute on."""
        if self._at_work < self._rules.blocks and self._standbys > 0:
            self._stop(self._at_work)
        else:
            self._compute()

    def _lose(self) -> None:
        """Let a block of the job fail, at work or not."""
        before = self._at_work
        self._failures += 1
        if self._failures > FAILURES_LIMIT:
            raise never_ends()
        self._at_work -= 1
        self._automatic += 1
        if self._phase != "wait":
            if self._at_work + self._standbys >= self._rules.least:
                self._stop(before)
            else:
                self._phase, self._left = "wait", math.inf

    def _stop(self, before: int) -> None:
        """Fill the places of the job; `before` is how many blocks it held."""
        self._doomed = False
        while self._at_work < self._rules.blocks and self._standbys > 0:
            self._doomed |= self._take_any()
            self._at_work += 1
        same = self._at_work == before
        self._begin_stop(self._rules.switch_time if same else self._rules.resize_time)

    def _begin_stop(self, span: float) -> None:
        self._phase, self._left = "stop", span
        self._plan()

    def _take_any(self) -> bool:
        """Take one standby out of the pool; return whether it is faulty."""
        if self._faulty > 0 and self._rng.random() * self._standbys < self._faulty:
            self._faulty -= 1
            return True
        self._sound -= 1
        return False

    def _lose_standby(self) -> None:
        self._take_any()
        self._automatic += 1

    def _mend(self) -> None:
        self._automatic -= 1
        if self._rules.escalated > 0.0 and self._rng.random() < self._rules.escalated:
            self._manual += 1
        else:
            self._return(self._rules.automatic_false)

    def _mend_by_hand(self) -> None:
        self._manual -= 1
        self._return(self._rules.manual_false)

    def _return(self, false: float) -> None:
        """Let a block come back, perhaps as broken as before."""
        broken = false > 0.0 and self._rng.random() < false
        if self._phase == "wait":
            self._at_work += 1
            self._doomed = broken
            if self._at_work >= self._rules.least:
                self._begin_stop(self._rules.switch_time)
        elif broken:
            self._faulty += 1
        else:
            self._sound += 1


def simulate_standby_makespans(
    work: float,
    *,
    blocks: int,
    standbys: int,
    block_mtbf: float,
    mttr: float | TwoStageRepair,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    switch_time: float = 0.0,
    crews: float = math.inf,
    standby_hazard: float = 0.0,
    stopped_hazard: float = 0.0,
    may_miss: int = 0,
    resize_time: float = 0.0,
    warm_up: float = 0.0,
    under_repair: int = 0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job with standby blocks many times; return the makespans, [time].

    Parameters
    ----------
    work : float, [time]
        Failure-free compute time on all blocks, checkpoints excluded; > 0.
    blocks, standbys : int
        Blocks that the job needs, >= 1, and blocks beyond those, >= 0; all are up at first, but
        for those under repair.
    block_mtbf : float, [time]
        Mean uptime of a block at work; > 0.
    mttr : float or TwoStageRepair, [time]
        Mean time of one repair, or its two stages; > 0.
    interval : float, [time]
        Compute time between checkpoints; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        To write and to read a checkpoint; >= 0.
    switch_time : float, [time]
        Stop if as many blocks go on as before; >= 0.
    crews : float
        Repairs under way at the same time, of two stages the manual ones; >= 1, or inf.
    standby_hazard, stopped_hazard : float
        Rate of failures of a standby, and of a block in a stop, over that at work; in [0, 1].
    may_miss : int
        Blocks that may be missing without a wait; >= 0, below `blocks`.
    resize_time : float, [time]
        Stop if more or fewer blocks go on than before; >= 0.
    warm_up : float, [time]
        Compute time done before, in a job that ends as this one begins; >= 0.
    under_repair : int
        Standbys that are under automatic repair when the job, or its warm-up, begins; >= 0 and at
        most `standbys`.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes, by either method; more replications only append; >= 0.
    method : {"kernel", "events"}
        The compiled loop, or the readable model it must agree with.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a replication does not end within ten million failures.

    Examples
    --------
    >>> walls = simulate_standby_makespans(
    ...     10.0, blocks=4, standbys=1, block_mtbf=1e12, mttr=1.0, interval=5.0,
    ...     checkpoint_cost=0.5, replications=2, seed=1,
    ... )
    >>> walls.tolist()
    [11.0, 11.0]
    """
    count = whole("blocks", blocks)
    missing = whole("may_miss", may_miss, least=0)
    if missing >= count:
        raise ValueError(f"may_miss must be below blocks, got {missing} of {count}")
    hands = number("crews", crews)
    if hands != math.inf:
        hands = float(whole("crews", crews))
    staged = isinstance(mttr, TwoStageRepair)
    if staged and missing:
        raise ValueError(f"may_miss must be 0 where a repair has two stages, got {missing}")
    if staged and stopped_hazard:
        raise ValueError(
            f"stopped_hazard must be 0 where a repair has two stages, got {stopped_hazard}"
        )
    repair = mttr if isinstance(mttr, TwoStageRepair) else TwoStageRepair(mttr, 1.0, 0.0)
    rate = 1.0 / positive("block_mtbf", block_mtbf)
    rules = _Rules(
        work=positive("work", work),
        warm_up=nonnegative("warm_up", warm_up),
        blocks=count,
        standbys=whole("standbys", standbys, least=0),
        least=count - missing,
        rate=rate,
        standby_rate=rate * fraction("standby_hazard", standby_hazard),
        stopped_rate=rate * fraction("stopped_hazard", stopped_hazard),
        automatic_rate=1.0 / repair.automatic,
        automatic_crews=math.inf if staged else hands,
        escalated=repair.escalated,
        automatic_false=repair.automatic_false,
        manual_rate=1.0 / repair.manual,
        manual_crews=hands,
        manual_false=repair.manual_false,
        interval=positive("interval", interval),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        switch_time=nonnegative("switch_time", switch_time),
        resize_time=nonnegative("resize_time", resize_time),
        under_repair=whole("under_repair", under_repair, least=0),
    )

    if rules.under_repair > rules.standbys:
        raise ValueError(f"under_repair must be at most standbys, got {under_repair} of {standbys}")

    def play(rng: np.random.Generator) -> float:
        return _Job(rules, rng).makespan()

    compiled = _kernel(rules) if by_kernel(method) else None
    return replicate(play, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(rules: _Rules) -> Fill:
    """Return what fills a block of replications by the compiled loop."""
    from .. import kernels
    from . import _kernel

    fill = kernels.filled_by(_kernel.standby_makespans, *rules.values, _DUST, FAILURES_LIMIT)
    assert fill is not None  # no sampler is involved
    return fill
