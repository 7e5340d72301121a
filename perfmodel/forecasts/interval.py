"""How often to write a checkpoint where the rate of failures is not known, or drifts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, nonnegative, positive, scalar
from .._special import power_of_two
from ..formula import Ends, Formula, Trend
from ..interval import optimal_interval
from .law import SHAPES, RateMixture

_LOOKED = 129  # intervals between the best under the least and under the largest rate


def mixed_useful_share(
    interval: ArrayLike,
    *,
    weights: ArrayLike,
    shapes: ArrayLike,
    means: ArrayLike,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
) -> FloatArray:
    r"""Mean share of its time in which a long job gets on, over the rates that may come.

    .. math::
        E\left[\frac{\lambda w e^{-\lambda R}}{(1 + \lambda D)(e^{\lambda (w + C)} - 1)}\right]

    Parameters
    ----------
    interval : array_like, [time]
        w; > 0.
    weights : array_like, [-]
        Of each gamma law of the rate, shape (n,), as of `mixed_makespan`; >= 0, one above 0.
    shapes : array_like, [-]
        Of each, shape (n,); > 0, inf where the rate is its mean.
    means : array_like, [1/time]
        m, mean rate of failures of each, shape (n,); > 0. Times must be comparable, 1/m too.
    checkpoint_cost : float, [time]
        C; > 0.
    recovery_cost, downtime : float, [time]
        R and D, fixed; >= 0.

    Returns
    -------
    ndarray, [-]
        Of the shape of `interval`.

    Raises
    ------
    ValueError
        If no weight is > 0.

    Notes
    -----
    Exact to 1e-11 of itself. At each rate it is the work of a segment over its mean time [1]_.
    Source: derived, by the strong law of large numbers at each rate.

    Judged for shapes 0.5 to 100, means*interval 0.001 to 1000, checkpoint_cost/interval 0.001 to 1,
    recovery_cost/interval 0.001 to 1, downtime/interval 0.001 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart
       dumps", Future Generation Computer Systems 22, 2006: the time of a segment.

    Examples
    --------
    An hour between checkpoints that take three minutes; failures come once a day, or in four hours:

    >>> share = mixed_useful_share(
    ...     1.0, weights=[1.0, 1.0], shapes=np.inf, means=[1 / 24, 1 / 4], checkpoint_cost=0.05
    ... )
    >>> round(float(share), 3)
    0.882
    """
    asked = np.asarray(positive("interval", interval))
    costs = _costs(checkpoint_cost, recovery_cost, downtime)
    mixture = RateMixture.of(weights, shapes, means)
    for each in (asked.min(), asked.max()):
        mixture.beside(interval=float(each), **costs)
    unit = power_of_two(costs["checkpoint_cost"])  # near one another, times may be multiplied
    rates, shares = mixture.times(unit).nodes((float(asked.max()) + sum(costs.values())) / unit)
    left = shares * _after_failures(rates, unit, **costs)
    asked, cost = asked / unit, costs["checkpoint_cost"] / unit
    with np.errstate(over="ignore"):
        found = (asked[..., None] / np.expm1(rates * (asked[..., None] + cost))) @ left
    return answer(np.asarray(found), interval)


def optimal_interval_mixed(
    *,
    weights: ArrayLike,
    shapes: ArrayLike,
    means: ArrayLike,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float = 0.0,
) -> float:
    r"""Work between checkpoints that lets a long job get on most, over the rates that may come.

    It is the root of

    .. math::
        E\left[\frac{\lambda e^{-\lambda R}}{1 + \lambda D} \cdot
        \frac{1 - (1 - \lambda w) e^{\lambda (w + C)}}{(e^{\lambda (w + C)} - 1)^2}\right] = 0

    Parameters
    ----------
    weights : array_like, [-]
        Of each gamma law of the rate, shape (n,), as of `mixed_makespan`; >= 0, one above 0.
    shapes : array_like, [-]
        Of each, shape (n,); > 0, inf where the rate is its mean.
    means : array_like, [1/time]
        m, mean rate of failures of each, shape (n,); > 0. Times must be comparable, 1/m too.
    checkpoint_cost : float, [time]
        C; > 0.
    recovery_cost, downtime : float, [time]
        R and D, fixed; >= 0. Of one rate they change nothing; of several they make rates at which
        failures are frequent count less.

    Returns
    -------
    float, [time]
        That of `perfmodel.optimal_interval` where there is one rate only.

    Raises
    ------
    ValueError
        If no weight is > 0.

    Notes
    -----
    Exact: the best share is that of `mixed_useful_share`, to 1e-11.
    What is best is the mean useful share, `mixed_useful_share`. The mean time of the job is no
    measure: under a gamma law with k/m below R + w + C it is infinite at any interval that is not
    shorter. To first order in C both take Young's interval [1]_ at the mean rate. Source: derived.

    Judged for shapes 0.5 to 100, means*checkpoint_cost 1e-5 to 10, recovery_cost/checkpoint_cost
    0.01 to 10, downtime/checkpoint_cost 0.01 to 10. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. W. Young, "A first order approximation to the optimum checkpoint interval",
       Communications of the ACM 17, 1974.

    Examples
    --------
    Failures come once a day, or in four hours; checkpoints take three minutes:

    >>> round(optimal_interval_mixed(
    ...     weights=[1.0, 1.0], shapes=np.inf, means=[1 / 24, 1 / 4], checkpoint_cost=0.05
    ... ), 3)
    0.804
    """
    costs = _costs(checkpoint_cost, recovery_cost, downtime)
    unit = power_of_two(costs["checkpoint_cost"])
    mixture = RateMixture.of(weights, shapes, means).beside(**costs)
    longest = sum(costs.values()) + 1.0 / float(mixture.means.min())
    rates, shares = mixture.times(unit).nodes(longest / unit)
    left, cost = shares * _after_failures(rates, unit, **costs), costs["checkpoint_cost"] / unit
    if len(rates) == 1:
        return unit * float(optimal_interval(mtbf=1.0 / float(rates[0]), checkpoint_cost=cost))
    from scipy.optimize import brentq

    def slope(interval: float) -> float:
        busy = rates * (interval + cost)
        with np.errstate(over="ignore", invalid="ignore"):
            # Divided by exp(2 busy): rates at which nothing gets done add nothing.
            gained = np.exp(-busy) * (-np.expm1(-busy) - rates * interval) / np.expm1(-busy) ** 2
        return float(np.nansum(left * gained))

    least, most = np.asarray(optimal_interval(mtbf=1.0 / rates[[-1, 0]], checkpoint_cost=cost))
    looked = np.geomspace(least, most, _LOOKED)
    likely = int(np.argmax([_share(each, rates, left, cost) for each in looked]))
    low = next((each for each in looked[likely::-1] if slope(each) > 0.0), None)
    high = next((each for each in looked[likely:] if slope(each) < 0.0), None)
    if low is None or high is None:
        return unit * float(looked[likely])
    return unit * float(brentq(slope, low, high, xtol=1e-13 * high, rtol=1e-13))


def _share(interval: float, rates: FloatArray, left: FloatArray, cost: float) -> float:
    with np.errstate(over="ignore"):
        return float((interval / np.expm1(rates * (interval + cost))) @ left)


def _costs(checkpoint_cost: Any, recovery_cost: Any, downtime: Any) -> dict[str, float]:
    return {
        "checkpoint_cost": scalar(positive, "checkpoint_cost", checkpoint_cost),
        "recovery_cost": scalar(nonnegative, "recovery_cost", recovery_cost),
        "downtime": scalar(nonnegative, "downtime", downtime),
    }


def _after_failures(
    rates: FloatArray, unit: float, *, recovery_cost: float, downtime: float, **_: float
) -> FloatArray:
    """Return what failures leave of each unit of time at each rate, times the rate, [1/time]."""
    recovery, down = recovery_cost / unit, downtime / unit
    return np.asarray(rates * np.exp(-rates * recovery) / (1.0 + rates * down))


_COSTS: dict[str, Ends] = {
    "checkpoint_cost/interval": (1e-3, 1.0),
    "recovery_cost/interval": (1e-3, 1.0),
    "downtime/interval": (1e-3, 1.0),
}

ROWS = (
    Formula(
        mixed_useful_share,
        "derived",
        "mean over gamma laws",
        "exact",
        ranges={**SHAPES, "means*interval": (1e-3, 1e3), **_COSTS},
        trend=Trend(falling=("checkpoint_cost", "recovery_cost", "downtime")),
    ),
    Formula(
        optimal_interval_mixed,
        "derived",
        "mean over gamma laws",
        "exact",
        ranges={
            **SHAPES,
            "means*checkpoint_cost": (1e-5, 10.0),
            "recovery_cost/checkpoint_cost": (0.01, 10.0),
            "downtime/checkpoint_cost": (0.01, 10.0),
        },
        trend=Trend(),
    ),
)
