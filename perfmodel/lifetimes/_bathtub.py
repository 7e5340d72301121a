"""Bathtub durations: many end early, few in the middle, the rest at a known end."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
from scipy import special
from scipy.optimize import brentq

from .._checks import ComplexArray, FloatArray, positive, scalar
from ._base import Lifetime

_HALVINGS = 200
_WIDEST = 1e6  # ratio of two parameters: beyond, doubles do not resolve where the law ends
_ATOM = 1.0 - 1e-6  # at 0: beyond, the digits of the end are lost to that of 1


@dataclass(frozen=True, slots=True)
class Bathtub(Lifetime):
    """Bathtub durations, cdf = share (1 - exp(-t/early) + exp((t - turn)/late)), at most 1.

    The law of machines that are taken away after a fixed time, and before it mostly when new.
    It ends where the cdf reaches 1, which is `turn` only where `share` is about 1/2, and has an
    atom of share exp(-turn/late) at 0, negligible in most uses. Parameters of which a law in
    doubles has no digits are refused.

    Parameters
    ----------
    share : float, [-]
        Height of the first rise of the cdf, and scale of the second; > 0, and 1e-6 to 1e6.
    early, late : float, [time]
        How fast the hazard falls at the beginning and rises at the end; > 0, and 1e-6 to 1e6 times
        `turn`.
    turn : float, [time]
        When late failures have become as frequent as `share`; > 0, 1e-150 to 1e150, and
        share exp(-turn/late) at most 0.999999.
    """

    share: float
    early: float
    late: float
    turn: float

    MOST_TURN = 1e150  # a time whose square is a number
    abscissa = math.inf  # nowhere has the transform a singularity

    def __post_init__(self) -> None:
        for name in ("share", "early", "late", "turn"):
            object.__setattr__(self, name, scalar(positive, name, getattr(self, name)))
        if not 1.0 / self.MOST_TURN <= self.turn <= self.MOST_TURN:
            raise ValueError(f"turn must be in [1e-150, 1e150], got {self.turn!r}")
        _between("share", self.share)
        _between("early/turn", self.early / self.turn)
        _between("late/turn", self.late / self.turn)
        atom = self.share * math.exp(-self.turn / self.late)
        if atom >= 1.0:
            raise ValueError(
                f"turn must be > late log(share) = {self.late * math.log(self.share):g}, "
                f"got {self.turn!r}: else every duration is 0"
            )
        if atom > _ATOM:
            raise ValueError(f"share exp(-turn/late) must be at most {_ATOM:g}, got {atom!r}")

    @property
    def end(self) -> float:
        """The longest duration, [time]."""
        return _end_of(self.share, self.early, self.late, self.turn)

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        return float(self._partial_moment(np.asarray(self.end), 1))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        end = np.asarray(self.end)
        first, second = (float(self._unit_moment(end, order)) for order in (1, 2))
        if first < 0.5:
            return second / first**2 - 1.0
        # About the end, so that nothing cancels where nearly every duration is as long.
        x, y, last = float(end) / self.late, float(end) / self.early, float(self._late(end))
        one = self.share * (
            -last * math.expm1(-x) / x + y / 2.0 * float(special.hyp1f1(1.0, 3.0, -y))
        )
        two = self.share * (
            2.0 * last * float(special.gammainc(2.0, x)) / x**2
            + y / 3.0 * float(special.hyp1f1(1.0, 4.0, -y))
        )
        return max(two - one**2, 0.0) / first**2

    def _late(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp((t - self.turn) / self.late))

    def _cdf(self, t: FloatArray) -> FloatArray:
        inside = np.minimum(t, self.end)
        rise = self.share * (self._late(inside) - np.expm1(-inside / self.early))
        return np.where(t >= self.end, 1.0, np.minimum(rise, 1.0))

    def _sf(self, t: FloatArray) -> FloatArray:
        left = np.maximum(self.end - t, 0.0)
        now, end = np.minimum(t, self.end), np.asarray(self.end)
        late = self._late(end) * -np.expm1(-left / self.late)
        early = np.exp(-now / self.early) * -np.expm1(-left / self.early)
        # Early on, rounding of the end would lift it above 1.
        cdf = self._cdf(t)
        return np.where(cdf < 0.5, 1.0 - cdf, self.share * (late + early))

    def _pdf(self, t: FloatArray) -> FloatArray:
        inside = np.minimum(t, self.end)
        slope = np.exp(-inside / self.early) / self.early + self._late(inside) / self.late
        return np.where(t < self.end, self.share * slope, 0.0)

    def _hazard(self, t: FloatArray) -> FloatArray:
        return np.where(t < self.end, self._pdf(t) / self._sf(t), np.inf)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        cdf = self._cdf(t)
        return np.where(cdf < 0.5, -np.log1p(-np.minimum(cdf, 0.5)), -np.log(self._sf(t)))

    def _ppf(self, q: FloatArray) -> FloatArray:
        low, high = np.zeros(q.shape), np.full(q.shape, self.end)
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            reached = np.where(q < 0.5, self._cdf(middle) >= q, self._sf(middle) <= 1.0 - q)
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
            if np.all((middle == low) | (middle == high)) and np.all(high - low <= 4e-16 * high):
                break
        return np.where(self._cdf(low) >= q, low, high)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        inside = np.minimum(t, self.end)
        return np.asarray(inside**order * self._unit_moment(inside, order))

    def _unit_moment(self, inside: FloatArray, order: int) -> FloatArray:
        """Return E[(T/t)^order; T <= t] at ends t of at most the longest duration."""
        # By Kummer's transformation, so that neither end of a bathtub overflows or cancels.
        x, y = inside / self.late, inside / self.early
        late = x * special.hyp1f1(1.0, order + 2.0, -x)
        near = np.minimum(y, 1.0)
        early = near * np.exp(-near) * special.hyp1f1(1.0, order + 2.0, near)
        far = np.maximum(y, 1.0)
        gone = math.factorial(order + 1) * special.gammainc(order + 1.0, far) / far**order
        rises = np.where(y < 1.0, early, gone) + self._late(inside) * late
        return np.asarray(self.share * rises / (order + 1.0))

    def _scaled(self, factor: float) -> Self:
        return replace(
            self, early=self.early * factor, late=self.late * factor, turn=self.turn * factor
        )

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return np.asarray(1.0 - self.laplace_complement(s))

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex s."""
        end = self.end
        first = self.share * math.exp(-self.turn / self.late)
        last = self.share * math.exp((end - self.turn) / self.late)
        early = self.share * _span(s, 1.0 / self.early, end)
        # By parts: s times the integral of sf, a sum of exponentials up to its end.
        level = _span(s, 0.0, end) * (1.0 - self.share)
        z = s - 1.0 / self.late
        small = np.abs(z * end) < 1e-8
        safe = np.where(small, 1.0, z)
        ratio = (first - last * np.exp(-s * end)) / safe
        ratio = np.where(small, first * end * (1.0 - 0.5 * z * end), ratio)
        return np.asarray(level + s * (early - ratio))

    def _log_growth(self, rate: FloatArray) -> FloatArray:
        # Far from 0 over exp(rate end), so that nothing overflows.
        end, high = self.end, np.maximum(rate, 1.0 / self.end)
        fast = high - 1.0 / self.early
        early = np.exp(-np.minimum(high, 1.0 / self.early) * end)
        early = early * end / self.early * special.exprel(-np.abs(fast) * end)
        late = high + 1.0 / self.late
        late = np.exp((end - self.turn) / self.late) * special.exprel(-late * end) * end / self.late
        first = np.exp(-high * end - self.turn / self.late)
        far = high * end + np.log(self.share * (early + late + first))
        near = Lifetime._log_growth(self, np.minimum(rate, 1.0 / end))
        return np.where(rate * end > 1.0, far, near)


@lru_cache(maxsize=64)
def _end_of(share: float, early: float, late: float, turn: float) -> float:
    """Return where the cdf reaches 1."""

    def excess(t: float) -> float:
        return share * (math.exp((t - turn) / late) - math.expm1(-t / early)) - 1.0

    last = turn - late * math.log(share)  # there at least 1, but for rounding
    if excess(last) <= 0.0:
        return last
    return float(brentq(excess, 0.0, last, xtol=1e-300, maxiter=2000))


def _between(name: str, value: float) -> None:
    if not 1.0 / _WIDEST <= value <= _WIDEST:
        raise ValueError(f"{name} must be in [1e-6, 1e6], got {value!r}")


def _span(s: ComplexArray, rate: float, end: float) -> ComplexArray:
    """Return the integral of exp(-rate t - s t) up to `end`, times s where `rate` is 0."""
    if rate == 0.0:
        return np.asarray(-np.expm1(-s * end))
    z = s + rate
    return np.where(z == 0.0, end, -np.expm1(-z * end) / np.where(z == 0.0, 1.0, z))
