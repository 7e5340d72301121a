"""The first failure in time of any repair with a cdf, by Gauss and Legendre's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..._checks import ComplexArray, FloatArray
from ..._special import legendre
from ...lifetimes import AbstractLifetime
from .._first_failures import Visit, regular
from ._repair import Repair

__all__ = ["ByQuadrature"]


@dataclass(frozen=True, slots=True)
class ByQuadrature:
    """Any downtime with a cdf; one failure, by Gauss and Legendre's rule.

    With `unstruck` failures strike repairs, and only those that none prolongs are known in time.
    """

    rate: float
    law: AbstractLifetime
    one: Repair
    unstruck: bool
    depth: int = 1

    @property
    def rough(self) -> float:
        """Where a narrow law has all but its last mass, [time]; a wide one is smooth."""
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
        before = np.maximum(t - span, 0.0)
        if not self.unstruck:
            return self._integral(before, t, t)
        struck = self._integral(before, t, np.zeros_like(t))
        return struck - math.expm1(-self.rate * span) * self._integral(
            np.zeros_like(t), before, np.zeros_like(t)
        )

    def _integral(self, left: FloatArray, right: FloatArray, decay: FloatArray) -> FloatArray:
        """Integrate rate exp(-rate |decay - x|) F(x) from left to right; decay is 0 or right."""
        # Where F is 0 or 1 to rounding there is nothing to integrate, or a closed form.
        low, high = self._bulk
        start, end = np.clip(left, low, high), np.clip(right, low, high)
        rising = bool(np.any(decay > 0.0))
        total = np.zeros(left.shape)
        for near, far in pairwise(_STRETCHES):
            if rising:
                lower, upper = right - far / self.rate, right - near / self.rate
            else:
                lower, upper = left + near / self.rate, left + far / self.rate
            lower, upper = np.maximum(start, lower), np.minimum(end, upper)
            live = upper > lower
            if live.any():
                total[live] += self._stretch(lower[live], upper[live], decay[live])
        top = np.maximum(left, high)
        beyond = right > top
        if rising:
            return total + np.where(
                beyond, -np.expm1(-self.rate * np.maximum(right - top, 0.0)), 0.0
            )
        return total + np.where(beyond, np.exp(-self.rate * top) - np.exp(-self.rate * right), 0.0)

    def _stretch(self, lower: FloatArray, upper: FloatArray, decay: FloatArray) -> FloatArray:
        """Integrate where the exponential falls little, by panels even in log x."""
        total = np.zeros(lower.shape)
        log_lower = np.log(np.maximum(lower, upper * _LEAST))
        half = 0.5 * (np.log(upper) - log_lower) / _PANELS
        x = np.exp(log_lower + half * _PLACES[:, None])
        mass = x * np.exp(-self.rate * np.abs(decay - x)) * self.law.cdf(x)
        # Row by row: a sum over the axis would depend on how many times are asked together.
        for row, weight in zip(mass, _HEAVIES, strict=True):
            total += weight * row
        return np.asarray(self.rate * half * total)

    @property
    def _bulk(self) -> tuple[float, float]:
        return float(self.law.ppf(1e-18)), float(self.law.ppf(1.0 - 1e-16))


_PANELS = 32  # even in the logarithm, over 39 nats: 1e-15; half as many leave 2e-13
_NODES, _WEIGHTS = legendre(10)
_PLACES = (2.0 * np.arange(_PANELS)[:, None] + 1.0 + _NODES).ravel()
_HEAVIES = np.tile(_WEIGHTS, _PANELS).tolist()
_STRETCHES = (0.0, 3.0, 9.0, 18.0, 40.0)  # mtbf, in each of which the exponential falls little
_LEAST = 1e-17  # share of the upper end, below which nothing adds up to a digit
