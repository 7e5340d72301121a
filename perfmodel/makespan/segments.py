"""How work is cut into segments, and the checked arguments of a job with checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    broadcast,
    flag,
    nonnegative,
    nonnegative_or_inf,
    positive,
    positive_or_inf,
)
from .._special import multiply
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import moments

_DUST = 2.0**-48  # 16 times the spacing of floats: what eight roundings of a ratio leave
_ENDLESS = 2.0**-1000  # of the work: the length that segments of length 0 are given


def split(work: FloatArray, interval: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how many whole segments come before the last, their length, and the last's.

    A remainder below 2^-48 (3.6e-15) of the work is rounding of work/interval and is not a
    segment, so that 100 cut by 100/30 is 30 segments and not 31. The last is never longer than
    the others: of the work, only that remainder may be missing.
    """
    with np.errstate(over="ignore"):
        ratio = work / interval
    # Beyond 2^48 segments every remainder counts as rounding, and a difference has no digits.
    few = ratio < 1.0 / _DUST
    whole = np.maximum(np.ceil(ratio * np.where(few, 1.0 - _DUST, 1.0)) - 1.0, 0.0)
    segment = np.minimum(interval, work)
    with np.errstate(over="ignore", invalid="ignore"):
        last = np.where(few, np.minimum(work - whole * segment, segment), segment)
    return whole, segment, last


@dataclass(frozen=True, slots=True)
class Job:
    """A checkpointed job cut into `whole` equal segments and a last one; arrays broadcast.

    Parameters
    ----------
    work, mtbf, recovery_cost, downtime : ndarray, [time]
        As the public functions take them; `downtime` is the mean, `mtbf` may be inf.
    downtime_variance : ndarray, [time^2]
        0 for a fixed downtime.
    whole : ndarray, [-]
        Number of segments before the last.
    segment, last : ndarray, [time]
        Work of each of these, and of the last.
    checkpoint_cost, last_cost : ndarray, [time]
        Cost after each of these, and after the last.
    """

    work: FloatArray
    mtbf: FloatArray
    recovery_cost: FloatArray
    downtime: FloatArray
    downtime_variance: FloatArray
    whole: FloatArray
    segment: FloatArray
    last: FloatArray
    checkpoint_cost: FloatArray
    last_cost: FloatArray

    def sum(self, piece: Callable[[FloatArray, FloatArray], FloatArray]) -> FloatArray:
        """Add up `piece(work, checkpoint cost)` over the segments; overflow gives inf."""
        with np.errstate(over="ignore", invalid="ignore"):
            one = piece(self.segment, self.checkpoint_cost)
            before = np.where(one > 0.0, multiply(self.whole, one), 0.0)
            return np.asarray(before + piece(self.last, self.last_cost))


def checked_job(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike | Lifetime,
    final_checkpoint: bool,
) -> Job:
    """Check the arguments of a checkpointed job and cut its work into segments."""
    mean, variance = moments("downtime", downtime)
    cost = nonnegative("checkpoint_cost", checkpoint_cost)
    w_total, w, mu, c, r, d = broadcast(
        work=positive("work", work),
        interval=checked_interval(interval, cost),
        mtbf=positive_or_inf("mtbf", mtbf),
        checkpoint_cost=cost,
        recovery_cost=nonnegative("recovery_cost", recovery_cost),
        downtime=mean,
    )
    # Free checkpoints may be written all the time: the limit of short segments.
    w = np.where(w > 0.0, w, np.maximum(_ENDLESS * w_total, np.finfo(np.float64).tiny))
    whole, segment, last = split(w_total, w)
    # Nothing fails, so that an endless downtime never comes.
    d = np.where(np.isinf(mu) & np.isinf(d), 0.0, d)
    last_cost = c if flag("final_checkpoint", final_checkpoint) else np.zeros_like(c)
    return Job(w_total, mu, r, d, variance, whole, segment, last, c, last_cost)


def checked_interval(interval: ArrayLike, cost: FloatArray) -> FloatArray:
    """Return the interval, which may be 0 where checkpoints are free, and inf for none."""
    try:
        return positive_or_inf("interval", interval)
    except ValueError:
        array = nonnegative_or_inf("interval", interval)
        if np.any((array == 0.0) & (cost > 0.0)):
            raise ValueError(
                "interval must be > 0, got 0.0: only free checkpoints can be written all the time"
            ) from None
        return array
