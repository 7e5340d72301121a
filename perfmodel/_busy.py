"""The transform of a busy period: the fixed point that prolonged repairs lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import FloatArray
from ._record import FEW, Record

__all__ = ["busy_complement"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]


def busy_complement(
    complement: Transform,
    abscissa: float,
    rate: float,
    record: Record | None = None,
    reach: float = np.inf,
) -> tuple[Transform, float]:
    """Return 1 - transform of the busy period, and how far left of 0 it exists.

    With c = 1 - phi and the same of one repair, gamma = 1 - delta: c = gamma(s + rate c). Up to
    |s| = `reach` the values of `record` have the transform delta.
    """
    edge = 0.0
    if abscissa > 0.0:
        edge = _busy_abscissa(complement, abscissa, rate)

    def series(s: ComplexArray, record: Record) -> Callable[..., ComplexArray]:
        # On a line no transform is larger than the real one; that takes a single value of s.
        lowest = np.array([s.real.min()], dtype=np.complex128)
        largest = 1.0
        if lowest[0].real < 0.0:
            bound = _solve(
                lambda c, _: complement(lowest + rate * c), lowest, rate, complement(lowest + rate)
            )
            largest = float(np.abs(1.0 - bound[0]))
        return record.busy(s, rate, largest)

    def solved(s: ComplexArray, record: Record | None) -> ComplexArray:
        def step(c: ComplexArray, which: Any = slice(None)) -> ComplexArray:
            return complement(s[which] + rate * c)

        quick = step if record is None or s.size <= FEW else series(s, record)
        return _solve(quick, s, rate, quick(np.ones(s.shape, dtype=np.complex128)))

    def busy(s: ComplexArray) -> ComplexArray:
        flat = s.reshape(-1)
        result = np.empty(flat.shape, dtype=np.complex128)
        # The argument is s + rate c with |c| <= 2 right of 0, where alone `reach` is finite.
        near = np.abs(flat) + 2.0 * rate <= reach
        for part, values in ((near, record), (~near, None)):
            if part.any():
                result[part] = solved(flat[part], values)
        return result.reshape(s.shape)

    return busy, edge


def _solve(
    step: Callable[..., ComplexArray], s: ComplexArray, rate: float, first_guess: ComplexArray
) -> ComplexArray:
    """Return the fixed point c = step(c), element by element."""
    left = s != 0.0
    c = np.where(left, first_guess, 0.0)
    for _ in range(200):
        which = slice(None) if left.all() else left
        old, here = c[which], s[which]
        first = step(old, which)
        second = step(first, which)
        curve = second - 2.0 * first + old
        with np.errstate(all="ignore"):
            move = (first - old) ** 2 / curve  # Aitken's, from two plain iterations
        new = np.where(np.abs(curve) > 1e-13 * np.abs(old), old - move, second)
        # Extrapolation must not lead to the left of 0, where there may be no transform.
        new.real[(here.real >= 0.0) & (new.real < 0.0)] = 0.0
        change = np.abs(new - old)
        # No iteration can do better where s + rate c stays the same float.
        same = rate * change <= 2e-16 * np.abs(here)
        c[which] = np.where(same, second, new)
        left[which] = ~(same | (change <= 1e-13 * np.abs(new)))
        if not left.any():
            break
    return c


def _busy_abscissa(complement: Transform, abscissa: float, rate: float) -> float:
    """Return -min over u of u - rate + rate delta(u): left of it there is no real solution."""
    low, high = 0.0, abscissa if np.isfinite(abscissa) else 1.0 / rate

    def value(v: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            found = -v - rate * complement(-v.astype(np.complex128)).real
        return np.where(np.isfinite(found) & (v < abscissa), found, np.inf)

    while np.isinf(abscissa) and value(np.array([high * 2.0]))[0] < value(np.array([high]))[0]:
        high *= 2.0
        if high > 1e290:
            return np.inf  # no downtime at all
    high = high * 2.0 if np.isinf(abscissa) else high
    for _ in range(12):
        grid = np.linspace(low, high, 201)
        best = int(np.argmin(value(grid)))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, 200)])
    lowest = float(np.min(value(np.linspace(low, high, 11))))
    # A little inside, because the branch point itself is not reached by the iteration.
    return max(0.0, -lowest) * (1.0 - 1e-6)
