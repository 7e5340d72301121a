r"""Makespan of one job whose checkpoints are durable some time after the job has gone on.

A job computes for `interval`, copies its state in `checkpoint_cost`, during which it stands still,
and computes on while the snapshot drains; the snapshot is durable `latency` after the end of the
copy. A failure destroys everything that is not durable, the snapshot in flight among it; after
`downtime` and `recovery_cost` the job goes on from the last durable snapshot, or from the input,
with nothing in flight. The job ends when its last snapshot is durable. While a snapshot drains,
computing advances at the rate 1 - `slowdown`; copying takes as long as ever.

`in_flight` is the rule for a snapshot that falls due while the previous one still drains:

- ``overlap``: it is copied, into a second buffer; its drain waits until the first has ended.
- ``single_buffer``: the job waits until the buffer is free, then copies.
- ``skip``: the job goes on without a checkpoint; at the end of its work it waits, then copies.

Failures strike at any time but during downtime, with one clock for work, copy and drain. Two states
renew the process. *Cold*, at the start and after a recovery, it takes w + C + l without a failure
to the next durable snapshot; *warm*, at the instant when one has become durable, x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    BoolArray,
    FloatArray,
    answer,
    broadcast,
    fraction,
    nonnegative,
    shown,
)
from .._ranges import FULL_ASYNC, JOB_ASYNC
from .._special import multiply, truncated_exponential_mean, truncated_exponential_variance
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from .exact import time_lost
from .segments import Job, checked_job

InFlight: TypeAlias = Literal["overlap", "single_buffer", "skip"]

_MOST_SKIPPED = 1_000_000  # segments that are followed one by one


@dataclass(frozen=True, slots=True)
class AsyncJob:
    """A job with asynchronous checkpoints; arrays of one shape.

    Parameters
    ----------
    job : Job
        Its segments, and the costs that synchronous checkpoints have as well.
    latency : ndarray, [time]
        From the end of a copy to the instant at which the snapshot is durable.
    slowdown : ndarray, [-]
        Share of computing that is lost while a snapshot drains.
    in_flight : {"overlap", "single_buffer", "skip"}
        The rule.
    """

    job: Job
    latency: FloatArray
    slowdown: FloatArray
    in_flight: InFlight

    def slowed(self, work: FloatArray) -> FloatArray:
        """Return how long a drain is that computes `work` beside it, at most all of it, [time]."""
        with np.errstate(divide="ignore"):
            return np.minimum(self.latency, work / (1.0 - self.slowdown))

    def spacing(self, work: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return x, from one durable snapshot to the next if nothing fails, and w + C + l - x.

        `work` lies between the two, in one segment; [time].
        """
        beside, cost, latency = self.slowed(work), self.job.checkpoint_cost, self.latency
        span = work + self.slowdown * beside
        if self.in_flight == "overlap":
            gap = np.minimum(latency - self.slowdown * beside, work + cost)
            return np.maximum(span + cost, latency), gap
        gap = np.minimum(latency - self.slowdown * beside, work)
        return np.maximum(span, latency) + cost, gap

    @property
    def skips(self) -> BoolArray:
        """Where a snapshot may be skipped for another."""
        short = (1.0 - self.slowdown) * self.latency > self.job.segment
        return short & (self.job.whole > 0.0) & (self.in_flight == "skip")


@dataclass(frozen=True, slots=True)
class SkippingChain:
    """The snapshots of one job that skips some, known by the segments that they hold.

    Parameters
    ----------
    count : int, [-]
        K, all segments.
    stride : int, [-]
        Segments from one durable snapshot to the next where nothing fails, while so many are left.
    spacing : ndarray, [time]
        From the instant at which snapshot j = 1 ... K - 1 is durable to the next, likewise.
    busy : ndarray, [time]
        The same from a cold start, of a whole segment and of the last.
    """

    count: int
    stride: int
    spacing: FloatArray
    busy: FloatArray


def checked_in_flight(in_flight: InFlight) -> InFlight:
    """Return the rule, or raise if it is not one."""
    if in_flight not in get_args(InFlight):
        choices = ", ".join(f"'{name}'" for name in get_args(InFlight))
        raise ValueError(f"in_flight must be one of {choices}, got {shown(in_flight)}")
    return in_flight


