"""Promises whose stated probabilities are true, in every bin."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
