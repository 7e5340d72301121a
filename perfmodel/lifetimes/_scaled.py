"""The same law with another unit of time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ._base import AbstractLifetime
from ._discrete import Deterministic, Empirical
from ._exponential import Exponential, HyperExponential
from ._gamma import Gamma
from ._lognormal import LogNormal
from ._weibull import Weibull

__all__ = ["scaled"]


def scaled(law: AbstractLifetime, factor: float) -> AbstractLifetime:
    """Return the law of `factor` times the duration; TypeError for a law not of this package."""
    result: AbstractLifetime
    match law:
        case Exponential():
            result = replace(law, mean=law.mean * factor)
        case Gamma() | Weibull():
            result = replace(law, scale=law.scale * factor)
        case LogNormal():
            result = replace(law, mu=law.mu + math.log(factor))
        case HyperExponential():
            result = replace(law, means=tuple(mean * factor for mean in law.means))
        case Deterministic():
            result = replace(law, value=law.value * factor)
        case Empirical():
            result = Empirical(np.asarray(law.samples) * factor)
        case _:
            raise TypeError(f"downtime must be a lifetime of this package, got {law!r}")
    return result
