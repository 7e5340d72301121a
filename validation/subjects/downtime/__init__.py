"""Repairs that failures prolong, laws of the process of wsj, and numbers of spares."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "MUTANTS", "PROPERTIES"]
