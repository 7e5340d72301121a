"""Jobs and checkpoints on machines that age, and platforms of such nodes."""

from __future__ import annotations

from . import plans, platform
from .cases import CASES as _CASES
from .cases import FULL as _FULL
from .cases import SWEEPS as _SWEEPS
from .mutants import MUTANTS as _MUTANTS
from .properties import PROPERTIES

__all__ = ["CASES", "FULL", "MUTANTS", "PROPERTIES", "SWEEPS"]

CASES = (*_CASES, *platform.CASES, *plans.CASES)
FULL = (*_FULL, *platform.FULL, *plans.FULL)
MUTANTS = (*_MUTANTS, *platform.MUTANTS, *plans.MUTANTS)
SWEEPS = (*_SWEEPS, *platform.SWEEPS, *plans.SWEEPS)
