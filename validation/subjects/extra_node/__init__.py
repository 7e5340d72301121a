"""One more node: as worker, replica or spare."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]
