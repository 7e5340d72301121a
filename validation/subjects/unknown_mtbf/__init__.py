"""What a count of failures leaves open, carried to formulas and laws; failures in bursts."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS"]
