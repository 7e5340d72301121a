"""When to begin the last checkpoint of a reservation."""

from __future__ import annotations

from validation.ranges.sweeps import case

from .cases import CASES as FIXED
from .mutants import MUTANTS
from .properties import PROPERTIES, SWEEPS

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]

CASES = (*FIXED, *map(case, SWEEPS))
FULL = tuple(case(sweep, full=True) for sweep in SWEEPS)
