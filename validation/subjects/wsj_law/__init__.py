"""Laws of the completion time in the model of Wu, Sun and Jin."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
