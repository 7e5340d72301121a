"""Performance under failures: completion times, checkpoint intervals, partitions."""

from __future__ import annotations

from .lifetimes import (
    AbstractLifetime,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
)
from .validity import Range, ValidityWarning

__all__ = [
    "AbstractLifetime",
    "Deterministic",
    "Empirical",
    "Exponential",
    "Gamma",
    "HyperExponential",
    "LogNormal",
    "Range",
    "ValidityWarning",
    "Weibull",
]
