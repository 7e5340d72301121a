"""One job whose predictor names windows of time in which a failure may come.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; a checkpoint is written after each of them.
- A failure is predicted with probability `recall`. A prediction names a window of fixed length, in
  which the failure strikes at an instant that is as likely as any other; it comes `proactive_cost`
  before the window. False alarms look alike and are a Poisson process while the machine is up.
- A prediction is acted upon if the job is computing, outside of any window, and at the beginning
  of the window `threshold` will have passed since the last checkpoint, recovery excluded. Then a
  proactive checkpoint is written, and the window begins. It has `window_segments` equal parts, each
  but the last of which ends with another proactive checkpoint. Nothing else is written in it.
- After the window the segment goes on where it stood: work in the window does not count in it.
- Failures strike whatever the job does, except in downtime, and lose everything since the last
  completed checkpoint of either kind. Then come `downtime` and `recovery_cost`, and the segment
  goes on as it stood at that checkpoint. Uptimes are exponential, drawn anew when the machine comes
  up; a prediction that would have to come before that does not come.

All replications go through their phases together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from ..._checks import check_fields, fraction, nonnegative, whole
from ...samplers import FloatArray
from .._arguments import mean_uptime
from .._plan import Plan
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_windowed_makespans"]

_COMPUTE, _CHECKPOINT, _PROACTIVE, _INSIDE, _INSIDE_CHECKPOINT, _RECOVERY = range(6)
_ROUNDING = 1e-9  # of the work: less than that is left over by sums, and is none


@dataclass(frozen=True, slots=True)
class Windows:
    """What the predictor announces, when the job acts, and what it does in a window.

    Parameters
    ----------
    mtbf : float, [time]
        Mean uptime; > 0, inf if there are no failures.
    false_alarm_mtbf : float, [time]
        Mean time between false alarms; > 0, inf if there are none.
    recall : float, [-]
        Share of failures that are predicted; in [0, 1].
    window, proactive_cost, threshold, downtime : float, [time]
        As of `simulate_windowed_makespans`; >= 0, threshold also inf.
    segments : int
        Parts of a window; >= 1.
    """

    mtbf: float
    false_alarm_mtbf: float
    recall: float
    window: float
    segments: int
    proactive_cost: float
    threshold: float
    downtime: float

    def __post_init__(self) -> None:
        check_fields(self, mean_uptime, "mtbf", "false_alarm_mtbf")
        check_fields(self, fraction, "recall")
        check_fields(self, nonnegative, "window", "proactive_cost", "downtime")
        if self.threshold != math.inf:
            check_fields(self, nonnegative, "threshold")
        check_fields(self, whole, "segments")
        if self.segments > 1 and not self.window > self.segments * self.proactive_cost:
            raise ValueError(
                f"window_segments must be < window/proactive_cost, got {self.segments}"
            )


@dataclass(slots=True)
class _Jobs:
    """The state of the jobs that have not ended, one element each; times are from now on."""

    index: np.ndarray
    now: FloatArray
    phase: np.ndarray
    ends: FloatArray
    fails: FloatArray
    warned: FloatArray
    ahead: FloatArray  # time from the warning to the failure
    alarm: FloatArray
    done: FloatArray
    left: FloatArray  # of the segment, outside of windows
    saved: FloatArray
    saved_left: FloatArray
    part: np.ndarray

    def kept(self, keep: np.ndarray) -> _Jobs:
        return _Jobs(*(getattr(self, field.name)[keep] for field in fields(self)))


class _Play:
    def __init__(self, rng: np.random.Generator, count: int, plan: Plan, windows: Windows) -> None:
        self._rng, self._plan, self._windows = rng, plan, windows
        self._makespans = np.empty(count)
        zero = np.zeros(count)
        jobs = self._jobs = _Jobs(
            np.arange(count),
            *(zero.copy(), zero.astype(int), zero.copy(), zero.copy(), zero.copy(), zero.copy()),
            *(zero.copy(), zero.copy(), zero.copy(), zero.copy(), zero.copy(), zero.astype(int)),
        )
        every = np.full(count, True)
        jobs.left[:] = jobs.saved_left[:] = plan.interval
        self._boot(every)
        jobs.alarm = self._gaps(count)
        self._compute(every)

    def run(self) -> FloatArray:
        most = FAILURES_LIMIT
        while self._jobs.index.size:
            self._step()
            most -= 1
            if most < 0:
                raise never_ends()
        return self._makespans

    def _step(self) -> None:
        jobs = self._jobs
        passed = np.minimum(np.minimum(jobs.ends, jobs.fails), np.minimum(jobs.warned, jobs.alarm))
        # A checkpoint that is complete as the failure comes counts.
        ended = jobs.ends == passed
        failed = ~ended & (jobs.fails == passed)
        warned = ~ended & ~failed & (jobs.warned == passed)
        alarmed = ~ended & ~failed & ~warned
        worked = np.where((jobs.phase == _COMPUTE) | (jobs.phase == _INSIDE), passed, 0.0)
        jobs.done += worked
        jobs.left -= np.where(jobs.phase == _COMPUTE, passed, 0.0)
        jobs.now += passed
        jobs.ends -= passed
        jobs.fails -= passed
        jobs.warned -= passed
        jobs.alarm -= passed
        self._hear(warned, alarmed)
        self._fail(failed)
        self._go_on(ended)

    def _hear(self, warned: np.ndarray, alarmed: np.ndarray) -> None:
        jobs, windows = self._jobs, self._windows
        unsaved = jobs.done - jobs.saved + windows.proactive_cost
        acts = (warned | alarmed) & (jobs.phase == _COMPUTE) & (unsaved >= windows.threshold)
        # Named in advance, and not a difference of sums: it may be the end of the checkpoint.
        jobs.fails = np.where(warned, jobs.ahead, jobs.fails)
        jobs.warned[warned] = np.inf
        jobs.alarm[alarmed] = self._gaps(int(alarmed.sum()))
        self._enter(acts, _PROACTIVE, windows.proactive_cost)

    def _fail(self, failed: np.ndarray) -> None:
        jobs = self._jobs
        jobs.now[failed] += self._windows.downtime
        jobs.done[failed] = jobs.saved[failed]
        jobs.left[failed] = jobs.saved_left[failed]
        self._boot(failed)
        self._enter(failed, _RECOVERY, self._plan.recovery_cost)

    def _go_on(self, ended: np.ndarray) -> None:
        jobs, windows = self._jobs, self._windows
        phase = np.where(ended, jobs.phase, -1)
        finished = jobs.done >= self._plan.work * (1.0 - _ROUNDING)
        written = phase == _CHECKPOINT
        jobs.left[written] = self._plan.interval
        saved = written | (phase == _PROACTIVE) | (phase == _INSIDE_CHECKPOINT)
        jobs.saved[saved] = jobs.done[saved]
        jobs.saved_left[saved] = jobs.left[saved]
        jobs.part[phase == _PROACTIVE] = 0
        inside = phase == _INSIDE
        jobs.part[inside] += 1
        over = inside & (jobs.part == windows.segments)
        over |= (phase == _PROACTIVE) & (windows.window == 0.0)
        last = (phase == _COMPUTE) | (inside & finished)
        self._enter(last, _CHECKPOINT, self._plan.checkpoint_cost)
        self._enter(inside & ~over & ~finished, _INSIDE_CHECKPOINT, windows.proactive_cost)
        self._inside(((phase == _PROACTIVE) & ~over) | (phase == _INSIDE_CHECKPOINT))
        self._compute((written | over) & ~finished | (phase == _RECOVERY))
        end = written & finished
        if end.any():
            self._makespans[jobs.index[end]] = jobs.now[end]
            self._jobs = jobs.kept(~end)

    def _compute(self, those: np.ndarray) -> None:
        jobs = self._jobs
        left = np.minimum(jobs.left, self._plan.work - jobs.done)
        self._enter(those, _COMPUTE, np.maximum(left, 0.0)[those])

    def _inside(self, those: np.ndarray) -> None:
        jobs, windows = self._jobs, self._windows
        span = windows.window / windows.segments
        written = np.where(jobs.part < windows.segments - 1, windows.proactive_cost, 0.0)
        left = np.minimum(span - written, self._plan.work - jobs.done)
        self._enter(those, _INSIDE, np.maximum(left, 0.0)[those])

    def _enter(self, those: np.ndarray, phase: int, duration: float | FloatArray) -> None:
        self._jobs.phase[those] = phase
        self._jobs.ends[those] = duration

    def _boot(self, those: np.ndarray) -> None:
        jobs, windows, count = self._jobs, self._windows, int(those.sum())
        uptime = windows.mtbf * self._drawn(count)
        known = self._rng.random(count) < windows.recall
        ahead = windows.proactive_cost + windows.window * self._rng.random(count)
        known &= (uptime >= ahead) & (uptime < np.inf)
        jobs.fails[those], jobs.ahead[those] = uptime, ahead
        jobs.warned[those] = np.where(known, uptime - np.where(known, ahead, 0.0), np.inf)

    def _gaps(self, count: int) -> FloatArray:
        return self._windows.false_alarm_mtbf * self._drawn(count)

    def _drawn(self, count: int) -> FloatArray:
        drawn = np.asarray(self._rng.standard_exponential(count))
        return np.where(drawn == 0.0, np.finfo(float).tiny, drawn)  # 0 * inf has no value


def play(rng: np.random.Generator, count: int, *, plan: Plan, windows: Windows) -> FloatArray:
    """Play `count` jobs to their ends; return their makespans."""
    return _Play(rng, count, plan, windows).run()


def simulate_windowed_makespans(
    work: float,
    *,
    interval: float,
    mtbf: float,
    false_alarm_mtbf: float,
    recall: float,
    window: float,
    window_segments: int = 1,
    proactive_cost: float,
    threshold: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job whose predictor names windows `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between periodic checkpoints; > 0.
    mtbf, false_alarm_mtbf : float, [time]
        Means of the exponential uptimes, and of the time between false alarms; > 0, inf for none.
    recall : float, [-]
        Share of failures that are predicted; in [0, 1].
    window : float, [time]
        Length of the window that a prediction names; >= 0.
    window_segments : int
        Parts of a window, all but the last of which end with a proactive checkpoint; >= 1, and
        < window/proactive_cost if there are several.
    proactive_cost, checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a proactive and a periodic checkpoint, to read one back, and dead time; >= 0.
    threshold : float, [time]
        A window that begins sooner after the last checkpoint is ignored; >= 0, inf for all.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a job does not end within ten million steps.

    Examples
    --------
    >>> walls = simulate_windowed_makespans(
    ...     10.0, interval=5.0, mtbf=float("inf"), false_alarm_mtbf=float("inf"), recall=0.5,
    ...     window=3.0, proactive_cost=0.5, threshold=1.0, checkpoint_cost=1.0, replications=2,
    ...     seed=1,
    ... )
    >>> walls.tolist()
    [12.0, 12.0]
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    windows = Windows(
        *(mtbf, false_alarm_mtbf, recall, window, window_segments),
        *(proactive_cost, threshold, downtime),
    )

    def block(rng: np.random.Generator, count: int) -> FloatArray:
        return play(rng, count, plan=plan, windows=windows)

    return in_lockstep(block, replications=replications, seed=seed)
