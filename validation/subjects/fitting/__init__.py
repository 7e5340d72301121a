"""Estimates of laws and of an mtbf from data."""

from __future__ import annotations

from . import bathtubs
from .cases import CASES as _CASES
from .cases import FULL as _FULL
from .mutants import MUTANTS as _MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]

CASES = (*_CASES, *bathtubs.CASES)
FULL = (*_FULL, *bathtubs.FULL)
MUTANTS = (*_MUTANTS, *bathtubs.MUTANTS)