def checked_async_job(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike | Lifetime,
    slowdown: ArrayLike,
    in_flight: InFlight,
) -> AsyncJob:
    """Check the arguments of a job with asynchronous checkpoints and cut its work into segments."""
    rule = checked_in_flight(in_flight)
    drain, share = nonnegative("latency", latency), fraction("slowdown", slowdown)
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=True,
    )
    if np.any((np.asarray(interval) == 0.0) & (drain > 0.0)):
        raise ValueError(
            "interval must be > 0, got 0.0: snapshots that drain cannot be written all the time"
        )
    names = (
        "work",
        "mtbf",
        "recovery_cost",
        "downtime",
        "downtime_variance",
        "whole",
        "segment",
        "last",
        "checkpoint_cost",
        "last_cost",
    )
    arrays = broadcast(
        **{name: getattr(job, name) for name in names}, latency=drain, slowdown=share
    )
    return AsyncJob(Job(*arrays[:-2]), arrays[-2], arrays[-1], rule)


def expected_makespan_async(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    slowdown: ArrayLike = 0.0,
    in_flight: InFlight = "overlap",
) -> FloatArray:
    r"""Mean wall time of a job whose snapshots are durable `latency` after they were copied.

    .. math::
        E[T] &= e^{R/\mu} (\mu + D) \left[e^{b_1/\mu} - 1
                + \sum_{k=2}^{K} e^{b_k/\mu} \left(1 - e^{-x_k/\mu}\right)\right] \\
        b_k &= w_k + C + l

    with K = ceil(W/w), w_k = w but for the last segment, which has the work that is left, and x_k
    the time from one durable snapshot to the next if nothing fails: max(w_k + C, l) for
    ``overlap``, max(w_k, l) + C for ``single_buffer``. With a slowdown s, computing w_k takes
    w_k + s min(l, w_k/(1 - s)) there.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free and have no latency.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, the copy for which the job stands still; >= 0.
    latency : array_like, [time]
        l, from the end of the copy to the instant at which the snapshot is durable; >= 0.
    recovery_cost : array_like, [time]
        R, from the end of a downtime until the job computes again; >= 0.
    downtime : array_like or Lifetime, [time]
        D, fixed and >= 0, or a law of which the mean enters.
    slowdown : array_like, [-]
        s, share of computing that is lost while a snapshot drains; >= 0 and <= 1.
    in_flight : {"overlap", "single_buffer", "skip"}, [-]
        The rule for a snapshot that falls due while the previous one drains.

    Returns
    -------
    ndarray, [time]
        Shape: all numbers broadcast together. Overflow gives inf.

    Raises
    ------
    ValueError
        For ``skip`` with more than 1e6 segments where it acts.

    Notes
    -----
    Exact: holds for any ratio of its arguments. Exponential uptimes only. Without latency it is
    `expected_makespan`. ``skip`` has no closed form where it acts, where l (1 - s) > w: there the
    mean follows from the renewal equations of the durable snapshots, solved one by one from the
    last, in a time that grows with K. It may fall when l rises, as fewer copies are made.
    Source: derived in tests/derivations/test_asynchronous.py. That a latency differs from a cost
    is the point of [1]_, which was not seen; no published form of the mean was seen either.

    Judged for slowdown 0 to 1, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] N. H. Vaidya, "Impact of checkpoint latency on overhead ratio of a checkpointing scheme",
       IEEE Transactions on Computers 46, 1997.

    Examples
    --------
    >>> job = dict(interval=2.25, mtbf=10.0, checkpoint_cost=0.05, recovery_cost=0.4, downtime=0.5)
    >>> round(float(expected_makespan_async(67.5, **job, latency=1.5)), 10)
    100.2728744042
    """
    job = checked_async_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        latency=latency,
        recovery_cost=recovery_cost,
        downtime=downtime,
        slowdown=slowdown,
        in_flight=in_flight,
    )
    found = _by_renewal(job, _mean(job), of=0)
    given = (work, interval, mtbf, checkpoint_cost, latency, recovery_cost, downtime, slowdown)
    return answer(found, *given)


