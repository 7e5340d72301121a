"""Rules of thumb for the checkpoint interval, and the optimum of the model of Wu, Sun and Jin.

Each rule approximates `perfmodel.interval.optimal_interval`, but for `optimal_interval_wsj`, the
optimum of another process. `interval` is the work of a segment:
period = interval + checkpoint_cost.
"""

from __future__ import annotations

import warnings

import numpy as np

from .._checks import ArrayLike, FloatArray, answer
from .._ranges import COST, COSTS, NEVER_FAIL
from .._special import truncated_exponential_mean, truncated_exponential_variance
from ..formula import ANY, Formula, Trend
from ..quantities import checked
from ..validity import Range, ValidityWarning
from .optimum import optimal_interval


def _cost_ratio(*, mtbf: FloatArray, checkpoint_cost: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return checkpoint_cost / mtbf


def _cost_and_recovery_ratio(
    *, mtbf: FloatArray, checkpoint_cost: FloatArray, recovery_cost: FloatArray | float = 0.0
) -> FloatArray:
    with np.errstate(over="ignore"):
        return (checkpoint_cost + recovery_cost) / mtbf


# Errors of the interval against the exact one, measured in
# tests/perfmodel/interval/test_optimum.py.
YOUNG_RANGE = Range("checkpoint_cost/mtbf", limit=0.05, error=0.115, of=_cost_ratio)
DALY_RANGE = Range("checkpoint_cost/mtbf", limit=0.5, error=0.0056, of=_cost_ratio)
DALY_FIRST_ORDER_RANGE = Range(
    "(checkpoint_cost + recovery_cost)/mtbf", limit=0.1, error=0.095, of=_cost_and_recovery_ratio
)

CLOSED_FORM_RANGE = Range(
    "checkpoint_cost/mtbf", limit=2.0, error=0.009, of=_cost_ratio, as_regret=True
)

# checkpoint_cost/mtbf beyond which the model's mean is lowest without any checkpoint:
# x^2 / (e^x - 1) at x = 2 + W0(-2 e^-2) = 1.593624.
_WSJ_LIMIT = 0.6476102378919149
_WSJ_STEPS = 5  # of Newton's method; 3e-13 after 4, rounding after 5, for every x up to there


def optimal_interval_young(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Optimal interval to first order, by Young.

    .. math:: w = \sqrt{2 C \mu}

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); inf without
        failures. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond checkpoint_cost/mtbf = 0.05.

    Notes
    -----
    Approximation, first order in sqrt(C/mu), always too long: by at most 11.5 % for
    C/mu <= 0.05, which lengthens the makespan by less than 0.2 %. It ignores failures during
    checkpoint and recovery. Source: [1]_, as quoted by [2]_; the paper was not reviewed.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. W. Young, "A first order approximation to the optimum checkpoint interval",
       Communications of the ACM 17(9), 1974.
    .. [2] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> float(optimal_interval_young(mtbf=1000.0, checkpoint_cost=5.0))
    100.0
    """
    mu, c = _checked(mtbf, checkpoint_cost)
    YOUNG_RANGE.warn("optimal_interval_young", _cost_ratio(mtbf=mu, checkpoint_cost=c))
    return answer(_endless(mu, _young(mu, c)), mtbf, checkpoint_cost)


def optimal_interval_daly(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Optimal interval to higher order, by Daly.

    .. math:: w = \sqrt{2 C \mu} \left(1 + \frac{1}{3} \sqrt{\frac{C}{2 \mu}}
        + \frac{1}{9} \frac{C}{2 \mu}\right) - C \quad (C < 2 \mu), \qquad w = \mu \text{ else}

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); inf without
        failures. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond checkpoint_cost/mtbf = 0.5.

    Notes
    -----
    Approximation to `optimal_interval`, within 0.56 % for C/mu <= 0.5 and never further off
    than 6.2 %. Source: [1]_, eq. (37), seen in a script that cites it; paper not reviewed.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart
       dumps", Future Generation Computer Systems 22(3), 2006.

    Examples
    --------
    >>> w = optimal_interval_daly(mtbf=24 * 60.0, checkpoint_cost=5.0)
    >>> round(float(w), 2)
    116.69
    """
    mu, c = _checked(mtbf, checkpoint_cost)
    DALY_RANGE.warn("optimal_interval_daly", _cost_ratio(mtbf=mu, checkpoint_cost=c))
    s = np.minimum(np.sqrt(0.5 * c) / np.sqrt(mu), 1.0)
    with np.errstate(invalid="ignore"):
        inside = _young(mu, c) * (1.0 + s / 3.0 + s**2 / 9.0) - c
    found = np.where(0.5 * c < mu, inside, mu)
    return answer(_endless(mu, found), mtbf, checkpoint_cost)


def optimal_interval_daly_first_order(
    *, mtbf: ArrayLike, checkpoint_cost: ArrayLike, recovery_cost: ArrayLike = 0.0
) -> FloatArray:
    r"""Optimal interval to first order, by Daly, with the recovery cost.

    .. math:: w = \sqrt{2 C (\mu + R)} - C

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.
    recovery_cost : array_like, [time]
        R, cost of reading a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); 0 where
        the formula is negative, C > 2 (mu + R); inf without failures. Shape: all arguments
        broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond (checkpoint_cost + recovery_cost)/mtbf = 0.1.

    Notes
    -----
    Approximation to `optimal_interval`, within 9.5 % for (C + R)/mu <= 0.1. The exact optimum
    does not depend on R. Source: recalled as that of [1]_, which has not been reviewed.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Daly, "A model for predicting the optimum checkpoint interval for restart dumps",
       ICCS 2003.

    Examples
    --------
    >>> w = optimal_interval_daly_first_order(mtbf=990.0, checkpoint_cost=5.0, recovery_cost=10.0)
    >>> float(w)
    95.0
    """
    mu, c, r = checked(mtbf=mtbf, checkpoint_cost=checkpoint_cost, recovery_cost=recovery_cost)
    ratio = _cost_and_recovery_ratio(mtbf=mu, checkpoint_cost=c, recovery_cost=r)
    DALY_FIRST_ORDER_RANGE.warn("optimal_interval_daly_first_order", ratio)
    with np.errstate(invalid="ignore", over="ignore"):
        halved = np.sqrt(2.0) * np.sqrt(0.5 * mu + 0.5 * r)
        root = np.where(mu + r < np.inf, np.sqrt(mu + r), halved)
        whole = np.sqrt(2.0) * np.sqrt(c) * root
        # Near C = 2 (mu + R) the difference is taken of the squares, by parts.
        left = (2.0 * np.maximum(mu, r) - c) + 2.0 * np.minimum(mu, r)
        near = c / (whole + c) * left
        found = np.maximum(np.where(c > 0.5 * (mu + r), near, whole - c), 0.0)
    return answer(_endless(mu, found), mtbf, checkpoint_cost, recovery_cost)


def optimal_interval_closed_form(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Nearly optimal interval in one root, also where checkpoints take longer than uptimes.

    .. math:: w = \sqrt{2 C \mu + C^2} - C

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, cost of writing a checkpoint; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); below `mtbf`,
        inf without failures. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond checkpoint_cost/mtbf = 2.

    Notes
    -----
    Approximation to `optimal_interval`: the exact optimum if each failure lost half an interval,
    that is, of the useful share w/(w + C) (1 - w/(2 mu)). A long job that uses it takes at most
    0.9 % longer than at the exact optimum (regret; the largest is 0.86 %, at C/mu = 1.52). The
    interval itself is always too short, by up to 13.2 %. Both errors vanish where C/mu tends to 0
    or to infinity: the range ends at 2 although the formula does not fail beyond.
    Source: derived in tests/derivations/test_interval.py, for the model of [1]_, of which only
    the abstract was seen.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> round(float(optimal_interval_closed_form(mtbf=12.0, checkpoint_cost=1.0)), 9)
    4.0
    """
    mu, c = _checked(mtbf, checkpoint_cost)
    ratio = _cost_ratio(mtbf=mu, checkpoint_cost=c)
    CLOSED_FORM_RANGE.warn("optimal_interval_closed_form", ratio)
    # 2 C mu / (C + sqrt(C^2 + 2 C mu)) loses no digits; of two ways the one that cannot overflow.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        root = np.sqrt(c) / np.sqrt(mu)
        cheap = np.sqrt(2.0) * _young(mu, c) / (root + np.hypot(root, np.sqrt(2.0)))
        dear = mu * (2.0 / (1.0 + np.hypot(1.0, np.sqrt(2.0) / root)))
    found = np.where(root < 1.0, cheap, dear)
    return answer(_endless(mu, found), mtbf, checkpoint_cost)


def optimal_interval_wsj(*, mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> FloatArray:
    r"""Interval that minimises the mean completion time in the model of Wu, Sun and Jin.

    .. math:: \frac{C}{\mu} = g(x) = \frac{x^2 (x e^x - e^x + 1)}{(e^x - 1)^2},
        \quad x = \frac{w}{\mu}

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean time between failures; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, the paper's storage cost alpha; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded (period = interval + checkpoint_cost); inf where
        the model has no best finite interval, or no failures. Shape: all arguments broadcast
        together.

    Warns
    -----
    ValidityWarning
        Where the result is inf.

    Notes
    -----
    Exact inside its model: the stationary point of eq. (12) of [1]_, derived in
    tests/derivations/test_wsj.py. Rework never fails there, so its mean tends to a constant as
    the interval grows. Beyond C/mu = 0.647610 that constant lies below the interior minimum,
    and beyond 1.01835 there is no interior minimum at all; in both cases "never checkpoint" is
    an artefact of the model, not advice. For a machine, use `optimal_interval`.

    Judged for any ratio of its arguments from 1e-6 to 1e6, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> round(float(optimal_interval_wsj(mtbf=512.0, checkpoint_cost=0.2)), 3)
    14.378
    """
    mu, c = _checked(mtbf, checkpoint_cost)
    ratio = _cost_ratio(mtbf=mu, checkpoint_cost=c)
    inside = ratio < _WSJ_LIMIT
    if not inside.all():
        warnings.warn(
            f"checkpoint_cost/mtbf = {float(np.max(ratio)):.6g} is beyond {_WSJ_LIMIT:.6f}, where "
            "the model of Wu, Sun and Jin has no best finite interval: inf is an artefact of that "
            "model, in which rework never fails, not advice never to checkpoint",
            ValidityWarning,
            stacklevel=2,
        )
    root = np.sqrt(c) / np.sqrt(mu)
    with np.errstate(invalid="ignore"):
        found = np.where(inside, mu * _wsj_ratio(np.where(inside, root, 0.0)), np.inf)
    return answer(_endless(mu, found), mtbf, checkpoint_cost)


def _wsj_ratio(root: FloatArray) -> FloatArray:
    """Solve g(x) = root^2 for x <= 1.594 by Newton's method on sqrt(g), which is concave there."""
    x = np.sqrt(2.0) * root
    positive_x = x > 0.0
    for _ in range(_WSJ_STEPS):
        x = np.where(positive_x, x, 1.0)
        variance = x**2 * truncated_exponential_variance(x)
        difference = x * truncated_exponential_mean(x) - variance
        g = x * difference
        slope = 2.0 * difference + (1.0 - variance) * (2.0 - x / np.tanh(x / 2.0))
        x = x - 2.0 * np.sqrt(g) * (np.sqrt(g) - root) / slope
    return np.where(positive_x, x, 0.0)


def _young(mu: FloatArray, c: FloatArray) -> FloatArray:
    # Roots apart: the product may overflow, and the ratio underflow.
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sqrt(2.0) * np.sqrt(c) * np.sqrt(mu))


