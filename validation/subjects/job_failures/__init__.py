"""Expected failures of one job, against replays of logs."""

from __future__ import annotations

from .cases import CASES, FULL
from .mutants import MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES"]
