"""Uptimes that a failure ends within a span of time: their transform, and 1 less it."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from .._checks import ComplexArray

_ORDERS = np.arange(1.0, 16.0)  # of a series in |s| span <= 0.5: the last term is 0.5^15/16!
_FACTORIALS = special.factorial(_ORDERS + 1.0)


def attempt(s: ComplexArray, rate: float, span: float) -> ComplexArray:
    """Return E[exp(-s X); X < span] of an exponential uptime X, [-]."""
    if span == 0.0:
        return np.zeros_like(s)
    z = s + rate
    x = z * span
    small = np.abs(x) < 1e-8
    with np.errstate(all="ignore"):
        share = np.asarray(-np.expm1(-x) / z)
    if small.any():
        share[small] = span * (1.0 - 0.5 * x[small])
    return np.asarray(rate * share)


def attempt_survival(
    s: ComplexArray, rate: float, span: float, struck: ComplexArray
) -> ComplexArray:
    """Return 1 - `struck`, the `attempt`, which is nearly 0 where hardly any uptime is longer."""
    kept = np.asarray(1.0 - struck)
    near = np.abs(s) < 0.5 * rate
    low = s[near]
    with np.errstate(all="ignore"):
        z = low + rate
        kept[near] = (low + rate * np.exp(-z * span)) / z
    return kept


def attempt_lasting(s: ComplexArray, rate: float, span: float) -> ComplexArray:
    """Return E[1 - exp(-s X); X < span], relatively accurate also near s = 0."""
    kept = math.exp(-rate * span)
    with np.errstate(all="ignore"):
        lasting = -(s * math.expm1(-rate * span) - rate * kept * np.expm1(-s * span)) / (s + rate)
    x = rate * span
    if x < 1.0:
        # Both parts are x s to first order: the moments of X/span instead, j! apart.
        y = s * span
        near = np.abs(y) < 0.5
        if near.any():
            moments = x * kept * special.hyp1f1(1.0, _ORDERS + 2.0, x) / _FACTORIALS
            total = np.zeros_like(y[near])
            for moment in moments[::-1]:
                total = y[near] * (moment - total)
            lasting[near] = total
    return np.asarray(lasting)
