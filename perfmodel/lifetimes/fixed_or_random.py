"""A cost that is either fixed or random: a number, or a law."""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, nonnegative, scalar
from ._base import Lifetime
from ._discrete import Deterministic


def moments(name: str, duration: ArrayLike | Lifetime) -> tuple[FloatArray, FloatArray]:
    """Return mean [time] and variance [time^2]; numbers have variance 0, lifetimes may have inf."""
    if isinstance(duration, Lifetime):
        return np.asarray(duration.mean), np.asarray(duration.variance)
    mean = nonnegative(name, duration)
    return mean, np.zeros_like(mean)


def law_of(name: str, duration: float | Lifetime) -> Lifetime:
    """Return the law of `duration` [time]; a number gives a fixed one."""
    if isinstance(duration, Lifetime):
        return duration
    return Deterministic(scalar(nonnegative, name, duration))
