"""Mean and variance of a cost that is either fixed or random."""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, nonnegative
from ._base import AbstractLifetime

__all__ = ["moments"]


def moments(name: str, duration: ArrayLike | AbstractLifetime) -> tuple[FloatArray, FloatArray]:
    """Return mean [time] and variance [time^2]; numbers have variance 0, lifetimes may have inf."""
    if isinstance(duration, AbstractLifetime):
        return np.asarray(duration.mean), np.asarray(duration.variance)
    mean = nonnegative(name, duration)
    return mean, np.zeros_like(mean)
