"""One job whose silent errors show by themselves, some time after they strike.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one has what is left. After each the job
  writes a checkpoint. All checkpoints are kept.
- Silent errors strike while the job computes. From then on its state is corrupt, and so are the
  checkpoints written of it. The first error shows after a latency, exponential, in which the job
  computes, writes or waits; the job then reads back the last checkpoint written before it struck.
- Failures strike whatever the job does, except in downtime. Then comes `downtime`, and the job
  reads back its newest checkpoint. If that was written after the error struck, the state is still
  corrupt, and what was left of the latency goes on; otherwise it is clean. The next uptime begins
  with the machine, at the end of the downtime.
- The job is done when a checkpoint of all its work is written of a clean state. A corrupt job
  whose work is done waits until the error shows.

All replications go through their phases side by side, one row of an array each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..._checks import check_fields, nonnegative
from ...samplers import FloatArray
from .._arguments import mean_uptime
from .._plan import Plan
from .._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_detected_late_makespans"]

COMPUTE, CHECKPOINT, WAIT, DOWN, RECOVER = range(5)


@dataclass(frozen=True, slots=True)
class LateErrors:
    """How often errors strike, how long they hide, and what they cost besides a recovery.

    Parameters
    ----------
    mtbf, silent_mtbf : float, [time]
        Mean time between failures, and computing time between silent errors; > 0, inf if none.
    detection_latency, downtime : float, [time]
        Mean time until a silent error shows, and dead after each failure; >= 0.
    """

    mtbf: float
    silent_mtbf: float
    detection_latency: float
    downtime: float

    def __post_init__(self) -> None:
        check_fields(self, mean_uptime, "mtbf", "silent_mtbf")
        check_fields(self, nonnegative, "detection_latency", "downtime")


def play(rng: np.random.Generator, count: int, *, plan: Plan, errors: LateErrors) -> FloatArray:
    """Play `count` jobs to their ends; return the makespans."""
    walls = np.empty(count)
    job = np.arange(count)  # whose rows these are
    now, newest, clean = np.zeros(count), np.zeros(count), np.zeros(count)
    phase, rest = np.full(count, RECOVER), np.zeros(count)  # nothing to read back at the start
    shows, strikes = np.full((2, count), math.inf)  # that of a clean state never shows
    fails = errors.mtbf * rng.standard_exponential(count)
    steps = 0
    while job.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        hiding = np.isin(phase, (COMPUTE, CHECKPOINT, WAIT)) & (shows < math.inf)
        open_to_strikes = (phase == COMPUTE) & np.isinf(shows)
        until = np.stack(
            (
                rest,
                np.where(phase == DOWN, math.inf, fails),
                np.where(open_to_strikes, strikes, math.inf),
                np.where(hiding, shows, math.inf),
            )
        )
        event, passed = until.argmin(axis=0), until.min(axis=0)
        now = now + passed
        rest = rest - passed
        fails = fails - passed
        shows = np.where(hiding, shows - passed, shows)
        ended, failed, struck, shown = (event == kind for kind in range(4))

        shows[struck] = errors.detection_latency * rng.standard_exponential(int(struck.sum()))
        phase[failed], rest[failed] = DOWN, errors.downtime
        shows[shown | (failed & (newest == clean))] = math.inf
        newest[shown] = clean[shown]

        booted = ended & (phase == DOWN)
        fails[booted] = errors.mtbf * rng.standard_exponential(int(booted.sum()))
        computed = ended & (phase == COMPUTE)
        written = ended & (phase == CHECKPOINT)
        newest[written] += 1.0
        sound = written & np.isinf(shows)
        clean[sound] = newest[sound]
        restored = ended & (phase == RECOVER)
        begins = written | restored

        phase[computed], rest[computed] = CHECKPOINT, plan.checkpoint_cost
        back = booted | shown
        phase[back], rest[back] = RECOVER, plan.recovery_cost
        idle = begins & (newest == plan.segments)
        phase[idle], rest[idle] = WAIT, math.inf
        works = begins & ~idle
        last = newest == plan.segments - 1
        phase[works] = COMPUTE
        rest[works] = np.where(last, plan.last_interval, plan.interval)[works]
        strikes[works] = errors.silent_mtbf * rng.standard_exponential(int(works.sum()))

        done = clean == plan.segments
        walls[job[done]] = now[done]
        kept = ~done
        job, now, newest, clean = job[kept], now[kept], newest[kept], clean[kept]
        phase, rest, shows = phase[kept], rest[kept], shows[kept]
        strikes, fails = strikes[kept], fails[kept]
    return walls


def simulate_detected_late_makespans(
    work: float,
    *,
    interval: float,
    mtbf: float = math.inf,
    silent_mtbf: float = math.inf,
    checkpoint_cost: float,
    detection_latency: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job whose errors show late `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between checkpoints; > 0.
    mtbf : float, [time]
        Mean uptime to the next failure, exponential; > 0, inf for no failures.
    silent_mtbf : float, [time]
        Mean computing time to the next silent error, exponential; > 0, inf for none.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint, and to read one back; >= 0.
    detection_latency : float, [time]
        Mean time until a silent error shows, exponential; >= 0.
    downtime : float, [time]
        Dead time after each failure; >= 0.
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
        If a job does not end within ten million phases.

    Examples
    --------
    >>> walls = simulate_detected_late_makespans(
    ...     100.0, interval=10.0, silent_mtbf=500.0, checkpoint_cost=1.0, detection_latency=30.0,
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, float(walls.min())
    ((1000,), 110.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    errors = LateErrors(mtbf, silent_mtbf, detection_latency, downtime)
    return in_lockstep(
        lambda rng, count: play(rng, count, plan=plan, errors=errors),
        replications=replications,
        seed=seed,
    )
