"""Which checkpoint protocol is best for a job, by how much, and where the order changes."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]
