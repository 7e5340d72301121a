"""Elementary functions by the C library, one number at a time.

NumPy's `exp`, `log` and `power` come from vector code chosen by processor, single numbers too, and
differ by an ulp between processors and from the compiled loops. Random draws and order of a queue
must not: what feeds a simulated clock is computed here, or by the generator's own C code.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["exp", "exps", "log", "log1p", "log2", "logs", "logs2", "power", "powers"]

_BY_PRODUCT = (1.0, 2.0, 3.0, 4.0)


def exp(x: float) -> float:
    """Return e^x; inf where it overflows."""
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def power(base: float, exponent: float) -> float:
    """Return base^exponent as C does: inf where it overflows, nan where it is not real."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0.0 and math.fmod(exponent, 2.0) else math.inf
    except ValueError:  # 0 to a negative power, or a root of a negative number
        if base != 0.0:
            return math.nan
        return math.copysign(math.inf, base) if math.fmod(exponent, 2.0) == -1.0 else math.inf


def powers(base: npt.ArrayLike, exponent: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return base^exponent of arrays, broadcast together; 1 to 4 by repeated multiplication."""
    factor, times = np.asarray(base, dtype=np.float64), np.asarray(exponent, dtype=np.float64)
    if times.ndim == 0 and float(times) in _BY_PRODUCT:
        product = factor
        for _ in range(int(times) - 1):
            product = product * factor
        return np.asarray(product)
    with np.errstate(all="ignore"):  # of which `power` has already made inf or nan
        return np.asarray(_POWERS(factor, times), dtype=np.float64)


def log(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the natural logarithm of an array of numbers > 0."""
    return np.asarray(_LOG(values), dtype=np.float64)


def log1p(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return log(1 + x) of an array of numbers >= -1; -inf at -1."""
    return np.asarray(_LOG1P(values), dtype=np.float64)


def log2(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the logarithm to the base 2 of an array of numbers > 0."""
    return np.asarray(_LOG2(values), dtype=np.float64)


def logs(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the natural logarithm of any numbers; -inf at 0, nan below."""
    return np.asarray(_ANY_LOG(values), dtype=np.float64)


def logs2(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the logarithm to the base 2 of any numbers; -inf at 0, nan below."""
    return np.asarray(_ANY_LOG2(values), dtype=np.float64)


def exps(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return e^x of any numbers; inf where it overflows."""
    return np.asarray(_EXP(values), dtype=np.float64)


def _of_any(logarithm: Callable[[float], float]) -> np.ufunc:
    def of(x: float) -> float:
        if x > 0.0:
            return logarithm(x)
        return -math.inf if x == 0.0 else math.nan

    return np.frompyfunc(of, 1, 1)


_EXP = np.frompyfunc(exp, 1, 1)
_ANY_LOG, _ANY_LOG2 = _of_any(math.log), _of_any(math.log2)
_POWERS = np.frompyfunc(power, 2, 1)
_LOG = np.frompyfunc(math.log, 1, 1)
_LOG1P = np.frompyfunc(lambda x: math.log1p(x) if x > -1.0 else -math.inf, 1, 1)
_LOG2 = np.frompyfunc(math.log2, 1, 1)
