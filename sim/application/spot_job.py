"""One job with a deadline on spot machines, with an on-demand machine behind them.

The rules, in words, are the whole specification:

- A spot machine can be had at the beginning. It works for a time after its start, then it is taken
  away; after a gap another one can be had. What was computed is kept.
- A start takes `start_time`, is paid for and brings no progress. A machine is not taken away while
  it starts, or it may be: then the time for which it can be had begins with its start.
- With a fall-back a spot machine is started only if the time left is at least the work left and two
  starts. A job without a machine goes on on-demand, to its end, as soon as the time left is not
  more than that, or is less when a machine is lost. Without a fall-back it waits for ever.

All replications go from machine to machine side by side, one row of an array each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import check_fields, flag, nonnegative, positive
from ..samplers import Exponential, FloatArray, Sampler
from ._arguments import sampler_or_list, unplayed
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["simulate_spot_jobs"]


@dataclass(frozen=True, slots=True)
class SpotJob:
    """A job, its deadline, and the machines.

    Parameters
    ----------
    work, deadline : float, [time]
        What there is to do, and by when; > 0.
    life, gap : Sampler
        For how long spot machines can be had, and then cannot, [time].
    start_time : float, [time]
        To start a machine; >= 0.
    fall_back : bool
        Whether there is an on-demand machine.
    lost_while_starting : bool
        Whether a machine may be taken away while it starts.
    """

    work: float
    deadline: float
    life: Sampler
    gap: Sampler
    start_time: float
    fall_back: bool
    lost_while_starting: bool

    def __post_init__(self) -> None:
        check_fields(self, positive, "work", "deadline")
        check_fields(self, nonnegative, "start_time")
        check_fields(self, flag, "fall_back", "lost_while_starting")


def play(rng: np.random.Generator, count: int, *, job: SpotJob) -> FloatArray:
    """Play `count` jobs to their ends; return finish, spot time, on-demand time and spot starts."""
    record = np.zeros((count, 4))
    row = np.arange(count)  # whose rows these are
    now, spot, starts = np.zeros(count), np.zeros(count), np.zeros(count)
    left = np.full(count, job.work)
    steps = 0
    while row.size:
        steps += 1
        if steps > FAILURES_LIMIT:
            raise never_ends()
        # A spot machine can be had.
        spare = job.deadline - now - left - 2.0 * job.start_time
        short = (spare < 0.0) & job.fall_back
        had = _draw(job.life, rng, row.size)
        if not job.lost_while_starting:
            had = had + job.start_time
        held = np.where(short, 0.0, np.minimum(had, job.start_time + left))
        done = ~short & (held == job.start_time + left)
        gained = np.where(done, left, np.maximum(held - job.start_time, 0.0))
        now, spot, left, starts = now + held, spot + held, left - gained, starts + ~short
        # It was lost, unless the job is done.
        gap = _draw(job.gap, rng, row.size)
        spare = np.maximum(job.deadline - now - left - 2.0 * job.start_time, 0.0)
        dear = ~done & (short | (gap >= spare)) & job.fall_back
        now = now + np.where(done, 0.0, np.where(dear, np.where(short, 0.0, spare), gap))
        paid = np.where(dear, left + job.start_time, 0.0)
        over = done | dear
        record[row[over]] = np.column_stack((now + paid, spot, paid, starts))[over]
        rest = ~over
        row, now, spot, left, starts = row[rest], now[rest], spot[rest], left[rest], starts[rest]
    return record


def _draw(law: Sampler, rng: np.random.Generator, count: int) -> FloatArray:
    if isinstance(law, Exponential):
        return law.mean * rng.standard_exponential(count)
    return np.array([law.sample(rng) for _ in range(count)])


def simulate_spot_jobs(
    work: float,
    *,
    deadline: float,
    spot_life: Sampler,
    spot_gap: Sampler,
    start_time: float = 0.0,
    fall_back: bool = True,
    lost_while_starting: bool = False,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job on spot machines `replications` times; return when it ends and what it used.

    Parameters
    ----------
    work, deadline : float, [time]
        What there is to do, and by when; > 0.
    spot_life, spot_gap : sampler or list of float, [time]
        For how long spot machines can be had, and then cannot.
    start_time : float, [time]
        To start a machine of either kind; >= 0.
    fall_back : bool
        Whether there is an on-demand machine.
    lost_while_starting : bool
        Whether a machine may be taken away while it starts.
    replications : int
        How many; >= 1.
    seed : int
        Same seed, same bytes; more replications only append; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications, 4): end of the job, time on spot machines and on demand, starts
        included, and how many spot machines were started, [-].

    Raises
    ------
    ValueError
        If a number is outside the range given above.
    TypeError
        If an argument is not of the kind given above.
    RuntimeError
        If a job does not end within ten million machines.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> jobs = simulate_spot_jobs(
    ...     24.0, deadline=36.0, spot_life=Exponential(6.0), spot_gap=Exponential(2.0),
    ...     start_time=0.2, replications=1000, seed=1,
    ... )
    >>> jobs.shape, bool((jobs[:, 0] <= 36.0).all())
    ((1000, 4), True)
    """
    life = unplayed(sampler_or_list("spot_life", spot_life))
    gap = unplayed(sampler_or_list("spot_gap", spot_gap))
    job = SpotJob(work, deadline, life, gap, start_time, fall_back, lost_while_starting)
    return in_lockstep(
        lambda rng, count: play(rng, count, job=job), replications=replications, seed=seed
    )
