"""Formulas about one job, against jobs on a cluster."""

from __future__ import annotations

from .cases import CASES, FULL

__all__ = ["CASES", "FULL"]
