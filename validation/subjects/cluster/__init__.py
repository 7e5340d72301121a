"""Formulas about one job, against equal jobs that queue on a cluster."""

from __future__ import annotations

from .cases import CASES, FULL

__all__ = ["CASES", "FULL"]
