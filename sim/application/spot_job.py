"""One job with a deadline on spot machines, with an on-demand machine behind them.

The rules, in words, are the whole specification:

- A spot machine can be had at the beginning. It works for a time after its start, then it is taken
  away; after a gap another one can be had. What was computed is kept.
- A start takes `start_time`, is paid for and brings no progress. A machine is not taken away while
  it starts, or it may be: then the time for which it can be had begins with its start.
- With a fall-back a spot machine is started only if the time left is at least the work left and two
  starts. A job without a machine goes on on-demand, to its end, as soon as the time left is not
  more than that, or is less when a machine is lost. Without a fall-back it waits for ever.

That is the safety net alone. With uniform progress the job also goes on-demand for a while:

- A job without a machine goes on-demand as soon as its progress is less than the share of the work
  that the share of the deadline passed asks for. It gives the on-demand machine back when its
  progress is what will be asked for two starts later, or as soon as a spot machine can be had.
- The safety net is below: where the time left is not more than the work left and two starts, the
  job stays on-demand, or goes there, to its end.

With the safety net alone all replications go from machine to machine side by side, one row of an
array each; with uniform progress they go one by one. Every replication plays recorded lives or gaps
from the first on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .._checks import check_fields, flag, nonnegative, one_of, positive
from ..samplers import Exponential, FloatArray, Recorded, Sampler
from ._arguments import sampler_or_list, unplayed
from ._replications import FAILURES_LIMIT, in_lockstep, never_ends

__all__ = ["SpotRule", "simulate_spot_jobs"]

SpotRule: TypeAlias = Literal["safety_net", "uniform_progress"]


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
    life, without = _from_the_first(job.life), _from_the_first(job.gap)
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
        had = _draw(life, rng, ~short)
        if not job.lost_while_starting:
            had = had + job.start_time
        held = np.where(short, 0.0, np.minimum(had, job.start_time + left))
        done = ~short & (held == job.start_time + left)
        gained = np.where(done, left, np.maximum(held - job.start_time, 0.0))
        now, spot, left, starts = now + held, spot + held, left - gained, starts + ~short
        # It was lost, unless the job is done.
        gap = _draw(without, rng, ~(done | short))
        spare = np.maximum(job.deadline - now - left - 2.0 * job.start_time, 0.0)
        dear = ~done & (short | (gap >= spare)) & job.fall_back
        now = now + np.where(done, 0.0, np.where(dear, np.where(short, 0.0, spare), gap))
        paid = np.where(dear, left + job.start_time, 0.0)
        over = done | dear
        record[row[over]] = np.column_stack((now + paid, spot, paid, starts))[over]
        rest = ~over
        row, now, spot, left, starts = row[rest], now[rest], spot[rest], left[rest], starts[rest]
    return record


def play_evenly(rng: np.random.Generator, count: int, *, job: SpotJob) -> FloatArray:
    """Play `count` jobs with uniform progress; return what `play` returns."""
    return np.array([_EvenRun(job).to_its_end(rng) for _ in range(count)])


class _EvenRun:
    """One job with uniform progress, from event to event."""

    def __init__(self, job: SpotJob) -> None:
        self._job = job
        self._now, self._left = 0.0, job.work
        self._spot = self._dear = 0.0
        self._starts = 0

    def to_its_end(self, rng: np.random.Generator) -> tuple[float, float, float, float]:
        """Return when it ends, time on spot machines and on demand, and spot machines started."""
        job = self._job
        life, gap = _from_the_first(job.life), _from_the_first(job.gap)
        one = np.ones(1, dtype=bool)
        for _ in range(FAILURES_LIMIT):
            if self._slack() < 0.0:
                self._on_demand_to_the_end()
                break
            had = float(_draw(life, rng, one)[0])
            if not job.lost_while_starting:
                had += job.start_time
            if self._on_spot(had) or self._without_spot(float(_draw(gap, rng, one)[0])):
                break
        else:
            raise never_ends()
        return self._now, self._spot, self._dear, float(self._starts)

    def _slack(self) -> float:
        return self._job.deadline - self._now - self._left - 2.0 * self._job.start_time

    def _on_spot(self, had: float) -> bool:
        """Work on a spot machine for as long as it can be had; return whether the job is done."""
        self._starts += 1
        needed = self._job.start_time + self._left
        held = min(had, needed)
        self._now += held
        self._spot += held
        if held == needed:
            return True
        self._left -= max(held - self._job.start_time, 0.0)
        return False

    def _without_spot(self, gap: float) -> bool:
        """Wait, or work on demand, until a spot machine can be had; return whether it is done."""
        job, end = self._job, self._now + gap
        while True:
            done = job.work - self._left
            behind = max(self._now, done * job.deadline / job.work)
            last = self._now + max(self._slack(), 0.0)
            if min(behind, last) >= end:
                self._now = end
                return False
            if last <= behind:
                self._now = last
                self._on_demand_to_the_end()
                return True
            self._now = behind
            if self._on_demand_until(end):
                return True

    def _on_demand_until(self, end: float) -> bool:
        """Work on demand until it is ahead, done, or `end`; return whether the job is done."""
        job, start = self._job, self._job.start_time
        works = self._now + start
        slope = job.work / job.deadline
        done = job.work - self._left
        ahead = np.inf
        if slope < 1.0:
            ahead = (works - done + 2.0 * start * slope) / (1.0 - slope)
        until = min(end, max(ahead, works), works + self._left)
        self._dear += until - self._now
        self._now = until
        self._left -= max(until - works, 0.0)
        if until == works + (job.work - done):
            self._left = 0.0
            return True
        if until == end and self._slack() < 0.0:
            # It keeps the machine that it has.
            rest = self._left + max(works - until, 0.0)
            self._dear += rest
            self._now += rest
            return True
        return False

    def _on_demand_to_the_end(self) -> None:
        rest = self._left + self._job.start_time
        self._dear += rest
        self._now += rest
        self._left = 0.0


def _from_the_first(law: Sampler) -> Sampler:
    return law.rewound() if isinstance(law, Recorded) else law


def _draw(law: Sampler, rng: np.random.Generator, needed: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the next duration of each row; rows that are side by side are as far in a list."""
    if isinstance(law, Exponential):
        return law.mean * rng.standard_exponential(needed.size)
    if isinstance(law, Recorded):
        # What no row needs is not read: a list may be as short as the replication.
        return np.full(needed.size, law.sample(rng) if needed.any() else 0.0)
    return np.array([law.sample(rng) for _ in range(needed.size)])


