"""A repair that failures prolong: its transform is a fixed point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..._checks import ComplexArray, FloatArray
from .._first_failures import UptimeAndRepair
from ._repair import Repair
from ._weighted_values import FEW, WeightedValues

Transform: TypeAlias = Callable[[ComplexArray], ComplexArray]

_TINY = 1e-100  # |s|/rate whose square a float still holds
_NEAR = 1e-5  # relative step of a slope: half of the digits
_MANY = 1024  # points of a line from which on a spline through fewer is quicker


@dataclass(frozen=True)
class BusyPeriod(Repair):
    """A repair that every failure during it prolongs by another.

    With c = 1 - phi, phi its transform, and gamma = 1 - delta, delta that of one repair:
    c = gamma(s + rate c).

    Parameters
    ----------
    one : Repair
        Without failures.
    mtbf : float, [time]
        Mean time between failures, also during repair.
    known : UptimeAndRepair
        What is known in time; if busy periods are not, those of them that are a single repair.
    values : WeightedValues or None
        Whose transform is that of one repair, where there are such.
    reach : float, [1/time]
        Up to which |s| they have it.
    smooth : bool
        Whether a spline over log s has its digits.
    """

    one: Repair
    mtbf: float
    known: UptimeAndRepair
    values: WeightedValues | None = None
    reach: float = np.inf
    smooth: bool = False

    def __post_init__(self) -> None:
        load_of(np.asarray(self.mtbf), np.asarray(self.one.mean))

    @property
    def rate(self) -> float:
        """Of failures, [1/time]."""
        return 1.0 / self.mtbf

    @cached_property
    def mean(self) -> float:
        """The mean, [time]."""
        return self.one.mean / (1.0 - self.one.mean / self.mtbf)

    @cached_property
    def variance(self) -> float:
        """The variance, [time^2]; inf where that of one repair does not exist."""
        mean, rho = self.one.mean, self.one.mean / self.mtbf
        return (self.one.variance + rho * (mean * mean)) / (1.0 - rho) ** 3

    @cached_property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]; 0 for a heavy tail."""
        if self.one.abscissa > 0.0:
            return _busy_abscissa(self.one.complement, self.one.abscissa, self.rate)
        return 0.0

    @property
    def spacing(self) -> float:
        """What every repair takes, [time]; 0 unless they are all equal."""
        return self.one.spacing

    @property
    def load(self) -> float:
        """Mean number of failures that strike a repair, [-]; 0 unless they are all equal."""
        return self.rate * self.one.spacing

    def first_failures(self, rate: float) -> UptimeAndRepair:
        """Return what is known in time; `rate` [1/time] is that of failures during repair."""
        del rate
        return self.known

    def struck(self, mtbf: float) -> Repair:
        """Return the repair prolonged by failures, one in each `mtbf` [time], in place of these."""
        return self.one.struck(mtbf)

    def _complement(self, s: ComplexArray) -> ComplexArray:
        flat = s.ravel()
        height = flat.imag
        if self.smooth and flat.size > _MANY and np.ptp(flat.real) == 0.0 and height.min() >= 0.0:
            return self._by_spline(flat).reshape(s.shape)
        return self._solved(flat).reshape(s.shape)

    def _by_spline(self, flat: ComplexArray) -> ComplexArray:
        """Return the complement at many points of one line by a spline in the log of the height."""
        from scipy.interpolate import make_interp_spline

        height = flat.imag
        low = max(float(np.min(height[height > 0.0])), 1e-9 * float(height.max()))
        count = 60 + int(45.0 * np.log(1.001 * float(height.max()) / low))
        knots = np.geomspace(low, 1.001 * float(height.max()), count)
        heights: Any = self._solved(flat.real[0] + 1j * knots)  # older stubs know of real ones only
        spline = make_interp_spline(np.log(knots), heights, k=7)
        result = np.empty_like(flat)
        inside = height >= low
        result[inside] = spline(np.log(height[inside]))
        result[~inside] = self._solved(flat[~inside])
        return result

    def _solved(self, flat: ComplexArray) -> ComplexArray:
        result = np.empty_like(flat)
        # The argument is s + rate c with |c| <= 2 right of 0, where alone `reach` is finite.
        near = np.abs(flat) + 2.0 * self.rate <= self.reach
        # Below, squares would vanish; there 1 - phi is s times the mean.
        tiny = np.abs(flat) < _TINY * self.rate
        for part, values in ((near & ~tiny, self.values), (~near & ~tiny, None)):
            if part.any():
                result[part] = self._fixed_point(flat[part], values)
        if tiny.any():
            result[tiny] = flat[tiny] * (self.one.mean / (1.0 - self.rate * self.one.mean))
        return result

    def _fixed_point(self, s: ComplexArray, record: WeightedValues | None) -> ComplexArray:
        def step(c: ComplexArray, which: Any = slice(None)) -> ComplexArray:
            return self.one.complement(s[which] + self.rate * c)

        quick = step if record is None or s.size <= FEW else self._series(s, record)
        return _solve(quick, s, self.rate, quick(np.ones_like(s)))

    def _series(self, s: ComplexArray, record: WeightedValues) -> Callable[..., ComplexArray]:
        # On a line no transform is larger than the real one; that takes a single value of s.
        lowest = np.array([s.real.min()], dtype=np.complex128)
        largest = 1.0
        if lowest[0].real < 0.0:
            largest = float(np.abs(1.0 - self._fixed_point(lowest, None)[0]))
        return record.busy(s, self.rate, largest)


