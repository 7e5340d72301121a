"""Laws of durations: uptimes, downtimes, costs. They have moments and tails, and draw nothing.

Every law is frozen, has scalar parameters and broadcasts over times. `mean`, `variance`, `std`
and `scv` are floats, `inf` where they overflow or do not exist. `sim.samplers` has the same laws,
written a second time on purpose: the two packages share numbers, never code.

>>> from perfmodel.lifetimes import Weibull
>>> uptime = Weibull.from_mean(24.0, cv=1.5)
>>> round(uptime.shape, 6), round(uptime.scale, 6)
(0.684773, 18.55744)
>>> round(float(uptime.sf(24.0)), 6)
0.30344
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._doors import loading

if TYPE_CHECKING:
    from ._base import Lifetime as Lifetime
    from ._bathtub import Bathtub as Bathtub
    from ._discrete import Deterministic as Deterministic
    from ._discrete import Empirical as Empirical
    from ._exponential import Exponential as Exponential
    from ._exponential import HyperExponential as HyperExponential
    from ._gamma import Gamma as Gamma
    from ._lognormal import LogNormal as LogNormal
    from ._weibull import Weibull as Weibull

if not TYPE_CHECKING:  # or every attribute would exist for the type checker
    __all__, __getattr__, __dir__ = loading(__name__)
