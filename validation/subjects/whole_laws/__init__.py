"""Laws of completion times: what each must show, whatever it is computed by."""

from __future__ import annotations

from .cases import CASES, FULL, SWEEPS
from .mutants import MUTANTS

__all__ = ["CASES", "FULL", "MUTANTS", "SWEEPS"]
