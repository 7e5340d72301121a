"""How often to write a checkpoint where the rate of failures is not known, or drifts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, nonnegative, positive, scalar
from .._special import power_of_two
from ..interval import optimal_interval
from .law import RateMixture

__all__ = ["mixed_useful_share", "optimal_interval_mixed"]

_COUNTED = 50.0  # failures at the mean rate, of which the few rates give the law
_LOOKED = 65  # intervals between the best under the least and under the largest rate


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
    weights, shapes, means : array_like
        The law of the rate, as of `mixed_makespan`.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        C, R and D; >= 0, C > 0.

    Returns
    -------
    ndarray, [-]
        Of the shape of `interval`.

    Notes
    -----
    At each rate it is what `perfmodel.efficiency` gives; over rates it is right to 1e-6.
    """
    asked = np.asarray(positive("interval", interval))
    cost = scalar(positive, "checkpoint_cost", checkpoint_cost)
    unit = power_of_two(cost)  # near one another, times may be multiplied
    rates, shares = _few(RateMixture.of(weights, shapes, means).times(unit))
    left = shares * _after_failures(rates, recovery_cost, downtime, unit)
    asked, cost = asked / unit, cost / unit
    with np.errstate(over="ignore"):
        return np.asarray((asked[..., None] / np.expm1(rates * (asked[..., None] + cost))) @ left)


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
    weights, shapes, means : array_like
        The law of the rate, as of `mixed_makespan`.
    checkpoint_cost, recovery_cost, downtime : float, [time]
        C, R and D; >= 0, C > 0. Of one rate R and D change nothing; of several they make rates at
        which failures are frequent count less.

    Returns
    -------
    float, [time]
        That of `perfmodel.optimal_interval` where there is one rate only.

    Notes
    -----
    What is best is the mean useful share, `mixed_useful_share`. The mean time of the job is no
    measure: under a gamma law with k/m below R + w + C it is infinite at any interval that is not
    shorter. To first order in C both take Young's interval at the mean rate. Exact but for the few
    rates that stand for all, which change it by less than 1e-4 of itself.
    """
    cost = scalar(positive, "checkpoint_cost", checkpoint_cost)
    unit = power_of_two(cost)
    rates, shares = _few(RateMixture.of(weights, shapes, means).times(unit))
    left, cost = shares * _after_failures(rates, recovery_cost, downtime, unit), cost / unit
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
    low, high = looked[max(likely - 1, 0)], looked[min(likely + 1, _LOOKED - 1)]
    if not slope(low) > 0.0 > slope(high):
        return unit * float(looked[likely])
    return unit * float(brentq(slope, low, high, xtol=1e-13 * high, rtol=1e-13))


def _few(mixture: RateMixture) -> tuple[FloatArray, FloatArray]:
    return mixture.rates(_COUNTED / mixture.mean)


def _share(interval: float, rates: FloatArray, left: FloatArray, cost: float) -> float:
    with np.errstate(over="ignore"):
        return float((interval / np.expm1(rates * (interval + cost))) @ left)


def _after_failures(
    rates: FloatArray, recovery_cost: Any, downtime: Any, unit: float
) -> FloatArray:
    """Return what failures leave of each unit of time at each rate, times the rate, [1/time]."""
    recovery = scalar(nonnegative, "recovery_cost", recovery_cost) / unit
    down = scalar(nonnegative, "downtime", downtime) / unit
    return np.asarray(rates * np.exp(-rates * recovery) / (1.0 + rates * down))
