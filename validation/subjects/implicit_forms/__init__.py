"""Formulas defined by a search, a sum or a bound, over their whole documented range."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS

__all__ = ["CASES", "FULL", "SWEEPS"]
