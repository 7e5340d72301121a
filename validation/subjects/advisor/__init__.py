"""An advisor of a running job: what those lose who follow it, on drawn failures and on logs."""

from __future__ import annotations

from .cases import CASES, FULL
from .levels import LEVEL_PROPERTIES as PROPERTIES
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]