def simulate_spot_jobs(
    work: float,
    *,
    deadline: float,
    spot_life: Sampler | npt.ArrayLike,
    spot_gap: Sampler | npt.ArrayLike,
    start_time: float = 0.0,
    fall_back: bool = True,
    lost_while_starting: bool = False,
    rule: SpotRule = "safety_net",
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job on spot machines `replications` times; return when it ends and what it used.

    Parameters
    ----------
    work, deadline : float, [time]
        What there is to do, and by when; > 0.
    spot_life, spot_gap : sampler or list of float, [time]
        For how long spot machines can be had, and then cannot. A list is played in order, by every
        replication from its beginning; two lists make all replications the same.
    start_time : float, [time]
        To start a machine of either kind; >= 0.
    fall_back : bool
        Whether there is an on-demand machine.
    lost_while_starting : bool
        Whether a machine may be taken away while it starts.
    rule : {"safety_net", "uniform_progress"}
        When the job goes on-demand; uniform progress needs a fall-back.
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
    RuntimeError
        If a job does not end within ten million machines, or needs more than a list has.

    Examples
    --------
    >>> from sim.samplers import Exponential
    >>> jobs = simulate_spot_jobs(
    ...     24.0, deadline=36.0, spot_life=Exponential(6.0), spot_gap=Exponential(2.0),
    ...     start_time=0.2, replications=1000, seed=1,
    ... )
    >>> jobs.shape, bool((jobs[:, 0] <= 36.0).all())
    ((1000, 4), True)

    The record of one machine, from its first life on:

    >>> simulate_spot_jobs(
    ...     10.0, deadline=20.0, spot_life=[4.0, 7.0], spot_gap=[2.0], replications=1, seed=1
    ... ).tolist()
    [[12.0, 10.0, 0.0, 2.0]]
    """
    life = unplayed(sampler_or_list("spot_life", spot_life))
    gap = unplayed(sampler_or_list("spot_gap", spot_gap))
    job = SpotJob(work, deadline, life, gap, start_time, fall_back, lost_while_starting)
    even = one_of("rule", rule, ("safety_net", "uniform_progress")) == "uniform_progress"
    if even and not fall_back:
        raise ValueError("fall_back must be True with uniform progress, got False")
    played = play_evenly if even else play
    return in_lockstep(
        lambda rng, count: played(rng, count, job=job), replications=replications, seed=seed
    )
