"""Parallel tasks that wait for each other after every phase."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]
