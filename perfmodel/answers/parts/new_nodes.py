"""How often nodes fail that are all new at the start, for the note that says so."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["failures_when_new"]

_STEPS = 2000


def failures_when_new(*, shape: float, scale: float, repair: float, span: float) -> float:
    """Return the mean number of failures of one node that is new at the start of a span.

    The renewal equation m(t) = F(t) + integral of m(t - x) dF(x - repair), m straight between
    the points of a grid.

    Parameters
    ----------
    shape, scale : float, [-], [time]
        Of its Weibull uptimes; > 0.
    repair : float, [time]
        After each failure; >= 0.
    span : float, [time]
        From the start; >= 0.

    Returns
    -------
    float, [-]
        Within 2 % for shapes of 0.2 and more; inf where it is beyond all numbers.
    """
    mean = scale * math.gamma(1.0 + 1.0 / shape)
    if span == 0.0:
        return 0.0
    from scipy.special import gammainc

    step = span / _STEPS
    t = step * np.arange(_STEPS + 1)
    fails = -np.expm1(-((t / scale) ** shape))
    up = (np.maximum(t - repair, 0.0) / scale) ** shape
    again = -np.expm1(-up)
    moment = mean * gammainc(1.0 + 1.0 / shape, up) + repair * again
    share = np.diff(again)  # of the gaps between failures that end within each step
    far = np.diff(moment) / step - np.arange(_STEPS) * share  # weighted by how far within it
    near = share - far
    count = np.zeros(_STEPS + 1)
    with np.errstate(divide="ignore"):
        for i in range(1, _STEPS + 1):
            earlier = np.dot(near[1:i], count[i - 1 : 0 : -1]) + np.dot(far[:i], count[i - 1 :: -1])
            count[i] = (fails[i] + earlier) / (1.0 - share[0] + far[0])
    return float(count[-1])
