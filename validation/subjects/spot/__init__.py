"""Jobs with a deadline on spot machines: cost and chance, with and without a fall-back."""

from __future__ import annotations

from . import outlook
from .cases import CASES as _CASES
from .cases import FULL as _FULL
from .cases import SWEEPS as _SWEEPS
from .mutants import MUTANTS as _MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]

CASES = (*_CASES, *outlook.CASES)
SWEEPS = (*_SWEEPS, *outlook.SWEEPS)
FULL = (*_FULL, *outlook.FULL)
MUTANTS = (*_MUTANTS, *outlook.MUTANTS)
