"""Whether times or powers of a call are within reach of each other, where a docstring asks so."""

from __future__ import annotations

import inspect
import math
from typing import Any

import perfmodel

from .call import Arguments, Made, build, described

__all__ = ["are_comparable"]

_ASKED = {unit: f"{unit}s must be comparable" for unit in ("time", "power")}


def are_comparable(name: str, arguments: Arguments) -> bool:
    """Return whether no time or power is far beyond another, or the docstring allows that."""
    words = getattr(getattr(perfmodel, name.split(".", maxsplit=1)[0]), "__doc__", "") or ""
    words = " ".join(words.split()).lower()
    return all(
        asked not in words or _near(_values_of(name, arguments, unit))
        for unit, asked in _ASKED.items()
    )


def _near(values: list[float]) -> bool:
    known = [value for value in values if 0.0 < value < math.inf]
    if not known:
        return True
    low, high = min(known), max(known)
    return high * 1e-99 < low and low > 1e-149 and high < 1e149


def _values_of(name: str, arguments: Arguments, unit: str) -> list[float]:
    units = described(name)
    return [
        value if units[key].unit.get(unit, 1) > 0 or not value else 1.0 / value
        for key, given in {**_defaults(name), **arguments}.items()
        for value in _values(given, unit, counts=units[key].unit.get(unit, 0) != 0)
    ]


def _defaults(name: str) -> Arguments:
    """Return what is taken for numbers that are left out."""
    found: Any = perfmodel
    for part in name.split("."):
        found = getattr(found, part)
    parameters = inspect.signature(found).parameters.values()
    return {p.name: p.default for p in parameters if isinstance(p.default, int | float)}


def _values(value: Any, unit: str, *, counts: bool) -> list[float]:
    if isinstance(value, Made):
        made = build(value)
        if isinstance(made, perfmodel.Lifetime):
            return [float(made.mean)] if unit == "time" else []
        return _values_of(value.name, value.arguments, unit)
    if isinstance(value, list):
        return [one for inner in value for one in _values(inner, unit, counts=counts)]
    return [float(value)] if counts and isinstance(value, int | float) else []
