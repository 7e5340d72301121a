"""Speedup of jobs on nodes that fail, and the best number of nodes."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]
