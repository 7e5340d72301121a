"""The transform of a busy period: the fixed point that prolonged repairs lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import FloatArray
from ._transforms import Repair, WideRepair, values_of
from ._weighted_values import FEW, WeightedValues

__all__ = ["BusyPeriod"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]
Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]

_TINY = 1e-100
_MANY = 1024  # points of a line from which on a spline pays


@dataclass(frozen=True, slots=True)
class BusyPeriod:
    """A repair that every failure during it prolongs by another.

    With c = 1 - phi and the same of one repair, gamma = 1 - delta: c = gamma(s + rate c).

    Parameters
    ----------
    one : Repair
        Without failures.
    rate : float, [1/time]
        Of failures.
    mean : float, [time]
        Of one repair.
    """

    one: Repair
    rate: float
    mean: float
    abscissa: float = field(init=False)

    def __post_init__(self) -> None:
        edge = 0.0
        if self.one.abscissa > 0.0:
            edge = _busy_abscissa(self.one.complement, self.one.abscissa, self.rate)
        object.__setattr__(self, "abscissa", edge)

    def transform(self, s: ComplexArray) -> ComplexArray:
        """Return E[exp(-s Y)], [-]."""
        return np.asarray(1.0 - self.complement(s))

    def complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s Y)], [-], relatively accurate also near s = 0."""
        flat = s.reshape(-1)
        height = flat.imag
        smooth = isinstance(self.one, WideRepair)
        if smooth and flat.size > _MANY and np.ptp(flat.real) == 0.0 and height.min() >= 0.0:
            return self._by_spline(flat).reshape(s.shape)
        return self._solved(flat).reshape(s.shape)

    def _by_spline(self, flat: ComplexArray) -> ComplexArray:
        """Return it for many points of one line by a spline in the log of the height."""
        from scipy.interpolate import make_interp_spline

        height = flat.imag
        low = max(float(np.min(height[height > 0.0])), 1e-9 * float(height.max()))
        count = 60 + int(45.0 * np.log(1.001 * float(height.max()) / low))
        knots = np.geomspace(low, 1.001 * float(height.max()), count)
        heights: Any = self._solved(flat.real[0] + 1j * knots)  # older stubs know of real ones only
        spline = make_interp_spline(np.log(knots), heights, k=7)
        result = np.empty(flat.size, dtype=np.complex128)
        inside = height >= low
        result[inside] = spline(np.log(height[inside]))
        result[~inside] = self._solved(flat[~inside])
        return result

    def _solved(self, flat: ComplexArray) -> ComplexArray:
        record, reach = values_of(self.one)
        result = np.empty(flat.shape, dtype=np.complex128)
        # The argument is s + rate c with |c| <= 2 right of 0, where alone `reach` is finite.
        near = np.abs(flat) + 2.0 * self.rate <= reach
        # Below, squares would vanish; there 1 - phi is s times the mean.
        tiny = np.abs(flat) < _TINY * self.rate
        for part, values in ((near & ~tiny, record), (~near & ~tiny, None)):
            if part.any():
                result[part] = self._fixed_point(flat[part], values)
        if tiny.any():
            result[tiny] = flat[tiny] * (self.mean / (1.0 - self.rate * self.mean))
        return result

    def _fixed_point(self, s: ComplexArray, record: WeightedValues | None) -> ComplexArray:
        def step(c: ComplexArray, which: Any = slice(None)) -> ComplexArray:
            return self.one.complement(s[which] + self.rate * c)

        quick = step if record is None or s.size <= FEW else self._series(s, record)
        return _solve(quick, s, self.rate, quick(np.ones(s.shape, dtype=np.complex128)))

    def _series(self, s: ComplexArray, record: WeightedValues) -> Callable[..., ComplexArray]:
        # On a line no transform is larger than the real one; that takes a single value of s.
        lowest = np.array([s.real.min()], dtype=np.complex128)
        largest = 1.0
        if lowest[0].real < 0.0:
            largest = float(np.abs(1.0 - self._fixed_point(lowest, None)[0]))
        return record.busy(s, self.rate, largest)


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
