r"""The exact distribution of the makespan of a checkpointed job under exponential failures.

The job of `perfmodel.makespan`: segments of work, each with a checkpoint; a failure loses
everything since the last completed checkpoint, and costs a downtime and a recovery that can
fail again. Its Laplace transform is a product over the segments.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import flag
from ._few_failures import FewFailures
from ._segment_process import SegmentProcess
from ._segments import job as checked_job
from ._special import log1p
from .distribution import InvertedCompletionTime, NeverCompletionTime
from .downtime import downtime_law
from .inversion import Excess
from .lifetimes import AbstractLifetime, Deterministic
from .lifetimes._scaled import scaled
from .makespan import expected_makespan, makespan_variance

__all__ = ["exact_makespan"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

# Success is so rare that the time to the first one is exponential: the bound below on the error.
_RARE = 1e-10


def exact_makespan(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
    downtime_at_risk: bool = False,
) -> InvertedCompletionTime | NeverCompletionTime:
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
        w, work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        C and R; >= 0.
    downtime : float or AbstractLifetime, [time]
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
        If an argument is not a single number in the range given above, or the load
        downtime/mtbf is not below 1 while downtime is at risk.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact but for the inversion: the error of the cdf is below 1e-8, for empirical downtime below
    1e-7, by subtracting the first failures in closed form. That holds for segments of any length
    in mtbf: 1 - A(s) rho(s) is summed from complements, so nothing cancels where hardly any
    attempt succeeds. Where the downtime has an exponential tail, sf keeps 6 digits down to
    1e-12 and below. Heavy tails (lognormal, Weibull) have no dominant pole: there sf is
    accurate to 1e-9 absolute. See tests/perfmodel and tests/reference.
    Source: derived, and tested against failure series and simulated jobs; the model is that of
    [1]_, of which only the abstract was seen.

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
        raise ValueError(f"arguments must be single numbers, got shape {job.work.shape}")
    whole = int(job.whole)
    first, last = float(job.segment + job.checkpoint_cost), float(job.last + job.last_cost)
    # A power of two loses no digit, and with times near 1 nothing overflows on the way.
    unit = 2.0 ** math.floor(math.log2(max(whole * first, last)))
    rate = unit / float(job.mtbf)
    law = downtime_law(
        scaled(downtime, 1.0 / unit)
        if isinstance(downtime, AbstractLifetime)
        else float(job.downtime) / unit,
        mtbf=1.0 / rate,
        at_risk=at_risk,
    )
    first, last = first / unit, last / unit
    if whole and math.isclose(first, last, rel_tol=1e-14):
        pieces: tuple[tuple[int, float], ...] = ((whole + 1, first),)
    else:
        pieces = ((whole, first), (1, last)) if whole else ((1, last),)
    process = SegmentProcess(rate, pieces, float(job.recovery_cost) / unit, law)
    if process.from_exponential < _RARE:
        return _rarely_done(process, unit)
    mean, variance = law.mean, law.variance
    if math.isfinite(mean):
        costs: dict[str, Any] = {
            "interval": float(job.segment) / unit,
            "mtbf": 1.0 / rate,
            "checkpoint_cost": float(job.checkpoint_cost) / unit,
            "recovery_cost": process.recovery,
            "downtime": Deterministic(mean),
            "final_checkpoint": final_checkpoint,
        }
        mean = float(expected_makespan(float(job.work) / unit, **costs))
        between = float(makespan_variance(float(job.work) / unit, **costs))
        variance = between + process.downtimes * variance
    return InvertedCompletionTime(
        start=unit * process.busy,
        mean=unit * mean,
        std=unit * math.sqrt(variance),
        excess=process.excess(),
        unit=unit,
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
                downtime=process.law.mean,
            )
        )
        for _, length in process.pieces
    ]
    largest = max(means)
    if not largest < 1e290:
        return NeverCompletionTime(unit * process.busy)
    wide = unit * 2.0 ** math.floor(math.log2(largest))
    counts = [count for count, _ in process.pieces]
    shares = [mean * (unit / wide) for mean in means]
    log_atom = -process.rate * process.busy

    def log_ratio(s: ComplexArray) -> ComplexArray:
        logs = (n * log1p(share * s) for n, share in zip(counts, shares, strict=True))
        return np.asarray(-sum(logs) - log_atom)

    total = sum(n * share for n, share in zip(counts, shares, strict=True))
    excess = Excess(
        log_ratio=log_ratio,
        abscissa=1.0 / max(shares),
        log_atom=log_atom,
        explicit=FewFailures(None, (), lambda s: np.zeros(s.shape, dtype=np.complex128), 0.0),
        scale=max(shares),
        extent=total,
    )
    return InvertedCompletionTime(
        start=unit * process.busy,
        mean=wide * total,
        std=wide * math.sqrt(sum(n * share**2 for n, share in zip(counts, shares, strict=True))),
        excess=excess,
        unit=wide,
    )
