"""Gamma durations."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from .._checks import ComplexArray, FloatArray, positive, scalar
from .._special import log1p, stirling_error
from ._base import AbstractLifetime


@dataclass(frozen=True, slots=True)
class Gamma(AbstractLifetime):
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
        return cls(variation**-2.0, average * variation**2)

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        return self.shape * self.scale

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        return 1.0 / self.shape

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(special.gammainc(self.shape, t / self.scale))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(special.gammaincc(self.shape, t / self.scale))

    def _pdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(self._log_density(t / self.scale)) / self.scale)

    def _hazard(self, t: FloatArray) -> FloatArray:
        x = t / self.scale
        sf = special.gammaincc(self.shape, x)
        ratio = np.exp(self._log_density(x)) / sf
        far = sf < 1e-290
        if far.any():
            ratio = np.where(far, _tail_hazard(self.shape, np.where(far, x, np.inf)), ratio)
        return np.asarray(ratio / self.scale)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        x = t / self.scale
        sf = np.asarray(special.gammaincc(self.shape, x))
        near, low = np.asarray(-np.log(sf)), sf > 0.5
        near[low] = -np.log1p(-special.gammainc(self.shape, x[low]))
        far = (sf < 1e-290) & (x < np.inf)
        if far.any():
            tail = np.where(far, x, 1e4 * (1.0 + self.shape))
            near = np.where(
                far, np.log(_tail_hazard(self.shape, tail)) - self._log_density(tail), near
            )
        return np.asarray(near)

    def _ppf(self, q: FloatArray) -> FloatArray:
        x = np.where(
            q < 0.5,
            special.gammaincinv(self.shape, np.minimum(q, 0.5)),
            special.gammainccinv(self.shape, 1.0 - np.maximum(q, 0.5)),
        )
        return np.asarray(self.scale * x)

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        whole = np.float64(self.scale) ** order * special.poch(self.shape, order)
        return np.asarray(whole * special.gammainc(self.shape + order, t / self.scale))

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

    def _log_density(self, x: FloatArray) -> FloatArray:
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
