r"""The exact distribution of the makespan of a checkpointed job under exponential failures.

The job of `perfmodel.makespan`: segments of work, each with a checkpoint; a failure loses
everything since the last completed checkpoint, and costs a downtime and a recovery that can
fail again. Its Laplace transform is a product over the segments.
"""

from __future__ import annotations

import math

from .._checks import flag
from .._ranges import LAW_OF_JOB
from .._special import power_of_two
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..makespan import expected_makespan, makespan_variance
from ..makespan.segments import checked_job
from ._closed_moments import ENDLESS, mean_and_std
from ._segment_process import RareSuccess, SegmentProcess
from .law import (
    CertainCompletionTime,
    InvertedCompletionTime,
    NeverCompletionTime,
)
from .repairs import busy_period_mean, repair_of

# Success is so rare that the time to the first one is exponential: the bound below on the error.
_RARE = 1e-10
_MOST_SEGMENTS = 2.0**52
_UNNOTICED = 1e-30  # of the longest mean
_SHORT = 1e-9  # of an mtbf: segments so short may be joined


def exact_makespan(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
    final_checkpoint: bool = True,
    downtime_at_risk: bool = False,
) -> InvertedCompletionTime | NeverCompletionTime | CertainCompletionTime:
    r"""Distribution of the wall time of a job that checkpoints after every `interval` of work.

    .. math::
        \rho(s) &= \frac{\delta(s) e^{-(\lambda+s)R}}
                        {1 - \frac{\lambda}{\lambda+s}(1 - e^{-(\lambda+s)R}) \delta(s)} \\
        E[e^{-sT}] &= \prod_{k=1}^{K} \frac{e^{-(\lambda+s)a_k}}
                        {1 - \frac{\lambda}{\lambda+s}(1 - e^{-(\lambda+s)a_k}) \rho(s)}

    with lambda = 1/mtbf, a_k the work and checkpoint of segment k, delta the transform of the
    downtime, or of its busy period if failures strike repairs too.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
        0 for checkpoints all the time, which then must be free.
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost, recovery_cost : float, [time]
        C and R; >= 0.
    downtime : float or Lifetime, [time]
        D, fixed and >= 0, or a law.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.
    downtime_at_risk : bool, [-]
        Whether failures also strike during downtime; each then adds a downtime (M/G/1).

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`, and
        `error`, the estimated error of the cdf. Infinite moments are inf. A job that takes
        longer than a float can hold has a `NeverCompletionTime`.

    Raises
    ------
    ValueError
        If the load downtime/mtbf is not below 1 while downtime is at risk, or downtimes are beyond
        1e290 times the work.

    Notes
    -----
    Exact but for the inversion, whose error at any time down to sf = 1e-12 is the law's `error`:
    1e-9, and more, up to some 1e-2, where repairs come in steps that no window resolves: recorded
    ones, laws with a cv below 0.05, fixed ones much longer than an attempt, more than 65,000 fixed
    ones, and fixed ones that failures strike at a load above 0.9. `error` is computed when first
    asked for, by doubling the nodes of every window. Where the downtime has an exponential tail, sf
    keeps 6 digits to 1e-12 and below; with lognormal and Weibull downtime its error is absolute,
    1e-14 to 1e-12.
    Source: derived, and tested against failure series and simulated jobs; the model is that of
    [1]_, of which only the abstract was seen.

    Judged for interval/mtbf 1e-4 to 50, work/interval 1 to 1e6, checkpoint_cost/interval 1e-4 to
    10, cv of downtime 0 to 30, recovery_cost/interval 1e-4 to 10, downtime/mtbf 0.001 to 1000,
    downtime/mtbf at risk 0.001 to 0.95. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> makespan = exact_makespan(
    ...     100.0, interval=100 / 30, mtbf=10.0, checkpoint_cost=0.3,
    ...     recovery_cost=0.4, downtime=0.5,
    ... )
    >>> [round(float(t), 4) for t in makespan.ppf([0.5, 0.9])]
    [142.7032, 159.6269]
    """
    at_risk = flag("downtime_at_risk", downtime_at_risk)
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    if job.work.ndim != 0:
        raise ValueError(
            f"arguments must be single numbers, got shape {job.work.shape}: one job a call"
        )
    start = float(job.sum(lambda work, cost: work + cost))
    mtbf = float(job.mtbf)
    if not start < math.inf or start / mtbf > ENDLESS:
        return NeverCompletionTime(start)
    if start / mtbf < 1.0 / ENDLESS:
        return CertainCompletionTime(start)
    # Segments that are very short and very many are joined: that changes no digit.
    whole = int(min(float(job.whole), _MOST_SEGMENTS))
    first, last = float(job.segment + job.checkpoint_cost), float(job.last + job.last_cost)
    first *= float(job.whole) / whole if whole else 1.0
    if float(job.whole) > _MOST_SEGMENTS and first > _SHORT * mtbf:
        raise ValueError(
            f"interval must be at least work/{_MOST_SEGMENTS:.0f} where failures are so frequent, "
            f"got {float(job.segment)!r}"
        )
    # With times near 1 nothing overflows on the way.
    unit = power_of_two(max(whole * first, last))
    rate = unit / mtbf
    if float(job.recovery_cost) / unit > ENDLESS:
        return NeverCompletionTime(start, -start / mtbf)
    if at_risk:
        busy_period_mean(mtbf=mtbf, downtime=downtime)  # refuses a load of 1 and more
    down = repair_of(downtime, unit=unit, work=float(job.work))
    if at_risk:
        down = down.struck(1.0 / rate)
    first, last = first / unit, last / unit
    if whole and math.isclose(first, last, rel_tol=1e-14):
        pieces: tuple[tuple[int, float], ...] = ((whole + 1, first),)
    else:
        pieces = ((whole, first), (1, last)) if whole else ((1, last),)
    process = SegmentProcess(rate, pieces, float(job.recovery_cost) / unit, down)
    if process.from_exponential < _RARE:
        return _rarely_done(process, unit)
    times = {
        "interval": float(job.segment) / unit,
        "mtbf": 1.0 / rate,
        # Of a single segment without one the cost may be beyond any unit.
        "checkpoint_cost": min(float(job.checkpoint_cost) / unit, ENDLESS),
        "recovery_cost": process.recovery,
    }
    work = float(job.work) / unit
    if work < 1.0 / ENDLESS:  # beside the checkpoints, which then are taken for the work
        alone = float(job.segment + job.checkpoint_cost) / unit
        work, times["interval"] = process.busy, alone if whole else last
        times["checkpoint_cost"] = 0.0
    known = mean_and_std(
        process,
        work,
        times,
        mean_of=expected_makespan,
        variance_of=makespan_variance,
        final_checkpoint=final_checkpoint,
    )
    if known is None:
        return NeverCompletionTime(unit * process.busy, process.log_atom)
    mean, std = known
    return InvertedCompletionTime(
        start=unit * process.busy, mean=unit * mean, std=unit * std, lost=process, unit=unit
    )


