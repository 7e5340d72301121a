r"""The model of Wu, Sun and Jin: failures strike first-time work only.

Failures come as a Poisson stream while work is done for the first time. Each costs a downtime
and a rework back to the failure point. Failures during a downtime queue behind it, so a
downtime is a busy period of an M/G/1 queue; rework and the writing of checkpoints never fail.
The rework of each failure is an independent exponential time truncated at the interval, unless
another law says what a recovery costs.
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


def wsj_mean(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = 0.0,
    recovery_cost: ArrayLike | Lifetime | None = None,
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
    recovery_cost : array_like, Lifetime or None, [time]
        mu_c, all that a failure costs after its repair, as migration or a restart does:
        fixed and >= 0, or a law of which mean enters. None is the rework within an interval.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. inf where downtimes fill all time,
        lambda mu_f >= 1, and for overflow.

    Notes
    -----
    Exact inside its model: eq. (12) of [1]_, that is (3) with the rework of (11) and the
    checkpoints of (10), w/gamma of them even if that is not a whole number. With `recovery_cost`
    it is (3) with that, and what checkpoints cost; without any, `interval` is inf. Whether a
    restart repeats work besides, the paper leaves to mu_c, and so does this. As a prediction of the
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

    A failure moves the task to another node in 6 minutes; nothing is written or repeated.

    >>> t = wsj_mean(128.0, mtbf=512.0, downtime=0.0, interval=float("inf"), recovery_cost=0.1)
    >>> round(float(t), 3)
    128.025
    """
    w, mu, mu_f, _, gamma, alpha, mu_c, _ = _checked(
        work, mtbf, downtime, interval, checkpoint_cost, recovery_cost
    )
    with np.errstate(all="ignore"):
        if recovery_cost is None:
            x = np.minimum(_ratio(gamma, mu), 1e3)  # beyond, no rework is truncated
            again = x * truncated_exponential_mean(x)
        else:
            again = _ratio(mu_c, mu)
        found = (1.0 / _up(mu, mu_f) + np.where(alpha > 0.0, alpha / gamma, 0.0) + again) * w
    return answer(found, work, mtbf, downtime, interval, checkpoint_cost, recovery_cost)


def wsj_variance(
    work: ArrayLike,
    *,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike = 0.0,
    recovery_cost: ArrayLike | Lifetime | None = None,
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
    recovery_cost : array_like, Lifetime or None, [time]
        mu_c with sigma_c, all that a failure costs after its repair, as migration or a restart
        does: fixed and >= 0, or a law of which mean and variance enter. None is the rework
        within an interval.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. inf where lambda mu_f >= 1, where downtime
        or recovery cost has no finite variance, and for overflow.

    Notes
    -----
    Exact inside its model: eq. (4) of [1]_ with `recovery_cost`, else (13) with mu_c from (11).
    There the paper uses sigma_c without giving it; here it is that of the same truncated
    exponential, derived in tests/derivations/test_wsj.py. See `wsj_mean` for how far the model
    is from the machine.

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
    w, mu, mu_f, var_f, gamma, _, cost, scatter = _checked(
        work, mtbf, downtime, interval, checkpoint_cost, recovery_cost
    )
    up = _up(mu, mu_f)
    with np.errstate(all="ignore"):
        # The root of the mean number of failures goes into every square: none may overflow alone.
        root = np.sqrt(w) / np.sqrt(mu)
        if recovery_cost is None:
            x = _ratio(gamma, mu)
            cut = np.minimum(x, 1e3)
            length = np.where(x < 1.0, gamma, mu * cut)
            cost = length * truncated_exponential_mean(cut)
            scatter = length * np.sqrt(truncated_exponential_variance(cut))
        else:
            scatter = np.sqrt(scatter)
        mu_c, std_c = multiply(root, cost), multiply(root, scatter)
        down, spread = multiply(mu_f, root), multiply(var_f, root) * root
        found = (down**2 + spread) / up**3 + mu_c**2 + std_c**2 + multiply(2.0 * down, mu_c) / up
        defined = np.isfinite(var_f) & np.isfinite(scatter)
    found = np.where((up > 0.0) & defined, found, np.inf)
    found = np.where(np.isinf(mu), 0.0, found)
    return answer(found, work, mtbf, downtime, interval, checkpoint_cost, recovery_cost)


def _ratio(gamma: FloatArray, mu: FloatArray) -> FloatArray:
    """Return gamma/mu; 0 where nothing ever fails, also without checkpoints."""
    return np.where(np.isinf(mu), 0.0, gamma / mu)


def _up(mu: FloatArray, mu_f: FloatArray) -> FloatArray:
    """Return the share of time without a downtime, 0 where downtimes fill all of it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.isinf(mu), 1.0, np.maximum(1.0 - mu_f / mu, 0.0))


def _checked(  # noqa: PLR0917 (the arguments of both)
    work: ArrayLike,
    mtbf: ArrayLike,
    downtime: ArrayLike | Lifetime,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike | Lifetime | None,
) -> tuple[FloatArray, ...]:
    """Return w, 1/lambda, mu_f, sigma_f^2, gamma, alpha, mu_c, sigma_c^2.

    All but the squares broadcast; the last two are 0 where the interval decides.
    """
    mean, variance = moments("downtime", downtime)
    cost, scatter = moments("recovery_cost", 0.0 if recovery_cost is None else recovery_cost)
    w, mu, mu_f, gamma, alpha, mu_c = broadcast(
        work=positive("work", work),
        mtbf=positive_or_inf("mtbf", mtbf),
        downtime=mean,
        interval=positive_or_inf("interval", interval),
        checkpoint_cost=nonnegative("checkpoint_cost", checkpoint_cost),
        recovery_cost=cost,
    )
    return w, mu, mu_f, variance, gamma, alpha, mu_c, scatter


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
