"""A job on unequal machines: shares of the work and the choice of machines."""

from __future__ import annotations

from .cases import CASES
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "MUTANTS", "PROPERTIES"]
