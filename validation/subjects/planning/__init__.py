"""Plans for the scenarios of the documentation, played as they advise."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
