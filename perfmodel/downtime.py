r"""Downtime, and downtime that can itself be hit.

If failures keep arriving during a repair and each adds a repair of its own, the node is down for
a busy period of an M/G/1 queue: repairs are the service, failures the arrivals, and the load is
rho = (mean repair)/mtbf, which must be below 1 for the node ever to come back for good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._busy import busy_complement
from ._checks import ArrayLike, FloatArray, positive
from ._durations import moments
from ._few_failures import Analytic, Kernel, Quadrature, UnstruckQuadrature
from ._narrow_repairs import is_narrow, narrow_repair
from ._points import busy_points, record_points
from ._record import Record
from ._repairs import last_kept, record_of, repair_transform, tabulated
from .lifetimes import (
    AbstractLifetime,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)

__all__ = ["busy_period_mean", "busy_period_transform", "busy_period_variance"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]


def busy_period_mean(*, mtbf: ArrayLike, downtime: ArrayLike | AbstractLifetime) -> FloatArray:
    r"""Mean time that a node is down if failures during repair add repairs.

    .. math:: E[Y] = \frac{\mu_f}{1 - \rho}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0.
    downtime : array_like or AbstractLifetime, [time]
        One repair: fixed and >= 0, or a law of which the mean mu_f enters; its load < 1.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If an argument is nan or outside the range given above, or the load is not below 1.

    Notes
    -----
    Exact for Poisson failures and any law of repair.
    Source: [1]_, section 2, the moments of Y before eq. (3); compared with the
    transform in tests/perfmodel.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> float(busy_period_mean(mtbf=10.0, downtime=2.0))
    2.5
    """
    mean, _ = moments("downtime", downtime)
    rho = _load(positive("mtbf", mtbf), mean)
    return np.asarray(mean / (1.0 - rho))


def busy_period_variance(*, mtbf: ArrayLike, downtime: ArrayLike | AbstractLifetime) -> FloatArray:
    r"""Variance of the time that a node is down if failures during repair add repairs.

    .. math:: V[Y] = \frac{\sigma_f^2 + \rho \mu_f^2}{(1 - \rho)^3}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0.
    downtime : array_like or AbstractLifetime, [time]
        One repair: fixed and >= 0, or a law of which mean and variance enter; its load < 1.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together; inf if the repair has no finite variance.

    Raises
    ------
    ValueError
        If an argument is nan or outside the range given above, or the load is not below 1.

    Notes
    -----
    Exact for Poisson failures and any law of repair.
    Source: [1]_, section 2, E[Y^2] before eq. (3), less the square of the mean.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> round(float(busy_period_variance(mtbf=10.0, downtime=2.0)), 6)
    1.5625
    """
    mean, variance = moments("downtime", downtime)
    rho = _load(positive("mtbf", mtbf), mean)
    return np.asarray((variance + rho * mean**2) / (1.0 - rho) ** 3)


def busy_period_transform(
    s: ArrayLike, *, mtbf: float, downtime: float | AbstractLifetime
) -> npt.NDArray[Any]:
    r"""Laplace transform of the time that a node is down if failures during repair add repairs.

    .. math:: \phi(s) = \delta\bigl(s + (1 - \phi(s))/M\bigr)

    Parameters
    ----------
    s : array_like, [1/time]
        Real or complex, real part >= 0.
    mtbf : float, [time]
        M, mean time between failures, which also arrive during repair; > 0.
    downtime : float or AbstractLifetime, [time]
        One repair, with transform delta; its load (mean/mtbf) < 1.

    Returns
    -------
    ndarray, [-]
        The shape of `s`; complex if `s` is.

    Raises
    ------
    ValueError
        If an argument is outside the range given above, or the load is not below 1.

    Notes
    -----
    Exact: the fixed point is found to 1e-13. Source: the classical busy-period equation, derived
    by conditioning on the failures during the first repair; [1]_ uses its first two moments.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> float(busy_period_transform(0.0, mtbf=10.0, downtime=2.0))
    1.0
    """
    points = np.asarray(s)
    if not np.all(np.isfinite(points) & (points.real >= 0.0)):
        raise ValueError(f"s must be finite with real part >= 0, got {points!r}")
    law = downtime_law(downtime, mtbf=float(positive("mtbf", mtbf)), at_risk=True)
    flat = points.astype(np.complex128).reshape(-1)
    values = law.transform(flat).reshape(points.shape)
    return values if np.iscomplexobj(points) else values.real.copy()


@dataclass(frozen=True, slots=True)
class DowntimeLaw:
    """What the completion time needs to know about the time after a failure.

    Parameters
    ----------
    mean, variance : float, [time], [time^2]
        Of the whole time down; may be inf.
    transform, complement : callable
        E[exp(-s Y)] and E[1 - exp(-s Y)] of the whole time down Y, for Re s > -abscissa; the
        second is relatively accurate near s = 0.
    abscissa : float, [1/time]
        0 for a heavy tail.
    kernel : callable
        Given the time scale of the job, the part known in time, or None.
    """

    mean: float
    variance: float
    transform: Transform
    complement: Transform
    abscissa: float
    kernel: Callable[[float], Kernel | None]


def downtime_law(
    downtime: float | AbstractLifetime, *, mtbf: float, at_risk: bool = False
) -> DowntimeLaw:
    """Return the law of the time down, which a failure may prolong if `at_risk`."""
    mean, variance = (float(m) for m in moments("downtime", downtime))
    if isinstance(downtime, AbstractLifetime) and variance > 0.0:
        law: AbstractLifetime = downtime
    else:
        law = Deterministic(mean)
    one = repair_transform(law)
    rate = 1.0 / mtbf
    if not at_risk:
        kernel = _kernel(law, one.transform, rate)
        return DowntimeLaw(mean, variance, one.transform, one.complement, one.abscissa, kernel)
    rho = float(_load(np.asarray(mtbf), np.asarray(mean)))
    record, reach = _values(law)
    complement, edge = busy_complement(one.complement, one.abscissa, rate, record, reach)
    if isinstance(law, LogNormal | Weibull) and record is None:
        complement = tabulated(complement)
    complement = last_kept(complement)

    def busy(s: ComplexArray) -> ComplexArray:
        return np.asarray(1.0 - complement(s))

    return DowntimeLaw(
        mean / (1.0 - rho),
        (variance + rho * mean**2) / (1.0 - rho) ** 3,
        busy,
        complement,
        edge,
        _busy_kernel(law, one.transform, busy, rate),
    )


def _values(law: AbstractLifetime) -> tuple[Record | None, float]:
    """Return values with the same transform up to a largest |s|, if there are such."""
    if isinstance(law, Deterministic | Empirical):
        return record_of(law), np.inf
    if isinstance(law, LogNormal | Weibull) and is_narrow(law):
        narrow = narrow_repair(law)
        return narrow.record, narrow.reach
    return None, np.inf


def _load(mtbf: FloatArray, mean: FloatArray) -> FloatArray:
    rho = np.asarray(mean / mtbf)
    if not (rho < 1.0).all():
        raise ValueError(
            f"downtime/mtbf must be < 1 if failures strike repairs, got {float(np.max(rho))!r}: "
            "repairs would pile up and the completion time would be infinite"
        )
    return rho


def _kernel(
    law: AbstractLifetime, transform: Transform, rate: float
) -> Callable[[float], Kernel | None]:
    points: Kernel | None = None
    match law:
        case Exponential() | HyperExponential():
            points = Analytic(rate, transform, 2)
        case Gamma():
            points = Analytic(rate, transform, 2) if law.shape <= 4.0 else None
        case Deterministic() | Empirical():
            points = record_points(record_of(law), rate, transform)
        case _:
            top = float(law.ppf(1.0 - 1e-13))
            return lambda scale: Quadrature.of(rate, law, transform, max(top, 1e3 * scale))
    return lambda scale: points


def _busy_kernel(
    law: AbstractLifetime, transform: Transform, busy: Transform, rate: float
) -> Callable[[float], Kernel | None]:
    kernel: Kernel | None = None
    if isinstance(law, Deterministic | Empirical):
        kernel = busy_points(record_of(law), rate, busy)
    elif isinstance(law, Exponential | HyperExponential | Gamma):
        # The part of the busy period that no failure prolongs is as rough as the whole.
        kernel = Analytic(rate, lambda s: transform(s + rate), 2)
    elif isinstance(law, LogNormal | Weibull):
        top = float(law.ppf(1.0 - 1e-13))
        return lambda scale: UnstruckQuadrature.of(rate, law, transform, max(top, 1e3 * scale))
    return lambda scale: kernel
