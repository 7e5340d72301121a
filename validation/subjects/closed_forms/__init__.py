"""Closed forms over their whole documented range, from their definitions at 60 digits."""

from __future__ import annotations

from validation.judge.court import Mutant

from .cases import CASES, FULL

__all__ = ["CASES", "FULL", "MUTANTS"]

MUTANTS: tuple[Mutant, ...] = ()
