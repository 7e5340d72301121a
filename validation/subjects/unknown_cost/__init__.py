"""What measured costs leave open about their mean, carried to formulas."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS"]
