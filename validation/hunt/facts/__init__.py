"""Relations that must hold between public functions: limits, special cases, equal quantities.

A fact is checked at arguments that the docstring of its function allows. Equalities must hold up
to rounding, unless a law is inverted numerically.
"""

from __future__ import annotations

from . import (
    asynchronous,
    completion,
    forecasts,
    intervals,
    levels,
    lifetimes,
    makespans,
    partitions,
    site,
)
from ._fact import Fact

__all__ = ["FACTS", "Fact"]

FACTS: tuple[Fact, ...] = (
    *makespans.FACTS,
    *asynchronous.FACTS,
    *levels.FACTS,
    *intervals.FACTS,
    *site.FACTS,
    *lifetimes.FACTS,
    *completion.FACTS,
    *forecasts.FACTS,
    *partitions.FACTS,
)
