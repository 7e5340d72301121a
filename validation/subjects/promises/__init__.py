"""Promised deadlines and granted checkpoints."""

from __future__ import annotations

from validation.judge.trial import Case

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS"]

FULL: tuple[Case, ...] = ()
