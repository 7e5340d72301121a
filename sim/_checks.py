"""Checks of single numbers: one message shape, `<name> must be <rule>, got <value>`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")

_SHOWN = 60

__all__ = [
    "check_fields",
    "column_of",
    "finite",
    "flag",
    "fraction",
    "generator",
    "kind_of",
    "nonnegative",
    "number",
    "numbers",
    "one_of",
    "positive",
    "shown",
    "whole",
]


def check_fields(instance: object, check: Callable[[str, Any], object], *names: str) -> None:
    """Put into fields of a frozen dataclass what `check` returns for them, or let it raise."""
    for name in names:
        object.__setattr__(instance, name, check(name, getattr(instance, name)))


def kind_of(name: str, value: object, kind: type[T], remedy: str) -> T:
    """Return `value` if it is of `kind`, or raise TypeError that ends in `remedy`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {shown(value)}; {remedy}")
    return value


def shown(value: object) -> str:
    """Return how a message shows `value`: of a long text or list the beginning, a table by type."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        text = ""
    if 0 < len(text) <= _SHOWN and "\n" not in text:
        return text
    if text and "\n" not in text:
        return f"{text[:_SHOWN]}..."
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def number(name: str, value: object) -> float:
    """Return `value` as a float, nan and inf included, -0.0 as 0.0, or raise TypeError."""
    if isinstance(value, np.ndarray) and value.ndim == 0:  # what every formula returns
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {shown(value)}")
    try:
        return float(value) + 0.0
    except OverflowError:
        raise ValueError(f"{name} must be finite, got more than 1e308") from None


def finite(name: str, value: object) -> float:
    """Return `value` as a finite float, or raise naming the argument."""
    checked = number(name, value)
    if not math.isfinite(checked):
        raise ValueError(f"{name} must be finite, got {checked!r}")
    return checked


def positive(name: str, value: object) -> float:
    """Return `value` as a float, finite and > 0, or raise naming the argument."""
    checked = number(name, value)
    if not 0.0 < checked < math.inf:
        raise ValueError(f"{name} must be finite and > 0, got {checked!r}")
    return checked


def nonnegative(name: str, value: object) -> float:
    """Return `value` as a float, finite and >= 0, or raise naming the argument."""
    checked = number(name, value)
    if not 0.0 <= checked < math.inf:
        raise ValueError(f"{name} must be finite and >= 0, got {checked!r}")
    return checked


def fraction(name: str, value: object) -> float:
    """Return `value` as a float in [0, 1], or raise naming the argument."""
    checked = number(name, value)
    if not 0.0 <= checked <= 1.0:
        raise ValueError(f"{name} must be in [0, 1], got {checked!r}")
    return checked


def whole(name: str, value: object, *, least: int = 1) -> int:
    """Return `value` as an int >= `least`, or raise naming the argument."""
    checked = number(name, value)
    if not (checked >= least and checked.is_integer()):
        raise ValueError(f"{name} must be a whole number >= {least}, got {shown(value)}")
    exact: Any = value
    return int(exact)  # not of the float: beyond 2^53 a seed and its neighbour would be one


def flag(name: str, value: object) -> bool:
    """Return `value` as a bool, or raise naming the argument."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """Return `value`, or raise unless it is one of the `choices`."""
    known = tuple(choices)
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {shown(value)}")
    return value


def numbers(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return `values` as a flat array of floats, none of them nan, or raise naming the argument."""
    try:
        array = np.asarray(values)
    except ValueError:  # ragged nesting
        raise TypeError(f"{name} must be numbers, got {shown(values)}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers, got {shown(values)}")
    if np.isnan(array).any():
        raise ValueError(f"{name} must be numbers, got nan")
    return array.astype(np.float64).ravel() + 0.0


def column_of(name: str, values: object, kind: type[np.generic]) -> npt.NDArray[Any]:
    """Return a copy of `values` as an array of this `kind`, or raise naming the argument."""
    try:
        given = np.array(values)
        if not (issubclass(kind, np.integer) and given.dtype.kind in "iub"):
            given = given.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, got {shown(values)}") from None
    if issubclass(kind, np.integer) and given.dtype.kind == "f":
        whole = (np.floor(given) == given) & (np.abs(given) < 2.0**63)
        if not whole.all():
            raise ValueError(f"{name} must be whole numbers, got {given[~whole].flat[0].item()!r}")
    return given.astype(kind, copy=False)


def generator(name: str, value: object) -> np.random.Generator:
    """Return `value`, or raise if it is not a numpy.random.Generator."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator, got {shown(value)}")
    return value
