"""One job on a machine that ages, whose checkpoints follow a plan that is made anew after failures.

The rules, in words, are the whole specification:

- The machine is new when the job starts and after each repair. An uptime ends in a failure, which
  strikes compute, checkpoint and recovery; `downtime` follows, then the next uptime.
- The first uptime begins with work, every other one with `recovery_cost`. Then work of the first
  interval of the plan and a checkpoint follow, then of the second, to the end of the work.
- A failure loses what was done since the last complete checkpoint. The plan for the rest is then
  asked for by the work that is left.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import nonnegative, positive, shown
from ...samplers import FloatArray, Sampler, as_sampler
from .._arguments import only_sampler, unplayed
from .._replications import drawn_downtime, replicate

Plan: TypeAlias = Callable[[float], npt.ArrayLike]

_BLOCK = 256  # jobs that share a stream
_WHOLE = 1e-9  # of the work: intervals add up to it but for rounding


def simulate_planned_makespans(
    intervals: npt.ArrayLike,
    after_failure: Plan,
    *,
    uptime: Sampler,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: Sampler | float = 0.0,
    replications: int,
    seed: int,
) -> FloatArray:
    """Play a job that follows a plan `replications` times; return the makespans, [time].

    Parameters
    ----------
    intervals : array_like, [time]
        Work between two checkpoints from the start of the job on; shape (n,), > 0. Their sum is
        the work of the job.
    after_failure : callable
        ``after_failure(work_left)`` returns the intervals for the work left [time], shape (n,),
        > 0; they add up to it.
    uptime : Sampler, [time]
        Law of the uptimes; every replication plays its own copy.
    checkpoint_cost, recovery_cost : float, [time]
        To write a checkpoint, also the last one, and to read one back; >= 0.
    downtime : Sampler or float, [time]
        After each failure; >= 0.
    replications : int
        How many jobs; >= 1.
    seed : int
        Same seed, same bytes; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape (replications,).

    Raises
    ------
    ValueError
        If a plan does not add up to the work left.
    RuntimeError
        If a job has ten million failures.

    Examples
    --------
    >>> from sim.samplers import Deterministic
    >>> simulate_planned_makespans(
    ...     [2.0, 3.0], lambda left: [left], uptime=Deterministic(7.0), checkpoint_cost=0.5,
    ...     recovery_cost=1.0, downtime=0.25, replications=2, seed=1,
    ... ).tolist()
    [6.0, 6.0]
    """
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    recovery = nonnegative("recovery_cost", recovery_cost)
    law, down = unplayed(only_sampler("uptime", uptime)), as_sampler("downtime", downtime)
    start = _Uptime(_checked(intervals, None), 0.0, cost)
    plans: dict[float, _Uptime] = {}

    def planned(left: float) -> _Uptime:
        if left not in plans:
            plans[left] = _Uptime(_checked(after_failure(left), left), recovery, cost)
        return plans[left]

    def play(rng: np.random.Generator) -> float:
        uptimes, repairs = unplayed(law), unplayed(down)
        now, failures = 0.0, 0
        course = start
        while True:
            fails = uptimes.sample(rng)
            done = bisect_left(course.ends, fails)
            if done == len(course.ends):
                return now + course.ends[-1]
            failures += 1
            now += fails + drawn_downtime(repairs, rng, failures)
            if done or not course.begins:
                course = planned(course.left(done))

    return replicate(play, replications=replications, seed=seed, block=_BLOCK)


class _Uptime:
    """What an uptime does by a plan: thousands of jobs ask for the same few."""

    def __init__(self, works: FloatArray, begins: float, cost: float) -> None:
        self._works, self.begins = works, begins
        self.ends: list[float] = (begins + np.cumsum(works + cost)).tolist()
        self._left: dict[int, float] = {}

    def left(self, done: int) -> float:
        """Return the work left after `done` checkpoints, [time]."""
        if done not in self._left:
            self._left[done] = float(np.sum(self._works[done:]))
        return self._left[done]


def _checked(intervals: npt.ArrayLike, left: float | None) -> FloatArray:
    works = np.array([positive("intervals", float(w)) for w in np.atleast_1d(intervals)])
    if left is not None and not abs(float(works.sum()) - left) <= _WHOLE * left:
        raise ValueError(
            f"after_failure must return intervals that add up to the work left, {left!r}, got "
            f"{shown(works.tolist())}"
        )
    return works
