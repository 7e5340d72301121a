"""One job that can be saved only at the ends of its iterations, which take a random time.

The rules, in words, are the whole specification:

- The job does its iterations one after the other. A checkpoint is written after every so many of
  them, and after the last.
- Failures strike compute, checkpoint and recovery, never downtime. A failure loses all iterations
  since the last completed checkpoint. After `downtime` the state is read back in `recovery_cost`,
  then these iterations are done again. Each takes a new time, or as long as before.

All replications go through their phases side by side, one row of an array each.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from .._checks import check_fields, nonnegative, one_of, whole
from ..samplers import FloatArray, Sampler
from ._arguments import mean_uptime, sampler_or_list, unplayed
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["Redone", "simulate_iterative_makespans"]

Redone: TypeAlias = Literal["anew", "alike"]

COMPUTE, WRITE, DOWN, READ = range(4)
_NEXT = np.array([WRITE, COMPUTE, READ, COMPUTE])  # if nothing fails


@dataclass(frozen=True, slots=True)
class IterativeJob:
    """How many iterations a job has and saves at a time, and what everything takes.

    Parameters
    ----------
    iterations, every : int
        Of the whole job, and between checkpoints; >= 1.
    iteration_time : Sampler
        How long iterations take, [time].
    mtbf : float, [time]
        Mean uptime to the next failure; > 0, inf for no failures.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a checkpoint, to read one back, and dead after each failure; >= 0.
    redone : {"anew", "alike"}
        Whether an iteration that is done again takes a new time or the same.
    """

    iterations: int
    every: int
    iteration_time: Sampler
    mtbf: float
    checkpoint_cost: float
    recovery_cost: float
    downtime: float
    redone: Redone

    def __post_init__(self) -> None:
        check_fields(self, whole, "iterations", "every")
        check_fields(self, mean_uptime, "mtbf")
        check_fields(self, nonnegative, "checkpoint_cost", "recovery_cost", "downtime")
        one_of("redone", self.redone, ("anew", "alike"))


def play(rng: np.random.Generator, count: int, *, job: IterativeJob) -> FloatArray:
    """Play `count` jobs to their ends; return the makespans."""
    walls = np.empty(count)
    row = np.arange(count)  # whose rows these are
    now, saved = np.zeros(count), np.zeros(count)
    span = np.full(count, np.nan)  # of the iterations to the next checkpoint, nan until drawn
    phase = np.full(count, COMPUTE)
    fails = job.mtbf * rng.standard_exponential(count)
    fixed = np.array([0.0, job.checkpoint_cost, job.downtime, job.recovery_cost])
    steps = 0
    while row.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        computing = phase == COMPUTE
        todo = np.minimum(job.iterations - saved, job.every)
        for each in np.flatnonzero(computing & np.isnan(span)):
            lengths = [job.iteration_time.sample(rng) for _ in range(int(todo[each]))]
            span[each] = math.fsum(lengths)
        ends = now + np.where(computing, span, fixed[phase])
        struck = (fails <= ends) & (phase != DOWN)
        now = np.where(struck, fails, ends)
        written = (phase == WRITE) & ~struck
        saved[written] += todo[written]
        span[(written | struck) if job.redone == "anew" else written] = np.nan
        booted = phase == DOWN
        fails[booted] = now[booted] + job.mtbf * rng.standard_exponential(int(booted.sum()))
        phase = np.where(struck, DOWN, _NEXT[phase])
        done = saved >= job.iterations
        walls[row[done]] = now[done]
        rest = ~done
        row, now, saved, span = row[rest], now[rest], saved[rest], span[rest]
        phase, fails = phase[rest], fails[rest]
    return walls


def simulate_iterative_makespans(
    iterations: int,
    *,
    every: int,
    iteration_time: Sampler,
    mtbf: float = math.inf,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    redone: Redone = "anew",
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job of random iterations `replications` times; return the makespans, [time].

    Parameters
    ----------
    iterations, every : int
        Of the whole job, and between checkpoints; >= 1.
    iteration_time : sampler or list of float, [time]
        How long iterations take.
    mtbf : float, [time]
        Mean uptime to the next failure, exponential; > 0, inf for no failures.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a checkpoint, to read one back, and dead after each failure; >= 0.
    redone : {"anew", "alike"}
        Whether an iteration that is done again takes a new time or the same.
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
    >>> walls = simulate_iterative_makespans(
    ...     10, every=4, iteration_time=[2.0] * 100_000, checkpoint_cost=1.0, replications=5, seed=1
    ... )
    >>> walls.tolist()
    [23.0, 23.0, 23.0, 23.0, 23.0]
    """
    lengths = unplayed(sampler_or_list("iteration_time", iteration_time))
    job = IterativeJob(
        *(iterations, every, lengths, mtbf),
        *(checkpoint_cost, recovery_cost, downtime, redone),
    )
    return in_lockstep(
        lambda rng, count: play(rng, count, job=job), replications=replications, seed=seed
    )
