"""One job that computes on while it writes its checkpoints, and the energy that it takes.

The rules, in words, are the whole specification:

- The work is cut into segments of `interval`; the last one has what is left. A checkpoint of the
  state after each segment is written in `checkpoint_cost`.
- While a checkpoint is written, the job computes on with the next segment at `overlap` times its
  usual speed, but not beyond the end of that segment: there it stands still until the checkpoint
  is written, then the next one begins.
- Failures strike whatever the job does, except in downtime. What no completed checkpoint holds is
  lost, what was computed beside the last one included. After `downtime` the last completed
  checkpoint (or the input) is read back in `recovery_cost`, then the job computes, at full speed.
- Energy: `static_power` all the time; besides it `compute_power` while the job computes (at a
  lower speed, as much of it), `io_power` while it writes or reads, `down_power` in downtime.

All replications go through their phases side by side, one row of an array each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import check_fields, fraction, nonnegative
from ..samplers import FloatArray
from ._arguments import mean_uptime
from ._plan import Plan
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["Powers", "simulate_energies"]

COMPUTE, WRITE, DOWN, READ = range(4)
_NEXT = np.array([WRITE, COMPUTE, READ, COMPUTE])  # if nothing fails


@dataclass(frozen=True, slots=True)
class Powers:
    """What the machine draws: always, and besides that in its states.

    Parameters
    ----------
    static, compute, io, down : float, [power]
        Always; while it computes at full speed, while it writes or reads, while it is down; >= 0.
    """

    static: float
    compute: float
    io: float = 0.0
    down: float = 0.0

    def __post_init__(self) -> None:
        check_fields(self, nonnegative, "static", "compute", "io", "down")


@dataclass(frozen=True, slots=True)
class _Rules:
    mtbf: float
    downtime: float
    overlap: float

    def __post_init__(self) -> None:
        check_fields(self, mean_uptime, "mtbf")
        check_fields(self, nonnegative, "downtime")
        check_fields(self, fraction, "overlap")


def play(
    rng: np.random.Generator, count: int, *, plan: Plan, rules: _Rules, powers: Powers
) -> FloatArray:
    """Play `count` jobs to their ends; return their energies."""
    energies = np.empty(count)
    job = np.arange(count)  # whose rows these are
    now, energy, saved, beside = (np.zeros(count) for _ in range(4))
    phase = np.full(count, COMPUTE)
    fails = rules.mtbf * rng.standard_exponential(count)
    spans = np.array([0.0, plan.checkpoint_cost, rules.downtime, plan.recovery_cost])
    beyond = np.array([0.0, powers.io, powers.down, powers.io])
    steps = 0
    while job.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        computing, writing = phase == COMPUTE, phase == WRITE
        segment = np.where(saved >= plan.segments - 1, plan.last_interval, plan.interval)
        left = np.maximum(segment - beside, 0.0)
        ends = now + np.where(computing, left, spans[phase])
        struck = (fails <= ends) & (phase != DOWN)
        then = np.where(struck, fails, ends)
        spent = then - now
        following = np.where(saved >= plan.segments - 2, plan.last_interval, plan.interval)
        following = np.where(saved == plan.segments - 1, 0.0, following)
        advanced = np.where(writing, np.minimum(rules.overlap * spent, following), 0.0)
        computed = np.where(computing, spent, advanced)
        energy = energy + powers.static * spent + powers.compute * computed + beyond[phase] * spent
        now = then
        written = writing & ~struck
        beside = np.where(written, advanced, np.where(computing & ~struck, beside, 0.0))
        saved[written] += 1.0
        booted = phase == DOWN
        fails[booted] = now[booted] + rules.mtbf * rng.standard_exponential(int(booted.sum()))
        phase = np.where(struck, DOWN, _NEXT[phase])
        done = saved == plan.segments
        energies[job[done]] = energy[done]
        rest = ~done
        job, now, energy, saved = job[rest], now[rest], energy[rest], saved[rest]
        beside, phase, fails = beside[rest], phase[rest], fails[rest]
    return energies


def simulate_energies(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
    overlap: float = 0.0,
    powers: Powers,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job that computes on beside its checkpoints; return its energies, [power time].

    Parameters
    ----------
    work, interval : float, [time]
        Failure-free compute time, and that of a segment; > 0.
    mtbf : float, [time]
        Mean uptime to the next failure, exponential; > 0, inf for no failures.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        To write a checkpoint, to read one back, and dead after each failure; >= 0.
    overlap : float, [-]
        Speed of computing while a checkpoint is written, over the usual one; in [0, 1].
    powers : Powers
        What the machine draws; with static power 1 alone, the energies are makespans.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [power time]
        Shape (replications,).

    Raises
    ------
    RuntimeError
        If a job does not end within ten million phases.

    Examples
    --------
    >>> energies = simulate_energies(
    ...     100.0, interval=10.0, mtbf=500.0, checkpoint_cost=1.0, overlap=0.5,
    ...     powers=Powers(static=1.0, compute=2.0, io=5.0), replications=1000, seed=1,
    ... )
    >>> energies.shape, float(energies.min())
    ((1000,), 355.5)
    """
    plan = Plan(work, interval, checkpoint_cost, recovery_cost, final_checkpoint=True)
    rules = _Rules(mtbf, downtime, overlap)
    return in_lockstep(
        lambda rng, count: play(rng, count, plan=plan, rules=rules, powers=powers),
        replications=replications,
        seed=seed,
    )
