"""Weibull durations: hazard falling (shape < 1) or rising (shape > 1) as a power of age."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from .._checks import ComplexArray, FloatArray, positive, scalar
from ._base import AbstractLifetime, log_moment_ratio
from ._laplace import weibull_complement, weibull_transform

_ORDERS = np.arange(2.0, 50.0)
_SERIES = special.zeta(_ORDERS) * (-1.0) ** _ORDERS * (2.0**_ORDERS - 2.0) / _ORDERS


@dataclass(frozen=True, slots=True)
class Weibull(AbstractLifetime):
    """Weibull durations, sf = exp(-(t/scale)^shape).

    Parameters
    ----------
    shape : float, [-]
        Below 1: failures come in bursts; above 1: wear; > 0.
    scale : float, [time]
        The quantile of 1 - 1/e; > 0.
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
        exponent = _exponent_of(variation)
        scale = average * math.exp(-special.gammaln(1.0 + exponent))
        return cls(1.0 / exponent, scale)

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        with np.errstate(over="ignore"):
            return float(self.scale * special.gamma(1.0 + 1.0 / self.shape))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        with np.errstate(over="ignore"):
            return float(np.expm1(_log_ratio_at(1.0 / self.shape)))

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(-np.expm1(-self._cumulative_hazard(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-self._cumulative_hazard(t)))

    def _pdf(self, t: FloatArray) -> FloatArray:
        sf = self._sf(t)
        return np.where(sf > 0.0, self._hazard(t) * sf, 0.0)

    def _hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.shape / self.scale * (t / self.scale) ** (self.shape - 1.0))

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray((t / self.scale) ** self.shape)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return np.asarray(self.scale * (-np.log1p(-q)) ** (1.0 / self.shape))

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        a = 1.0 + order / self.shape
        whole = np.float64(self.scale) ** order * special.gamma(a)
        return np.asarray(whole * special.gammainc(a, self._cumulative_hazard(t)))

    def _scaled(self, factor: float) -> Self:
        return replace(self, scale=self.scale * factor)

    def _first_of(self, count: float) -> Self:
        return replace(self, scale=self.scale * math.exp(-math.log(count) / self.shape))

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return weibull_transform(self.shape, s * self.scale)

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s >= 0."""
        return weibull_complement(self.shape, s * self.scale)


def _log_ratio_at(x: float) -> float:
    """Return log(E[T^2]/E[T]^2) at shape 1/x."""
    if x < 0.2:  # the two log-gammas cancel; their Taylor series does not
        return float(np.sum(_SERIES * x**_ORDERS))
    return float(special.gammaln(1.0 + 2.0 * x) - 2.0 * special.gammaln(1.0 + x))


def _exponent_of(cv: float) -> float:
    """Return x with `_log_ratio_at(x)` = log(1 + cv^2)."""
    if cv == 1.0:  # exactly exponential: the hazard at 0 jumps with the last digit of the shape
        return 1.0
    target = log_moment_ratio(cv)
    # The ratio is convex and rises from 0: Newton from above goes down to the root.
    x = math.sqrt(target / math.log(2.0)) if target < math.log(2.0) else target + 0.31
    for _ in range(100):
        if x < 0.2:
            slope = float(np.sum(_SERIES * _ORDERS * x ** (_ORDERS - 1.0)))
        else:
            slope = float(2.0 * (special.digamma(1.0 + 2.0 * x) - special.digamma(1.0 + x)))
        step = (_log_ratio_at(x) - target) / slope
        x -= step
        if abs(step) <= 4e-16 * x:
            break
    return x