def makespan_variance_async(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    slowdown: ArrayLike = 0.0,
    in_flight: InFlight = "overlap",
) -> FloatArray:
    r"""Variance of the wall time of a job whose snapshots are durable `latency` after their copy.

    .. math::
        V[T] &= V[B_1] + \sum_{k=2}^{K} q_k (V[X_k] + V[Y] + V[B_k])
                + p_k q_k (E[X_k] + E[Y] + E[B_k] - x_k)^2 \\
        p_k &= e^{-x_k/\mu}, \quad q_k = 1 - p_k

    B_k is the time to make the k-th snapshot durable from a cold start, of which the mean and the
    variance are those of a synchronous segment that is busy for w_k + C + l; X_k is an uptime given
    that it is shorter than x_k; Y is the time from a failure to the end of the recovery.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free and have no latency.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, the copy for which the job stands still; >= 0.
    latency : array_like, [time]
        l, from the end of the copy to the instant at which the snapshot is durable; >= 0.
    recovery_cost : array_like, [time]
        R, from the end of a downtime until the job computes again; >= 0.
    downtime : array_like or Lifetime, [time]
        D, fixed and >= 0, or a law of which mean and variance enter.
    slowdown : array_like, [-]
        s, share of computing that is lost while a snapshot drains; >= 0 and <= 1.
    in_flight : {"overlap", "single_buffer", "skip"}, [-]
        The rule for a snapshot that falls due while the previous one drains.

    Returns
    -------
    ndarray, [time^2]
        Shape: all numbers broadcast together. Overflow gives inf, and so does a downtime without
        a finite variance.

    Raises
    ------
    ValueError
        For ``skip`` with more than 1e6 segments where it acts.

    Notes
    -----
    Exact, as `expected_makespan_async`, and for ``skip`` by the same renewal equations. Without
    latency it is `makespan_variance`.
    Source: derived in tests/derivations/test_asynchronous.py; no published form was seen. The
    latency is that of [1]_, which was not seen.

    Judged for slowdown 0 to 1, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] N. H. Vaidya, "Impact of checkpoint latency on overhead ratio of a checkpointing scheme",
       IEEE Transactions on Computers 46, 1997.

    Examples
    --------
    >>> job = dict(interval=2.25, mtbf=10.0, checkpoint_cost=0.05, recovery_cost=0.4, downtime=0.5)
    >>> round(float(makespan_variance_async(67.5, **job, latency=1.5)), 8)
    149.6317917
    """
    job = checked_async_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        latency=latency,
        recovery_cost=recovery_cost,
        downtime=downtime,
        slowdown=slowdown,
        in_flight=in_flight,
    )
    variance = _by_renewal(job, _variance(job), of=1)
    never = np.isinf(job.job.mtbf) | np.isfinite(job.job.downtime_variance)
    found = np.where(never, variance, np.inf)
    given = (work, interval, mtbf, checkpoint_cost, latency, recovery_cost, downtime, slowdown)
    return answer(found, *given)


def _mean(job: AsyncJob) -> FloatArray:
    """Return the mean where each snapshot follows the last in a segment, [time]."""
    base = job.job
    with np.errstate(over="ignore", invalid="ignore"):
        longer = np.exp(base.recovery_cost / base.mtbf) * (1.0 + base.downtime / base.mtbf)

        def segment(work: FloatArray, cost: FloatArray) -> FloatArray:
            # mu e^b (1 - e^-x) is mu (e^x - 1) e^(b - x), in units of mu.
            del cost
            spacing, gap = job.spacing(work)
            later = np.exp(gap / base.mtbf)
            return later * (longer * (spacing * special.exprel(spacing / base.mtbf)))

        _, gap = job.spacing(np.where(base.whole > 0.0, base.segment, base.last))
        # What the first snapshot takes beyond a later one, from a cold start: nothing drains yet.
        first = multiply(gap * special.exprel(gap / base.mtbf), longer)
        return np.asarray(base.sum(segment) + first)


def _variance(job: AsyncJob) -> FloatArray:
    """Return the variance where each snapshot follows the last in a segment, [time^2]."""
    base = job.job
    repair, repair_variance = _repair(base)

    def segment(work: FloatArray, cost: FloatArray) -> FloatArray:
        spacing, gap = job.spacing(work)
        lost, cold = time_lost(work + cost + job.latency, repair, repair_variance, base.mtbf)
        x = np.minimum(spacing / base.mtbf, 1e6)
        struck = -np.expm1(-x)
        mean = spacing * truncated_exponential_mean(x) + repair + lost + gap
        scatter = spacing**2 * truncated_exponential_variance(x) + repair_variance + cold
        between = multiply(np.exp(-0.5 * x) * np.sqrt(struck), mean) ** 2
        return np.asarray(multiply(struck, scatter) + between)

    # The sum counts the first snapshot as warm.
    work = np.where(base.whole > 0.0, base.segment, base.last)
    busy = work + base.checkpoint_cost + job.latency
    with np.errstate(over="ignore", invalid="ignore"):
        _, cold = time_lost(busy, repair, repair_variance, base.mtbf)
        whole = np.maximum(base.whole - 1.0, 0.0)
        one = segment(base.segment, base.checkpoint_cost)
        last = segment(base.last, base.last_cost)
        later = np.where(one > 0.0, multiply(whole, one), 0.0)
        return np.asarray(cold + later + np.where(base.whole > 0.0, last, 0.0))


def _repair(job: Job) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of the time from a failure to the end of the recovery."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean, variance = time_lost(job.recovery_cost, job.downtime, job.downtime_variance, job.mtbf)
        return job.downtime + mean + job.recovery_cost, job.downtime_variance + variance


