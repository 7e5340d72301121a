"""Closed forms over their whole documented range, against their definitions at 60 digits."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS

__all__ = ["CASES", "FULL", "SWEEPS"]
