"""How much work to do between two checkpoints, for a long job whose silent errors show late.

The job is that of `perfmodel.silent.late`. Its mean time per segment is a convex function of w.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, BoolArray, FloatArray, answer
from .._special import expm1_minus, multiply
from ..formula import Formula, Trend
from ..quantities import checked
from ._search import turning_point
from .late import RANGES, each_strike, over
from .verified import shrunk


def optimal_interval_detected_late(
    *,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
) -> FloatArray:
    r"""Interval that minimises the expected makespan of a long job whose silent errors show late.

    .. math::
        e^{C/\mu} (1 + \kappa) \frac{h(w (1/\mu + 1/\sigma))}{1/\mu + 1/\sigma}
        + \frac{\kappa L}{\mu} e^{-C/L} \frac{h(w (1/\sigma - 1/L))}{1/\sigma - 1/L}
        = \mu \left(e^{C/\mu} - 1\right)

    with h(x) = 1 + (x - 1) e^x and kappa as in `expected_makespan_detected_late`, solved for w.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, to write a checkpoint; >= 0.
    detection_latency : array_like, [time]
        L, mean of the exponential time from a silent error until it shows; >= 0.
    recovery_cost : array_like, [time]
        R, to read a checkpoint back; >= 0.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded. 0 where checkpoints are free, inf without errors of
        either kind. Shape: all arguments broadcast together.

    Notes
    -----
    Exact, to rounding, for any ratio of its arguments. Without silent errors it is
    `optimal_interval`. Without failures it is that of checkpoints of cost C/(1 + (L + R)/sigma):
    an error costs L + R in any case, which makes the work more worth keeping.
    Source: derived in tests/derivations/test_silent_detected_late.py. [1]_ treats such jobs; it
    was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert, F. Vivien and D. Zaidouni, "On the
       combination of silent error detection and checkpointing", PRDC 2013.

    Examples
    --------
    >>> best = optimal_interval_detected_late(
    ...     mtbf=200.0, silent_mtbf=100.0, checkpoint_cost=1.0, detection_latency=5.0,
    ...     recovery_cost=1.0,
    ... )
    >>> round(float(best), 4)
    10.6446
    """
    given = (mtbf, silent_mtbf, checkpoint_cost, detection_latency, recovery_cost)
    mu, sigma, c, latency, r = checked(
        mtbf=mtbf,
        silent_mtbf=silent_mtbf,
        checkpoint_cost=checkpoint_cost,
        detection_latency=detection_latency,
        recovery_cost=recovery_cost,
    )
    endless = np.isinf(mu) & np.isinf(sigma)
    searched = (c > 0.0) & ~endless
    with np.errstate(all="ignore"):
        # Roots apart: the cost may underflow against the time between errors.
        start = np.sqrt(2.0 * c) * np.sqrt(1.0 / (1.0 / mu + 1.0 / sigma))
        start = np.where(searched & (start > 0.0) & (start < np.inf), start, 1.0)
    found = turning_point(start, lambda w: _rising(w, mu, sigma, c, latency, r))
    return answer(np.where(endless, np.inf, np.where(searched, found, 0.0)), *given)


def _rising(  # noqa: PLR0917 (numbers of one equation)
    w: FloatArray, mu: FloatArray, sigma: FloatArray, c: FloatArray, late: FloatArray, r: FloatArray
) -> BoolArray:
    """Return whether the mean time per work rises at w; both sides over e^(C/mu + x)."""
    each, x = each_strike(mu, sigma, late, r), w / mu + w / sigma
    written = multiply(each, np.exp(-c / mu - over(c, late)) * late / mu)
    left = multiply(1.0 + each, w * expm1_minus(-x) / x)
    rate = w / sigma - over(w, late)
    left = left + multiply(written, w * _bent(rate, x))
    return np.asarray(left > shrunk(c, mu) * np.exp(-x))


def _bent(z: FloatArray, x: FloatArray) -> FloatArray:
    """Return h(z)/z e^(-x) for z <= x, with h(z) = 1 + (z - 1) e^z; it is negative for z < 0."""
    near = np.where(np.abs(z) < 1.0, z, 1.0)
    small = np.where(z == 0.0, 0.0, (near * np.expm1(near) - expm1_minus(near)) / near)
    large = np.where(z > 0.0, (1.0 + np.expm1(-z) / z) * np.exp(np.minimum(z - x, 0.0)), 0.0)
    below = np.where(z < 0.0, (np.exp(-x) + (z - 1.0) * np.exp(z - x)) / z, 0.0)
    below = np.where(np.isinf(z), 0.0, below)
    return np.where(np.abs(z) < 1.0, small * np.exp(-x), np.where(z > 0.0, large, below))


ROWS = (
    Formula(
        optimal_interval_detected_late,
        "derived",
        "least mean, with silent errors that show late",
        "exact",
        ranges=RANGES,
        trend=Trend(),
    ),
)
