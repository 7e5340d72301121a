"""Images in the memory of buddies: waste, best interval, and the share of failures that go past."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]
