"""Estimates of laws and of an mtbf from data."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]
