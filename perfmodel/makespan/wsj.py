r"""The model of Wu, Sun and Jin: failures strike first-time work only.

Failures come as a Poisson stream while work is done for the first time. Each costs a downtime
and a rework back to the failure point. Failures during a downtime queue behind it, so a
downtime is a busy period of an M/G/1 queue; rework and the writing of checkpoints never fail.
The rework of each failure is an independent exponential time truncated at the interval.
`perfmodel.makespan` has the model in which rework and checkpoints do fail.
"""

from __future__ import annotations

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    nonnegative,
    positive,
    positive_or_inf,
)
from .._ranges import NEVER_FAIL, TASK, WSJ
from .._special import multiply, truncated_exponential_mean, truncated_exponential_variance
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import moments

__all__ = ["ROWS", "wsj_mean", "wsj_variance"]


def wsj_mean(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean completion time of a task in the model of Wu, Sun and Jin.

    .. math::
        E[T] &= \left(\frac{1}{1 - \lambda \mu_f} + \frac{\alpha}{\gamma}
                + \lambda \mu_c\right) w \\
        \lambda \mu_c &= 1 - \frac{\lambda \gamma}{e^{\lambda \gamma} - 1}

    Parameters
    ----------
    work : array_like, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        1/lambda, mean time between failures; > 0, inf if there are none.
    downtime : array_like or Lifetime, [time]
        mu_f, fixed and >= 0, or a law of which the mean enters.
    interval : array_like, [time]
        gamma, work per segment, checkpoint excluded; > 0, inf without checkpoints.
    checkpoint_cost : array_like, [time]
        alpha, the paper's storage cost; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. inf where downtimes fill all time,
        lambda mu_f >= 1, and for overflow.

    Notes
    -----
    Exact inside its model: eq. (12) of [1]_, that is (3) with the rework of (11) and the
    checkpoints of (10), w/gamma of them even if that is not a whole number. As a prediction of the
    physical process, where rework and checkpoints fail too, it is too low when `interval` or
    `checkpoint_cost` is not small against `mtbf`: use `expected_makespan`.

    Judged for downtime/mtbf 1e-6 to 0.999, and any other ratio from 1e-6 to 1e6, in a model in
    which rework and checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> t = wsj_mean(128.0, mtbf=512.0, downtime=2.0, interval=2.0, checkpoint_cost=0.2)
    >>> round(float(t), 2)
    141.55
    """
    w, mu, mu_f, _, gamma, alpha = _checked(work, mtbf, downtime, interval, checkpoint_cost)
    with np.errstate(all="ignore"):
        x = np.minimum(_ratio(gamma, mu), 1e3)  # beyond, no rework is truncated
        rework = x * truncated_exponential_mean(x)
        found = (1.0 / _up(mu, mu_f) + np.where(alpha > 0.0, alpha / gamma, 0.0) + rework) * w
    return answer(found, work, mtbf, downtime, interval, checkpoint_cost)


def wsj_variance(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Variance of the completion time of a task in the model of Wu, Sun and Jin.

    .. math::
        V[T] &= \left(\frac{\mu_f^2 + \sigma_f^2}{(1 - \lambda \mu_f)^3} + \mu_c^2 + \sigma_c^2
                + \frac{2 \mu_f \mu_c}{1 - \lambda \mu_f}\right) \lambda w \\
        \sigma_c^2 &= \frac{1}{\lambda^2}
                - \frac{\gamma^2 e^{\lambda \gamma}}{(e^{\lambda \gamma} - 1)^2}

    Parameters
    ----------
    work : array_like, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : array_like, [time]
        1/lambda, mean time between failures; > 0, inf if there are none.
    downtime : array_like or Lifetime, [time]
        mu_f, fixed and >= 0, or a law of which mean and variance enter.
    interval : array_like, [time]
        gamma, work per segment, checkpoint excluded; > 0, inf without checkpoints.
    checkpoint_cost : array_like, [time]
        alpha, the paper's storage cost; >= 0. Being fixed it adds no variance.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. inf where lambda mu_f >= 1, where the
        downtime has no finite variance, and for overflow.

    Notes
    -----
    Exact inside its model: eqs. (4) and (13) of [1]_ with mu_c from (11). The paper uses
    sigma_c without giving it; here it is that of the same truncated exponential, derived in
    tests/derivations/test_wsj.py. See `wsj_mean` for how far the model is from the machine.

    Judged for downtime/mtbf 1e-6 to 0.999, and any other ratio from 1e-6 to 1e6, in a model in
    which rework and checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel.lifetimes import Exponential
    >>> v = wsj_variance(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(float(v), 2)
    44.44
    """
    w, mu, mu_f, var_f, gamma, _ = _checked(work, mtbf, downtime, interval, checkpoint_cost)
    up = _up(mu, mu_f)
    with np.errstate(all="ignore"):
        # The root of the mean number of failures goes into every square: none may overflow alone.
        root = np.sqrt(w) / np.sqrt(mu)
        x = _ratio(gamma, mu)
        cut = np.minimum(x, 1e3)
        length = np.where(x < 1.0, gamma, mu * cut)
        mu_c = multiply(root, length * truncated_exponential_mean(cut))
        std_c = multiply(root, length * np.sqrt(truncated_exponential_variance(cut)))
        down, spread = multiply(mu_f, root), multiply(var_f, root) * root
        found = (down**2 + spread) / up**3 + mu_c**2 + std_c**2 + 2.0 * down * mu_c / up
    found = np.where((up > 0.0) & np.isfinite(var_f), found, np.inf)
    found = np.where(np.isinf(mu), 0.0, found)
    return answer(found, work, mtbf, downtime, interval, checkpoint_cost)


def _ratio(gamma: FloatArray, mu: FloatArray) -> FloatArray:
    """Return gamma/mu; 0 where nothing ever fails, also without checkpoints."""
    return np.where(np.isinf(mu), 0.0, gamma / mu)


def _up(mu: FloatArray, mu_f: FloatArray) -> FloatArray:
    """Return the share of time without a downtime, 0 where downtimes fill all of it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.isinf(mu), 1.0, np.maximum(1.0 - mu_f / mu, 0.0))


def _checked(
    work: ArrayLike,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike,
) -> tuple[FloatArray, ...]:
    """Return w, 1/lambda, mu_f, sigma_f^2, gamma, alpha; all broadcast but sigma_f^2."""
    mean, variance = moments("downtime", downtime)
    w, mu, mu_f, gamma, alpha = broadcast(
        work=positive("work", work),
        mtbf=positive_or_inf("mtbf", mtbf),
        downtime=mean,
        interval=positive_or_inf("interval", interval),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
    )
    return w, mu, mu_f, variance, gamma, alpha


ROWS = (
    Formula(
        wsj_mean,
        "wsj",
        "(3), (11), (12)",
        "exact",
        ranges=WSJ,
        within=NEVER_FAIL,
        domain=TASK,
        trend=Trend(rising=("work", "checkpoint_cost", "downtime"), falling=("mtbf",)),
    ),
    Formula(
        wsj_variance,
        "wsj",
        "(4), (11), (13)",
        "exact",
        ranges=WSJ,
        within=NEVER_FAIL,
        domain=TASK,
        trend=Trend(rising=("work", "downtime", "interval")),
    ),
)
