"""One job that writes a checkpoint before each predicted failure; predictions may be wrong.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; a checkpoint is written after each of them.
- A failure is predicted with probability `recall`. A prediction names the instant and comes early
  enough: `proactive_cost` before it. False alarms look like predictions and come independently.
- A prediction is acted upon if the job is computing when a proactive checkpoint must begin, and
  if at the named instant `threshold` will have passed since the last checkpoint or recovery.
  Then the checkpoint is written, complete at that instant; else nothing happens. The failure,
  if it is one, loses nothing; after a false alarm the segment goes on where it stood.
- Failures strike whatever the job does, except in downtime, and lose everything since the last
  completed checkpoint of either kind. Then come `downtime` and `recovery_cost`, and the rest of
  the segment. Uptimes are drawn anew when the machine comes up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from ..._checks import check_fields, fraction, generator, nonnegative
from ...engine import Engine, Handle
from ...samplers import FloatArray, Sampler, as_sampler
from .._arguments import Method, Never, by_kernel, only_sampler, own_sampler, unplayed
from .._phases import Phases
from .._plan import Plan
from .._replications import FAILURES_LIMIT, Fill, drawn_downtime, replicate

__all__ = ["PredictedRecord", "simulate_predicted_job", "simulate_predicted_makespans"]


@dataclass(frozen=True, slots=True)
class PredictedRecord:
    """How one job spent its makespan, [time]; the six parts after it add up to it.

    Parameters
    ----------
    makespan : float, [time]
        From the start to the end of the last checkpoint.
    work, rework : float, [time]
        Compute time that was kept, and that was lost to failures and done again.
    checkpoint_time, proactive_time, recovery_time, downtime : float, [time]
        Time writing periodic and proactive checkpoints, reading back and down; interrupted
        attempts included.
    failures, proactive : int
        Failures, and predictions acted upon.
    """

    makespan: float
    work: float
    rework: float
    checkpoint_time: float
    proactive_time: float
    recovery_time: float
    downtime: float
    failures: int
    proactive: int


@dataclass(frozen=True, slots=True)
class Predictions:
    """What the predictor announces, and when the job acts.

    Parameters
    ----------
    recall : float, [-]
        Share of failures that are predicted; in [0, 1].
    false_alarms : Sampler
        Time from one false alarm to the next, [time].
    proactive_cost : float, [time]
        To write a proactive checkpoint; >= 0.
    threshold : float, [time]
        Least time from the last checkpoint to the named instant at which to act; >= 0.
    """

    recall: float
    false_alarms: Sampler
    proactive_cost: float
    threshold: float

    def __post_init__(self) -> None:
        check_fields(self, fraction, "recall")
        check_fields(self, nonnegative, "proactive_cost", "threshold")


class _Job:
    """The rules as phases on an engine; each phase names the account its time goes to."""

    def __init__(
        self,
        plan: Plan,
        predictions: Predictions,
        uptime: Sampler,
        downtime: Sampler,
        rng: np.random.Generator,
    ) -> None:
        self._plan, self._predictions = plan, predictions
        self._uptime, self._downtime, self._rng = uptime, downtime, rng
        self._engine = Engine()
        names = ("compute", "rework", "checkpoint", "proactive", "recovery", "down")
        self._phases = Phases(self._engine, *names)
        self._spent = self._phases.spent  # under "compute" the work done so far
        self._saved = 0.0  # of the work done
        self._segment = self._failures = self._acted = 0
        self._failure = self._alert = self._alarm = Handle(0.0, lambda: None)
        self._just_before = False  # whether the proactive checkpoint is for the coming failure

    def run(self) -> PredictedRecord:
        self._boot(self._compute)
        self._await_false_alarm()
        self._engine.run()
        return PredictedRecord(
            makespan=self._engine.now,
            work=self._saved,
            rework=self._spent["rework"],
            checkpoint_time=self._spent["checkpoint"],
            proactive_time=self._spent["proactive"],
            recovery_time=self._spent["recovery"],
            downtime=self._spent["down"],
            failures=self._failures,
            proactive=self._acted,
        )

    def _boot(self, first_phase: Callable[[], None]) -> None:
        uptime = self._uptime.sample(self._rng)
        self._failure = self._engine.schedule(uptime, self._fail)
        predicted = self._rng.random() < self._predictions.recall
        notice = uptime - self._predictions.proactive_cost
        if predicted and 0.0 <= notice < math.inf:
            self._alert = self._engine.schedule(notice, partial(self._hear, true=True))
        first_phase()

    def _await_false_alarm(self) -> None:
        gap = self._predictions.false_alarms.sample(self._rng)
        if gap < math.inf:
            self._alarm = self._engine.schedule(gap, self._false_alarm)

    def _false_alarm(self) -> None:
        self._hear(true=False)
        self._await_false_alarm()

    def _hear(self, *, true: bool) -> None:
        if self._phases.account != "compute":
            return
        unsaved = self._spent["compute"] + self._phases.elapsed - self._saved
        if unsaved + self._predictions.proactive_cost < self._predictions.threshold:
            return
        self._phases.interrupt()
        self._acted += 1
        self._just_before = true
        self._phases.enter("proactive", self._predictions.proactive_cost, self._save_and_go_on)

    def _compute(self) -> None:
        last = self._segment == self._plan.segments - 1
        end = self._plan.work if last else (self._segment + 1) * self._plan.interval
        self._phases.enter("compute", max(end - self._spent["compute"], 0.0), self._checkpoint)

    def _checkpoint(self) -> None:
        self._phases.enter("checkpoint", self._plan.checkpoint_cost, self._advance)

    def _advance(self) -> None:
        self._saved = self._spent["compute"]
        self._segment += 1
        if self._segment < self._plan.segments:
            self._compute()
            return
        for handle in (self._failure, self._alert, self._alarm):
            handle.cancel()

    def _save_and_go_on(self) -> None:
        self._saved = self._spent["compute"]
        self._just_before = False
        self._compute()

    def _fail(self) -> None:
        self._phases.interrupt()
        self._alert.cancel()
        if self._just_before:
            self._saved = self._spent["compute"]
            self._just_before = False
        self._spent["rework"] += self._spent["compute"] - self._saved
        self._spent["compute"] = self._saved
        self._failures += 1
        down = drawn_downtime(self._downtime, self._rng, self._failures)
        self._phases.enter("down", down, partial(self._boot, self._recover))

    def _recover(self) -> None:
        self._phases.enter("recovery", self._plan.recovery_cost, self._compute)


def play(
    plan: Plan,
    predictions: Predictions,
    uptime: Sampler,
    downtime: Sampler,
    rng: np.random.Generator,
) -> PredictedRecord:
    """Play the job to its end, event by event."""
    return _Job(plan, predictions, uptime, downtime, rng).run()


def alarms(false_alarms: Sampler | None) -> Sampler:
    return Never() if false_alarms is None else only_sampler("false_alarms", false_alarms)


def simulate_predicted_job(
    work: float,
    *,
    interval: float,
    uptime: Sampler,
    recall: float,
    false_alarms: Sampler | None,
    proactive_cost: float,
    threshold: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    rng: np.random.Generator,
) -> PredictedRecord:
    """Play one job to its end and account for every moment of it.

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between periodic checkpoints; > 0.
    uptime : Sampler, [time]
        Uptime from each start of the machine to its next failure.
    recall : float, [-]
        Share of failures that are predicted; in [0, 1].
    false_alarms : Sampler or None, [time]
        Time from one false alarm to the next; None for no false alarms.
    proactive_cost, checkpoint_cost, recovery_cost : float, [time]
        To write a proactive and a periodic checkpoint, and to read one back; >= 0.
    threshold : float, [time]
        A prediction nearer to the last checkpoint than that is not acted upon; >= 0.
    downtime : float, Sampler or list of float, [time]
        Dead time after each failure; >= 0.
    rng : numpy.random.Generator
        Where random samplers draw from.

    Returns
    -------
    PredictedRecord
        The parts of the makespan, and counts.

    Raises
    ------
    RuntimeError
        If a recorded list runs out, or the job does not end within ten million failures.

    Examples
    --------
    Foretold to fail at 5, it saves itself from 4 on; the failure costs the reading back only.

    >>> from sim.samplers import Recorded
    >>> record = simulate_predicted_job(
    ...     8.0, interval=8.0, uptime=Recorded([5.0], then="never"), recall=1.0,
    ...     false_alarms=None, proactive_cost=1.0, threshold=2.0, checkpoint_cost=2.0,
    ...     recovery_cost=0.5, rng=np.random.default_rng(0),
    ... )
    >>> record.makespan, record.rework, record.proactive
    (11.5, 0.0, 1)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    predictions = Predictions(recall, alarms(false_alarms), proactive_cost, threshold)
    down = as_sampler("downtime", downtime)
    return play(plan, predictions, only_sampler("uptime", uptime), down, generator("rng", rng))


