"""What must hold between public functions: limits, reductions, two ways to one quantity.

A fact draws the arguments that the docstring of its function allows, and says what is wrong with
them, if anything. Equalities are held to rounding, unless a law is inverted on the way.
"""

from __future__ import annotations

from . import completion, intervals, lifetimes, makespans, partitions, site
from ._fact import Fact

__all__ = ["FACTS", "Fact"]

FACTS: tuple[Fact, ...] = (
    *makespans.FACTS,
    *intervals.FACTS,
    *site.FACTS,
    *lifetimes.FACTS,
    *completion.FACTS,
    *partitions.FACTS,
)
