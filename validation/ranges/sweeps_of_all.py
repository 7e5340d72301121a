"""Every sweep over a documented range."""

from __future__ import annotations

from ..subjects.closed_forms import cases as closed_forms_cases
from ..subjects.machine_sets import cases as machine_sets_cases
from ..subjects.other_formulas import cases as other_formulas_cases
from ..subjects.whole_laws import cases as whole_laws_cases
from .sweeps import Sweep

__all__ = ["SWEEPS"]

SWEEPS: tuple[Sweep, ...] = (
    *whole_laws_cases.SWEEPS,
    *closed_forms_cases.SWEEPS,
    *other_formulas_cases.SWEEPS,
    *machine_sets_cases.SWEEPS,
)
