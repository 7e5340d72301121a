"""Log-normal durations, the usual law of repair times."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy import special

from .._checks import ComplexArray, FloatArray, finite, positive, scalar
from .._special import product, times_exp
from ._base import Lifetime, log_moment_ratio, std_of
from ._laplace import lognormal_complement, lognormal_transform

_LEAST = 1e-290  # a smaller probability has lost digits
_NEAR = 1e-2  # |s| times the mean, below which 1 less the transform loses two digits and more


@dataclass(frozen=True, slots=True)
class LogNormal(Lifetime):
    """Durations whose logarithm is normal.

    Parameters
    ----------
    mu : float, [log time]
        Mean of the logarithm; exp(mu) is the median.
    sigma : float, [-]
        Standard deviation of the logarithm; > 0.
    """

    mu: float
    sigma: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", scalar(finite, "mu", self.mu))
        object.__setattr__(self, "sigma", scalar(positive, "sigma", self.sigma))

    @classmethod
    def from_mean(cls, mean: float, *, cv: float) -> Self:
        """Return the law of this `mean` [time] and coefficient of variation `cv` > 0."""
        average, variation = scalar(positive, "mean", mean), scalar(positive, "cv", cv)
        log_ratio = log_moment_ratio(variation)
        sigma = math.sqrt(log_ratio) if variation > 1e-8 else variation
        return cls(math.log(average) - 0.5 * log_ratio, sigma)

    @property
    def mean(self) -> float:
        """The mean duration, [time]."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.mu + 0.5 * self.sigma**2))

    @property
    def scv(self) -> float:
        """The squared coefficient of variation, [-]."""
        with np.errstate(over="ignore"):
            return float(np.expm1(self.sigma**2))

    @property
    def std(self) -> float:
        """The standard deviation, [time]."""
        return std_of(self.mean, self.scv, self.mu + 0.5 * self.sigma**2, self.sigma**2)

    def _normal(self, t: FloatArray) -> FloatArray:
        return np.asarray((np.log(t) - self.mu) / self.sigma)

    def _cdf(self, t: FloatArray) -> FloatArray:
        return np.asarray(special.ndtr(self._normal(t)))

    def _sf(self, t: FloatArray) -> FloatArray:
        return np.asarray(special.ndtr(-self._normal(t)))

    def _pdf(self, t: FloatArray) -> FloatArray:
        bell = np.exp(-0.5 * self._normal(t) ** 2) / (self.sigma * math.sqrt(2.0 * math.pi))
        if not (bell < _LEAST).any():
            return np.asarray(bell / t)
        z = self._normal(t)
        power = -0.5 * z * z - np.where(t > 0.0, np.log(t), 0.0)
        rare = times_exp(1.0 / (self.sigma * math.sqrt(2.0 * math.pi)), power)
        return np.where(bell < _LEAST, rare, bell / t)

    def _hazard(self, t: FloatArray) -> FloatArray:
        # pdf/sf of the normal is sqrt(2/pi)/erfcx, and erfcx does not underflow.
        mills = special.erfcx(self._normal(t) / math.sqrt(2.0))
        rate = math.sqrt(2.0 / math.pi) / (self.sigma * mills) / t
        rate = np.where(mills < np.inf, rate, self._pdf(t))
        return np.where((t > 0.0) & (t < np.inf), rate, 0.0)

    def _cumulative_hazard(self, t: FloatArray) -> FloatArray:
        return np.asarray(-special.log_ndtr(-self._normal(t)))

    def _ppf(self, q: FloatArray) -> FloatArray:
        return np.asarray(np.exp(self.mu + self.sigma * special.ndtri(q)))

    def _partial_moment(self, t: FloatArray, order: int) -> FloatArray:
        z, weighted = self._normal(t), order * self.sigma
        whole = order * self.mu + 0.5 * weighted**2
        late = times_exp(special.ndtr(z - weighted), whole)
        # The share of t^order, in which two numbers that may be huge have cancelled.
        past = np.where(z < weighted, z, 0.0)
        share = 0.5 * special.erfcx((weighted - past) / math.sqrt(2.0))
        share = times_exp(share, -0.5 * past * past)
        return np.where(z < weighted, product(*[t] * order, share), late)

    def _scaled(self, factor: float) -> Self:
        return replace(self, mu=self.mu + math.log(factor))

    def _laplace(self, s: ComplexArray) -> ComplexArray:
        return lognormal_transform(self.mu, self.sigma, s)

    def laplace_complement(self, s: ComplexArray) -> ComplexArray:
        """Return E[1 - exp(-s T)], [-], for complex Re s >= 0."""
        result = np.asarray(1.0 - lognormal_transform(self.mu, self.sigma, s))
        # One number of two that are nearly equal has no digits near 0.
        near = np.abs(s) < _NEAR / max(self.mean, 1e-300)
        if near.any():
            result[near] = lognormal_complement(self.mu, self.sigma, s[near])
        return result
