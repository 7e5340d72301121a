r"""How much work to do between two verified checkpoints, for a long job with silent errors.

The job is that of `perfmodel.silent.verified`. Its mean time per segment is a convex function
of w; over w it falls to one minimum and rises from there.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, BoolArray, FloatArray, answer
from .._special import expm1_minus, multiply
from ..formula import Formula, Trend
from ..quantities import checked
from ..validity import Range
from ._search import turning_point
from .verified import RANGES, shrunk


def optimal_interval_silent(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Interval that minimises the expected makespan of a long job with silent errors.

    .. math::
        \frac{w}{\sigma} \mu \left(1 - e^{-x}\right) + \mu \left(e^{-x} - 1 + x\right)
        + \mu \left(1 - e^{-R/\mu}\right) e^{-x}
          \left(e^{-w/\sigma} - 1 + \frac{w}{\sigma}\right)
        = V + \mu \left(1 - e^{-C/\mu}\right) e^{-x - w/\sigma}

    with x = (w + V)/mu, solved for w.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost, verification_cost, recovery_cost : array_like, [time]
        C, V and R; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, verification and checkpoint excluded. 0 where both are free, inf without
        errors of either kind. Shape: all arguments broadcast together.

    Notes
    -----
    Exact, to rounding, for any ratio of its arguments. Without silent errors it is
    `optimal_interval` for checkpoints of V + C. The recovery matters, other than there, because
    only silent errors cost one without a downtime before it; the downtime does not.
    Source: derived in tests/derivations/test_silent.py. [1]_ treats such jobs; it was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, Y. Robert and H. Sun, "Assessing general-purpose algorithms to
       cope with fail-stop and silent errors", ACM Transactions on Parallel Computing 3(2), 2016.

    Examples
    --------
    >>> best = optimal_interval_silent(
    ...     mtbf=1 / 5.19e-7, silent_mtbf=1 / 7.78e-6, checkpoint_cost=439.0,
    ...     verification_cost=9.1, recovery_cost=439.0,
    ... )
    >>> round(float(best), 2)
    7244.97
    """
    given = (mtbf, silent_mtbf, checkpoint_cost, verification_cost, recovery_cost)
    mu, sigma, c, v, r = _checked(*given)
    return answer(_root(mu, sigma, c, v, r), *given)


def optimal_interval_silent_first_order(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Optimal interval with silent errors, to first order.

    .. math:: w = \sqrt{\frac{V + C}{1/\sigma + 1/(2 \mu)}}

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost, verification_cost, recovery_cost : array_like, [time]
        C, V and R; >= 0. R has no part in the rule, but in how far it may be trusted.

    Returns
    -------
    ndarray, [time]
        Work per segment, verification and checkpoint excluded; inf without errors.
        Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond all costs*(1/mtbf + 1/silent_mtbf) = 0.1.

    Notes
    -----
    Approximation. All costs are C + V + R; up to 0.1 mean times between errors the job is at
    most 0.6 % longer than with the best interval. A silent error costs a whole segment, a failure
    half of one.
    Source: [1]_, not read; derived again in tests/derivations/test_silent.py.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, Y. Robert and H. Sun, "Assessing general-purpose algorithms to
       cope with fail-stop and silent errors", ACM Transactions on Parallel Computing 3(2), 2016.

    Examples
    --------
    >>> rule = optimal_interval_silent_first_order(
    ...     mtbf=1 / 5.19e-7, silent_mtbf=1 / 7.78e-6, checkpoint_cost=439.0, verification_cost=9.1
    ... )
    >>> round(float(rule), 2)
    7465.74
    """
    given = (mtbf, silent_mtbf, checkpoint_cost, verification_cost, recovery_cost)
    mu, sigma, c, v, r = _checked(*given)
    FIRST_ORDER_RANGE.warn(
        "optimal_interval_silent_first_order",
        _costs_to_errors(
            mtbf=mu, silent_mtbf=sigma, checkpoint_cost=c, verification_cost=v, recovery_cost=r
        ),
    )
    return answer(_first_order(mu, sigma, c, v), *given)


def _costs_to_errors(
    *,
    mtbf: FloatArray,
    silent_mtbf: FloatArray,
    checkpoint_cost: FloatArray,
    verification_cost: FloatArray,
    recovery_cost: FloatArray | float = 0.0,
) -> FloatArray:
    costs = checkpoint_cost + verification_cost + recovery_cost
    with np.errstate(over="ignore"):
        return np.asarray(costs / mtbf + costs / silent_mtbf)


# The regret, measured in validation/subjects/silent/cases.py.
FIRST_ORDER_RANGE = Range(
    "all costs*(1/mtbf + 1/silent_mtbf)",
    limit=0.1,
    error=0.006,
    of=_costs_to_errors,
    as_regret=True,
)


def _checked(*given: ArrayLike) -> tuple[FloatArray, ...]:
    mtbf, silent_mtbf, checkpoint_cost, verification_cost, recovery_cost = given
    return checked(
        mtbf=mtbf,
        silent_mtbf=silent_mtbf,
        checkpoint_cost=checkpoint_cost,
        verification_cost=verification_cost,
        recovery_cost=recovery_cost,
    )


def _first_order(mu: FloatArray, sigma: FloatArray, c: FloatArray, v: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):
        # Roots apart: the costs may underflow against the times between errors.
        mean = 1.0 / (1.0 / sigma + 0.5 / mu)
        found = np.sqrt(v + c) * np.sqrt(mean)
    return np.where(np.isinf(mean), np.inf, found)


def _root(
    mu: FloatArray, sigma: FloatArray, c: FloatArray, v: FloatArray, r: FloatArray
) -> FloatArray:
    """Return the only zero of the slope, by bisection of its logarithm around the first order."""
    start = _first_order(mu, sigma, c, v)
    searched = (start > 0.0) & (start < np.inf)
    start = np.where(searched, start, 1.0)
    found = turning_point(start, lambda w: _rising(w, mu, sigma, c, v, r))
    endless = np.isinf(mu) & np.isinf(sigma)
    return np.where(endless, np.inf, np.where(searched, found, 0.0))


def _rising(  # noqa: PLR0917 (numbers of one equation)
    w: FloatArray, mu: FloatArray, sigma: FloatArray, c: FloatArray, v: FloatArray, r: FloatArray
) -> BoolArray:
    """Return whether the mean time per work rises at w: both sides are sums without cancellation.

    mu (1 - e^(-a/mu)) is a where nothing ever fails.
    """
    strikes, x = w / sigma, (w + v) / mu
    bent = np.where(np.isinf(mu), 0.0, multiply(expm1_minus(-x), mu))
    more = multiply(strikes, shrunk(w + v, mu)) + bent
    more = more + multiply(expm1_minus(-strikes), np.exp(-x) * shrunk(r, mu))
    return np.asarray(more > v + shrunk(c, mu) * np.exp(-x - strikes))


ROWS = (
    Formula(
        optimal_interval_silent,
        "derived",
        "least mean, with silent errors",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
    Formula(
        optimal_interval_silent_first_order,
        "benoit2016",
        "first order, not read",
        "approximation",
        FIRST_ORDER_RANGE,
        optimal_interval_silent,
        ranges=RANGES,
        domain={
            "mtbf": (1.0, 1.0),
            "silent_mtbf": (1.0, 1.0),
            "checkpoint_cost": (1e-3, 1.0),
            "verification_cost": (1e-4, 0.5),
        },
        trend=Trend(
            rising=("mtbf", "silent_mtbf", "checkpoint_cost", "verification_cost"),
        ),
    ),
)
