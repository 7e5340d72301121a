r"""The best two levels of checkpoints for a long job: how often, and how many local ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from .._checks import fraction, nonnegative, positive, scalar
from ..formula import Formula, Trend
from ..interval import optimal_interval

_LEAST_COST = 1e-100  # in mtbfs; its inverse is the largest


@dataclass(frozen=True, slots=True)
class TwoLevelPattern:
    """When to write which checkpoint.

    Parameters
    ----------
    interval : float, [time]
        Work between two checkpoints, checkpoint excluded.
    durable_every : float, [-]
        Checkpoints from one durable one to the next, that one included; inf for none that is.
    """

    interval: float
    durable_every: float


def optimal_pattern_two_levels(
    *,
    mtbf: float,
    survived: float,
    local_cost: float,
    durable_cost: float,
    local_recovery: float = 0.0,
) -> TwoLevelPattern:
    r"""Interval and number of local checkpoints that minimise the mean makespan of a long job.

    .. math:: \min_{w, m} \frac{1}{m w} \left(
        [1 + \theta (e^{(w + c_1)/\mu} - 1)]^{m-1} [1 + \theta (e^{(w + c_2)/\mu} - 1)] - 1\right)

    with theta as in `expected_makespan_two_levels`. The durable recovery and the downtime
    lengthen every pattern by one factor, so that the best one does not depend on them.

    Parameters
    ----------
    mtbf : float, [time]
        mu, mean uptime between failures of any kind, repair excluded; > 0.
    survived : float, [-]
        Share of the failures that leave the local copy; >= 0 and at most 1.
    local_cost, durable_cost : float, [time]
        c_1 and c_2, whole cost of a local and of a durable checkpoint; > 0.
    local_recovery : float, [time]
        r_1, to read back a local checkpoint; >= 0.

    Returns
    -------
    TwoLevelPattern, [time]
        `interval`, and `durable_every`: 1 where local checkpoints do not pay, inf where all
        failures are survived.

    Raises
    ------
    ValueError
        If a cost is not between 1e-100 and 1e100 mtbf.

    Notes
    -----
    Exact, for the rule "reinstated": the best interval for each number of checkpoints is a root,
    and the number is searched as if there were one minimum, as exhaustive search found at every
    point tried. A kind of failure that leaves the local copy is recovered from it even where
    every checkpoint is durable.
    Source: derived, see tests/derivations/test_levels.py. [1]_ treats such jobs; it was not read.

    Judged for local_cost/mtbf 1e-5 to 0.1, durable_cost/local_cost 1 to 1000, survived 0.01 to
    0.99, local_recovery/mtbf 1e-5 to 1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Di, Y. Robert, F. Vivien and F. Cappello, "Toward an optimal online checkpoint
       solution under a two-level HPC checkpoint model", IEEE Transactions on Parallel and
       Distributed Systems 28, 2017.

    Examples
    --------
    >>> best = optimal_pattern_two_levels(
    ...     mtbf=1 / (7.78e-6 + 5.19e-7), survived=7.78e-6 / (7.78e-6 + 5.19e-7),
    ...     local_cost=9.0, durable_cost=438.0, local_recovery=9.0,
    ... )
    >>> round(best.interval, 6), best.durable_every
    (1491.8195, 27.0)
    """
    mu = scalar(positive, "mtbf", mtbf)
    share = scalar(fraction, "survived", survived)
    c1 = scalar(positive, "local_cost", local_cost) / mu
    c2 = scalar(positive, "durable_cost", durable_cost) / mu
    r1 = scalar(nonnegative, "local_recovery", local_recovery) / mu
    for name, cost in (("local_cost", c1), ("durable_cost", c2)):
        if not _LEAST_COST <= cost <= 1.0 / _LEAST_COST:
            raise ValueError(
                f"{name}/mtbf must be >= {_LEAST_COST:g} and <= {1.0 / _LEAST_COST:g}, got {cost!r}"
            )
    if share == 1.0:
        best = float(optimal_interval(mtbf=mu, checkpoint_cost=mu * c1))
        return TwoLevelPattern(best, math.inf)
    theta = (1.0 - share) / (1.0 - share + share * math.exp(-r1))

    def best_of(count: float) -> tuple[float, float]:
        return _best_interval(count, c1, c2, theta)

    count = _least(lambda number: best_of(number)[1])
    return TwoLevelPattern(mu * best_of(count)[0], count)


def _best_interval(count: float, c1: float, c2: float, theta: float) -> tuple[float, float]:
    """Return the best interval, in mtbfs, and the logarithm of its relative makespan."""

    def grown(interval: float) -> float:
        return (count - 1.0) * _log_growth(interval + c1, theta) + _log_growth(interval + c2, theta)

    def slope(log_interval: float) -> float:
        """Return a number of the sign of the derivative of the makespan."""
        w = math.exp(log_interval)
        rate = (count - 1.0) * _rate(w + c1, theta) + _rate(w + c2, theta)
        return w * rate + math.expm1(-min(grown(w), 1e3))

    start = 0.5 * math.log((c1 * (count - 1.0) + c2) / count)
    low = high = min(start, 0.0)
    while slope(low) > 0.0:
        low -= 1.0
    while slope(high) < 0.0:
        high += 1.0
    best = math.exp(brentq(slope, low, high, xtol=1e-15)) if low < high else math.exp(low)
    total = grown(best)
    value = total if total > 700.0 else math.log(math.expm1(total))
    return best, value - math.log(count * best)


def _log_growth(x: float, theta: float) -> float:
    """Return log(1 + theta (e^x - 1))."""
    if x < 1.0:
        return math.log1p(theta * math.expm1(x))
    return float(np.logaddexp(math.log1p(-theta), x + math.log(theta))) if theta < 1.0 else x


def _rate(x: float, theta: float) -> float:
    """Return the derivative of `_log_growth`."""
    return theta / (theta + (1.0 - theta) * math.exp(-x))


def _least(value: Callable[[float], float]) -> float:
    """Return the whole number >= 1 of the least value, if values fall first and then rise."""
    high = 2.0
    while value(high) < value(high / 2.0):
        high *= 2.0
    low = max(1.0, high / 4.0)
    # Values of neighbours may differ by less than rounding: those of thirds do not, but at the end.
    step = max(1.0, math.ulp(high))  # between numbers that floats tell apart
    while high - low > 4.0 * step:
        third = (high - low) // 3.0
        if value(low + third) < value(high - third):
            high -= third
        else:
            low += third
    return min((low + step * more for more in range(int((high - low) / step) + 1)), key=value)


ROWS = (
    Formula(
        optimal_pattern_two_levels,
        "derived",
        "two levels of checkpoints",
        "exact",
        ranges={
            "local_cost/mtbf": (1e-5, 0.1),
            "durable_cost/local_cost": (1.0, 1e3),
            "survived": (0.01, 0.99),
            "local_recovery/mtbf": (1e-5, 1.0),
        },
        trend=Trend(),
    ),
)
