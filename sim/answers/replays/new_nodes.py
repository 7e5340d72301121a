"""How often nodes fail that are all new at the start, for the note that says so."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ..._libm import exp, powers

__all__ = ["failures_when_new"]

FloatArray = npt.NDArray[np.float64]

_STEPS = 2000
_TERMS = 500
_FAR = 700.0  # beyond which nothing is left


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
    step = span / _STEPS
    t = step * np.arange(_STEPS + 1)
    fails = -_each(math.expm1, -powers(t / scale, shape))
    up = powers(np.maximum(t - repair, 0.0) / scale, shape)
    again = -_each(math.expm1, -up)
    moment = mean * _gamma_share(1.0 + 1.0 / shape, up) + repair * again
    share = np.diff(again)  # of the gaps between failures that end within each step
    far = np.diff(moment) / step - np.arange(_STEPS) * share  # weighted by how far within it
    near = share - far
    count = np.zeros(_STEPS + 1)
    with np.errstate(divide="ignore"):
        for i in range(1, _STEPS + 1):
            earlier = np.dot(near[1:i], count[i - 1 : 0 : -1]) + np.dot(far[:i], count[i - 1 :: -1])
            count[i] = (fails[i] + earlier) / (1.0 - share[0] + far[0])
    return float(count[-1])


def _front(a: float, x: FloatArray) -> FloatArray:
    """Return x^a e^-x / Gamma(a)."""
    least = math.lgamma(a)
    return _each(lambda v: exp(a * math.log(v) - v - least) if v > 0.0 else 0.0, x)


def _each(function: Callable[[float], float], x: FloatArray) -> FloatArray:
    return np.array([function(value) for value in x.tolist()])


def _gamma_share(a: float, x: FloatArray) -> FloatArray:
    """Return the regularised lower incomplete gamma function of `a` > 1.

    By its series below a + 1, above by its continued fraction (Lentz).
    """
    found = np.ones(x.shape)
    near = x < a + 1.0
    small, large = x[near], np.minimum(x[~near], _FAR)
    term = np.full(small.shape, 1.0 / a)
    total = term.copy()
    for n in range(1, _TERMS):
        term = term * small / (a + n)
        total += term
    found[near] = total * _front(a, small)
    b = large + 1.0 - a
    c, d = np.full(large.shape, math.inf), 1.0 / b
    product = d.copy()
    for n in range(1, _TERMS):
        factor = -n * (n - a)
        b = b + 2.0
        d = 1.0 / (factor * d + b)
        c = b + factor / c
        product *= c * d
    found[~near] = 1.0 - product * _front(a, large)
    return found
