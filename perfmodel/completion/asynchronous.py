r"""The exact distribution of the makespan of a job with asynchronous checkpoints.

The job is that of `perfmodel.makespan.asynchronous`. From a cold start the next durable snapshot
takes w + C + l without a failure; once it is durable, the one after it takes x, or a failure, a
repair and a cold start. The times from snapshot to snapshot are independent.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._ranges import LAW_OF_ASYNC
from .._special import power_of_two
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..makespan import expected_makespan_async, makespan_variance_async
from ..makespan.asynchronous import AsyncJob, InFlight, checked_async_job, skipping_chain
from ._async_process import AbstractAsyncProcess, AsyncProcess, Warm
from ._closed_moments import ENDLESS, mean_and_std
from ._skipping_process import SkippingProcess
from .exact import exact_makespan
from .law import (
    CertainCompletionTime,
    InvertedCompletionTime,
    NeverCompletionTime,
)
from .repairs import Repair, repair_of

_MOST_SEGMENTS = 2.0**52
# Where snapshots are skipped: segments, and those beside one drain, which take 10 s.
_MOST_SKIPPED, _LONGEST_DRAIN = 10_000, 250


def exact_makespan_async(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    latency: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
    slowdown: float = 0.0,
    in_flight: InFlight = "overlap",
) -> InvertedCompletionTime | NeverCompletionTime | CertainCompletionTime:
    r"""Distribution of the wall time of a job whose snapshots are durable after a latency.

    .. math::
        \phi_b(s) &= \frac{e^{-(\lambda+s)b}}{1 - f_b(s) \rho(s)}, \quad
        f_x(s) = \frac{\lambda}{\lambda+s} \left(1 - e^{-(\lambda+s)x}\right) \\
        E[e^{-sT}] &= \phi_{b_1}(s) \prod_{k=2}^{K} \left(e^{-(\lambda+s)x_k}
                      + f_{x_k}(s) \rho(s) \phi_{b_k}(s)\right)

    with lambda = 1/mtbf, rho the transform of downtime and recovery as in `exact_makespan`, and b_k
    and x_k as in `expected_makespan_async`. Where ``skip`` skips snapshots, the transforms from a
    durable snapshot of j segments, cold and warm, are

    .. math::
        \phi_j(s) &= \phi_{b_{j+1}}(s) \psi_{j+1}(s), \quad
        \psi_j(s) = e^{-(\lambda+s)x_j} \psi_{j'}(s) + f_{x_j}(s) \rho(s) \phi_j(s) \\
        E[e^{-sT}] &= \phi_0(s), \quad \psi_K(s) = 1

    with j' the segments in the next snapshot if nothing fails, and x_j the time to it.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free and have no latency.
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : float, [time]
        C, the copy for which the job stands still; >= 0.
    latency : float, [time]
        l, from the end of the copy to the instant at which the snapshot is durable; >= 0.
    recovery_cost : float, [time]
        R, from the end of a downtime until the job computes again; >= 0.
    downtime : float or Lifetime, [time]
        D, fixed and >= 0, or a law.
    slowdown : float, [-]
        s, share of computing that is lost while a snapshot drains; >= 0 and <= 1.
    in_flight : {"overlap", "single_buffer", "skip"}, [-]
        The rule for a snapshot that falls due while the previous one drains.

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`, and
        `error`, the estimated error of the cdf. Infinite moments are inf. A job that takes
        longer than a float can hold has a `NeverCompletionTime`.

    Raises
    ------
    ValueError
        For ``skip`` with more than 10,000 segments, or 250 beside one drain, where it acts.

    Notes
    -----
    Exact but for the inversion, whose error at any time is the law's `error`: 1e-9, and more where
    fixed downtimes are much longer than an attempt. Without latency it is `exact_makespan`. Where
    snapshots are skipped, the transform takes a time that grows with K.
    Source: derived in tests/derivations/test_asynchronous.py; no published form was seen. The
    latency is that of [1]_, which was not seen.

    Judged for interval/mtbf 0.001 to 0.3, work/interval 1 to 100, checkpoint_cost/interval 0.001 to
    0.5, latency/interval 0.01 to 3, recovery_cost/interval 0.001 to 1, downtime/mtbf 0.001 to 1,
    slowdown 0 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] N. H. Vaidya, "Impact of checkpoint latency on overhead ratio of a checkpointing scheme",
       IEEE Transactions on Computers 46, 1997.

    Examples
    --------
    >>> makespan = exact_makespan_async(
    ...     67.5, interval=2.25, mtbf=10.0, checkpoint_cost=0.05, latency=1.5,
    ...     recovery_cost=0.4, downtime=0.5,
    ... )
    >>> [round(float(t), 4) for t in makespan.ppf([0.5, 0.9])]
    [99.2234, 116.5165]
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
    base = job.job
    if base.work.ndim != 0:
        raise ValueError(
            f"arguments must be single numbers, got shape {base.work.shape}: one job a call"
        )
    if float(job.latency) == 0.0:
        return exact_makespan(
            work,
            interval=interval,
            mtbf=mtbf,
            checkpoint_cost=checkpoint_cost,
            recovery_cost=recovery_cost,
            downtime=downtime,
        )
    whole, mu = float(base.whole), float(base.mtbf)
    if job.skips:
        _require_short(job)
    if whole > _MOST_SEGMENTS:
        raise ValueError(f"work must be at most {_MOST_SEGMENTS:.0f} intervals, got {whole:g}")
    start, process_in = _skipped(job) if job.skips else _each(job)
    if not start < math.inf or start / mu > ENDLESS:
        return NeverCompletionTime(start)
    if start / mu < 1.0 / ENDLESS:
        return CertainCompletionTime(start)
    unit = power_of_two(start)
    if float(base.recovery_cost) / unit > ENDLESS:
        return NeverCompletionTime(start, -start / mu)
    repair = repair_of(
        downtime, unit=unit, work=float(base.work), mean_of="expected_makespan_async"
    )
    process = process_in(unit, repair)
    total, segment = float(base.work) / unit, float(base.segment if whole else base.work) / unit
    if total < 1.0 / ENDLESS:  # beside checkpoints and drains, which stay as many
        total, segment = (whole + 1.0) / ENDLESS, 1.0 / ENDLESS
    times = {
        "interval": segment,
        "mtbf": mu / unit,
        "checkpoint_cost": float(base.checkpoint_cost) / unit,
        "latency": float(job.latency) / unit,
        "recovery_cost": process.recovery,
    }
    known = mean_and_std(
        process,
        total,
        times,
        mean_of=expected_makespan_async,
        variance_of=makespan_variance_async,
        slowdown=float(job.slowdown),
        in_flight=in_flight,
    )
    if known is None:
        return NeverCompletionTime(start, -start / mu)
    mean, std = known
    return InvertedCompletionTime(
        start=start, mean=unit * mean, std=unit * std, lost=process, unit=unit
    )


def _require_short(job: AsyncJob) -> None:
    """Refuse a chain of snapshots whose equations would be solved for minutes."""
    segments = float(job.job.whole) + 1.0
    with np.errstate(over="ignore"):
        beside = float((1.0 - job.slowdown) * job.latency / job.job.segment)
    rest = "where snapshots are skipped"
    other = "expected_makespan_async and makespan_variance_async take more"
    if segments > _MOST_SKIPPED:
        raise ValueError(
            f"work must be at most {_MOST_SKIPPED} intervals for a law {rest}, got {segments:g}; "
            f"{other}"
        )
    if min(beside, segments) > _LONGEST_DRAIN:
        raise ValueError(
            f"latency must be at most {_LONGEST_DRAIN} intervals for a law {rest}, "
            f"got {beside:g}; {other}"
        )


_Built = tuple[float, Callable[[float, Repair], AbstractAsyncProcess]]


def _each(job: AsyncJob) -> _Built:
    """Return the makespan without failures, and the process in a unit, if none is skipped."""
    base, whole = job.job, float(job.job.whole)
    pieces = []
    for count, length in ((whole, base.segment), (1.0, base.last)):
        spacing, gap = (float(array) for array in job.spacing(length))
        pieces.append(
            Warm(int(count), spacing, float(length + base.checkpoint_cost + job.latency), gap)
        )
    if whole and math.isclose(pieces[0].busy, pieces[1].busy, rel_tol=1e-14):
        pieces = [Warm(int(whole) + 1, pieces[0].spacing, pieces[0].busy, pieces[0].gap)]
    elif not whole:
        pieces = pieces[1:]
    first = pieces[0]
    warm = [Warm(first.count - 1, first.spacing, first.busy, first.gap), *pieces[1:]]

    def process(unit: float, repair: Repair) -> AsyncProcess:
        return AsyncProcess(
            unit / float(base.mtbf),
            first.busy / unit,
            float(base.recovery_cost) / unit,
            repair,
            tuple(
                Warm(w.count, w.spacing / unit, w.busy / unit, w.gap / unit)
                for w in warm
                if w.count
            ),
        )

    return math.fsum((first.busy, *(w.count * w.spacing for w in warm))), process


def _skipped(job: AsyncJob) -> _Built:
    """Return the makespan without failures, and the process in a unit, if some are skipped."""
    chain = skipping_chain(job)
    ends = chain.spacing[::-1][: chain.stride]

    def process(unit: float, repair: Repair) -> SkippingProcess:
        return SkippingProcess(
            unit / float(job.job.mtbf),
            float(chain.busy[0]) / unit,
            float(job.job.recovery_cost) / unit,
            repair,
            chain.count,
            chain.stride,
            float(chain.spacing[0]) / unit,
            tuple((ends / unit).tolist()),
            float(chain.busy[1]) / unit,
        )

    return float(chain.busy[0] + np.sum(chain.spacing[:: chain.stride])), process


ROWS = (
    Formula(
        exact_makespan_async,
        "derived",
        "Markov renewal",
        "exact",
        ranges=LAW_OF_ASYNC,
        trend=Trend(
            # With "skip" fewer snapshots are taken, at other places, as drains take longer.
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime"),
            falling=("mtbf",),
        ),
    ),
)
