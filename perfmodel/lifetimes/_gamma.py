"""Gamma durations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from .._checks import BoolArray, ComplexArray, FloatArray, positive, scalar
from .._special import (
    log1p,
    log_ratio,
    lower_gamma,
    lower_gamma_inverse,
    product,
    stirling_error,
    times_exp,
)
from ._base import MOST_CV, Lifetime, within_floats

_EARLY = 1e-3  # of the scale: before it the cdf is a power of time but for a factor near 1
_LEAST_RATIO = 1e-290  # a smaller one has lost digits


@dataclass(frozen=True, slots=True)
class Gamma(Lifetime):
    """Gamma durations, density proportional to t^(shape - 1) exp(-t/scale).

    Parameters
    ----------
    shape : float, [-]
        1/scv; > 0.
    scale : float, [time]
        mean/shape; > 0.
    """

    shape: float
    scale: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", scalar(positive, "shape", self.shape))
        object.__setattr__(self, "scale", scalar(positive, "scale", self.scale))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float) -> Self:
        """Return the law of this `mean` [time] and coefficient of variation `cv` > 0."""
        average, variation = scalar(positive, "mean", mean), scalar(positive, "cv", cv)
        if not 1.0 / MOST_CV <= variation <= MOST_CV:
            raise ValueError(f"cv must be from 1e-150 to 1e+150 for Gamma, got {cv!r}")
        return cls(variation**-2.0, within_floats(average * variation**2, mean, cv))

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        return self.shape * self.scale

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        return 1.0 / self.shape

    def _cdf(self, t: FloatArray) -> FloatArray:
        x, early = self._ratio(t)
        cdf = lower_gamma(self.shape, x)
        if early.any():
            cdf[early] = self._first_rise(t[early])
        return cdf

    def _sf(self, t: FloatArray) -> FloatArray:
        x, early = self._ratio(t)
        sf: FloatArray = np.asarray(special.gammaincc(self.shape, x), dtype=np.float64)
        if early.any():
            sf[early] = 1.0 - self._first_rise(t[early])
        return sf

    def _pdf(self, t: FloatArray) -> FloatArray:
        return times_exp(np.float64(1.0) / self.scale, self._log_density(t))

    def _hazard(self, t: FloatArray) -> FloatArray:
        sf = self._sf(t)
        ratio = self._pdf(t) / sf
        far = sf < 1e-290
        if far.any():
            ratio = np.asarray(ratio)
            ratio[far] = _tail_hazard(self.shape, t[far] / self.scale) / self.scale
        return np.asarray(ratio)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        x, sf = t / self.scale, self._sf(t)
        near, low = np.asarray(-np.log(sf)), sf > 0.5
        near[low] = -np.log1p(-self._cdf(t[low]))
        far = (sf < 1e-290) & (x < np.inf)
        if far.any():
            tail = x[far]
            near[far] = np.log(_tail_hazard(self.shape, tail)) - self._log_unit_density(tail)
        return near

    def _ppf(self, q: FloatArray) -> FloatArray:
        x = np.where(
            q < 0.5,
            lower_gamma_inverse(self.shape, np.minimum(q, 0.5)),
            special.gammainccinv(self.shape, 1.0 - np.maximum(q, 0.5)),
        )
        early = (x < _LEAST_RATIO) & (q > 0.0)
        power = (np.log(q) + special.gammaln(self.shape + 1.0)) / self.shape
        return np.where(early, times_exp(self.scale, power), self.scale * x)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        return gamma_moment(t, self.scale, self.shape, order)

    def _scaled(self, factor: float) -> Self:
        return replace(self, scale=self.scale * factor)

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return np.asarray(np.exp(-self.shape * special.log1p(self.scale * s)))

    @property
    def abscissa(self) -> float:
        """Where the transform has its branch point, [1/time]."""
        return 1.0 / self.scale

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s > -abscissa."""
        return np.asarray(-np.expm1(-self.shape * log1p(self.scale * s)))

    def _ratio(self, t: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return times in scales, and which of them are above 0 and have lost digits so."""
        x = t / self.scale
        return x, np.asarray((x < _LEAST_RATIO) & (t > 0.0))

    def _first_rise(self, t: FloatArray) -> FloatArray:
        """Return the cdf of the earliest times."""
        return times_exp(
            1.0, self.shape * log_ratio(t, self.scale) - special.gammaln(1 + self.shape)
        )

    def _log_density(self, t: FloatArray) -> FloatArray:
        """Return the logarithm of the density times the scale."""
        x, early = self._ratio(t)
        found = self._log_unit_density(x)
        if early.any():
            power = (self.shape - 1.0) * log_ratio(t[early], self.scale)
            found[early] = power - special.gammaln(self.shape)
        return found

    def _log_unit_density(self, x: FloatArray) -> FloatArray:
        """Return the log density of the law of scale 1."""
        a = self.shape
        if a < 10.0:
            log_density = special.xlogy(a - 1.0, x) - x - special.gammaln(a)
        else:  # Stirling's terms removed first: a log a and log Gamma(a) cancel
            u = (x - a) / a
            ratio = np.where(u > -0.5, special.log1p(u), np.log(x / a))
            log_density = a * (ratio - u) - np.log(x) + 0.5 * math.log(a)
            log_density -= 0.5 * math.log(2.0 * math.pi) + stirling_error(a)
        return np.where(x < np.inf, np.where((x > 0.0) | (a < 10.0), log_density, -np.inf), -np.inf)


def gamma_moment(t: FloatArray, scale: float | FloatArray, shape: float, order: int) -> FloatArray:
    """Return E[T^order; T <= t] of a gamma law, or of several that differ in scale."""
    t, scale = np.broadcast_arrays(t, np.asarray(scale, dtype=np.float64))
    x, end = t / scale, shape + order
    later = special.poch(shape, order) * lower_gamma(end, x)
    found = product(*[scale] * order, later)
    early = (x < _EARLY) & (t > 0.0)
    if early.any():
        # Over t^order, which may be far from scale^order.
        near, power = np.where(early, x, _EARLY), shape * log_ratio(t, scale)
        share = times_exp(
            special.hyp1f1(1.0, end + 1.0, near), power - special.gammaln(shape) - near
        )
        found = np.where(early, product(*[t] * order, share / end), found)
    return np.asarray(found)


def _tail_hazard(a: float, x: FloatArray) -> FloatArray:
    """Return pdf/sf of scale 1 far in the tail: Legendre's continued fraction, modified Lentz."""
    b = x + 1.0 - a
    fraction, c, d = b.copy(), b.copy(), np.zeros_like(x)
    for n in range(1, 2000):
        numerator = n * (a - n)
        b = b + 2.0
        d = 1.0 / (b + numerator * d)
        c = b + numerator / c
        change = c * d
        fraction = fraction * change
        if np.all((np.abs(change - 1.0) < 2e-16) | ~np.isfinite(x)):
            break
    return np.where(np.isfinite(x), fraction / x, 1.0)
