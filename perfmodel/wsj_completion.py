r"""Completion time in the model of Wu, Sun and Jin: their Gamma form, and the exact law.

The process of `perfmodel.wsj`: the number of failures is Poisson, each costs a busy period of
repairs and a rework. The paper approximates the time lost, given any failure, by a Gamma law;
the same process has an exact law, a compound Poisson sum, by which the approximation is judged.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import flag, nonnegative, positive
from ._few_failures import FewFailures, Kernel, Term
from .distribution import InvertedCompletionTime
from .downtime import downtime_law
from .gamma_completion import GammaCompletionTime
from .inversion import Excess
from .lifetimes import AbstractLifetime
from .lifetimes._scaled import scaled
from .makespan import wsj_mean, wsj_variance
from .validity import Range, ValidityWarning

__all__ = ["GAMMA_RANGE", "gamma_error", "wsj_compound", "wsj_makespan"]

# Absolute, in the cdf; the worst is constant repair, whose sums are steps. See `gamma_error`.
GAMMA_RANGE = Range("std/mean of the time lost to failures", 1.0, 0.2)

ComplexArray: TypeAlias = npt.NDArray[np.complex128]


def wsj_makespan(
    work: float,
    *,
    mtbf: float,
    downtime: float | AbstractLifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
    printed: bool = False,
) -> GammaCompletionTime:
    r"""Completion time of a task in the model of Wu, Sun and Jin: an atom and a Gamma law.

    .. math::
        P(T \le t) &= e^{-\lambda w} + (1 - e^{-\lambda w}) P(U \le t - w'), \quad t \ge w' \\
        E[U] &= m/p, \quad V[U] = (V[T] + m^2)/p - (m/p)^2, \quad p = 1 - e^{-\lambda w}

    with m the mean of all time lost to failures, V[T] from eq. (4), and w' = w(1 + alpha/gamma).

    Parameters
    ----------
    work : float, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : float, [time]
        1/lambda, mean time between failures; > 0.
    downtime : float or AbstractLifetime, [time]
        Repair: fixed and >= 0, or a law with a finite variance; its load (mean/mtbf) < 1.
    interval : float, [time]
        gamma, work per segment, checkpoint excluded; > 0.
    checkpoint_cost : float, [time]
        alpha, the paper's storage cost; >= 0. Without effect if `printed`.
    printed : bool, [-]
        Eq. (5)-(7) as printed: the atom at w, and V[U] = V[T]/p.

    Returns
    -------
    GammaCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If an argument is outside the range given above, or the variance is infinite.
    TypeError
        If an argument is of the wrong kind.

    Warns
    -----
    ValidityWarning
        Beyond std/mean of the time lost to failures = 1. The Gamma law then piles up near no
        loss at all, and its cdf may be off by more; `gamma_error` says by how much.

    Notes
    -----
    Approximation of `wsj_compound`: the cdf is within 20 % of 1 (the worst repair is constant);
    mean and variance are exact unless `printed`. The paper's eq. (7) drops the variance between
    runs with and without failures; its eq. (5) leaves checkpoints out of the support.
    Source: [1]_, eq. (5)-(7), (10)-(13).

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> task = wsj_makespan(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(task.mean, 2), round(task.std, 2)
    (136.09, 6.67)
    """
    w, mu, gamma, alpha = _scalars(work, mtbf, interval, checkpoint_cost)
    as_printed = flag("printed", printed)
    downtime_law(downtime, mtbf=mu, at_risk=True)  # refuses a load of 1 and more
    failing = -math.expm1(-w / mu)
    lost = float(wsj_mean(w, mtbf=mu, downtime=downtime, interval=gamma)) - w
    variance = float(wsj_variance(w, mtbf=mu, downtime=downtime, interval=gamma))
    if not math.isfinite(variance):
        raise ValueError(
            f"downtime must have a finite variance for a Gamma law, got {downtime!r}; "
            "wsj_compound has the law itself"
        )
    given = lost / failing
    if as_printed:
        spread = variance / failing
    else:
        # (V + m^2)/p - (m/p)^2 without its cancellation at small p.
        spread = variance / failing - given * given * (1.0 - failing)
    GAMMA_RANGE.warn("wsj_makespan", np.asarray(math.sqrt(spread) / given))
    start = w if as_printed else w * (1.0 + alpha / gamma)
    return GammaCompletionTime(start, failing, given**2 / spread, spread / given)


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
    w, mu, gamma, alpha = _scalars(work, mtbf, interval, checkpoint_cost)
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


def gamma_error(
    work: float,
    *,
    mtbf: float,
    downtime: float | AbstractLifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
) -> float:
    r"""Largest error of the cdf of `wsj_makespan` as an approximation of `wsj_compound`.

    .. math:: \sup_t |P_\Gamma(T \le t) - P(T \le t)|

    Parameters
    ----------
    work, mtbf : float, [time]
        As `wsj_makespan`; > 0.
    downtime : float or AbstractLifetime, [time]
        Repair, with a finite variance.
    interval, checkpoint_cost : float, [time]
        As `wsj_makespan`; > 0 and >= 0.

    Returns
    -------
    float, [-]
        The sup distance of the two laws of T; divided by 1 - exp(-work/mtbf) it is the
        distance given that there is a failure.

    Raises
    ------
    ValueError
        If an argument is outside the range given above.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact up to the grid on which the maximum is sought, 1200 times around both laws.
    Source: derived; the two laws are those of [1]_.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> error = gamma_error(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(error, 3)
    0.013
    """
    exact = wsj_compound(
        work,
        mtbf=mtbf,
        downtime=downtime,
        interval=interval,
        checkpoint_cost=checkpoint_cost,
    )
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ValidityWarning
        )  # this function is the remedy the warning names
        gamma = wsj_makespan(
            work,
            mtbf=mtbf,
            downtime=downtime,
            interval=interval,
            checkpoint_cost=checkpoint_cost,
        )
    lost = gamma.shape * gamma.scale
    grid = np.concatenate([np.geomspace(1e-12, 1e-3, 200), np.geomspace(1e-3, 50.0, 1000)])
    t = exact.start + lost * grid
    return float(np.max(np.abs(gamma.cdf(t) - exact.cdf(t))))


def _scalars(
    work: float, mtbf: float, interval: float, checkpoint_cost: float
) -> tuple[float, float, float, float]:
    arrays = (
        positive("work", work),
        positive("mtbf", mtbf),
        positive("interval", interval),
        nonnegative("checkpoint_cost", checkpoint_cost),
    )
    for array in arrays:
        if array.ndim != 0:
            raise ValueError(f"arguments must be single numbers, got shape {array.shape}")
    w, mu, gamma, alpha = (float(array) for array in arrays)
    return w, mu, gamma, alpha


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
