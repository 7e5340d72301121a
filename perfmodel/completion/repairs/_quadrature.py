"""The first failure in time of any repair with a cdf, by Gauss and Legendre's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..._checks import ComplexArray, FloatArray
from ..._special import legendre
from ...lifetimes import Lifetime
from .._first_failures import Visit, regular
from ._repair import Repair


@dataclass(frozen=True, slots=True)
class ByQuadrature:
    """Any downtime with a cdf; one failure, by Gauss and Legendre's rule.

    With `unstruck` failures strike repairs, and only those that none prolongs are known in time.
    """

    rate: float
    law: Lifetime
    one: Repair
    unstruck: bool
    depth: int = 1

    @property
    def rough(self) -> float:
        """Time within which a narrow law ends, to rounding, [time]; 0 for a wide, smooth one."""
        return float(self.law.ppf(1.0 - 1e-15)) if self.law.scv < 1.0 else 0.0

    def resonances(self, delay: float, span: float) -> FloatArray:
        """Return those of a narrow law, or of the delay, [1/time]."""
        if self.law.scv < 1.0:
            return regular(delay + self.law.mean)
        return regular(delay if delay > span else 0.0)

    def downtime(self, s: ComplexArray) -> ComplexArray:
        """Return the transform of one downtime; of one without a failure if `unstruck`, [-]."""
        return self.one.transform(s + self.rate if self.unstruck else s)

    def cdf(self, visits: tuple[Visit, ...], t: FloatArray) -> FloatArray:
        """Return the mass of `visits` up to each t > 0, [-]."""
        total = np.zeros(t.shape)
        for visit in visits:
            late = t - visit.delay
            live = late > 0.0
            if live.any():
                total[live] += visit.weight * self._one(visit.spans[0], late[live])
        return total

    def _one(self, span: float, t: FloatArray) -> FloatArray:
        """Return P(uptime within its span and one downtime <= t), [-].

        With G(t) the mass of uptime and downtime up to t: G(t) - exp(-rate span) G(t - span).
        """
        before, width = np.maximum(t - span, 0.0), np.minimum(span, t)
        if not self.unstruck:
            return self._falling(t, width)
        struck = self._rising(before, t, width)
        return struck - math.expm1(-self.rate * span) * self._rising(
            np.zeros_like(t), before, before
        )

    def _falling(self, right: FloatArray, width: FloatArray) -> FloatArray:
        """Integrate rate exp(-rate u) F(right - u) over u, from 0 to `width`.

        A span may be a millionth of the time: both are known, but not by their difference.
        """
        low, high = self._bulk
        first = np.maximum(right - high, 0.0)
        last = np.minimum(width, np.maximum(right - low, 0.0))
        # Where F is 0 or 1 to rounding there is nothing to integrate, or a closed form.
        total = -np.expm1(-self.rate * np.minimum(first, width))
        for near, far in pairwise(_STRETCHES):
            begin = np.maximum(first, near / self.rate)
            end = np.minimum(last, far / self.rate)
            live = end > begin
            if live.any():
                lower, upper = right[live] - end[live], right[live] - begin[live]
                extent = end[live] - begin[live]
                total[live] += self._stretch(lower, upper, extent, begin[live], right[live])
        return np.asarray(total)

    def _rising(self, left: FloatArray, right: FloatArray, width: FloatArray) -> FloatArray:
        """Integrate rate exp(-rate x) F(x) from `left` to `right`, `width` apart."""
        low, high = self._bulk
        total = np.zeros(left.shape)
        for near, far in pairwise(_STRETCHES):
            lower = np.maximum(np.maximum(left, low), left + near / self.rate)
            upper = np.minimum(np.minimum(right, high), left + far / self.rate)
            live = upper > lower
            if live.any():
                lower, upper = lower[live], upper[live]
                whole = (lower == left[live]) & (upper == right[live])
                extent = np.where(whole, width[live], upper - lower)
                total[live] += self._stretch(lower, upper, extent)
        top = np.maximum(left, high)
        # As a difference of exponentials, a short piece would keep few digits or none.
        rest = np.where(left >= high, width, np.maximum(right - top, 0.0))
        return np.asarray(total - np.exp(-self.rate * top) * np.expm1(-self.rate * rest))

    def _stretch(
        self,
        lower: FloatArray,
        upper: FloatArray,
        extent: FloatArray,
        begin: FloatArray | None = None,
        right: FloatArray | None = None,
    ) -> FloatArray:
        """Integrate where the exponential falls little, over an `extent` from `lower` to `upper`.

        The exponential falls with x, or with how far x lies before `right`: `begin` at `upper`.
        """
        short = extent < _SHORT * upper
        total = np.empty(lower.shape)
        for which, even in ((short, True), (~short, False)):
            if not which.any():
                continue
            low, top, length = lower[which], upper[which], extent[which]
            if even:
                share = _PLACES[:, None] / (2.0 * _PANELS)
                x, width = low + length * share, length / (2.0 * _PANELS)
                mass = self.law.cdf(x)
                if begin is not None:
                    mass = mass * np.exp(-self.rate * (begin[which] + length * (1.0 - share)))
            else:
                log_lower = np.log(np.maximum(low, top * _LEAST))
                width = 0.5 * (np.log(top) - log_lower) / _PANELS
                x = np.exp(log_lower + width * _PLACES[:, None])
                mass = x * self.law.cdf(x)
                if right is not None:
                    mass = mass * np.exp(-self.rate * np.abs(right[which] - x))
            if begin is None:
                mass = mass * np.exp(-self.rate * x)
            # Row by row: a sum over the axis would depend on how many times are asked together.
            part = np.zeros(low.shape)
            for row, weight in zip(mass, _HEAVIES, strict=True):
                part += weight * row
            total[which] = self.rate * width * part
        return total

    @property
    def _bulk(self) -> tuple[float, float]:
        return float(self.law.ppf(1e-18)), float(self.law.ppf(1.0 - 1e-16))


_PANELS = 32  # even in the logarithm, over 39 nats: 1e-15; half as many leave 2e-13
_NODES, _WEIGHTS = legendre(10)
_PLACES = (2.0 * np.arange(_PANELS)[:, None] + 1.0 + _NODES).ravel()
_HEAVIES = np.tile(_WEIGHTS, _PANELS).tolist()
_STRETCHES = (0.0, 3.0, 9.0, 18.0, 40.0)  # mtbf, in each of which the exponential falls little
_SHORT = 0.1  # share of the upper end below which panels are even in x, not in log x
_LEAST = 1e-17  # share of the upper end, below which nothing adds up to a digit
