"""Bursts that strike several nodes at once."""

from __future__ import annotations

from .cases import CASES, FULL, PROPERTIES, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]
