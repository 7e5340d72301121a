"""Names in a failure log, mapped to the nodes of a machine."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS

__all__ = ["CASES", "MUTANTS"]
