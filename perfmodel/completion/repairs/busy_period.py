r"""Downtime, and downtime that can itself be hit.

If failures keep arriving during a repair and each adds a repair of its own, the node is down for
a busy period of an M/G/1 queue: repairs are the service, failures the arrivals, and the load is
rho = (mean repair)/mtbf, which must be below 1 for the node ever to come back for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import ArrayLike, FloatArray, answer, positive, positive_or_inf
from ...lifetimes import (
    AbstractLifetime,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
)
from ...lifetimes.fixed_or_random import moments
from .._first_failures import UptimeAndRepair
from ._contour import ByContour
from ._fixed_point import BusyPeriod
from ._quadrature import ByQuadrature
from ._recorded_sums import busy_sums, recorded_sums
from ._transforms import FixedRepair, KeptRepair, Repair, record_of, repair_of

__all__ = ["busy_period_mean", "busy_period_transform", "busy_period_variance"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

_ROUND = 4.0  # shape of Gamma repairs up to which Talbot's contour keeps the digits of two


def busy_period_mean(*, mtbf: ArrayLike, downtime: ArrayLike | AbstractLifetime) -> FloatArray:
    r"""Mean time that a node is down if failures during repair add repairs.

    .. math:: E[Y] = \frac{\mu_f}{1 - \rho}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0, inf if there are
        none.
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

    Judged for downtime/mtbf 1e-6 to 0.999.

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
    rho = _load(positive_or_inf("mtbf", mtbf), mean)
    return answer(np.asarray(mean / (1.0 - rho)), mtbf, downtime)


def busy_period_variance(*, mtbf: ArrayLike, downtime: ArrayLike | AbstractLifetime) -> FloatArray:
    r"""Variance of the time that a node is down if failures during repair add repairs.

    .. math:: V[Y] = \frac{\sigma_f^2 + \rho \mu_f^2}{(1 - \rho)^3}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0, inf if there are
        none.
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

    Judged for downtime/mtbf 1e-6 to 0.999.

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
    rho = _load(positive_or_inf("mtbf", mtbf), mean)
    with np.errstate(over="ignore"):
        found = (variance + rho * mean * mean) / (1.0 - rho) ** 3
    return answer(np.asarray(found), mtbf, downtime)


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

    Judged for downtime/mtbf 1e-6 to 0.999, and any other ratio from 1e-6 to 1e6.

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
    values = law.whole.transform(flat).reshape(points.shape)
    return values if np.iscomplexobj(points) else values.real.copy()


@dataclass(frozen=True, slots=True)
class DowntimeLaw:
    """What the completion time needs to know about the time after a failure.

    Parameters
    ----------
    mean, variance : float, [time], [time^2]
        Of the whole time down; may be inf.
    whole : KeptRepair
        The transform of the whole time down.
    kernel : UptimeAndRepair
        The part known in time.
    """

    mean: float
    variance: float
    whole: KeptRepair
    kernel: UptimeAndRepair


def downtime_law(
    downtime: float | AbstractLifetime, *, mtbf: float, at_risk: bool = False
) -> DowntimeLaw:
    """Return the law of the time down, which a failure may prolong if `at_risk`."""
    mean, variance = (float(m) for m in moments("downtime", downtime))
    if isinstance(downtime, AbstractLifetime) and variance > 0.0:
        law: AbstractLifetime = downtime
    else:
        law = Deterministic(mean)
    one = KeptRepair(repair_of(law))
    rate = 1.0 / mtbf
    if not at_risk:
        return DowntimeLaw(mean, variance, one, _kernel(law, one, rate, at_risk=False))
    rho = float(_load(np.asarray(mtbf), np.asarray(mean)))
    busy = KeptRepair(BusyPeriod(one.repair, rate, mean))
    return DowntimeLaw(
        mean / (1.0 - rho),
        (variance + rho * (mean * mean)) / (1.0 - rho) ** 3,
        busy,
        _kernel(law, one, rate, at_risk=True),
    )


def fixed_downtime(whole: KeptRepair) -> float:
    """Return what every downtime or repair takes, [time]; 0 where they differ."""
    one = whole.repair.one if isinstance(whole.repair, BusyPeriod) else whole.repair
    return one.value if isinstance(one, FixedRepair) else 0.0


def struck_load(whole: KeptRepair) -> float:
    """Return the mean number of failures during a fixed repair; 0 where none strikes, [-]."""
    busy = whole.repair
    return busy.rate * fixed_downtime(whole) if isinstance(busy, BusyPeriod) else 0.0


def _load(mtbf: FloatArray, mean: FloatArray) -> FloatArray:
    rho = np.asarray(mean / mtbf)
    if not (rho < 1.0).all():
        raise ValueError(
            f"downtime/mtbf must be < 1 if failures strike repairs, got {float(np.max(rho))!r}: "
            "repairs would pile up and the completion time would be infinite"
        )
    return rho


def _kernel(law: AbstractLifetime, one: Repair, rate: float, *, at_risk: bool) -> UptimeAndRepair:
    """Return what is known in time; of busy periods, where need be, those of a single repair."""
    match law:
        case Deterministic() | Empirical():
            record = record_of(law)
            return busy_sums(record, rate) if at_risk else recorded_sums(record, rate, one)
        case Exponential() | HyperExponential():
            return ByContour(rate, one, at_risk)
        case Gamma() if law.shape <= _ROUND:
            return ByContour(rate, one, at_risk)
        case _:
            return ByQuadrature(rate, law, one, at_risk)
