"""One job whose checkpoints take a random time.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one has what is left. A checkpoint is
  written after each. What it costs is drawn for every attempt at a segment, or for every segment
  and then kept until its checkpoint is complete.
- Failures strike compute, checkpoint and recovery, never downtime. A failure loses everything
  since the last completed checkpoint. After `downtime` the state is read back in `recovery_cost`,
  then the segment begins again.

All replications go through their phases side by side, one row of an array each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from .._checks import check_fields, nonnegative, one_of
from ..samplers import FloatArray, Sampler
from ._arguments import mean_uptime, sampler_or_list, unplayed
from ._plan import Plan
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["Drawn", "simulate_random_cost_makespans"]

Drawn: TypeAlias = Literal["attempt", "segment"]

COMPUTE, WRITE, DOWN, READ = range(4)
_NEXT = np.array([WRITE, COMPUTE, READ, COMPUTE])  # if nothing fails


@dataclass(frozen=True, slots=True)
class _Rules:
    cost: Sampler
    drawn: Drawn
    mtbf: float
    downtime: float

    def __post_init__(self) -> None:
        one_of("drawn", self.drawn, ("attempt", "segment"))
        check_fields(self, mean_uptime, "mtbf")
        check_fields(self, nonnegative, "downtime")


def play(rng: np.random.Generator, count: int, *, plan: Plan, rules: _Rules) -> FloatArray:
    """Play `count` jobs to their ends; return the makespans."""
    walls = np.empty(count)
    job = np.arange(count)  # whose rows these are
    now, saved = np.zeros(count), np.zeros(count)
    cost = np.full(count, np.nan)  # nan until it is drawn
    phase = np.full(count, COMPUTE)
    fails = rules.mtbf * rng.standard_exponential(count)
    spans = np.array([0.0, 0.0, rules.downtime, plan.recovery_cost])
    steps = 0
    while job.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        writing = phase == WRITE
        undrawn = np.flatnonzero(writing & np.isnan(cost))
        cost[undrawn] = [rules.cost.sample(rng) for _ in undrawn]
        segment = np.where(saved >= plan.segments - 1, plan.last_interval, plan.interval)
        span = np.where(phase == COMPUTE, segment, np.where(writing, cost, spans[phase]))
        ends = now + span
        struck = (fails <= ends) & (phase != DOWN)
        now = np.where(struck, fails, ends)
        written = writing & ~struck
        saved[written] += 1.0
        cost[written if rules.drawn == "segment" else writing] = np.nan
        booted = phase == DOWN
        fails[booted] = now[booted] + rules.mtbf * rng.standard_exponential(int(booted.sum()))
        phase = np.where(struck, DOWN, _NEXT[phase])
        done = saved == plan.segments
        walls[job[done]] = now[done]
        rest = ~done
        job, now, saved, cost = job[rest], now[rest], saved[rest], cost[rest]
        phase, fails = phase[rest], fails[rest]
    return walls


def simulate_random_cost_makespans(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: Sampler,
    drawn: Drawn = "attempt",
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job whose checkpoints take a random time; return its makespans, [time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that of a segment; > 0.
    mtbf : float, [time]
        Mean uptime to the next failure, exponential; > 0, inf for no failures.
    checkpoint_cost : sampler or list of float, [time]
        What checkpoints cost.
    drawn : {"attempt", "segment"}
        Whether a cost is drawn for each attempt at a segment, or kept by the segment.
    recovery_cost, downtime : float, [time]
        To read a checkpoint back, and dead after each failure; >= 0.
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
    >>> from sim.samplers import Exponential
    >>> walls = simulate_random_cost_makespans(
    ...     100.0, interval=10.0, mtbf=500.0, checkpoint_cost=Exponential(1.0),
    ...     replications=1000, seed=1,
    ... )
    >>> walls.shape, bool(100.0 < walls.min() < 110.0)
    ((1000,), True)
    """
    plan = Plan(work, interval, 0.0, recovery_cost, final_checkpoint=True)
    cost = unplayed(sampler_or_list("checkpoint_cost", checkpoint_cost))
    rules = _Rules(cost, drawn, mtbf, downtime)
    return in_lockstep(
        lambda rng, count: play(rng, count, plan=plan, rules=rules),
        replications=replications,
        seed=seed,
    )
