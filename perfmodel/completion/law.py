"""Completion times as frozen distributions: mean, variance, atom, cdf, sf and percentiles.

Every one has a single atom, the run without any failure, and a density beyond it. `cdf` and `sf`
take arrays of times of any shape; `ppf` and `isf` take arrays of probabilities.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, fraction, times
from .._shown import facts_html
from ._staircase import Staircase, staircase_of
from .inversion import Inversion, LostTime

_COUNTED = 1e14  # failures
_LEAST_SPREAD = 3e-8  # of the mean; rounding in the transform costs 1e-16 over it


class CompletionTime(ABC):
    """The law of a completion time."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<completion time: mean {self.mean:.6g}, std {self.std:.6g}>"

    @property
    @abstractmethod
    def mean(self) -> float:
        """The mean, [time]; inf where it does not exist."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist."""

    @property
    def std(self) -> float:
        """The standard deviation, [time]; inf where it does not exist."""
        return math.sqrt(self.variance)

    @property
    @abstractmethod
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""

    def plot(
        self, ax: Any = None, *, deadline: float | None = None, unit: str | None = None
    ) -> Any:
        """Draw the probability to be done by each time; return the axes.

        With a `deadline` [time] its probability too. `unit` names the unit of time at the axis; new
        axes are made where `ax` is None. ImportError without matplotlib, the extra `plot`.
        """
        from ..figures import draw_completion

        return draw_completion(self, deadline=deadline, unit=unit, ax=ax)

    def _repr_html_(self) -> str:
        start, probability = self.atom
        middle, most, nearly = (float(time) for time in self.ppf([0.5, 0.9, 0.99]))
        return facts_html(
            "Completion time",
            {
                "mean": self.mean,
                "standard deviation": self.std,
                "without failures": start,
                "probability of no failure": probability,
                "median": middle,
                "90 %": most,
                "99 %": nearly,
                "error of probabilities": self.error,
            },
        )

    @property
    @abstractmethod
    def error(self) -> float:
        """Bound on the error of cdf and sf at any time, [-]; no query changes it."""

    @property
    def seams(self) -> FloatArray:
        """Sorted times at which the method of computation changes, [time]; shape (n,)."""
        return np.empty(0)

    @property
    @abstractmethod
    def light(self) -> bool:
        """Whether sf keeps its digits however small it is; else it has an absolute error."""

    def cdf(self, t: ArrayLike) -> FloatArray:
        """Return the probability to finish by `t` [time], [-]."""
        return answer(self._cdf(times("t", t)), t)

    def sf(self, t: ArrayLike) -> FloatArray:
        """Return the probability to finish only after `t` [time], [-]."""
        return answer(self._sf(times("t", t)), t)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """Return the time by which the job is done with probability `q` in [0, 1], [time]."""
        wanted = fraction("q", q)
        start, mass = self.atom
        result = np.where(wanted <= mass, start, np.inf)
        low = (wanted > mass) & (wanted < 0.5)
        high = (wanted >= 0.5) & (wanted > mass) & (wanted < 1.0)
        if low.any():
            result[low] = self._early(wanted[low])
        if high.any():
            result[high] = self._late(1.0 - wanted[high])
        return answer(np.asarray(result), q)

    def isf(self, p: ArrayLike) -> FloatArray:
        """Return the time that is exceeded with probability `p` in [0, 1], [time]."""
        wanted = fraction("p", p)
        start, mass = self.atom
        result = np.where(wanted >= 1.0 - mass, start, np.inf)
        inside = (wanted < 1.0 - mass) & (wanted > 0.0)
        if inside.any():
            result[inside] = self._late(wanted[inside])
        return answer(np.asarray(result), p)

    def ceiling(self, t: FloatArray) -> FloatArray:
        """Return a bound from above on sf at any times [time] that costs next to nothing, [-]."""
        return np.ones(t.shape)

    @abstractmethod
    def _cdf(self, t: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _sf(self, t: FloatArray) -> FloatArray: ...

    def _early(self, q: FloatArray) -> FloatArray:
        """Return the times with cdf q, where q is beyond the atom."""
        return self._solve(self._cdf, q, rising=True)

    def _late(self, p: FloatArray) -> FloatArray:
        """Return the times with sf p, where p is beyond the atom."""
        return self._solve(self._sf, p, rising=False)

    def _solve(
        self, function: Callable[[FloatArray], FloatArray], wanted: FloatArray, *, rising: bool
    ) -> FloatArray:
        return solve_monotone(
            function, wanted, start=self.atom[0], spread=self._spread(), rising=rising
        )

    def _spread(self) -> float:
        """Return how long after the start to look first, [time]."""
        return self.mean - self.atom[0] + self.std


def require_spread(lost: float, std: float, *, failures: float, of: str) -> None:
    """Refuse a time lost with too small a deviation: an inversion would have no digits left.

    Parameters
    ----------
    lost, std : float, [time]
        Mean and standard deviation of the time lost.
    failures : float, [-]
        Failures in the time without any: up to 1e14 scatter enough, also where `lost` is the
        rounding of a difference.
    of : str
        The formula whose value is the completion time then, to all digits.

    Raises
    ------
    ValueError
        Beyond some 1e15 failures.
    """
    # A deviation of 0 is one that has underflowed.
    if failures > _COUNTED and 0.0 < std < _LEAST_SPREAD * lost:
        raise ValueError(
            "work must be shorter than some 1e15 mtbf for a law, got a time lost of "
            f"std/mean = {std / lost:.1g}; use {of}, which has every digit"
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class InvertedCompletionTime(CompletionTime):
    """A completion time known by its Laplace transform.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    mean, std : float, [time]
        From closed forms.
    lost : LostTime
        The time beyond `start`, in units of `unit`.
    unit : float, [time]
        A power of two near `start`, or 1.
    """

    start: float
    mean: float = field()
    std: float = field()
    lost: LostTime
    unit: float = 1.0
    _inversion: Inversion | Staircase = field(init=False)

    def __post_init__(self) -> None:
        stairs = staircase_of(self.lost.counted)
        object.__setattr__(self, "_inversion", stairs or Inversion(self.lost))

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist or is too large for a float."""
        return self.std * self.std

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, math.exp(self.lost.log_atom)

    @property
    def error(self) -> float:
        """Largest change of cdf or sf when the nodes of any window are doubled, or 1e-9, [-]."""
        return max(1e-9, self._inversion.error)

    @property
    def light(self) -> bool:
        """Whether sf keeps its digits however small it is; else it has an absolute error."""
        return self.lost.abscissa > 0.0

    @property
    def seams(self) -> FloatArray:
        """Sorted times at which the method of computation changes, [time]; shape (n,)."""
        return np.asarray(self.start + self.unit * self._inversion.seams)

    def ceiling(self, t: FloatArray) -> FloatArray:
        """Return a bound from above on sf at any times [time], by Chernoff, [-]."""
        return self._inversion.ceiling(self._excess(t))

    def _cdf(self, t: FloatArray) -> FloatArray:
        return self._inversion.cdf(self._excess(t))

    def _sf(self, t: FloatArray) -> FloatArray:
        return self._inversion.sf(self._excess(t))

    def _excess(self, t: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):  # beyond all floats nothing is left
            return np.asarray((t - self.start) / self.unit)

    def _early(self, q: FloatArray) -> FloatArray:
        return self._solve(self._inversion.cdf, q, rising=True)

    def _late(self, p: FloatArray) -> FloatArray:
        return self._solve(self._inversion.sf, p, rising=False)

    def _solve(
        self, function: Callable[[FloatArray], FloatArray], wanted: FloatArray, *, rising: bool
    ) -> FloatArray:
        start = self.start / self.unit
        spread = self.lost.scale
        if math.isfinite(self.std) and self.std > 0.0:
            spread = (self.mean - self.start + self.std) / self.unit
        found = solve_monotone(
            lambda t: function(t - start), wanted, start=start, spread=spread, rising=rising
        )
        with np.errstate(over="ignore"):
            return np.asarray(self.unit * found)


@dataclass(frozen=True, slots=True)
class NeverCompletionTime(CompletionTime):
    """A job that, once struck, ends only after more than any time that a float can hold.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    log_atom : float, [-]
        Logarithm of the probability that nothing fails.
    """

    start: float
    log_atom: float = -math.inf
    mean = variance = math.inf
    error = 1e-280  # largest probability to finish within 1e10 times `start`
    light = True

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, math.exp(self.log_atom)

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.where(np.isposinf(t), 1.0, np.where(t < self.start, 0.0, self.atom[1]))

    def _sf(self, t: FloatArray) -> FloatArray:
        struck = -math.expm1(self.log_atom)
        return np.where(np.isposinf(t), 0.0, np.where(t < self.start, 1.0, struck))

    def _early(self, q: FloatArray) -> FloatArray:
        return np.full(q.shape, np.inf)

    def _late(self, p: FloatArray) -> FloatArray:
        return np.full(p.shape, np.inf)


@dataclass(frozen=True, slots=True)
class CertainCompletionTime(CompletionTime):
    """A job that nothing can delay.

    Parameters
    ----------
    start : float, [time]
        Its completion time.
    """

    start: float
    error, variance, light = 0.0, 0.0, True

    @property
    def mean(self) -> float:
        """The completion time, [time]."""
        return self.start

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time, [time], and its probability 1, [-]."""
        return self.start, 1.0

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.where(t >= self.start, 1.0, 0.0)

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.where(t >= self.start, 0.0, 1.0)

    def _early(self, q: FloatArray) -> FloatArray:
        return np.full(q.shape, self.start)

    def _late(self, p: FloatArray) -> FloatArray:
        return np.full(p.shape, self.start)


def solve_monotone(
    function: Callable[[FloatArray], FloatArray],
    wanted: FloatArray,
    *,
    start: float,
    spread: float,
    rising: bool,
) -> FloatArray:
    """Return where a rising or falling function of time passes each of `wanted`."""
    sign = 1.0 if rising else -1.0
    flat = wanted.ravel()
    # Tails are nearly straight lines in the logarithm, and so is a cdf near 0.
    target = np.log(flat)

    def residual(t: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            value = np.log(function(t)) - target
        return np.asarray(sign * np.maximum(value, -800.0))

    # A fine grid saves steps for many values; for a few it costs more than it saves.
    grid = start + spread * _GRID[:: max(1, 16 // flat.size)]
    values = function(grid)
    ratio = 1.1
    last = max(1e280, min(1e6 * spread, _LAST))
    while (values[-1] < flat.max()) if rising else (values[-1] > flat.min()):
        span = max(float(grid[-1] - start), math.ulp(start))  # a spread may round to 0
        if span > last:
            break
        more = start + span * min(ratio, (10.0 * last / span) ** 0.25) ** np.arange(1, 5)
        ratio = ratio * ratio
        grid, values = np.append(grid, more), np.append(values, function(more))
    # Noise in a far tail rises and falls: the first time that reaches a value counts.
    reached = np.maximum.accumulate(sign * values)
    place = np.searchsorted(reached, sign * flat, side="left")
    place = np.clip(place, 1, grid.size - 1)
    low, high = grid[place - 1], grid[place]
    with np.errstate(divide="ignore"):
        f_low = sign * (np.log(np.maximum(values[place - 1], 1e-300)) - target)
        f_high = sign * (np.log(np.maximum(values[place], 1e-300)) - target)
    low, high, f_low, f_high = _near(
        residual, start=start, low=low, high=high, f_low=f_low, f_high=f_high
    )
    side = np.zeros(flat.shape)
    for step in range(_STEPS):
        with np.errstate(all="ignore"):
            share = f_low / (f_low - f_high)
        share = np.where(np.isfinite(share) & (step % 8 < 6), share, 0.5)
        middle = np.clip(low + share * (high - low), low, high)
        f_middle = residual(middle)
        found = np.abs(f_middle) <= 1e-12
        above = f_middle >= 0.0
        # Anderson and Bjorck: an end that stays put a second time counts for less.
        with np.errstate(all="ignore"):
            fade = np.where(above, 1.0 - f_middle / f_high, 1.0 - f_middle / f_low)
        fade = np.where(fade > 0.0, fade, 0.5)
        fade_low = np.where(above & (side > 0.0), fade, 1.0)
        fade_high = np.where(~above & (side < 0.0), fade, 1.0)
        f_low = np.where(above, f_low * fade_low, f_middle)
        f_high = np.where(above, f_middle, f_high * fade_high)
        low, high = np.where(above, low, middle), np.where(above, middle, high)
        low, high = np.where(found, middle, low), np.where(found, middle, high)
        side = np.where(above, 1.0, -1.0)
        # Within two floats: where a law jumps, `high` is the first time that has reached it.
        if (high - low <= 4.5e-16 * high).all():
            break
    order = np.argsort(sign * flat, kind="stable")
    high[order] = np.maximum.accumulate(high[order])
    return np.asarray(np.where(reached[-1] < sign * flat, np.inf, high).reshape(wanted.shape))


def _near(
    residual: Callable[[FloatArray], FloatArray],
    *,
    start: float,
    low: FloatArray,
    high: FloatArray,
    f_low: FloatArray,
    f_high: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Halve, in logarithms, the ends that heavy tails keep apart, to within a factor of 4."""
    for _ in range(_STEPS):
        wide = (low > start) & (high - start > 4.0 * (low - start))
        if not wide.any():
            break
        middle = np.where(wide, start + np.sqrt(low - start) * np.sqrt(high - start), high)
        f_middle = residual(middle)
        up, down = wide & (f_middle >= 0.0), wide & (f_middle < 0.0)
        low, f_low = np.where(down, middle, low), np.where(down, f_middle, f_low)
        high, f_high = np.where(up, middle, high), np.where(up, f_middle, f_high)
    return low, high, f_low, f_high


_LAST = 1e306  # with room to the largest float
_STEPS = 320  # a quarter of them halve, which kinks may need
_GRID = np.concatenate([[0.0], np.geomspace(1e-9, 1e-2, 15), np.linspace(0.01, 1.2, 120)[1:]])
