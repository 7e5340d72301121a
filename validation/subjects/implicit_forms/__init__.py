"""Formulas whose definition is a search, a count or a limit, over their documented range."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS

__all__ = ["CASES", "FULL", "SWEEPS"]
