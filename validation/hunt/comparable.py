"""Whether the times of a call are within reach of each other, where a docstring asks for that."""

from __future__ import annotations

import inspect
import math
from typing import Any

import perfmodel

from .call import Arguments, Made, build, described

__all__ = ["are_comparable"]

_ASKED = "time is more than 1e100 times another"


def are_comparable(name: str, arguments: Arguments) -> bool:
    """Return whether no time is far beyond another, or the docstring of `name` allows that."""
    words = getattr(getattr(perfmodel, name.split(".", maxsplit=1)[0]), "__doc__", "") or ""
    if _ASKED not in " ".join(words.split()):
        return True
    known = [time for time in _times_of(name, arguments) if 0.0 < time < math.inf]
    if not known:
        return True
    low, high = min(known), max(known)
    return high * 1e-99 < low and low > 1e-149 and high < 1e149


def _times_of(name: str, arguments: Arguments) -> list[float]:
    units = described(name)
    return [
        time
        for key, value in {**_defaults(name), **arguments}.items()
        for time in _times(value, is_time=units[key].unit.get("time", 0) != 0)
    ]


def _defaults(name: str) -> Arguments:
    """Return what is taken for numbers that are left out."""
    found: Any = perfmodel
    for part in name.split("."):
        found = getattr(found, part)
    parameters = inspect.signature(found).parameters.values()
    return {p.name: p.default for p in parameters if isinstance(p.default, int | float)}


def _times(value: Any, *, is_time: bool) -> list[float]:
    if isinstance(value, Made):
        made = build(value)
        if isinstance(made, perfmodel.AbstractLifetime):
            return [float(made.mean)]
        return _times_of(value.name, value.arguments)
    if isinstance(value, list):
        return [time for inner in value for time in _times(inner, is_time=is_time)]
    return [float(value)] if is_time and isinstance(value, int | float) else []
