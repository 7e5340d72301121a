"""Argument checks: one message shape, `<name> must be <rule>, got <value>`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = npt.ArrayLike

_KIND = "a number or an array of numbers"


def finite(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, or raise naming the argument."""
    return _checked(name, value, "finite", np.isfinite)


def positive(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all finite and > 0, or raise naming the argument."""
    return _checked(name, value, "finite and > 0", lambda a: (a > 0.0) & (a < np.inf))


def nonnegative(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all finite and >= 0, or raise naming the argument."""
    return _checked(name, value, "finite and >= 0", lambda a: (a >= 0.0) & (a < np.inf))


def fraction(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all in [0, 1], or raise naming the argument."""
    return _checked(name, value, "in [0, 1]", lambda a: (a >= 0.0) & (a <= 1.0))


def whole(name: str, value: ArrayLike, *, least: int = 1) -> FloatArray:
    """Return `value` as float64, all whole numbers >= `least`, or raise naming the argument."""
    return _checked(
        name,
        value,
        f"a whole number >= {least}",
        lambda a: (a >= least) & (a < np.inf) & (a == np.floor(a)),
    )


def scalar(check: Callable[[str, ArrayLike], FloatArray], name: str, value: ArrayLike) -> float:
    """Return `value` as one float that passes `check`, or raise naming the argument."""
    array = check(name, value)
    if array.ndim != 0:
        raise ValueError(f"{name} must be a single number, got shape {array.shape}")
    return float(array)


def flag(name: str, value: bool) -> bool:
    """Return `value` as bool, or raise naming the argument."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def broadcast(**arrays: FloatArray) -> tuple[FloatArray, ...]:
    """Broadcast already checked arguments together, or raise naming all of them."""
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        names, shapes = ", ".join(arrays), ", ".join(str(a.shape) for a in arrays.values())
        raise ValueError(f"{names} must be broadcastable, got shapes {shapes}") from None


def _checked(
    name: str, value: ArrayLike, rule: str, holds: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    array = _numbers(name, value)
    if array.size == 0:
        raise ValueError(f"{name} must be non-empty, got shape {array.shape}")
    bad = ~holds(array)  # so written that nan is bad
    if bad.any():
        raise ValueError(f"{name} must be {rule}, got {float(array[bad].flat[0])!r}")
    return array


def _numbers(name: str, value: Any) -> FloatArray:
    try:
        array = np.asarray(value)
    except ValueError:  # ragged nesting
        raise TypeError(f"{name} must be {_KIND}, got {value!r}") from None
    # bool and str would convert in silence; an empty list has a float dtype already.
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be {_KIND}, got {value!r}")
    return array.astype(np.float64, copy=False)
