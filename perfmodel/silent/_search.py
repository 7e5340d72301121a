"""The zero of a slope that falls below it and rises above, by bisection of the logarithm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._checks import BoolArray, FloatArray

_HALVINGS = 64


def turning_point(start: FloatArray, rising: Callable[[FloatArray], BoolArray]) -> FloatArray:
    """Return where `rising` turns true, searched around `start`, which is positive and finite."""
    with np.errstate(all="ignore"):
        # First brackets: e^-1 and e times the start, doubled on the scale of logarithms.
        low, high = np.full(start.shape, -1.0), np.full(start.shape, 1.0)
        for _ in range(12):
            low = np.where(rising(start * np.exp(low)), 2.0 * low, low)
            high = np.where(rising(start * np.exp(high)), high, 2.0 * high)
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            above = rising(start * np.exp(middle))
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray(start * np.exp(high))
