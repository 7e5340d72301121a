"""Nodes of unequal rates."""

from __future__ import annotations

from . import suspects
from .cases import CASES as _CASES
from .cases import FULL as _FULL
from .cases import PROPERTIES
from .cases import SWEEPS as _SWEEPS
from .mutants import MUTANTS as _MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]

CASES = (*_CASES, *suspects.CASES)
FULL = (*_FULL, *suspects.FULL)
MUTANTS = (*_MUTANTS, *suspects.MUTANTS)
SWEEPS = (*_SWEEPS, *suspects.SWEEPS)
