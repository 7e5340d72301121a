r"""Moments and transform of a downtime that failures prolong.

If failures keep arriving during a repair and each adds a repair of its own, the node is down for
a busy period of an M/G/1 queue: repairs are the service, failures the arrivals, and the load is
rho = (mean repair)/mtbf, which must be below 1 for the node ever to come back for good.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..._checks import (
    ArrayLike,
    FloatArray,
    answer,
    positive,
    positive_or_inf,
    scalar,
    transform_points,
)
from ..._ranges import LOAD
from ..._special import multiply, power_of_two
from ...formula import ANY, Formula, Trend
from ...lifetimes import Lifetime
from ...lifetimes.fixed_or_random import law_of, moments
from ._fixed_point import load_of
from ._repair_of import repair_of

_LIGHT, _FAST = 1e-17, 1e17  # loads and frequencies, in 1/mtbf: beyond, one repair is all


def busy_period_mean(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray:
    r"""Mean time that a node is down if failures during repair add repairs.

    .. math:: E[Y] = \frac{\mu_f}{1 - \rho}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0, inf if there are
        none.
    downtime : array_like or Lifetime, [time]
        One repair: fixed and >= 0, or a law of which the mean mu_f enters; its load < 1.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If the load is not below 1.

    Notes
    -----
    Exact for Poisson failures and any law of repair.
    Source: [1]_, section 2, the moments of Y before eq. (3); compared with the
    transform in tests/perfmodel.

    Judged for downtime/mtbf 1e-6 to 0.999. Errors: see `perfmodel`.

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
    rho = load_of(positive_or_inf("mtbf", mtbf), mean)
    return answer(np.asarray(mean / (1.0 - rho)), mtbf, downtime)


def busy_period_variance(*, mtbf: ArrayLike, downtime: ArrayLike | Lifetime) -> FloatArray:
    r"""Variance of the time that a node is down if failures during repair add repairs.

    .. math:: V[Y] = \frac{\sigma_f^2 + \rho \mu_f^2}{(1 - \rho)^3}, \quad \rho = \mu_f / M

    Parameters
    ----------
    mtbf : array_like, [time]
        M, mean time between failures, which also arrive during repair; > 0, inf if there are
        none.
    downtime : array_like or Lifetime, [time]
        One repair: fixed and >= 0, or a law of which mean and variance enter; its load < 1.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together; inf if the repair has no finite variance.

    Raises
    ------
    ValueError
        If the load is not below 1.

    Notes
    -----
    Exact for Poisson failures and any law of repair.
    Source: [1]_, section 2, E[Y^2] before eq. (3), less the square of the mean.

    Judged for downtime/mtbf 1e-6 to 0.999. Errors: see `perfmodel`.

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
    rho = load_of(positive_or_inf("mtbf", mtbf), mean)
    with np.errstate(over="ignore"):
        found = (variance + multiply(rho * mean, mean)) / (1.0 - rho) ** 3
    return answer(np.asarray(found), mtbf, downtime)


def busy_period_transform(
    s: ArrayLike, *, mtbf: float, downtime: float | Lifetime
) -> npt.NDArray[Any]:
    r"""Laplace transform of the time that a node is down if failures during repair add repairs.

    .. math:: \phi(s) = \delta\bigl(s + (1 - \phi(s))/M\bigr)

    Parameters
    ----------
    s : array_like, [1/time]
        Real or complex, real part >= 0; its modulus up to 1e300/(mean of a repair).
    mtbf : float, [time]
        M, mean time between failures, which also arrive during repair; > 0.
    downtime : float or Lifetime, [time]
        One repair, with transform delta; its load (mean/`mtbf`) < 1.

    Returns
    -------
    ndarray, [-]
        The shape of `s`; complex if `s` is.

    Raises
    ------
    ValueError
        If the load is not below 1.

    Notes
    -----
    Exact but for an absolute error below 1e-13: the fixed point is found to that, and so are the
    transforms of LogNormal and Weibull, so that smaller values have no digits. Source: the
    classical busy-period equation, derived by conditioning on the failures during the first
    repair; [1]_ uses its first two moments.

    Judged for downtime/mtbf 1e-6 to 0.999, and any other ratio from 1e-6 to 1e6. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> float(busy_period_transform(0.0, mtbf=10.0, downtime=2.0))
    1.0
    """
    points = transform_points(s)
    mtbf, law = scalar(positive, "mtbf", mtbf), law_of("downtime", downtime)
    load = float(load_of(np.asarray(mtbf), np.asarray(law.mean)))
    flat = points.astype(np.complex128).ravel()
    # Failures change the transform of a single repair by the load at most, and by 1/(s mtbf).
    struck = (np.abs(flat) < _FAST / mtbf) & (load > _LIGHT)
    values = np.empty_like(flat)
    values[~struck] = law.laplace(points.ravel()[~struck]) if not struck.all() else 0.0
    if struck.any():
        unit = power_of_two(mtbf)  # so that nothing overflows on the way
        busy = repair_of(law, unit=unit).struck(mtbf / unit)
        values[struck] = busy.transform(flat[struck] * unit)
    shaped: npt.NDArray[Any] = values if np.iscomplexobj(points) else values.real.copy()
    return answer(shaped.reshape(points.shape), s)


ROWS = (
    Formula(
        busy_period_mean,
        "wsj",
        "moments of Y before (3)",
        "exact",
        ranges={"downtime/mtbf": LOAD},
        trend=Trend(rising=("downtime",), falling=("mtbf",)),
    ),
    Formula(
        busy_period_variance,
        "wsj",
        "moments of Y before (3)",
        "exact",
        ranges={"downtime/mtbf": LOAD},
        trend=Trend(rising=("downtime",), falling=("mtbf",)),
    ),
    Formula(
        busy_period_transform,
        "textbook",
        "M/G/1 busy period",
        "exact",
        ranges={"downtime/mtbf": LOAD, "s*mtbf": ANY},
        trend=Trend(),
    ),
)
