"""The generator of failures of a grid."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
