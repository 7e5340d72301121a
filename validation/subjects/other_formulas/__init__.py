"""Formulas whose definition is a search, a count or a limit, over their documented range."""

from __future__ import annotations

from validation.judge.court import Mutant

from .cases import CASES, FULL

__all__ = ["CASES", "FULL", "MUTANTS"]

MUTANTS: tuple[Mutant, ...] = ()
