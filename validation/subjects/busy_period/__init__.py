"""Repairs that failures prolong."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "MUTANTS", "PROPERTIES"]