def _endless(mu: FloatArray, interval: FloatArray) -> FloatArray:
    """Return `interval`, but inf where nothing ever fails, also for a free checkpoint."""
    return np.where(np.isinf(mu), np.inf, interval)


def _checked(mtbf: ArrayLike, checkpoint_cost: ArrayLike) -> tuple[FloatArray, ...]:
    return checked(mtbf=mtbf, checkpoint_cost=checkpoint_cost)


ROWS = (
    Formula(
        optimal_interval_young,
        "young1974",
        "interval rule",
        "approximation",
        YOUNG_RANGE,
        optimal_interval,
        ranges=COST,
        domain=COSTS,
        trend=Trend(rising=("mtbf", "checkpoint_cost")),
    ),
    Formula(
        optimal_interval_daly,
        "daly2006",
        "(37)",
        "approximation",
        DALY_RANGE,
        optimal_interval,
        ranges=COST,
        domain=COSTS,
        trend=Trend(rising=("checkpoint_cost",)),  # falls at mtbf = C/2, as published
    ),
    Formula(
        optimal_interval_daly_first_order,
        "daly2003",
        "first-order rule, not seen",
        "approximation",
        DALY_FIRST_ORDER_RANGE,
        optimal_interval,
        ranges={**COST, "recovery_cost/mtbf": ANY},
        domain={**COSTS, "recovery_cost": (1e-4, 1.0)},
        trend=Trend(rising=("mtbf", "recovery_cost")),
    ),
    Formula(
        optimal_interval_closed_form,
        "derived",
        "each failure loses half an interval",
        "approximation",
        CLOSED_FORM_RANGE,
        optimal_interval,
        ranges=COST,
        domain={**COSTS, "checkpoint_cost": (1e-4, 3.0)},
        trend=Trend(rising=("mtbf", "checkpoint_cost")),
    ),
    Formula(
        optimal_interval_wsj,
        "wsj",
        "d(12)/dgamma = 0",
        "exact",
        ranges=COST,
        within=NEVER_FAIL,
        domain=COSTS,
        trend=Trend(rising=("checkpoint_cost",)),
    ),
)