_BLOCK = 256  # replications that share a stream; both methods draw from it in the same order


def simulate_predicted_makespans(
    work: float,
    *,
    interval: float,
    uptime: Sampler,
    recall: float,
    false_alarms: Sampler | None,
    proactive_cost: float,
    threshold: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | npt.ArrayLike = 0.0,
    replications: int,
    seed: int,
    method: Method = "kernel",
) -> FloatArray:
    """Play a job `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval, uptime, recall, false_alarms, proactive_cost, threshold
        As for `simulate_predicted_job`, but every replication plays its own copy of the samplers.
    checkpoint_cost, recovery_cost, downtime
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
        As `simulate_predicted_job`.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> walls = simulate_predicted_makespans(
    ...     100.0, interval=10.0, uptime=Exponential(500.0), recall=0.5,
    ...     false_alarms=Exponential(1000.0), proactive_cost=0.5, threshold=1.0,
    ...     checkpoint_cost=1.0, replications=1000, seed=1,
    ... )
    >>> walls.shape, round(float(walls.min()), 6)
    ((1000,), 110.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    predictions = Predictions(recall, unplayed(alarms(false_alarms)), proactive_cost, threshold)
    up = unplayed(only_sampler("uptime", uptime))
    down = own_sampler("downtime", downtime)

    def play_one(rng: np.random.Generator) -> float:
        own = replace(predictions, false_alarms=unplayed(predictions.false_alarms))
        return play(plan, own, unplayed(up), unplayed(down), rng).makespan

    compiled = _kernel(plan, predictions, up, down) if by_kernel(method) else None
    return replicate(play_one, compiled, replications=replications, seed=seed, block=_BLOCK)


def _kernel(
    plan: Plan, predictions: Predictions, uptime: Sampler, downtime: Sampler
) -> Fill | None:
    """Return what fills a block by the compiled loop, or None where it cannot draw."""
    from .. import kernels

    return kernels.filled_by(
        kernels.predicted_makespans,
        uptime,
        downtime,
        predictions.false_alarms,
        predictions.recall,
        predictions.proactive_cost,
        predictions.threshold,
        plan.work,
        plan.interval,
        plan.segments,
        plan.checkpoint_cost,
        plan.recovery_cost,
        FAILURES_LIMIT,
    )
