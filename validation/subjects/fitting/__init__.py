"""Estimates of laws and of an mtbf from data."""

from __future__ import annotations

from . import bathtubs, changes, patterns
from .cases import CASES as _CASES
from .cases import FULL as _FULL
from .mutants import MUTANTS as _MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]

CASES = (*_CASES, *bathtubs.CASES, *changes.CASES, *patterns.CASES)
FULL = (*_FULL, *bathtubs.FULL, *changes.FULL, *patterns.FULL)
MUTANTS = (*_MUTANTS, *bathtubs.MUTANTS, *changes.MUTANTS, *patterns.MUTANTS)
SWEEPS = changes.SWEEPS
