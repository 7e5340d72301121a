"""Laws of durations: uptimes, downtimes, costs. They have moments and tails, and draw nothing.

Every law is frozen, has scalar parameters and broadcasts over times. `mean`, `variance`, `std`
and `scv` are floats, `inf` where they overflow or do not exist. `sim.samplers` has the same laws,
written a second time on purpose: the two packages share numbers, never code.

>>> uptime = Weibull.from_mean(24.0, cv=1.5)
>>> round(uptime.shape, 6), round(uptime.scale, 6)
(0.684773, 18.55744)
>>> round(float(uptime.sf(24.0)), 6)
0.30344
"""

from __future__ import annotations

from ._base import AbstractLifetime
from ._discrete import Deterministic, Empirical
from ._exponential import Exponential, HyperExponential
from ._gamma import Gamma
from ._lognormal import LogNormal
from ._weibull import Weibull

__all__ = [
    "AbstractLifetime",
    "Deterministic",
    "Empirical",
    "Exponential",
    "Gamma",
    "HyperExponential",
    "LogNormal",
    "Weibull",
]
