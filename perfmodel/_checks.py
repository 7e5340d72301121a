"""Argument checks: one message shape, `<name> must be <rule>, got <value>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, time
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
ComplexArray: TypeAlias = npt.NDArray[np.complex128]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
IntArray: TypeAlias = npt.NDArray[np.intp]
ArrayLike: TypeAlias = npt.ArrayLike
Number: TypeAlias = float | np.integer[Any] | np.floating[Any]

_Number = TypeVar("_Number", bound=np.generic)

_KIND = "a number or an array of numbers"
_SHOWN = 60


def finite(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, or raise naming the argument."""
    return _checked(name, value, "finite", np.isfinite)


def positive(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all finite and > 0, or raise naming the argument."""
    return _checked(name, value, "finite and > 0", lambda a: (a > 0.0) & (a < np.inf))


def positive_or_inf(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all > 0 and some perhaps inf, or raise naming the argument."""
    return _checked(name, value, "> 0", lambda a: a > 0.0)


def nonnegative(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all finite and >= 0, or raise naming the argument."""
    return _checked(name, value, "finite and >= 0", lambda a: (a >= 0.0) & (a < np.inf))


def nonnegative_or_inf(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as float64, all >= 0 and some perhaps inf, or raise naming the argument."""
    return _checked(name, value, ">= 0", lambda a: a >= 0.0)


def at_least(name: str, value: ArrayLike, least: float) -> FloatArray:
    """Return `value` as float64, all finite and >= `least`, or raise naming the argument."""
    return _checked(name, value, f"finite and >= {least:g}", lambda a: (a >= least) & (a < np.inf))


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


def times(name: str, value: ArrayLike) -> FloatArray:
    """Return a copy of `value` as float64 times, inf and -inf among them, or raise for nan."""
    array = numbers(name, value).astype(np.float64)
    if np.isnan(array).any():
        raise ValueError(f"{name} must be a time, got nan")
    return array


def flag(name: str, value: bool) -> bool:
    """Return `value` as bool, or raise naming the argument."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """Return `value`, one of the `choices`, or raise naming the argument."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        listed = ", ".join(repr(choice) for choice in known)
        raise ValueError(f"{name} must be one of {listed}, got {shown(value)}")
    return value


def shown(value: object) -> str:
    """Return how a message shows `value`: of a long text or list the beginning, a table by type."""
    if isinstance(value, date | time):
        return value.isoformat()
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


def broadcast(**arrays: FloatArray) -> tuple[FloatArray, ...]:
    """Broadcast already checked arguments together, or raise naming all of them."""
    try:
        return tuple(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        names, shapes = ", ".join(arrays), ", ".join(str(a.shape) for a in arrays.values())
        raise ValueError(f"{names} must be broadcastable, got shapes {shapes}") from None


def comparable(**times: FloatArray) -> None:
    """Raise if one time is more than 1e100 times another: their products would leave the floats.

    So would squares of times beyond 1e150, or below its inverse.
    """
    arrays = np.stack(np.broadcast_arrays(*times.values()))
    counted = (arrays > 0.0) & np.isfinite(arrays)
    low = np.min(arrays, axis=0, where=counted, initial=np.inf)
    high = np.max(arrays, axis=0, where=counted, initial=0.0)
    apart = high * 1e-100 > low
    if apart.any():
        raise ValueError(
            f"{', '.join(times)} must be within a factor of 1e+100, "
            f"got {float(low[apart].flat[0])!r} and {float(high[apart].flat[0])!r}"
        )
    far = (high > 1e150) | (low < 1e-150)
    if far.any():
        value = max(float(high[far].flat[0]), float(low[far].flat[0]), key=lambda x: abs(np.log(x)))
        raise ValueError(
            f"{', '.join(times)} must be from 1e-150 to 1e+150, got {value!r}: take another unit"
        )


def _checked(
    name: str, value: ArrayLike, rule: str, holds: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    array = nonempty(name, numbers(name, value)).astype(np.float64, copy=False)
    bad = ~holds(array)  # so that nan is bad, too
    if bad.any():
        raise ValueError(f"{name} must be {rule}, got {float(array[bad].flat[0])!r}")
    return array


def answer(value: npt.NDArray[_Number], *given: Any) -> npt.NDArray[_Number]:
    """Return a result in the form of the arguments: a float, an array or a pandas Series.

    Numbers give an `np.float64`, which is a float; arrays an array; a Series gives a Series of the
    same index. Series of different indexes are refused: it is unknown which rows belong together.
    """
    result: Any = np.asarray(value)
    if result.ndim == 0:
        return result[()]  # type: ignore[no-any-return]
    series = [argument for argument in given if _is_series(argument)]
    if not series:
        return np.asarray(result)
    first = series[0]
    for other in series[1:]:
        if not other.index.equals(first.index):
            raise ValueError(
                f"Series must have one index, got {_ends(first.index)} and {_ends(other.index)}: "
                "give arrays, such as .to_numpy(), to go by position"
            )
    if result.shape != first.shape:
        return np.asarray(result)
    return type(first)(result, index=first.index)  # type: ignore[no-any-return]


def refuse_quantity(name: str, value: Any) -> None:
    """Raise for a quantity and for a masked array: NumPy drops unit and mask in silence."""
    # pint and unyt have `units`, astropy `unit`; a column of pint has them in its dtype.
    for holder in (value, getattr(value, "dtype", None)):
        for unit in ("units", "unit"):
            if hasattr(type(holder), unit) and not isinstance(holder, np.dtype):
                raise TypeError(
                    f"{name} must be {_KIND}, got a quantity in {getattr(holder, unit)}: give "
                    "every argument as plain numbers in one unit of time, "
                    "such as quantity.to('hour').magnitude or perfmodel.units.seconds(quantity)"
                )
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"{name} must be {_KIND}, got a masked array: drop the masked elements")
    if isinstance(value, list | tuple):
        for kind, inner in {type(inner): inner for inner in value}.items():
            if kind not in _PLAIN:
                refuse_quantity(name, inner)


_PLAIN = (int, float, np.float64, np.int64)


def _is_series(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ == "Series" and kind.__module__.partition(".")[0] == "pandas"


def _ends(index: Any) -> str:
    return f"{index[0]!r} to {index[-1]!r} ({len(index)})" if len(index) else "an empty one"


def nonempty(name: str, array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Return `array`, or raise if it has no element."""
    if array.size == 0:
        raise ValueError(f"{name} must be non-empty, got shape {array.shape}")
    return array


def numbers(name: str, value: Any, *, kinds: str = "iuf") -> npt.NDArray[Any]:
    """Return `value` as an array of one of NumPy's `kinds` of dtype, or raise; -0.0 is 0.0."""
    refuse_quantity(name, value)
    try:
        array = np.asarray(value)
    except ValueError:  # ragged nesting
        raise TypeError(f"{name} must be {_KIND}, got {shown(value)}") from None
    # bool and str would convert in silence; an empty list has a float dtype already.
    if array.dtype.kind not in kinds:
        raise TypeError(f"{name} must be {_KIND}, got {shown(value)}")
    return np.asarray(array + 0.0) if array.dtype.kind in "fc" else array


def transform_points(s: ArrayLike) -> npt.NDArray[Any]:
    """Return `s` as points of the right half-plane, real or complex, or raise naming it `s`."""
    array = nonempty("s", numbers("s", s, kinds="iufc"))
    bad = ~(np.isfinite(array) & (array.real >= 0.0))
    if bad.any():
        raise ValueError(f"s must be finite with real part >= 0, got {array[bad].flat[0]}")
    return array