def _by_renewal(job: AsyncJob, closed: FloatArray, *, of: Literal[0, 1]) -> FloatArray:
    """Return mean or variance (`of` 0 or 1): where snapshots are skipped not the closed form."""
    skips, base = job.skips, job.job
    if not skips.any():
        return closed
    most = np.max(base.whole[skips]) + 1.0
    if most > _MOST_SKIPPED:
        raise ValueError(
            f"work must be at most {_MOST_SKIPPED} intervals where snapshots are skipped, "
            f"got {most:g}"
        )
    found = closed.copy()
    repairs = _repair(base)
    for place in np.ndindex(found.shape):
        if skips[place]:
            found[place] = _chain(job, place, repairs)[of]
    return found


def skipping_chain(job: AsyncJob, place: tuple[int, ...] = ()) -> SkippingChain:
    """Return the chain of the durable snapshots of one job that skips others."""
    base = job.job
    numbers = (base.segment, base.last, base.checkpoint_cost, job.latency, job.slowdown)
    w, last, cost, latency, slowdown = (float(array[place]) for array in numbers)
    count = int(base.whole[place]) + 1
    # Segments to the first boundary at which the buffer is free; an exact tie is free.
    with np.errstate(over="ignore"):
        drain = (1.0 - slowdown) * latency / np.float64(w) * (1.0 - 2.0**-48)
    stride = math.ceil(min(drain, float(count)))
    warm = np.arange(1, count)
    left = (count - 1.0 - warm) * w + last
    work = np.where(warm + stride >= count, left, stride * w)
    beside = latency if slowdown == 1.0 else np.minimum(latency, work / (1.0 - slowdown))
    spacing = np.maximum(work + slowdown * beside, latency) + cost
    return SkippingChain(count, stride, spacing, np.array([w, last]) + cost + latency)


def _chain(
    job: AsyncJob, place: tuple[int, ...], repairs: tuple[FloatArray, FloatArray]
) -> tuple[float, float]:
    """Return mean and variance of one job that skips snapshots, from the last one backwards."""
    chain = skipping_chain(job, place)
    count, x, busy = chain.count, chain.spacing, chain.busy
    mtbf = float(job.job.mtbf[place])
    repair, repair_variance = (np.asarray(array[place]) for array in repairs)
    warm = np.arange(1, count)
    with np.errstate(over="ignore"):
        y = np.minimum(x / mtbf, 1e6)
    mu = np.asarray(mtbf)
    own = np.where(warm < count - 1, 0, 1)  # the segment after a failure: whole, or the last
    with np.errstate(over="ignore", invalid="ignore"):
        lost, cold = time_lost(busy, repair, repair_variance, mu)
        again = x * truncated_exponential_mean(y) + repair + (busy + lost)[own]
        scatter = x**2 * truncated_exponential_variance(y) + repair_variance + cold[own]
    kept = np.exp(-y)
    steps = [array.tolist() for array in (x, kept, -np.expm1(-y), again, scatter)]
    target = np.minimum(warm + chain.stride, count).tolist()
    mean, variance = [0.0] * (count + 1), [0.0] * (count + 1)
    for j in range(count - 1, 0, -1):
        span, p, q, retry, spread = (column[j - 1] for column in steps)
        on, off = target[j - 1], j + 1
        good, bad = span + mean[on], retry + mean[off]
        apart = bad - good
        mean[j] = _mixed(p, good, q, bad)
        between = p * q * apart * apart if p * q > 0.0 else 0.0
        variance[j] = _mixed(p, variance[on], q, spread + variance[off]) + between
    first = 0 if count > 1 else 1
    total = float((busy + lost)[first]) + mean[1]
    scattered = float(cold[first]) + variance[1] if total < math.inf else math.inf
    return total, scattered


def _mixed(p: float, good: float, q: float, bad: float) -> float:
    """Return p good + q bad, where what never happens may be infinite."""
    return (p * good if p > 0.0 else 0.0) + (q * bad if q > 0.0 else 0.0)


ROWS = (
    Formula(
        expected_makespan_async,
        "derived",
        "Markov renewal",
        "exact",
        ranges=FULL_ASYNC,
        domain=JOB_ASYNC,
        trend=Trend(
            # With "skip" fewer snapshots are taken, at other places, as drains take longer.
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime"),
            falling=("mtbf",),
        ),
    ),
    Formula(
        makespan_variance_async,
        "derived",
        "Markov renewal",
        "exact",
        ranges=FULL_ASYNC,
        domain=JOB_ASYNC,
        trend=Trend(
            rising=("checkpoint_cost", "recovery_cost", "downtime"),
            falling=("mtbf",),
        ),
    ),
)
