"""Relations that must hold between public functions: limits, special cases, equal quantities.

A fact is checked at arguments that the docstring of its function allows. Equalities must hold up
to rounding, unless a law is inverted numerically.
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
