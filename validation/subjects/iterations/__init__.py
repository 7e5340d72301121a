"""Jobs saved at the ends of iterations of random length: mean, and the best number of them."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]
