"""Machines whose MTBF nobody knows: all that is known is how often they failed so far.

The rules, in words, are the whole specification:

- A machine has a failure rate of its own; the square roots of rates are spread evenly, which is the
  prior of Jeffreys for a rate.
- It was observed for some time, in which it failed so many times at random instants of that rate.
  Machines that failed more or less often than the one in question are put aside.
- A machine that is left then runs a job: segments of `interval`, a checkpoint after each. Failures
  strike compute, checkpoint and recovery, never downtime; after each come `downtime`, the recovery,
  and the segment again.

All replications go through their phases side by side, one row of an array each.
"""

from __future__ import annotations

import math

import numpy as np

from .._checks import nonnegative, positive, whole
from ..samplers import FloatArray
from ._plan import Plan
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_mtbfs", "simulate_unknown_mtbf_makespans"]

COMPUTE, CHECKPOINT, DOWN, RECOVER = range(4)
_NEXT = np.array([CHECKPOINT, COMPUTE, RECOVER, COMPUTE])  # if nothing comes between
_REACH = 6.0  # around the root of the failures seen: 12 deviations


def machines(rng: np.random.Generator, count: int, *, failures: int, time: float) -> FloatArray:
    """Return the rates of `count` machines that failed `failures` times in `time`."""
    centre = math.sqrt(failures)
    found: list[FloatArray] = []
    while sum(rates.size for rates in found) < count:
        expected = rng.uniform(max(centre - _REACH, 0.0), centre + _REACH, 12 * count) ** 2
        found.append(expected[rng.poisson(expected) == failures] / time)
    return np.concatenate(found)[:count]


def play(
    rng: np.random.Generator,
    count: int,
    *,
    plan: Plan,
    downtime: float,
    failures: int,
    observed_time: float,
) -> FloatArray:
    """Play `count` jobs to their ends, each on a machine of its own; return the makespans."""
    mtbf = 1.0 / machines(rng, count, failures=failures, time=observed_time)
    walls = np.empty(count)
    job = np.arange(count)  # whose rows these are
    now, saved = np.zeros(count), np.zeros(count)
    phase = np.full(count, COMPUTE)
    fails = mtbf * rng.standard_exponential(count)
    spans = np.array([0.0, plan.checkpoint_cost, downtime, plan.recovery_cost])
    steps = 0
    while job.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        span = np.where(saved == plan.segments - 1, plan.last_interval, plan.interval)
        ends = now + np.where(phase == COMPUTE, span, spans[phase])
        struck = (fails <= ends) & (phase != DOWN)
        now = np.where(struck, fails, ends)
        booted = phase == DOWN
        saved[(phase == CHECKPOINT) & ~struck] += 1.0
        fails[booted] = now[booted] + mtbf[booted] * rng.standard_exponential(int(booted.sum()))
        phase = np.where(struck, DOWN, _NEXT[phase])
        done = saved == plan.segments
        walls[job[done]] = now[done]
        rest = ~done
        job, now, saved, phase = job[rest], now[rest], saved[rest], phase[rest]
        fails, mtbf = fails[rest], mtbf[rest]
    return walls


def simulate_mtbfs(
    *, failures: int, observed_time: float, replications: int, seed: int
) -> FloatArray:
    """Draw the MTBFs of machines that failed so often in a fixed time; return them, [time].

    Parameters
    ----------
    failures : int
        How often each failed; >= 0.
    observed_time : float, [time]
        In how much uptime; > 0.
    replications : int
        How many machines; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Examples
    --------
    >>> found = simulate_mtbfs(failures=10, observed_time=1000.0, replications=9, seed=1)
    >>> found.shape, bool((found > 0.0).all())
    ((9,), True)
    """
    seen, time = whole("failures", failures, least=0), positive("observed_time", observed_time)
    return in_lockstep(
        lambda rng, count: 1.0 / machines(rng, count, failures=seen, time=time),
        replications=replications,
        seed=seed,
    )


def simulate_unknown_mtbf_makespans(
    work: float,
    *,
    failures: int,
    observed_time: float,
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job on machines that failed so often in a fixed time; return the makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between checkpoints; > 0.
    failures : int
        How often each machine failed; >= 0.
    observed_time : float, [time]
        In how much uptime; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : float, [time]
        Dead time after each failure; >= 0.
    replications : int
        How many jobs, each on a machine of its own; >= 1.
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
    >>> walls = simulate_unknown_mtbf_makespans(
    ...     100.0, failures=2, observed_time=500.0, interval=10.0, checkpoint_cost=1.0,
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, float(walls.min())
    ((1000,), 110.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    down = nonnegative("downtime", downtime)
    seen, time = whole("failures", failures, least=0), positive("observed_time", observed_time)
    return in_lockstep(
        lambda rng, count: play(
            rng, count, plan=plan, downtime=down, failures=seen, observed_time=time
        ),
        replications=replications,
        seed=seed,
    )
