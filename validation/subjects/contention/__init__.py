"""Jobs that share a file system: their periods, and what they lose."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]