def _rarely_done(
    process: SegmentProcess, unit: float
) -> InvertedCompletionTime | NeverCompletionTime:
    """Return the law where success is rare: each segment takes an exponential time."""
    mtbf = 1.0 / process.rate
    means = [
        float(
            expected_makespan(
                length,
                interval=length,
                mtbf=mtbf,
                checkpoint_cost=0.0,
                recovery_cost=process.recovery,
                downtime=process.down.mean,
            )
        )
        for _, length in process.pieces
    ]
    largest = max(means)
    total = sum(n * mean for (n, _), mean in zip(process.pieces, means, strict=True))
    if not (largest < 1e290 and unit * total < 1e298):
        return NeverCompletionTime(unit * process.busy)
    wide = unit * power_of_two(largest)
    # Beside hopeless segments others take next to no time.
    counted = [
        (count, mean * (unit / wide))
        for (count, _), mean in zip(process.pieces, means, strict=True)
        if mean > _UNNOTICED * largest
    ]
    counts, shares = zip(*counted, strict=True)
    lost = RareSuccess(counts, shares, -process.rate * process.busy)
    return InvertedCompletionTime(
        start=unit * process.busy,
        mean=wide * lost.extent,
        std=wide * math.sqrt(sum(n * share**2 for n, share in zip(counts, shares, strict=True))),
        lost=lost,
        unit=wide,
    )


ROWS = (
    Formula(
        exact_makespan,
        "derived",
        "transform of bougeret2011",
        "exact",
        ranges=LAW_OF_JOB,
        trend=Trend(
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime"), falling=("mtbf",)
        ),
    ),
)
