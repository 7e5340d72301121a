"""Jobs under a rate of failures that is one of a mixture of gamma laws, and how that is learnt."""

from __future__ import annotations

from .cases import CASES, FULL, PROPERTIES, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]
