"""One job that verifies its state before each checkpoint, because some errors are silent.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one has what is left. After each the job
  verifies its state, then writes a checkpoint.
- Silent errors strike while the job computes. The next verification finds them: the job then reads
  back its last checkpoint and does the segment again.
- Failures strike whatever the job does, except in downtime. Then comes `downtime`, and the job
  reads back its last checkpoint. The next uptime begins with the machine, at the end of the
  downtime; it goes on through segments and through recoveries from silent errors.

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

__all__ = ["simulate_silent_makespans"]

COMPUTE, VERIFY, CHECKPOINT, DOWN, RECOVER = range(5)
_NEXT = np.array([VERIFY, CHECKPOINT, COMPUTE, RECOVER, COMPUTE])  # if nothing comes between


@dataclass(frozen=True, slots=True)
class Errors:
    """How often errors strike, and what they cost besides a recovery.

    Parameters
    ----------
    mtbf, silent_mtbf : float, [time]
        Mean time between failures, and computing time between silent errors; > 0, inf if none.
    verification_cost, downtime : float, [time]
        To verify, and dead after each failure; >= 0.
    """

    mtbf: float
    silent_mtbf: float
    verification_cost: float
    downtime: float

    def __post_init__(self) -> None:
        check_fields(self, mean_uptime, "mtbf", "silent_mtbf")
        check_fields(self, nonnegative, "verification_cost", "downtime")


def play(rng: np.random.Generator, count: int, *, plan: Plan, errors: Errors) -> FloatArray:
    """Play `count` jobs to their ends; return the makespans."""
    walls = np.empty(count)
    job = np.arange(count)  # whose rows these are
    now, saved = np.zeros(count), np.zeros(count)
    phase = np.full(count, COMPUTE)
    corrupt = np.zeros(count, dtype=bool)
    fails = errors.mtbf * rng.standard_exponential(count)
    costs = (errors.verification_cost, plan.checkpoint_cost, errors.downtime)
    spans = np.array([0.0, *costs, plan.recovery_cost])  # that of computing differs
    steps = 0
    while job.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        span = np.where(saved == plan.segments - 1, plan.last_interval, plan.interval)
        ends = now + np.where(phase == COMPUTE, span, spans[phase])
        struck = (fails <= ends) & (phase != DOWN)
        now = np.where(struck, fails, ends)
        computed = (phase == COMPUTE) & ~struck
        verified = (phase == VERIFY) & ~struck
        written = (phase == CHECKPOINT) & ~struck
        booted = phase == DOWN
        silent = errors.silent_mtbf * rng.standard_exponential(int(computed.sum()))
        corrupt[computed] = silent <= span[computed]
        fails[booted] = now[booted] + errors.mtbf * rng.standard_exponential(int(booted.sum()))
        saved[written] += 1.0
        after = _NEXT[phase]
        after[verified & corrupt] = RECOVER
        phase = np.where(struck, DOWN, after)
        done = saved == plan.segments
        walls[job[done]] = now[done]
        rest = ~done
        job, now, saved, phase = job[rest], now[rest], saved[rest], phase[rest]
        corrupt, fails = corrupt[rest], fails[rest]
    return walls


def simulate_silent_makespans(
    work: float,
    *,
    interval: float,
    mtbf: float = math.inf,
    silent_mtbf: float = math.inf,
    checkpoint_cost: float,
    verification_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job with verified checkpoints `replications` times; return the makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that between checkpoints; > 0.
    mtbf : float, [time]
        Mean uptime to the next failure, exponential; > 0, inf for no failures.
    silent_mtbf : float, [time]
        Mean computing time to the next silent error, exponential; > 0, inf for none.
    checkpoint_cost, verification_cost, recovery_cost : float, [time]
        To write a checkpoint, to verify before it, and to read one back; >= 0.
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
    >>> walls = simulate_silent_makespans(
    ...     100.0, interval=10.0, silent_mtbf=500.0, checkpoint_cost=1.0, verification_cost=0.5,
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, float(walls.min())
    ((1000,), 115.0)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    errors = Errors(mtbf, silent_mtbf, verification_cost, downtime)
    return in_lockstep(
        lambda rng, count: play(rng, count, plan=plan, errors=errors),
        replications=replications,
        seed=seed,
    )