def load_of(mtbf: FloatArray, mean: FloatArray) -> FloatArray:
    """Return the mean number of failures during a repair, [-], or raise if it is not below 1.

    0 where nothing fails, however long a repair would take.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        rho = np.where(np.isinf(mtbf), 0.0, mean / mtbf)
    if not (rho < 1.0).all():
        raise ValueError(
            f"downtime/mtbf must be < 1 if failures strike repairs, got {float(np.max(rho))!r}: "
            "repairs would pile up and the completion time would be infinite"
        )
    return rho


def _solve(
    step: Callable[..., ComplexArray], s: ComplexArray, rate: float, first_guess: ComplexArray
) -> ComplexArray:
    """Return the fixed point c = step(c), element by element."""
    left = s != 0.0
    c = np.where(left, first_guess, 0.0)
    slow = np.zeros(s.shape, dtype=np.bool_)  # ended by plain iteration
    for _ in range(200):
        which = slice(None) if left.all() else left
        old, here = c[which], s[which]
        first = step(old, which)
        second = step(first, which)
        curve = second - 2.0 * first + old
        with np.errstate(all="ignore"):
            move = (first - old) ** 2 / curve  # Aitken's, from two plain iterations
        quick = np.abs(curve) > 1e-13 * np.abs(old)
        new = np.where(quick, old - move, second)
        # Extrapolation must not lead to the left of 0, where there may be no transform.
        new.real[(here.real >= 0.0) & (new.real < 0.0)] = 0.0
        change = np.abs(new - old)
        # No iteration can do better where s + rate c stays the same float.
        same = rate * change <= 2e-16 * np.abs(here)
        c[which] = np.where(same, second, new)
        slow[which] = ~quick
        left[which] = ~(same | (change <= 1e-13 * np.abs(new)))
        if not left.any():
            break
    return _settled(step, c, slow) if slow.any() else c


def _settled(
    step: Callable[..., ComplexArray], c: ComplexArray, slow: npt.NDArray[np.bool_]
) -> ComplexArray:
    """Return the fixed point near c by a step of Newton's method.

    A plain iteration that moves c no further may still be that move over 1 - slope away from it,
    and the slope is nearly 1 where failures nearly outrun repairs.
    """
    which: Any = slice(None) if slow.all() else slow
    old = c[which]
    first = step(old, which)
    with np.errstate(all="ignore"):
        slope = (step((1.0 + _NEAR) * old, which) - first) / (_NEAR * old)
        move = (first - old) / (1.0 - slope)
    kept = np.isfinite(move) & (np.abs(move) < 1e-3 * np.abs(old))
    c[which] = np.where(kept, old + np.where(kept, move, 0.0), old)
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
