"""Shares and sets of machines drawn from the documented range."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS

__all__ = ["CASES", "FULL", "SWEEPS"]
