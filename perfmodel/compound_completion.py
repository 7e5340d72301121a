r"""The exact law of the completion time in the model of Wu, Sun and Jin.

The process is that of `perfmodel.wsj`: a Poisson number of failures, each of which costs a busy
period of repairs and a rework. The time lost is then a compound Poisson sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import nonnegative, positive, scalar
from ._few_failures import FewFailures, Kernel, Term
from .distribution import InvertedCompletionTime
from .downtime import downtime_law
from .inversion import Excess
from .lifetimes import AbstractLifetime
from .lifetimes._scaled import scaled
from .makespan import wsj_mean, wsj_variance

__all__ = ["wsj_compound"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]


def wsj_compound(
    work: float,
    *,
    mtbf: float,
    downtime: float | AbstractLifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
) -> InvertedCompletionTime:
    r"""Exact law of the completion time in the model of Wu, Sun and Jin.

    .. math::
        E[e^{-sT}] = \exp\bigl(-s w (1 + \alpha/\gamma)
                     - \lambda w (1 - \phi(s) \zeta(s))\bigr), \quad
        \zeta(s) = \frac{\lambda}{\lambda + s}
                   \frac{1 - e^{-(\lambda + s)\gamma}}{1 - e^{-\lambda\gamma}}

    with phi the transform of the busy period of repairs and zeta that of the rework.

    Parameters
    ----------
    work : float, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : float, [time]
        1/lambda, mean time between failures; > 0.
    downtime : float or AbstractLifetime, [time]
        Repair: fixed and >= 0, or a law; its load (mean/mtbf) < 1.
    interval : float, [time]
        gamma, work per segment, checkpoint excluded; > 0.
    checkpoint_cost : float, [time]
        alpha, the paper's storage cost; >= 0.

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact but for the inversion, whose error is that of `exact_makespan`. Exact inside its model
    only: in the physical process rework and checkpoints fail too.
    Source: derived from the process of [1]_, section 2, which has only moments.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> task = wsj_compound(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(task.mean, 2), round(float(task.cdf(136.0)), 4)
    (136.09, 0.5663)
    """
    w, mu, gamma, alpha = checked_task(work, mtbf, interval, checkpoint_cost)
    mean = wsj_mean(w, mtbf=mu, downtime=downtime, interval=gamma, checkpoint_cost=alpha)
    # A power of two loses no digit, and with times near 1 nothing overflows on the way.
    unit = 2.0 ** math.floor(math.log2(w))
    w, mu, gamma, alpha = w / unit, mu / unit, gamma / unit, alpha / unit
    repair = (
        scaled(downtime, 1.0 / unit)
        if isinstance(downtime, AbstractLifetime)
        else float(downtime) / unit
    )
    law = downtime_law(repair, mtbf=mu, at_risk=True)
    rate = 1.0 / mu
    log_atom = -rate * w
    reworked = -math.expm1(-rate * gamma)
    kernel = law.kernel(gamma) if log_atom > -32.0 else None
    count = w / (mu * reworked)

    def hit(s: ComplexArray) -> ComplexArray:
        z = s + rate
        x = z * gamma
        small = np.abs(x) < 1e-8
        with np.errstate(all="ignore"):
            share = np.where(small, gamma * (1 - 0.5 * x), -np.expm1(-x) / np.where(small, 1, z))
        return np.asarray(rate * share)

    def log_ratio(s: ComplexArray) -> ComplexArray:
        with np.errstate(all="ignore"):
            return np.asarray(count * hit(s) * law.transform(s))

    lost = min(gamma, mu) + (law.mean if math.isfinite(law.mean) else 0.0)
    excess = Excess(
        log_ratio=log_ratio,
        abscissa=law.abscissa,
        log_atom=log_atom,
        explicit=_few(kernel, count, math.exp(log_atom), gamma, rate=rate, hit=hit),
        scale=lost,
        extent=lost * w * rate,
    )
    variance = float(wsj_variance(w, mtbf=mu, downtime=repair, interval=gamma))
    return InvertedCompletionTime(
        start=unit * w * (1.0 + alpha / gamma),
        mean=float(mean),
        std=unit * math.sqrt(variance),
        excess=excess,
        unit=unit,
    )


def checked_task(
    work: float, mtbf: float, interval: float, checkpoint_cost: float
) -> tuple[float, float, float, float]:
    """Return the numbers of one task, or raise naming the one at fault."""
    return (
        scalar(positive, "work", work),
        scalar(positive, "mtbf", mtbf),
        scalar(positive, "interval", interval),
        scalar(nonnegative, "checkpoint_cost", checkpoint_cost),
    )


def _few(
    kernel: Kernel | None,
    count: float,
    atom: float,
    interval: float,
    *,
    rate: float,
    hit: Callable[[ComplexArray], ComplexArray],
) -> FewFailures:
    """Expand the exponential of `count` failures up to the depth of the kernel."""
    depth = kernel.depth if kernel is not None else 0

    def powers(s: ComplexArray) -> ComplexArray:
        assert kernel is not None
        one = count * hit(s) * kernel.downtime(s)
        return np.asarray(atom * sum(one**n / math.factorial(n) for n in range(1, depth + 1)))

    terms = tuple(
        Term(
            n,
            atom
            * count**n
            / math.factorial(n)
            * (-1) ** j
            * math.comb(n, j)
            * math.exp(-rate * j * interval),
            j * interval,
        )
        for n in range(1, depth + 1)
        for j in range(n + 1)
    )
    return FewFailures(kernel, terms, powers, interval)
