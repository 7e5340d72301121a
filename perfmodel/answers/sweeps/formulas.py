"""Formulas of the catalogue, evaluated for the parameters of a cell."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from asking.kinds import COST

from .values import Reader, of_kind, plain

_RESULT = re.compile(r"^Returns\n-+\n.*\[time\]$", re.MULTILINE)
_HEAD = re.compile(r"^(\w+(?:, \w+)*) : .*\[([^\]]+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FormulaPlay:
    """The formula of a name; what it gives depends on no seed."""

    name: str

    def __call__(self, parameters: Mapping[str, Any], seed: int) -> dict[str, int | float | str]:
        """Return what the formula gives, by the names of its parts or by its own."""
        del seed
        found = _formula(self.name)(**parameters)
        if is_dataclass(found) and not isinstance(found, type):
            parts: Mapping[str, Any] = asdict(found)
        elif hasattr(found, "_asdict"):
            parts = found._asdict()
        else:
            parts = {self.name: found}
        numbers = {
            name: float(value)
            for name, value in parts.items()
            if np.ndim(value) == 0 and isinstance(value, float | int | np.generic | np.ndarray)
        }
        if not numbers:
            raise ValueError(f"formula must give numbers, got {type(found).__name__}")
        return dict(numbers)


def readers_of_formula(name: str) -> tuple[dict[str, Reader], tuple[str, ...]]:
    """Return how the parameters of a formula are read, and those that must be given."""
    timed = durations_of_formula(name)
    parameters = inspect.signature(_formula(name)).parameters
    readers: dict[str, Reader] = {
        key: of_kind(COST) if key in timed else plain for key in parameters
    }
    needed = [key for key, each in parameters.items() if each.default is inspect.Parameter.empty]
    return readers, tuple(needed)


def durations_of_formula(name: str) -> frozenset[str]:
    """Return the parameters of a formula that are times, and its own name if its result is one."""
    words = inspect.getdoc(_formula(name)) or ""
    heads = _HEAD.findall(words)
    timed = {key for names, unit in heads if unit == "time" for key in names.split(", ")}
    return frozenset(timed | ({name} if _RESULT.search(words) else set()))


def _formula(name: str) -> Any:
    from ...registry import FORMULAS

    known = {row.name: row.function for row in FORMULAS}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f" (nearest: {near[0]})" if near else ""
        raise ValueError(f"study.formula must be a function of the catalogue{hint}, got {name!r}")
    return known[name]
